import fc from 'fast-check';
import { type Operation, type Parameter, type Schema, withValue } from '../../support/operations.js';
import { hostileString } from '../../support/hostile-strings.js';
import { kindIn } from '../../interference/pool.js';
import { Chance } from '../../properties/random.js';

/** A place for an id of this kind, to be filled in once ids are known. */
export interface Wanted {
  wanted: string;
  nth: number;
}

export interface Shape {
  /** Values by the names in the path. */
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  /** Changes to a valid body, or another body altogether. */
  body:
    | { kept: number[]; edits: [at: readonly (string | number)[], value: unknown][] }
    | { whole: unknown }
    | null;
}

const hostile = fc.nat().map((seed) => hostileString(new Chance(seed), 2_000));
const id = (kind: string): fc.Arbitrary<unknown> => fc.nat(30).map((nth): Wanted => ({ wanted: kind, nth }));
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  hostile,
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e300,
    2 ** 53,
    true,
    [],
    {},
    [[]],
    'x'.repeat(1_001),
    '__proto__',
  ),
  fc
    .constantFrom('__proto__', 'constructor', 'prototype')
    .map((key) => JSON.parse(`{"${key}":{"polluted":1}}`)),
);

/** Values that the schema allows; sometimes nearly valid ones. */
function valueOf(schema: Schema & Json, name: string, depth = 0): fc.Arbitrary<unknown> {
  const kind = kindIn(name);
  const options = schema.oneOf ?? (schema.anyOf as Schema[] | undefined);
  const rights: fc.Arbitrary<unknown>[] = [];
  if (schema.nullable) rights.push(fc.constant(null));
  if (schema.enum) rights.push(fc.constantFrom(...schema.enum));
  else if (options && depth < 4)
    rights.push(fc.oneof(...options.map((option) => valueOf(option as Schema & Json, name, depth + 1))));
  else if (schema.type === 'boolean') rights.push(fc.boolean());
  else if (schema.type === 'integer') rights.push(fc.integer(bounds(schema, 100)));
  else if (schema.type === 'number') rights.push(fc.double({ ...bounds(schema, 100), noNaN: true }));
  else if (schema.type === 'array') rights.push(arrayOf(schema, name, depth));
  else if (schema.type === 'string' || schema.type === undefined) rights.push(textOf(schema, kind));
  else
    rights.push(schema.example === undefined ? fc.jsonValue({ maxDepth: 2 }) : fc.constant(schema.example));
  return fc.oneof({ weight: 6, arbitrary: fc.oneof(...rights) }, { weight: 1, arbitrary: nearly(schema) });
}

type Json = Record<string, unknown>;

function arrayOf(schema: Schema & Json, name: string, depth: number): fc.Arbitrary<unknown> {
  const items = (schema.items ?? {}) as Schema & Json;
  const example = Array.isArray(schema.example) ? (schema.example[0] as unknown) : undefined;
  const item =
    depth > 3 || example !== undefined ? fc.constant(example ?? 'x') : valueOf(items, name, depth + 1);
  const isIds = kindIn(name) !== undefined;
  return fc.array(isIds ? id(kindIn(name) as string) : item, {
    minLength: Number(schema.minItems ?? 0),
    maxLength: 3,
  });
}

function textOf(schema: Schema & Json, kind: string | undefined): fc.Arbitrary<unknown> {
  if (kind !== undefined) return id(kind);
  if (schema.format === 'date-time')
    return fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  const text = fc.string({
    minLength: Number(schema.minLength ?? 0),
    maxLength: Math.min(40, Number(schema.maxLength ?? 40)),
  });
  return schema.example === undefined ? text : fc.oneof(fc.constant(schema.example), text);
}

const bounds = (schema: Json, span: number): { min: number; max: number } => {
  const min = Number(schema.minimum ?? 0);
  return { min, max: Math.max(min, Number(schema.maximum ?? min + span)) };
};

