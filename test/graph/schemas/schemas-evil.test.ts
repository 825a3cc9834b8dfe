import { type Client } from '../../support/client.js';
import { evilSchemas } from '../../../bench/evil-schemas.js';
import { World } from '../../support/world.js';
import { node } from '../../support/worlds/nodes.js';
import { schema } from '../../support/worlds/schemas.js';

const SEED = Number(process.env.TEST_SEED ?? 20261121);

describe('denial of service', () => {
  let world: World;
  let mallory: Client;

  beforeAll(async () => {
    world = await World.start();
    mallory = await world.user();
  });
  afterAll(() => world.stop());

  it(`malicious schemas are answered like any others, and so are all other callers (seed ${SEED})`, async () => {
    const alice = await world.user();
    const good = (await schema(alice)).id as string;
    const found: string[] = [];
    for (const { name, schema: json_schema, value } of evilSchemas(69, SEED)) {
      const made = await mallory.post('/schemas', { name: 'Evil', json_schema, schema_metadata: { name } });
      if (![201, 400].includes(made.status)) found.push(`${name}: ${made.status} ${made.text}`);
      if (made.status !== 201) continue;
      const attack = mallory.post(`/schemas/${made.body.id}/validate`, { metadata: value });
      const [others] = await Promise.all([
        alice.post(`/schemas/${good}/validate`, { metadata: { servings: 1 } }),
        node(alice, { schema_id: good, metadata: { servings: 1 } }),
      ]);
      if (others.body.valid !== true) found.push(`${name} stops others: ${others.text}`);
      const { status, body, text } = await attack;
      if (status !== 200 && (status !== 400 || body.error.code === 'INTERNAL_ERROR'))
        found.push(`${name}: ${text}`);
    }
    expect(found).toEqual([]);
  });

  it.each([
    ['repetitions', 'a{1000}'.repeat(11)],
    ['repetitions of a group', `(${'ab?'.repeat(400)}){20}`],
    ['repetitions within repetitions', `^((a[b-e]{9}){30}(?:c|d){40,90}){30}$`],
    ['classes of letters', '\\p{L}{99}'.repeat(10)],
  ])('schemas with patterns that are large by their %s are refused', async (_, pattern) => {
    const { status, body } = await mallory.post('/schemas', { name: 'Large', json_schema: { pattern } });
    expect([status, body.error?.code]).toEqual([400, 'INVALID_JSON_SCHEMA']);
    expect(body.error.message).toContain('steps');
  });

  it.each([
    '^[a-z]{1,64}(\\.[a-z]{1,64}){0,9}$',
    '^\\p{L}{1,100}$',
    '[(){}]{3}a{,2}',
    '^(?:[^\\]]\\{1000000\\})+$',
  ])('a harmless schema with the pattern %s is accepted', async (pattern) => {
    const { status, text } = await mallory.post('/schemas', { name: 'Fine', json_schema: { pattern } });
    expect([status, text]).toEqual([201, expect.anything()]);
  });

  it("malicious schemas wait in a queue of their own, so that one owner's queue does not delay other owners", async () => {
    const alice = await world.user();
    const good = (await schema(alice)).id as string;
    const levels = 40;
    const defs = Array.from({ length: levels }, (_, i) => {
      const next = { $ref: `#/$defs/d${i + 1}` };
      return [`d${i}`, { allOf: [next, next] }];
    });
    const json_schema = { $defs: { ...Object.fromEntries(defs), [`d${levels}`]: {} }, $ref: '#/$defs/d0' };
    const evil = (await schema(mallory, { json_schema })).id as string;
    const order: string[] = [];
    const attacks = Array.from({ length: 6 }, async () => {
      const { status, body } = await mallory.post(`/schemas/${evil}/validate`, { metadata: {} });
      expect([status, body.error.code]).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
      order.push('mallory');
    });
    const { body } = await alice.post(`/schemas/${good}/validate`, { metadata: { servings: 1 } });
    order.push('alice');
    expect(body.valid).toBe(true);
    await Promise.all(attacks);
    expect(order.indexOf('alice')).toBeLessThan(3);
  });
});
