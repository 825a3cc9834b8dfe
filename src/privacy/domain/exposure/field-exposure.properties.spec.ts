import { isObject } from '../../../kernel/json/json-values.js';
import fc from 'fast-check';
import { atOnce, Slices } from '../../../kernel/slices.js';
import { DETAIL_LEVELS } from '../profile-rules.js';
import { FieldExposure } from './field-exposure.js';
import { parseTransformations } from './parse-transformations.js';
import { PII_ENTITIES } from '../../../libs/pii/entities.js';
import { FIELDS_OF_TYPE } from './node-exposure.js';
import { GRANULARITIES, MASK_STRATEGIES, type TransformationType } from './transformation.js';

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
console.log(`exposure properties: seed ${seed}`);
const runs = { seed, numRuns: 1_500 };

const MARKER = 'MARKER';
const tag = '01890a5d-ac96-774b-bcce-b302099a8057';

const key = fc.constantFrom(
  'a',
  'A',
  ' ａ',
  'b',
  'email',
  'phone',
  'list',
  '0',
  '__proto__',
  'constructor',
  'jane@example.com',
);
const leaf = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    4111111111111111,
    'jane@example.com',
    '030 901820',
    '2024-05-17',
    'on 17 May 2024, 10:11',
    'plain',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('tree')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));
const object = fc.array(fc.tuple(key, tree), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));

const node = fc.record({
  id: fc.uuid(),
  title: fc.oneof(fc.constant('call 030 901820'), fc.string()),
  value: fc.option(fc.oneof(fc.constant('mail jane@example.com'), fc.string())),
  node_type: fc.constantFrom('EXPERIENCE', 'GOAL'),
  meaning_level: fc.constant('IDENTITY'),
  importance_score: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  metadata: fc.option(object),
  agent_metadata: fc.option(object),
  last_modified_by_agent_id: fc.option(fc.uuid()),
  schema_id: fc.option(fc.uuid()),
  tags: fc.array(fc.string()),
  owner_id: fc.uuid(),
  created_at: fc.constant('2024-05-17T10:11:12.123Z'),
  updated_at: fc.constant('2024-06-17T10:11:12.123Z'),
  version: fc.integer({ min: 1 }),
});
const facts = fc.record({
  id: fc.constant('a'),
  tagIds: fc.constantFrom([], [tag]),
  nodeType: fc.constantFrom('EXPERIENCE', 'GOAL'),
});

const pathFor = (type: TransformationType) =>
  fc
    .tuple(
      fc.constantFrom(...FIELDS_OF_TYPE[type]),
      fc.array(fc.oneof(key, fc.constant('*')), { maxLength: 3 }),
    )
    .map((parts) => parts.flat().join('.'))
    .filter((path) => !path.includes('@'));
const pathsFor = (type: TransformationType) => fc.array(pathFor(type), { minLength: 1, maxLength: 3 });
const applyToFor = (type: TransformationType) =>
  fc.record(
    {
      tag_ids: fc.constantFrom([], [tag]),
      node_types: fc.constantFrom([], ['GOAL']),
      fields: pathsFor(type),
    },
    { requiredKeys: [] },
  );
const one = (type: TransformationType, config: fc.Arbitrary<object>) =>
  fc.record(
    { type: fc.constant(type), config, apply_to: applyToFor(type) },
    { requiredKeys: ['type', 'config'] },
  );
const masks = fc
  .record({ paths: pathsFor('field_mask'), strategy: fc.constantFrom(...MASK_STRATEGIES) })
  .filter(({ paths }) => !paths.some((path) => /^(?:importance|last)_/.test(path)));
const transformations = fc.array(
  fc.oneof(
    one('pii_redaction', fc.record({ entities: fc.subarray([...PII_ENTITIES], { minLength: 1 }) })),
    one('field_mask', masks),
    one('truncate', fc.record({ field: pathFor('truncate'), max: fc.integer({ min: 0, max: 20 }) })),
    one('round_date', fc.record({ granularity: fc.constantFrom(...GRANULARITIES) })),
    one('pseudonymize', fc.record({ paths: pathsFor('pseudonymize') })),
  ),
  { maxLength: 4 },
);
const exposure = fc
  .tuple(transformations, fc.constantFrom(...DETAIL_LEVELS))
  .map(
    ([written, detail]) =>
      new FieldExposure({ detail, transformations: parseTransformations(written), pseudonymKey: 'key' }),
  );