/** A value just beyond the schema's limits, or a different one altogether. */
function nearly(schema: Schema & Json): fc.Arbitrary<unknown> {
  const beyond = [Number(schema.minimum ?? 0) - 1, Number(schema.maximum ?? 1e9) + 1, 0.5];
  const lengths = [
    Number(schema.minLength ?? 1) - 1,
    Math.min(200_001, Number(schema.maxLength ?? 1_000) + 1),
  ];
  const texts = lengths.map((length) => 'x'.repeat(Math.max(0, length)));
  return fc.oneof(fc.constantFrom<unknown>(...beyond, ...texts, null), anything);
}

/** Requests to one operation: valid, nearly valid and hostile ones. */
export function requestsOf(operation: Operation): fc.Arbitrary<Shape> {
  const inPlace = (where: string): Parameter[] => operation.parameters.filter((one) => one.in === where);
  const record = (parameters: Parameter[], isWhole: boolean): fc.Arbitrary<Record<string, unknown>> =>
    fc.record(
      Object.fromEntries(parameters.map(({ name, schema }) => [name, parameterOf(name, schema)])),
      isWhole ? {} : { requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name) },
    );
  return fc.record({
    path: record(inPlace('path'), true),
    query: fc.oneof(
      {
        weight: 2,
        arbitrary: record(
          inPlace('query').filter(({ required }) => required),
          true,
        ),
      },
      { weight: 3, arbitrary: record(inPlace('query'), false) },
    ),
    headers: headersOf(operation),
    body: operation.example === undefined ? fc.constant(null) : bodyOf(operation),
  });
}

function parameterOf(name: string, schema: Schema): fc.Arbitrary<unknown> {
  // Long waits are left out.
  if (name === 'wait') return fc.constantFrom(0, -1, 'x');
  if (name === 'version') return fc.constantFrom(1, 2, 0, 'x');
  if (name === 'timestamp') return fc.constantFrom('2999-01-01T00:00:00Z', '2020-01-01', 'x');
  return valueOf(schema as Schema & Json, name);
}

const headersOf = ({ method }: Operation): fc.Arbitrary<Record<string, string>> =>
  fc
    .record(
      {
        'Idempotency-Key': fc.constantFrom('a', 'b', 'x'.repeat(256)),
        'If-Match': fc.constantFrom('"1"', '*', 'x', 'W/"1"'),
        'X-Change-Reason': fc.constantFrom('because', 'x'.repeat(3_000)),
      },
      { requiredKeys: [] },
    )
    .map((headers) => {
      const kept = Object.entries(headers).filter(
        ([name]) => name !== 'Idempotency-Key' || method === 'POST',
      );
      return Object.fromEntries(kept.slice(0, 1));
    });

function bodyOf(operation: Operation): fc.Arbitrary<Shape['body']> {
  const edits = operation.fields.map(({ at, schema }) =>
    valueOf(schema as Schema & Json, String(at.findLast((step) => typeof step === 'string'))).map(
      (value): [readonly (string | number)[], unknown] => [at, value],
    ),
  );
  const kept = fc.array(fc.nat(20), { maxLength: 12 });
  const none = fc.constant<[readonly (string | number)[], unknown][]>([]);
  const some = edits.length === 0 ? none : fc.array(fc.oneof(...edits), { maxLength: 3 });
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ kept, edits: none }) },
    { weight: 6, arbitrary: fc.record({ kept, edits: some }) },
    { weight: 1, arbitrary: anything.map((whole) => ({ whole })) },
  );
}

/** The body that the shape makes of a valid one. */
export function shapedBody(shape: Shape['body'], working: Json | undefined, required: string[]): unknown {
  if (shape === null || working === undefined) return undefined;
  if ('whole' in shape) return JSON.stringify(shape.whole);
  const names = Object.keys(working);
  const dropped = new Set(
    shape.kept.map((nth) => names[nth]).filter((name) => !required.includes(name ?? '')),
  );
  const body = Object.fromEntries(Object.entries(working).filter(([name]) => !dropped.has(name)));
  return shape.edits.reduce<unknown>((edited, [at, value]) => withValue(edited, at, value), body);
}
