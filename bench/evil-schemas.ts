type JsonObject = Record<string, unknown>;

/** A hostile schema, with a value that makes it expensive. */
export interface Evil {
  name: string;
  schema: unknown;
  value: JsonObject;
}

type Draw = (below: number) => number;

/** The same numbers for the same seed. */
export function drawing(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const repeat = (text: string, times: number): string => text.repeat(times);
const nested = (levels: number, wrap: (inner: unknown) => unknown, inner: unknown = {}): unknown =>
  levels === 0 ? inner : nested(levels - 1, wrap, wrap(inner));
const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

const PATTERNS = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '([a-zA-Z]+)*!',
  '^(.*a){12}$',
  '(x+x+)+y',
  '^((a{1,30}){1,30}){1,30}$',
  '(?=a)b',
  '(?<!a)b',
  '(a)\\1',
  '[',
  '(',
  'a{1001}',
  '((a{100}){100}){100}',
  '\\p{Nothing}',
  '(?:a?){40}a{40}',
  '^(\\d+\\.?)+$',
  '(\\w+\\s?)+$',
  '\\u{110000}',
  '[\\d-z]',
  '(?P<n>a)',
  '.*.*.*.*.*.*.*x',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
];

type Kind = (draw: Draw) => Omit<Evil, 'name'>;

