import { Chance, seedOf } from '../properties/random.js';
import { type Answer } from '../support/client.js';
import { type Field, type Operation, operationsOf, valueAt, withValue } from '../support/operations.js';
import { bodyOf, ELSEWHERE, endsSomething, pathOf, Place } from '../support/plausible.js';
import { World } from '../support/world.js';
import { failedInside, faultOf } from './hostile-requests.js';
import { ReadMessages } from './read-messages.js';

/** A long text for fields of text; other fields refuse it like any other. */
const LONG = 'x'.repeat(200_000);

/** Values by their JSON type. Each run tries one of each type in every field; `VALUES=all` tries all of them. */
const VALUES: [type: string, value: unknown][] = [
  ['null', null],
  ['boolean', true],
  ['number', 7],
  ['number', -1.5],
  ['number', 1e300],
  ['string', ''],
  ['string', 'text'],
  ['string', '7'],
  ['string', LONG],
  ['array', []],
  ['array', [null]],
  ['array', [{}]],
  ['array', [[['text']], { stray: 1 }, 7]],
  ['object', {}],
  ['object', { length: 3, 0: 'a', toString: 'text', then: 1 }],
  ['object', { stray: { straying: [{ astray: null }] } }],
];
const TYPES = [...new Set(VALUES.map(([type]) => type))];
const UNKNOWN = {
  id: 'x',
  owner_id: '00000000-0000-7000-8000-000000000000',
  version: 99,
  created_at: 7,
  $where: '1',
  is_admin: true,
  deleted_at: null,
  tier: 'enterprise',
  nested: { unknown: [1] },
};
const WHOLE = ['null', '[]', '[{}]', '"text"', '7', 'true', '', ' ', '{', '{"a":1,}', '{"a":NaN}'];

describe('hostile bodies', () => {
  let world: World;
  let operations: Operation[];
  let place: Place;
  let number = 0;

  beforeAll(async () => {
    world = await World.startHere();
    operations = operationsOf(world.nest).filter(({ example }) => example !== undefined);
    place = await Place.make(world);
  }, 60_000);
  afterAll(() => world.stop());

  const plausible = (operation: Operation) =>
    bodyOf(operation, place.things, ++number) as Record<string, unknown>;

  async function send(operation: Operation, body: unknown, headers: Record<string, string> = {}) {
    const path = pathOf(operation, place.things);
    const answer = await place.clientFor(operation).send(operation.method, path, body, { headers });
    if (endsSomething(operation, answer)) place = await Place.make(world);
    return answer;
  }

  it('bodies of the wrong types with another type in any field are refused in plain words if openapi.json says so, and never fail', async () => {
    const faults: string[] = [];
    const messages = new ReadMessages();
    const chance = new Chance(seedOf('hostile bodies'));
    for (const operation of operations) {
      for (const field of operation.fields) {
        for (const [type, value] of someValues(chance, field)) {
          const answer = await send(operation, withValue(plausible(operation), field.at, value));
          messages.read(operation.name, answer);
          const fault = faultOf(answer) ?? taken({ field, type, value }, answer);
          if (fault)
            faults.push(
              `${operation.name} ${field.at.join('.')} = ${JSON.stringify(value).slice(0, 100)}: ${fault}`,
            );
        }
      }
    }
    expect(faults).toEqual([]);
    expect([...messages.faults]).toEqual([]);
    expect(messages.heard).toBeGreaterThan(500);
  }, 900_000);

  it('bodies of the wrong types without a field are refused exactly if it is required', async () => {
    const faults: string[] = [];
    for (const operation of operations) {
      for (const { at, isRequired } of operation.fields) {
        const answer = await send(operation, withValue(plausible(operation), at, undefined));
        const isTaken = answer.status < 300 && !failedInside(answer);
        const fault = faultOf(answer) ?? (isRequired && isTaken ? 'taken without it' : null);
        if (fault) faults.push(`${operation.name} without ${at.join('.')}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
  }, 300_000);

  it('bodies of the wrong types with unknown fields, at any depth, are accepted without them or refused', async () => {
    const faults: string[] = [];
    for (const operation of operations.filter(({ name }) => !ELSEWHERE.test(name))) {
      const objects = operation.fields.filter(({ schema }) => schema.properties);
      for (const at of [[], ...objects.map((field) => field.at)]) {
        const body = plausible(operation);
        const inner = valueAt(body, at) as object;
        const extended = { ...UNKNOWN, ...inner };
        const answer = await send(operation, at.length === 0 ? extended : withValue(body, at, extended));
        const isRefused =
          answer.status === 400 && /is not a known field|is set by the service/.test(answer.text);
        const isAnswered = answer.status < 300 || isRefused;
        const fault = faultOf(answer) ?? (isAnswered ? null : `${answer.status} ${answer.text}`);
        if (fault) faults.push(`${operation.name} at ${at.join('.')}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
    const { body: me } = await place.user.get('/auth/me');
    expect(me).toMatchObject({ tier: 'free', id: place.user.id });
  }, 300_000);

  it('bodies of the wrong types that are not objects, not JSON, or of another media type are refused', async () => {
    const faults: string[] = [];
    const refused = async (operation: Operation, body: string, type = 'application/json') => {
      const answer = await send(operation, body, { 'Content-Type': type });
      const isRefused = answer.status >= 400 || body.trim() === '';
      const fault = faultOf(answer) ?? (isRefused ? null : `${answer.status} ${answer.text}`);
      if (fault) faults.push(`${operation.name} ${type} ${JSON.stringify(body)}: ${fault}`);
    };
    for (const operation of operations) {
      for (const body of WHOLE) await refused(operation, body);
      for (const type of ['text/plain', 'application/xml', 'application/json; charset=utf-16', ';;;'])
        await refused(operation, '{"name":"x"}', type);
      const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
      await refused(operation, deep);
      await refused(
        operation,
        `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`,
      );
    }
    expect(faults).toEqual([]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  }, 300_000);
});

function someValues(chance: Chance, { schema }: Field): typeof VALUES {
  const values = VALUES.filter(([, value]) => value !== LONG || schema.type === 'string');
  if (process.env['VALUES'] === 'all') return values;
  return TYPES.map((type) => chance.pick(values.filter((value) => value[0] === type)));
}

interface Wrong {
  field: Field;
  type: string;
  value: unknown;
}

/** A value that was accepted although openapi.json does not allow it. */
function taken({ field: { schema }, type, value }: Wrong, answer: Answer): string | null {
  if (answer.status >= 300 || failedInside(answer)) return null;
  if (value === null) return schema.nullable || schema.type === undefined ? null : 'null is taken';
  const isAllowed =
    schema.type === undefined ||
    schema.type === type ||
    (schema.type === 'integer' && Number.isInteger(value)) ||
    (schema.oneOf?.length ?? 0) > 0;
  if (!isAllowed) return `${answer.status}: ${type} for ${schema.type}`;
  return schema.enum && !schema.enum.includes(value) ? `${answer.status}: not in the enumeration` : null;
}
