import { type OpenAPIObject } from '@nestjs/swagger';
import fc from 'fast-check';
import { buildOpenApi } from '../../src/kernel/http/openapi/openapi.js';
import { Chance, seedOf } from '../properties/random.js';
import { type Answer } from '../support/client.js';
import { hostileString } from '../support/hostile-strings.js';
import { authorizeParameters, newVerifier, OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { oauthOperationsOf, type Operation } from '../support/operations.js';
import { AnswerSchemas } from './fuzz/answer-schemas.js';

/** Cases for each operation. The command tries many more (npm run fuzz:api). */
const CASES = Number(process.env.RUNS ?? 100);
const OPERATIONS = new RegExp(process.env.ONLY ?? '');
const FORM = 'application/x-www-form-urlencoded';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const DETAILS = { type: 'graph_access', actions: ['read'], optional: ['create'], purpose: 'x' };

type Fields = Record<string, unknown>;
/** Changes to the fields of a working request, and the ways in which it is sent. */
interface Shape {
  edits: [name: string, value: unknown][];
  twice: boolean;
  authorization: string | undefined;
  type: string | undefined;
}

/** Random requests to OAuth's own endpoints: none fails, and errors have OAuth's form, or that of a page. */
describe('fuzzing of the endpoints of OAuth (rule 14.1c)', () => {
  let oauth: OAuthWorld;
  let schemas: AnswerSchemas;
  let operations: Operation[];
  /** A working request of each operation. */
  let working: Record<string, Fields>;
  const seed = seedOf('fuzz');

  beforeAll(async () => {
    oauth = await OAuthWorld.startHere();
    schemas = new AnswerSchemas(JSON.parse(JSON.stringify(buildOpenApi(oauth.world.nest))) as OpenAPIObject);
    operations = oauthOperationsOf(oauth.world.nest).filter(({ name }) => OPERATIONS.test(name));
    await settle();
  });
  afterAll(() => oauth.world.stop());

  async function settle(): Promise<void> {
    const app = await oauth.app();
    const tokens = await oauth.connect(app.id, await oauth.world.user());
    const client_id = app.id;
    const asked: Fields = { ...authorizeParameters(app.id, newVerifier()), scope: 'graph:read' };
    working = {
      authorize: asked,
      par: asked,
      token: { client_id, grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
      revoke: { client_id, token: tokens.access_token },
      introspect: { client_id, token: tokens.access_token },
      device_authorization: { client_id, scope: 'graph:read' },
      register: { client_name: 'Reader', redirect_uris: [REDIRECT_URI] },
    };
  }
  const workingFor = ({ path }: Operation): Fields => working[path.split('/').at(-1) as string] as Fields;
  const namesOf = ({ fields, parameters }: Operation): string[] => [
    ...fields.map(({ at }) => String(at[0])),
    ...parameters.filter((one) => one.in === 'query').map(({ name }) => name),
  ];

  const hostile = fc.nat().map((number) => hostileString(new Chance(number), 2_000));
  const text = fc.oneof(
    hostile,
    fc.constantFrom(
      ...['authorization_code', 'refresh_token', DEVICE_GRANT, 'code', 'S256', 'graph:read', 'x', ' '],
      ...['00000000-0000-4000-8000-000000000000', 'http://127.0.0.1:1/client.json', REDIRECT_URI],
      ...['urn:ietf:params:oauth:request_uri:x', JSON.stringify([DETAILS]), '[{}]', 'x'.repeat(4_097)],
    ),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify([{ ...DETAILS, schemas: value }])),
  );
  const shapeOf = (operation: Operation): fc.Arbitrary<Shape> => {
    const value = /register$/.test(operation.path) ? fc.oneof(fc.jsonValue({ maxDepth: 3 }), text) : text;
    const name = fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...namesOf(operation)) },
      { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'x') },
    );
    const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
    const basic = fc
      .tuple(fc.oneof(fc.constant(working.token?.client_id as string), text), text)
      .map((pair) => `Basic ${Buffer.from(pair.join(':')).toString('base64')}`);
    return fc.record({
      edits: fc.array(fc.tuple(name, fc.option(value, { nil: undefined })), { maxLength: 4 }),
      twice: fc.nat(9).map((number) => number === 0),
      authorization: rarely(fc.oneof(basic, fc.constantFrom('Basic', 'Basic x', 'Bearer x', 'Basic Og=='))),
      type: rarely(fc.constantFrom('application/json', FORM, `${FORM}; charset=latin1`, 'text/plain')),
    });
  };

  function sent(operation: Operation, { edits, twice, authorization, type }: Shape): Promise<Answer> {
    const fields = new Map(Object.entries(workingFor(operation)));
    for (const [name, value] of edits)
      if (value === undefined) fields.delete(name);
      else fields.set(name, value);
    const pairs = [...fields].map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value),
    ]);
    const form = new URLSearchParams(twice ? [...pairs, ...pairs.slice(0, 1)] : pairs).toString();
    const headers: Record<string, string> =
      authorization === undefined ? {} : { Authorization: authorization };
    if (operation.method === 'GET')
      return oauth.world.api.get(`${operation.path}?${form.slice(0, 12_000)}`, { headers });
    const isJson = /register$/.test(operation.path);
    const body = isJson ? JSON.stringify(Object.fromEntries(fields)) : form;
    const natural = isJson ? 'application/json' : FORM;
    return oauth.world.api.post(operation.path, body, {
      headers: { ...headers, 'Content-Type': type ?? natural },
    });
  }

  it('an answer with an error in another form would be caught', async () => {
    const operation = operations.find(({ path }) => path.endsWith('/token')) as Operation;
    const answer = await sent(operation, {
      edits: [['grant_type', 'x']],
      twice: false,
      authorization: undefined,
      type: undefined,
    });
    expect([answer.status, schemas.faultOf(operation, answer)]).toEqual([400, null]);
    const envelope = { error: { code: 'VALIDATION_ERROR', message: 'x', request_id: 'x' } };
    expect(schemas.faultOf(operation, { ...answer, body: envelope })).toMatch(/does not fit/);
  });

  it('every endpoint with random fields never fails, and answers as documented', async () => {
    const faults: string[] = [];
    const reached = new Set<string>();
    for (const operation of operations) {
      const property = fc.asyncProperty(shapeOf(operation), async (shape) => {
        const answer = await sent(operation, shape);
        if (answer.status < 400) reached.add(operation.name);
        const found = schemas.faultOf(operation, answer);
        if (found !== null) throw new Error(`${JSON.stringify(shape).slice(0, 600)}: ${found}`);
      });
      const { failed, errorInstance } = await fc.check(property, { numRuns: CASES, seed });
      if (failed) faults.push(`${operation.name}: ${(errorInstance as Error).message}`);
      await settle();
    }
    expect(faults).toEqual([]);
    expect(operations.map(({ name }) => name).filter((name) => !reached.has(name))).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  }, 36_000_000);
});