const KINDS: Record<string, Kind> = {
  'a catastrophic pattern': (draw) => ({
    schema: { properties: { a: { pattern: PATTERNS[draw(PATTERNS.length)] } } },
    value: { a: `${repeat('a', 20_000 + draw(80_000))}!` },
  }),
  'a catastrophic pattern of names': (draw) => ({
    schema: { patternProperties: { [PATTERNS[draw(PATTERNS.length)] as string]: false } },
    value: { [`${repeat('a', 5_000 + draw(5_000))}!`]: 1 },
  }),
  'many patterns on many names': (draw) => ({
    schema: { patternProperties: Object.fromEntries(list(300, (i) => [`(a|b|${i})*c${i}$`, {}])) },
    value: Object.fromEntries(list(500 + draw(500), (i) => [repeat('ab', 20) + i, i])),
  }),
  'a long pattern': (draw) => ({
    schema: { properties: { a: { pattern: repeat('(a|b)?', 100 + draw(600)) } } },
    value: { a: repeat('ab', 10_000) },
  }),
  'patterns that grow when they are compiled': (draw) => ({
    schema: {
      allOf: list(20, (i) => ({
        pattern: [
          `${repeat('a{1000}', 280)}${i}`,
          `(${repeat('ab?', 600)}${i}){1000}`,
          `${repeat('\\pL{99}', 9)}${i}`,
        ][draw(3)],
      })),
    },
    value: { a: repeat('a', 1_000) },
  }),
  'deep nesting': (draw) => ({
    schema: nested(20 + draw(60), (inner) => ({ properties: { a: inner } })),
    value: nested(20 + draw(10), (inner) => ({ a: inner })) as JsonObject,
  }),
  'a huge enum': (draw) => ({
    schema: { properties: { a: { enum: list(3_000 + draw(4_000), (i) => `v${i}`) } } },
    value: { a: list(10_000, (i) => i) },
  }),
  'an enum of objects over a large value': (draw) => ({
    schema: { properties: { a: { items: { enum: list(200 + draw(200), (i) => ({ i, b: [i] })) } } } },
    value: { a: list(4_000, (i) => ({ i, b: [i] })) },
  }),
  'a reference to itself': (draw) => ({
    schema: [
      { $ref: '#' },
      { allOf: [{ $ref: '#' }] },
      { not: { $ref: '#' } },
      { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    ][draw(4)],
    value: { a: 1 },
  }),
  'references that double at each step': (draw) => {
    const levels = 20 + draw(20);
    const defs = list(
      levels,
      (i) => [`d${i}`, { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }] as const,
    );
    return {
      schema: { $defs: { ...Object.fromEntries(defs), [`d${levels}`]: {} }, $ref: '#/$defs/d0' },
      value: { a: 1 },
    };
  },
  'a tree that branches into itself': (draw) => ({
    schema: {
      anyOf: [{ required: ['no'] }],
      additionalProperties: { [['oneOf', 'anyOf'][draw(2)] as string]: list(12, () => ({ $ref: '#' })) },
    },
    value: nested(25, (inner) => ({ a: inner, b: inner === undefined ? 1 : 2 }), { a: {} }) as JsonObject,
  }),
  'a product of alternatives': (draw) => ({
    schema: nested(3 + draw(2), (inner) => ({ oneOf: list(5, () => inner) }), {
      properties: { a: { multipleOf: 7 } },
    }),
    value: { a: list(50, (i) => i) },
  }),
  'dynamic references': (draw) => ({
    schema: {
      $id: 'https://a.example/x',
      $dynamicAnchor: 'n',
      additionalProperties: { anyOf: list(4 + draw(8), () => ({ $dynamicRef: '#n' })) },
      maxProperties: 1,
    },
    value: nested(28, (inner) => ({ a: inner }), { a: 1, b: 2 }) as JsonObject,
  }),
  'edges of numbers': (draw) => ({
    schema: {
      properties: {
        a: {
          multipleOf: [1e-300, 5e-324, 1e308, 0.1, 123456789.987654321, 1][draw(6)],
          minimum: -1e308,
          maximum: 1e308,
        },
      },
    },
    value: { a: [1e308, -1e308, 5e-324, 0.1 + 0.2, 2 ** 53 + 1, 0][draw(6)] },
  }),
  'unique items without end': (draw) => ({
    schema: { properties: { a: { uniqueItems: true, items: { uniqueItems: true } } } },
    value: { a: list(3_000 + draw(3_000), (i) => [i, { i, j: [i] }]) },
  }),
  'unevaluated members over many branches': (draw) => ({
    schema: {
      allOf: list(200 + draw(300), (i) => ({ properties: { [`k${i}`]: {} }, additionalProperties: true })),
      unevaluatedProperties: false,
    },
    value: Object.fromEntries(list(2_000, (i) => [`k${i}`, i])),
  }),
  'contains over a large array': (draw) => ({
    schema: { properties: { a: { contains: { contains: { const: draw(9) } }, minContains: 10_000 } } },
    value: { a: list(1_000, () => list(20, (i) => i)) },
  }),
  'strange letters': (draw) => ({
    schema: {
      properties: { '\u202e\ud83d\ude00': { minLength: draw(90_000), pattern: '^\\p{L}+$' } },
      required: ['İ', 'ı', 'ß'],
    },
    value: { '\u202e\ud83d\ude00': repeat('\u0301\ud83d\ude00', 20_000) },
  }),
  'names of prototypes': (draw) => ({
    schema: {
      properties: {
        [['toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'][draw(4)] as string]: {
          type: 'string',
        },
      },
      required: ['toString'],
      additionalProperties: false,
    },
    value: { valueOf: 1 },
  }),
  'what is no schema': (draw) => ({
    schema: [
      { type: [] },
      { properties: { a: 7 } },
      { $id: '::::' },
      { $ref: 'http://[' },
      { $anchor: ' ' },
      { allOf: {} },
      { $schema: 'javascript:alert(1)' },
      { $ref: '%zz' },
      { $ref: '#/%zz' },
    ][draw(9)],
    value: {},
  }),
  'references elsewhere': (draw) => ({
    schema: {
      $ref: [
        'http://127.0.0.1:1/x',
        'file:///etc/passwd',
        'data:application/json,{}',
        '//example.org/x',
        'a.json',
      ][draw(5)],
    },
    value: {},
  }),
  'the meta-schema of itself': (draw) => ({
    schema: { $ref: 'https://json-schema.org/draft/2020-12/schema', maxProperties: draw(90) },
    value: nested(25, (inner) => ({ allOf: [inner], properties: { a: { type: 7 } } }), true) as JsonObject,
  }),
  'very many properties': (draw) => ({
    schema: {
      properties: Object.fromEntries(list(1_500 + draw(500), (i) => [`p${i}`, { type: ['string', 'null'] }])),
      required: list(1_500, (i) => `p${i}`),
    },
    value: Object.fromEntries(list(2_000, (i) => [`p${i}`, i])),
  }),
};

/** Hostile schemas of every kind, the same for the same seed. */
export function evilSchemas(count: number, seed: number): Evil[] {
  const draw = drawing(seed);
  const kinds = Object.entries(KINDS);
  return list(count, (index) => {
    const [name, make] = kinds[index % kinds.length] as [string, Kind];
    return { name, ...make(draw) };
  });
}
