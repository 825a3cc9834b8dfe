import { jest } from '@jest/globals';
import { Database } from '../../../src/kernel/database/database.js';
import { type TestUser, World } from '../../support/world.js';
import { codeOf, node } from '../../support/worlds/nodes.js';
import { PRIVATE, schema } from '../../support/worlds/schemas.js';

describe('extends', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user();
  });
  afterAll(() => world.stop());

  const errors = async (id: string, metadata: object) =>
    (await alice.post(`/schemas/${id}/validate`, { metadata })).body.errors as string[];
  const resolved = async (id: string) => (await alice.get(`/schemas/${id}?resolve=true`)).body;
  const below = async (parent: string, json_schema: object, more: object = {}) =>
    (await schema(alice, { json_schema, extends: parent, ...more })).id as string;

  it("inheritance of schemas unites properties, definitions and required, the child's own first", async () => {
    const parent = await schema(alice, {
      name: 'Dish',
      json_schema: {
        type: 'object',
        title: 'dish',
        $defs: { size: { type: 'integer' }, name: { type: 'string' } },
        properties: { size: { $ref: '#/$defs/size' }, name: { $ref: '#/$defs/name' } },
        required: ['name'],
        additionalProperties: false,
        minProperties: 1,
        anyOf: [{ required: ['name'] }],
        allOf: [{ maxProperties: 9 }],
      },
    });
    const child = await below(parent.id, {
      title: 'soup',
      $defs: { size: { enum: ['s', 'l'] } },
      properties: { hot: { type: 'boolean' } },
      required: ['hot', 'name'],
      minProperties: 2,
      anyOf: [{ required: ['hot'] }],
    });
    const answer = await resolved(child);
    expect(answer.json_schema).toEqual({
      type: 'object',
      title: 'soup',
      $defs: { size: { enum: ['s', 'l'] }, name: { type: 'string' } },
      properties: {
        size: { $ref: '#/$defs/size' },
        name: { $ref: '#/$defs/name' },
        hot: { type: 'boolean' },
      },
      required: ['name', 'hot'],
      additionalProperties: false,
      minProperties: 2,
      anyOf: [{ required: ['hot'] }],
      allOf: [{ maxProperties: 9 }, { minProperties: 1, anyOf: [{ required: ['name'] }] }],
    });
    expect(answer).toMatchObject({
      extends: parent.id,
      parents: [{ id: parent.id, name: 'Dish', version: 1 }],
    });
    const plain = (await alice.get(`/schemas/${child}`)).body;
    expect(plain.json_schema.properties).toEqual({ hot: { type: 'boolean' } });
    expect(plain).not.toHaveProperty('parents');
    expect(await errors(child, { name: 'x', hot: true, size: 's' })).toEqual([]);
    expect(await errors(child, { hot: 1, size: 3, other: 1 })).toEqual(
      [
        '/name: is required',
        '/hot: must be boolean',
        '/size: must be one of the allowed values',
        '/other: is not allowed',
        ': must match at least one of the alternatives',
      ].sort((a, b) => expectedOrder.indexOf(a) - expectedOrder.indexOf(b)),
    );
  });
  const expectedOrder = [
    ': must match at least one of the alternatives',
    '/hot: must be boolean',
    '/size: must be one of the allowed values',
    '/other: is not allowed',
    '/name: is required',
  ];

  it('inheritance of schemas keeps conditions of both together with their branches', async () => {
    const when = (key: string, then: object) => ({ if: { required: [key] }, then });
    const parent = await schema(alice, { json_schema: when('a', { required: ['b'] }) });
    const child = await below(parent.id, { ...when('c', { required: ['d'] }), additionalProperties: true });
    expect(await errors(child, { a: 1, b: 1, c: 1, d: 1 })).toEqual([]);
    expect(await errors(child, { a: 1, c: 1 })).toEqual(
      expect.arrayContaining(['/b: is required', '/d: is required']),
    );
    const reference = await below(child, {
      $schema: 'http://json-schema.org/draft-07/schema#',
      definitions: { e: { required: ['e'] } },
      $ref: '#/definitions/e',
    });
    expect(await errors(reference, { a: 1 })).toEqual(
      expect.arrayContaining(['/b: is required', '/e: is required']),
    );
  });

  it('inheritance of schemas keeps both definitions of one pattern, and the other allowed properties', async () => {
    const patternProperties = { '^n_': { type: 'integer' }, '^t_': { type: 'string' } };
    const parent = await schema(alice, { json_schema: { patternProperties, additionalProperties: false } });
    const child = await below(parent.id, {
      patternProperties: { '^n_': { minimum: 3 }, '^b_': { type: 'boolean' } },
    });
    expect(await errors(child, { n_a: 3, t_a: 'x', b_a: true })).toEqual([]);
    expect((await errors(child, { n_a: 'x', n_b: 2, t_a: 1, b_a: 1, c: 1 })).sort()).toEqual([
      '/b_a: must be boolean',
      '/c: is not allowed',
      '/n_a: must be integer',
      expect.stringMatching(/^\/n_b: /),
      '/t_a: must be string',
    ]);
    expect((await resolved(child)).json_schema.patternProperties['^n_']).toEqual({
      allOf: [{ type: 'integer' }, { minimum: 3 }],
    });
  });

  it("inheritance of schemas uses the parent's latest version", async () => {
    const parent = await schema(alice, { json_schema: {} });
    const child = await below(parent.id, {});
    expect(await errors(child, {})).toEqual([]);
    await alice.put(`/schemas/${parent.id}`, { json_schema: { required: ['a'] } });
    expect(await errors(child, {})).toEqual(['/a: is required']);
    const made = await alice.post('/nodes', { title: 'n', node_type: 't', schema_id: child });
    expect(codeOf(made)).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
    await node(alice, { schema_id: child, metadata: { a: 1 } });
  });

  it('inheritance of schemas continues when the parent is deleted, which accepts no new children', async () => {
    const parent = await schema(alice, { json_schema: { required: ['a'] } });
    const child = await below(parent.id, {});
    await alice.delete(`/schemas/${parent.id}`);
    expect(await errors(child, {})).toEqual(['/a: is required']);
    expect((await alice.put(`/schemas/${child}`, { json_schema: { type: 'object' } })).status).toBe(200);
    const late = await alice.post('/schemas', { name: 'x', json_schema: {}, extends: parent.id });
    expect(codeOf(late)).toEqual([400, 'SCHEMA_NOT_FOUND']);
  });

  it('inheritance of schemas has at most eight levels and no cycle, also with two concurrent writers', async () => {
    let last = (await schema(alice, { json_schema: {} })).id as string;
    const ids = [last];
    for (let level = 2; level <= 8; level++) ids.push((last = await below(last, {})));
    const ninth = await alice.post('/schemas', { name: 'x', json_schema: {}, extends: last });
    expect(codeOf(ninth)).toEqual([400, 'SCHEMA_CYCLE']);
    expect((await resolved(last)).parents).toHaveLength(7);
    const circle = await alice.put(`/schemas/${ids[0]}`, { extends: ids[1] });
    expect(codeOf(circle)).toEqual([400, 'SCHEMA_CYCLE']);
    const [one, other] = [await schema(alice), await schema(alice)];
    const both = await Promise.all([
      alice.put(`/schemas/${one.id}`, { extends: other.id }),
      alice.put(`/schemas/${other.id}`, { extends: one.id }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await alice.put(`/schemas/${ids[7]}`, { extends: null })).body).toMatchObject({ extends: null });
  });

  it('one of three concurrent changes that would close a circle of schemas together is refused', async () => {
    const ids = await Promise.all([1, 2, 3].map(async () => (await schema(alice)).id as string));
    const all = await Promise.all(
      ids.map((id, i) => alice.put(`/schemas/${id}`, { extends: ids[(i + 1) % 3] })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
    expect(all.filter(({ status }) => status === 400).map(codeOf)).toEqual([[400, 'SCHEMA_CYCLE']]);
  });

  it('changes of the parents of schemas lock these and the schemas above them, nothing of others', async () => {
    const [parent, one] = [await schema(alice), await schema(alice)];
    const locked: string[] = [];
    const write = Database.prototype.write;
    jest.spyOn(Database.prototype, 'write').mockImplementation(function (this: Database, ...given) {
      const { text, values } = given[0];
      if (text.includes('pg_advisory_xact_lock'))
        locked.push(`${text.includes('_shared')} ${String(values[0])}`);
      return write.apply(this, given);
    });
    const changed = await alice.put(`/schemas/${one.id}`, { extends: parent.id });
    await alice.put(`/schemas/${one.id}`, { extends: null });
    jest.restoreAllMocks();
    expect(changed.status).toBe(200);
    expect(locked.sort()).toEqual([`false parent of ${one.id}`, `true parent of ${parent.id}`]);
  });

  it('inheritance of schemas reveals nothing of a parent that the caller cannot see', async () => {
    const bob = await world.user();
    const parent = await schema(alice, { ...PRIVATE, json_schema: { required: ['hidden'] } });
    const child = await below(parent.id, {});
    const seen = await bob.get(`/schemas/${child}`);
    expect(seen.body.extends).toBeNull();
    expect((await bob.get(`/schemas?ids=${child}`)).text).not.toContain(parent.id);
    expect((await bob.get(`/schemas/${child}/versions`)).text).not.toContain(parent.id);
    const answers = [
      await bob.get(`/schemas/${child}?resolve=true`),
      await bob.post(`/schemas/${child}/validate`, { metadata: {} }),
      await bob.post('/nodes', { title: 'n', node_type: 't', schema_id: child }),
      await bob.post('/schemas', { name: 'x', json_schema: {}, extends: child }),
    ];
    for (const answer of answers) {
      expect(codeOf(answer)).toEqual([400, 'SCHEMA_NOT_FOUND']);
      expect(answer.text).not.toContain('hidden');
    }
  });

  it('inheritance of schemas refuses a child that is invalid together with its parent', async () => {
    const parent = await schema(alice, {
      json_schema: { $defs: { a: {} }, properties: { a: { $ref: '#/$defs/a' } } },
    });
    const draft = await alice.post('/schemas', {
      name: 'x',
      extends: parent.id,
      json_schema: { properties: { b: { $ref: '#/$defs/none' } } },
    });
    expect(codeOf(draft)).toEqual([400, 'INVALID_JSON_SCHEMA']);
  });
});