type Written = Record<string, unknown>;

/** The kind and scope of a transformation that hashes, else null. Neighbours of one kind hash a value once. */
const hashingKind = ({ type, config, apply_to }: Written): string | null =>
  type === 'pseudonymize' || (config as Written | undefined)?.['strategy'] === 'hash'
    ? JSON.stringify([type, apply_to ?? {}])
    : null;

/** The value with the parts that a second hash of the same value changed. Hashes change no structure. */
function hashedByEither(value: unknown, one: unknown, other: unknown): unknown {
  if (Array.isArray(value))
    return value.map((part, index) =>
      hashedByEither(part, (one as unknown[])[index], (other as unknown[])[index]),
    );
  if (!isObject(value)) return Object.is(value, one) ? other : one;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      hashedByEither(part, (one as Written)[name], (other as Written)[name]),
    ]),
  );
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [change(name), mapTexts(part, change)]),
  );
}

describe('FieldExposure', () => {
  it('detail minimal shows no text of the user', () => {
    fc.assert(
      fc.property(node, facts, transformations, (given, about, written) => {
        const marked: Record<string, unknown> = { ...given, is_shared: true, owner: { username: MARKER } };
        for (const field of ['title', 'value', 'metadata', 'agent_metadata', 'tags', 'importance_score']) {
          marked[field] = mapTexts(marked[field] ?? 'x', (text) => MARKER + text);
        }
        const minimal = new FieldExposure({
          detail: 'minimal',
          transformations: parseTransformations(written),
          pseudonymKey: 'key',
        });
        expect(JSON.stringify(minimal.expose(marked, about))).not.toContain(MARKER);
      }),
      runs,
    );
  });

  it('a node written back as it was shown is the original', () => {
    fc.assert(
      fc.property(node, facts, exposure, (given, about, chosen) => {
        const shown = chosen.expose(given, about);
        for (const [field, value] of Object.entries(shown)) {
          const original = given[field as keyof typeof given];
          const read = { original, shown: value, written: structuredClone(value) };
          expect(atOnce(chosen.restoring(field, read))).toEqual(original);
        }
      }),
      runs,
    );
  });

  it('a node written back with an addition keeps everything that was there', () => {
    fc.assert(
      fc.property(node, facts, exposure, (given, about, chosen) => {
        const shown = chosen.expose(given, about)['metadata'];
        if (!isObject(shown) || !isObject(given.metadata)) return;
        const written = { ...withMore(shown), added: 1 };
        const read = { original: given.metadata, shown, written };
        const { added, ...rest } = atOnce(chosen.restoring('metadata', read)) as Record<string, unknown>;
        expect(added).toBe(1);
        expect(withoutMore(rest)).toEqual(given.metadata);
      }),
      runs,
    );
  });

  it('a whole node is shown as its single fields are, and as touches() foretold', () => {
    fc.assert(
      fc.property(node, facts, exposure, (given, about, chosen) => {
        const shown = chosen.expose(given, about);
        for (const [field, value] of Object.entries(given)) {
          expect(chosen.exposeValue(field, value, about)).toEqual(shown[field]);
          if (!chosen.touches(field)) expect(shown[field]).toEqual(value);
        }
      }),
      runs,
    );
  });

  it('neighbours folded into one show the same as step by step', () => {
    const repeated = fc
      .tuple(transformations, fc.array(fc.nat({ max: 3 }), { maxLength: 8 }), fc.constantFrom({}, undefined))
      .map(([drawn, picks, unbound]) =>
        picks
          .flatMap((pick) => drawn[pick] ?? [])
          .slice(0, 4)
          .map((one) => (unbound === undefined ? one : { ...one, apply_to: unbound })),
      );
    fc.assert(
      fc.property(node, facts, repeated, (given, about, written) => {
        const single = (one: unknown): FieldExposure =>
          new FieldExposure({
            detail: 'full',
            transformations: parseTransformations([one]),
            pseudonymKey: 'key',
          });
        const whole = new FieldExposure({
          detail: 'full',
          transformations: parseTransformations(written),
          pseudonymKey: 'key',
        });
        let before: Written = given;
        let stepByStep: Written = given;
        for (const [index, one] of written.entries()) {
          const kind = hashingKind(one);
          const last = written[index - 1];
          const continues = kind !== null && last !== undefined && kind === hashingKind(last);
          if (!continues) before = stepByStep;
          const shown = single(one).expose(before, about);
          stepByStep = continues ? (hashedByEither(before, stepByStep, shown) as Written) : shown;
        }
        expect(whole.expose(given, about)).toEqual(stepByStep);
      }),
      { ...runs, numRuns: 4_000 },
    );
  });

  it('a prepared node is shown as an unprepared one', async () => {
    const slices = new Slices(60_000);
    await fc.assert(
      fc.asyncProperty(node, facts, transformations, async (given, about, written) => {
        const made = (): FieldExposure =>
          new FieldExposure({
            detail: 'full',
            transformations: parseTransformations(written),
            pseudonymKey: 'key',
          });
        const prepared = made();
        await prepared.prepare(given, about, slices);
        // Both are compared as they are sent: JSON has no negative zero.
        const [kept, anew] = [prepared, made()].map((one) => JSON.stringify(one.expose(given, about)));
        expect(kept).toBe(anew);
      }),
      runs,
    );
  });

  it('another text, version or node recalls nothing that was prepared', async () => {
    const redacting = new FieldExposure({
      detail: 'full',
      transformations: parseTransformations(['pii_redaction']),
      pseudonymKey: '',
    });
    const about = { id: 'a', tagIds: [], nodeType: 'GOAL' };
    const stored = { id: 'a', version: 1, value: `${'word '.repeat(20)} jane@example.com` };
    await redacting.prepare(stored, about, new Slices(60_000));
    const others = [
      { ...stored, value: `${'word '.repeat(20)} john@example.org, again` },
      { ...stored, version: 2, value: 'another text, as long as that: jane@example.com' },
    ];
    for (const other of others) {
      expect(redacting.expose(other, about)['value']).toBe(
        other.value.replace(/j\w+@\S+(?=,)|j\w+@\S+$/, '[REDACTED:email]'),
      );
    }
  });

  it('no node makes the exposure fail', () => {
    const anything = fc.dictionary(
      fc.constantFrom(...Object.keys({ title: 0, value: 0, metadata: 0, created_at: 0, tags: 0 })),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.oneof(anything, node), facts, exposure, (given, about, chosen) => {
        const shown = chosen.expose(given, about);
        if (!chosen.isIdentity) expect(Object.getPrototypeOf(shown)).toBe(Object.prototype);
        atOnce(chosen.restoring('metadata', { original: given, shown, written: given }));
      }),
      runs,
    );
  });

  it('nesting and size that no stored node has are shown without failure', async () => {
    let deep: unknown = 'jane@example.com';
    for (let level = 0; level < 2_000; level += 1) deep = level % 2 === 0 ? [deep] : { a: deep };
    const wide = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, 'jane@example.com']),
    );
    const redacting = new FieldExposure({
      detail: 'full',
      transformations: parseTransformations(['pii_redaction', 'round_date']),
      pseudonymKey: '',
    });
    const facts = { id: 'a', tagIds: [], nodeType: 'x' };
    const shown = await redacting.exposeInSlices({ metadata: { deep, wide } }, facts, new Slices(60_000));
    expect(JSON.stringify(shown)).not.toContain('example.com');
  });
});

const MORE = 'one more';

/**
 * The value with an element at the end of every array that has no array below it. (An element changed beside
 * an added one is another case: the two cannot be distinguished.)
 */
function withMore(value: unknown): Record<string, unknown> {
  const more = (part: unknown): unknown => {
    if (Array.isArray(part)) return JSON.stringify(part).includes('[', 1) ? part.map(more) : [...part, MORE];
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([name, one]) => [name, more(one)]))
      : part;
  };
  return more(value) as Record<string, unknown>;
}

function withoutMore(value: unknown): unknown {
  if (Array.isArray(value)) return (value.at(-1) === MORE ? value.slice(0, -1) : value).map(withoutMore);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutMore(one)]))
    : value;
}
