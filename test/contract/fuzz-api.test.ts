import { type OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';
import { buildOpenApi } from '../../src/kernel/http/openapi/openapi.js';
import { Pool } from '../interference/pool.js';
import { Chance, seedOf } from '../properties/random.js';
import { type Operation, operationsOf } from '../support/operations.js';
import { bodyOf, Place } from '../support/plausible.js';
import { World } from '../support/world.js';
import { AnswerSchemas } from './fuzz/answer-schemas.js';
import { circleAround, type Others } from './fuzz/circle.js';
import { requestsOf, type Shape, shapedBody, type Wanted } from './fuzz/arbitrary-requests.js';

/** Cases for each operation. The command tries many more (npm run fuzz:api). */
const CASES = Number(process.env.RUNS ?? 4);
const ENDS = /^DELETE|bulk-delete|\/(logout|refresh|password)$/;
const OPERATIONS = new RegExp(process.env.ONLY ?? '');

/** Random requests: the service does not fail, and answers as openapi.json says. */
describe('fuzzing', () => {
  let world: World;
  let schemas: AnswerSchemas;
  let operations: Operation[];
  let place: Place;
  let pool: Pool;
  let others: Others;
  let number = 0;
  const seed = seedOf('fuzz');
  const reached = new Set<string>();

  beforeAll(async () => {
    world = await World.startHere();
    const document = JSON.parse(JSON.stringify(buildOpenApi(world.nest))) as OpenAPIObject;
    schemas = new AnswerSchemas(document);
    operations = operationsOf(world.nest).sort((a, b) => rank(a) - rank(b));
    await settle();
  }, 120_000);
  afterAll(() => world.stop());

  const rank = ({ name, method }: Operation): number => (ENDS.test(name) ? 2 : method === 'POST' ? 0 : 1);

  /** A person with one of everything, whose ids later requests use. */
  async function settle(): Promise<void> {
    place = await Place.make(world);
    pool = new Pool(new Chance(seed + ++number));
    for (const [kind, id] of Object.entries(place.things)) pool.knows(kind, id);
    others = await circleAround(world, place, pool);
  }

  const named = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && 'wanted' in value ? idOf(value as Wanted) : value;
  const idOf = ({ wanted, nth }: Wanted): string =>
    nth < 12 && place.things[wanted] !== undefined ? place.things[wanted] : pool.pick(wanted);
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null || 'wanted' in value) return named(value);
    // An assignment to __proto__ would set the prototype.
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner)]));
  };

  /** The state in which a proposal can be approved, applied or reverted. */
  const ripeFor = (path: string, given: unknown): string | undefined => {
    const isOurs = (given as Wanted | null)?.wanted === 'proposal' && (given as Wanted).nth < 12;
    return isOurs ? place.things[`proposal to ${path.split('/').at(-1)}`] : undefined;
  };

  function pathOf({ path }: Operation, shape: Shape): string {
    const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
    const below = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const given = shape.path[name];
      const value = text(ripeFor(path, given) ?? filled(given)).slice(0, 200);
      // An empty segment, or one of dots, would be another path.
      return encodeURIComponent((/^\.*$/.test(value) ? 'none' : value).toWellFormed());
    });
    const query = Object.entries(shape.query).map(
      ([name, value]) => `${name}=${encodeURIComponent(text(filled(value)).toWellFormed().slice(0, 2_000))}`,
    );
    return query.length === 0 ? below : `${below}?${query.join('&')}`;
  }

  async function fault(operation: Operation, shape: Shape): Promise<string | null> {
    const { subscriber, ...them } = others;
    const app = /subscribe$/.test(operation.path) ? { app: subscriber } : {};
    const working = bodyOf(operation, { ...place.things, ...them, ...app }, ++number);
    const required = operation.fields.filter(({ at, isRequired }) => isRequired && at.length === 1);
    const body = shapedBody(
      filled(shape.body) as Shape['body'],
      working,
      required.map(({ at }) => String(at[0])),
    );
    const path = pathOf(operation, shape);
    const { headers } = shape;
    const answer = await place.clientFor(operation).send(operation.method, path, body, { headers });
    if (answer.status < 300) {
      reached.add(operation.name);
      pool.feed(path, answer.body);
    }
    const found = schemas.faultOf(operation, answer);
    return (
      found &&
      `${operation.method} ${path} ${JSON.stringify(body)?.slice(0, 600)} ${JSON.stringify(headers)}: ${found}`
    );
  }

  it('every operation with random requests would be caught with an extra field, a missing field or an undocumented status', async () => {
    const me = operations.find(({ name }) => /^GET \S+\/auth\/me$/.test(name)) as Operation;
    const answer = await place.user.get('/auth/me');
    const { email, ...less } = answer.body as Record<string, unknown>;
    expect(schemas.faultOf(me, answer)).toBeNull();
    expect(schemas.faultOf(me, { ...answer, body: { ...less, email, more: 1 } })).toMatch(/more/);
    expect(schemas.faultOf(me, { ...answer, body: less })).toMatch(/email/);
    expect(schemas.faultOf(me, { ...answer, status: 418 })).toMatch(/not documented/);
  });

  it('every operation with random requests never fails, and answers as documented', async () => {
    const faults: string[] = [];
    for (const [index, operation] of operations.entries()) {
      if (!OPERATIONS.test(operation.name)) continue;
      if (index % 12 === 11) await settle();
      const property = fc.asyncProperty(requestsOf(operation), async (shape) => {
        const found = await fault(operation, shape);
        if (found !== null) throw new Error(found);
      });
      const { failed, errorInstance } = await fc.check(property, { numRuns: CASES, seed });
      if (failed) faults.push(`${operation.name}: ${(errorInstance as Error).message}`);
      if (ENDS.test(operation.name)) await settle();
    }
    const refused = operations.filter(({ name }) => OPERATIONS.test(name) && !reached.has(name));
    console.log(
      `${reached.size} of ${operations.length} operations did what they were asked for; not: ${refused.map(({ name }) => name).join(', ')}`,
    );
    expect(faults).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }, 36_000_000);
});
