import { type Answer } from '../../support/client.js';
import { type TestUser, World } from '../../support/world.js';
import { codeOf } from '../../support/worlds/nodes.js';
import { ABSENT, PRIVATE, RECIPE, schema, SYSTEM } from '../../support/worlds/schemas.js';

const idsOf = ({ body }: Answer): string[] => (body.schemas as { id: string }[]).map(({ id }) => id);

describe('/schemas', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user();
  });
  afterAll(() => world.stop());

  describe('POST /schemas', () => {
    it('a new schema has defaults and a URI made from its name', async () => {
      const answer = await alice.post('/schemas', { name: 'my long  recipe', json_schema: RECIPE });
      expect(answer).toMatchObject({ status: 201, headers: { etag: '"1"' } });
      expect(answer.body).toEqual({
        id: expect.any(String),
        name: 'my long  recipe',
        description: null,
        category: null,
        recommended_node_type: null,
        recommended_meaning_level: null,
        scope: 'public',
        private_to: null,
        schema_uri: `user.${alice.id.slice(0, 8)}:MyLongRecipe`,
        version: 1,
        extends: null,
        recommended_by_developer: false,
        schema_metadata: null,
        json_schema: RECIPE,
        owner: 'user',
        owner_id: alice.id,
        created_by_app_id: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
      expect((await alice.get(`/schemas/${answer.body.id}`)).body).toEqual(answer.body);
    });

    it('every field of a new schema is accepted', async () => {
      const body = {
        name: 'Full',
        description: 'all of it',
        category: 'content',
        recommended_node_type: 'note',
        recommended_meaning_level: 'DATA',
        scope: 'private',
        private_to: 'user',
        schema_uri: `urn:full:${world.number()}`,
        recommended_by_developer: true,
        schema_metadata: { any: [1, { thing: null }] },
        json_schema: { properties: { b: true, a: false } },
      };
      const made = await schema(alice, body);
      expect(made).toMatchObject(body);
      expect(Object.keys(made.json_schema.properties)).toEqual(['b', 'a']);
    });

    it('the URI of a schema has no accents and other marks', async () => {
      const { schema_uri } = await schema(alice, { name: 'crème brûlée №5' });
      expect(schema_uri).toBe(`user.${alice.id.slice(0, 8)}:CremeBruleeNo5`);
    });

    it('numbers URIs when names are alike, and never reuses one', async () => {
      const user = await world.user();
      const uris = [];
      for (let i = 0; i < 3; i++) uris.push((await schema(user, { name: 'Twin' })).schema_uri);
      const plain = `user.${user.id.slice(0, 8)}:Twin`;
      expect(uris).toEqual([plain, `${plain}2`, `${plain}3`]);
      const taken = await alice.post('/schemas', { name: 'x', json_schema: {}, schema_uri: plain });
      expect(codeOf(taken)).toEqual([409, 'SCHEMA_URI_EXISTS']);
      const together = await Promise.all(Array.from({ length: 8 }, () => schema(user, { name: 'Racing' })));
      expect(new Set(together.map(({ schema_uri }) => schema_uri)).size).toBe(8);
    });

    it.each([
      [{ name: undefined }, 'name'],
      [{ name: '' }, 'name'],
      [{ name: null }, 'name'],
      [{ json_schema: undefined }, 'json_schema'],
      [{ json_schema: 'text' }, 'json_schema'],
      [{ json_schema: true }, 'json_schema'],
      [{ scope: 'secret' }, 'scope'],
      [{ scope: 'private' }, 'private_to'],
      [{ scope: 'private', private_to: 'app' }, 'private_to'],
      [{ scope: 'private', private_to: 'everybody' }, 'private_to'],
      [{ recommended_meaning_level: 'HIGH' }, 'recommended_meaning_level'],
      [{ schema_uri: 'system:Mine' }, 'schema_uri'],
      [{ schema_uri: 'white space' }, 'schema_uri'],
      [{ schema_metadata: [] }, 'schema_metadata'],
      [{ schema_metadata: { text: 'x'.repeat(70_000) } }, 'schema_metadata'],
    ])('invalid fields of a new schema are refused (%#)', async (change, field) => {
      const answer = await alice.post('/schemas', { name: 'Recipe', json_schema: RECIPE, ...change });
      expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error.details.map((detail: { field: string }) => detail.field)).toContain(field);
    });

    it('the supported types are named in the refusal', async () => {
      const said = async (json_schema: object): Promise<string> =>
        (await alice.post('/schemas', { name: 'x', json_schema })).body.error.message;
      const types =
        'must be one of array, boolean, integer, null, number, object and string, or a list of them';
      expect(await said({ type: 'objekt' })).toBe(`/type ${types}`);
      expect(await said({ properties: { a: { type: ['string', 'text'] } } })).toBe(
        `/properties/a/type ${types}`,
      );
      expect(await said({ properties: { type: 'string' } })).not.toContain(types);
    });

    const deep = (levels: number): object => (levels === 0 ? {} : { not: deep(levels - 1) });
    it.each([
      [{ type: 'text' }],
      [{ properties: [] }],
      [{ required: 'a' }],
      [{ minLength: -1 }],
      [{ $schema: 'http://json-schema.org/draft-04/schema#' }],
      [{ $schema: 'https://example.org/own' }],
      [{ $ref: 'https://example.org/other.json' }],
      [{ $ref: 'file:///etc/passwd' }],
      [{ $ref: '#/$defs/absent' }],
      [{ pattern: '(' }],
      [{ pattern: '(?=ahead)' }],
      [{ pattern: '(a)\\1' }],
      [{ patternProperties: { '[': {} } }],
      [deep(32)],
      [deep(33)],
      [deep(90)],
      [{ description: 'x'.repeat(65_536) }],
    ])('an invalid JSON Schema is refused (%#)', async (json_schema) => {
      const text = JSON.stringify(json_schema).slice(0, 60);
      const answer = await alice.post('/schemas', { name: 'x', json_schema });
      expect([text, ...codeOf(answer)]).toEqual([text, 400, 'INVALID_JSON_SCHEMA']);
    });

    it('one Idempotency-Key creates one schema', async () => {
      const once = alice.with({ 'Idempotency-Key': `schema ${world.number()}` });
      const body = { name: 'Once', json_schema: {} };
      const [first, second] = [await once.post('/schemas', body), await once.post('/schemas', body)];
      expect(second.body).toEqual(first.body);
      expect((await alice.get(`/schemas?search=:Once`)).body.total).toBe(1);
    });
  });

  describe('GET /schemas', () => {
    it('a read of schemas is possible by URI, slashes raw or encoded, of the latest or an old version', async () => {
      const uri = `https://example.org/a//b/${world.number()}#c d`.replace(' ', '%20');
      const made = await schema(alice, { schema_uri: uri });
      await alice.put(`/schemas/${made.id}`, { name: 'Second' });
      const raw = uri.replace('#', '%23').replace('%20', '%2520');
      for (const path of [raw, encodeURIComponent(uri)]) {
        expect((await alice.get(`/schemas/uri/${path}`)).body).toMatchObject({ version: 2, name: 'Second' });
        expect((await alice.get(`/schemas/uri/${path}?version=1`)).body).toEqual(made);
        expect(codeOf(await alice.get(`/schemas/uri/${path}?version=3`))).toEqual([404, 'NOT_FOUND']);
        expect(codeOf(await alice.get(`/schemas/uri/${path}?version=x`))).toEqual([400, 'VALIDATION_ERROR']);
      }
      expect(codeOf(await alice.get('/schemas/uri/no:Such'))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await alice.get('/schemas/uri/%00'))).toEqual([404, 'NOT_FOUND']);
    });

    it('a read of schemas leaves json_schema out unless requested', async () => {
      const { id } = await schema(alice);
      expect((await alice.get(`/schemas/${id}?include_json_schema=false`)).body).not.toHaveProperty(
        'json_schema',
      );
      const listed = await alice.get(`/schemas?ids=${id}`);
      expect(listed.body).toMatchObject({ total: 1, limit: 50, offset: 0, schemas: [{ id }] });
      expect(listed.body.schemas[0]).not.toHaveProperty('json_schema');
      const whole = await alice.get(`/schemas?ids=${id}&include_json_schema=true`);
      expect(whole.body.schemas[0].json_schema).toEqual(RECIPE);
    });

    it("a read of schemas shows everyone the system's schemas, which no one can change", async () => {
      const listed = await alice.get('/schemas?owner=system');
      expect(listed.body.schemas.map(({ schema_uri }: { schema_uri: string }) => schema_uri).sort()).toEqual([
        'system:Belief',
        'system:Entity',
        'system:Experience',
        'system:Goal',
        'system:RawFile',
      ]);
      expect((await alice.get(`/schemas/${SYSTEM.goal}`)).body).toMatchObject({
        owner: 'system',
        owner_id: null,
        version: 1,
        scope: 'public',
      });
      expect((await alice.get('/schemas/uri/system:RawFile?version=1')).body.id).toBe(SYSTEM.rawFile);
      expect(codeOf(await alice.put(`/schemas/${SYSTEM.goal}`, { name: 'x' }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
      expect(codeOf(await alice.delete(`/schemas/${SYSTEM.goal}`))).toEqual([403, 'PERMISSION_DENIED']);
    });

    it('a read of schemas lists by every filter, with exact totals', async () => {
      const user = await world.user();
      const mark = `mark${world.number()}`;
      const one = await schema(user, { name: `${mark} ONE`, category: mark, recommended_by_developer: true });
      const two = await schema(user, { description: `about ${mark}`, ...PRIVATE });
      const three = await schema(user, { schema_uri: `${mark}:uri_%` });
      await user.post('/nodes', {
        title: 'n',
        node_type: 't',
        schema_id: two.id,
        metadata: { properties: { servings: 1 } },
      });
      const list = async (query: string) => idsOf(await user.get(`/schemas?${query}`));
      expect(await list(`search=${mark.toUpperCase()}`)).toEqual([three.id, two.id, one.id]);
      expect(await list(`search=${encodeURIComponent('uri_%')}`)).toEqual([three.id]);
      expect(await list('search=uri%25%25')).toEqual([]);
      expect(await list(`category=${mark}`)).toEqual([one.id]);
      const mine = `owner=user&ids=${one.id},${two.id},${three.id}`;
      expect(await list(mine)).toEqual([three.id, two.id, one.id]);
      expect(await list(`${mine}&scope=private`)).toEqual([two.id]);
      expect(await list(`${mine}&scope=public`)).toEqual([three.id, one.id]);
      expect(await list(`${mine}&recommended=true`)).toEqual([one.id]);
      expect(await list(`${mine}&recommended=false`)).toEqual([three.id, two.id]);
      expect(await list('used_by_me=true')).toEqual([two.id]);
      expect(await list(`${mine}&used_by_me=false`)).toEqual([three.id, one.id]);
      expect(await list(`ids=${one.id},${two.id},${ABSENT},nonsense`)).toEqual([two.id, one.id]);
      expect(await list('ids=')).toEqual([]);
      const page = await user.get(`/schemas?${mine}&limit=1&offset=1`);
      expect(page.body).toMatchObject({ total: 3, limit: 1, offset: 1, schemas: [{ id: two.id }] });
      expect((await user.get(`/schemas?${mine}&offset=9`)).body).toMatchObject({ total: 3, schemas: [] });
      const withJson = await user.get(`/schemas?${mine}&include_json_schema=true`);
      expect(withJson.body.schemas).toEqual([three, two, one]);
      expect((await user.get('/schemas?limit=1000')).body.limit).toBe(100);
      for (const bad of ['limit=0', 'offset=-1', 'scope=x', 'owner=me', 'recommended=maybe'])
        expect(codeOf(await user.get(`/schemas?${bad}`))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('filters by owner as entries name it: the system, and all other visible owners', async () => {
      const stranger = await world.user();
      const [open, hidden] = [await schema(stranger), await schema(stranger, PRIVATE)];
      const owners = async (query: string) => {
        const { body } = await alice.get(`/schemas?ids=${open.id},${hidden.id}&${query}`);
        return body.schemas.map(({ id, owner }: { id: string; owner: string }) => [id, owner]);
      };
      expect(await owners('owner=user')).toEqual([[open.id, 'user']]);
      expect(await owners('owner=system')).toEqual([]);
      const { body } = await alice.get('/schemas?limit=100&owner=user');
      expect(body.schemas.map(({ owner }: { owner: string }) => owner)).not.toContain('system');
    });

    it('a read of schemas lists categories, each once', async () => {
      const user = await world.user();
      const category = `category ${world.number()}`;
      await schema(user, { category });
      await schema(user, { category });
      await schema(user, { category: `hidden ${category}`, ...PRIVATE });
      const { categories } = (await alice.get('/schemas/categories')).body;
      expect(categories.filter((each: string) => each.endsWith(category))).toEqual([category]);
      expect(categories).toEqual(expect.arrayContaining(['identity', 'system']));
      expect((await user.get('/schemas/categories')).body.categories).toContain(`hidden ${category}`);
    });
  });

  describe('PUT /schemas/:schema_id', () => {
    it('a change makes a new version of a schema, unless nothing changes', async () => {
      const made = await schema(alice, { category: 'food', description: 'first' });
      const changed = await alice.put(`/schemas/${made.id}`, {
        description: null,
        json_schema: { type: 'object' },
        schema_uri: 'ignored:Uri',
        version: 9,
      });
      expect(changed).toMatchObject({ status: 200, headers: { etag: '"2"' } });
      expect(changed.body).toEqual({
        ...made,
        description: null,
        json_schema: { type: 'object' },
        version: 2,
        updated_at: expect.any(String),
        invalid_nodes: 0,
        invalid_node_ids: [],
      });
      expect((await alice.put(`/schemas/${made.id}`, { category: 'food' })).body.version).toBe(2);
      const versions = await alice.get(`/schemas/${made.id}/versions`);
      expect(versions.body).toMatchObject({ total: 2, limit: 20, offset: 0 });
      expect(versions.body.versions[1]).toEqual(made);
      expect(versions.body.versions[0]).toMatchObject({ version: 2, json_schema: { type: 'object' } });
      const second = await alice.get(
        `/schemas/${made.id}/versions?limit=1&offset=1&include_json_schema=false`,
      );
      expect(second.body.versions).toMatchObject([{ version: 1 }]);
      expect(second.body.versions[0]).not.toHaveProperty('json_schema');
    });

    it('the version in If-Match is respected by a change of a schema', async () => {
      const { id } = await schema(alice);
      const second = alice.with({ 'If-Match': '"2"' });
      expect(codeOf(await second.put(`/schemas/${id}`, { name: 'x' }))).toEqual([412, 'PRECONDITION_FAILED']);
      expect((await alice.with({ 'If-Match': '"1"' }).put(`/schemas/${id}`, { name: 'x' })).status).toBe(200);
      expect((await second.delete(`/schemas/${id}`)).status).toBe(204);
    });

    it('concurrent changes of a schema are not lost', async () => {
      const { id } = await schema(alice);
      const names = Array.from({ length: 8 }, (_, i) => `name ${i}`);
      const answers = await Promise.all(names.map((name) => alice.put(`/schemas/${id}`, { name })));
      expect(answers.map(({ body }) => body.version).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
      const kept = (await alice.get(`/schemas/${id}/versions`)).body.versions;
      expect(kept.map(({ name }: { name: string }) => name).sort()).toEqual(['Recipe', ...names]);
    });

    it('a change whose result would be invalid is refused', async () => {
      const { id } = await schema(alice);
      const put = async (body: object) => codeOf(await alice.put(`/schemas/${id}`, body));
      expect(await put({ scope: 'private' })).toEqual([400, 'VALIDATION_ERROR']);
      expect(await put({ scope: 'private', private_to: 'app' })).toEqual([400, 'VALIDATION_ERROR']);
      expect(await put({ name: null })).toEqual([400, 'VALIDATION_ERROR']);
      expect(await put({ json_schema: null })).toEqual([400, 'VALIDATION_ERROR']);
      expect(await put({ json_schema: { type: 7 } })).toEqual([400, 'INVALID_JSON_SCHEMA']);
      expect(await put({ extends: ABSENT })).toEqual([400, 'SCHEMA_NOT_FOUND']);
      expect(await put({ extends: 'no id' })).toEqual([400, 'SCHEMA_NOT_FOUND']);
      expect(await put({ extends: id })).toEqual([400, 'SCHEMA_CYCLE']);
      expect((await alice.get(`/schemas/${id}`)).body.version).toBe(1);
    });

    it('a dry run changes nothing, and names no version', async () => {
      const { id } = await schema(alice);
      const tried = await alice.put(`/schemas/${id}?dry_run=true`, { name: 'Other' });
      expect(tried).toMatchObject({ status: 200, body: { name: 'Other', version: 2 } });
      expect(tried.headers.etag).not.toBe('"2"');
      expect((await alice.get(`/schemas/${id}`)).body).toMatchObject({ name: 'Recipe', version: 1 });
    });

    it('the number of nodes that no longer conform is reported, before and after a change', async () => {
      const user = await world.user();
      const { id } = await schema(user);
      const node = (servings: number, owner = user) =>
        owner.post('/nodes', {
          title: 'n',
          node_type: 't',
          schema_id: id,
          metadata: { properties: { servings } },
        });
      const few = (await node(2)).body.id;
      await node(20);
      await node(2, alice);
      const json_schema = { properties: { servings: { minimum: 10 } } };
      const dry = await user.put(`/schemas/${id}?dry_run=true`, { json_schema });
      expect(dry).toMatchObject({ status: 200, body: { version: 2, json_schema, invalid_nodes: 1 } });
      expect(dry.body.invalid_node_ids).toEqual([few]);
      expect((await user.get(`/schemas/${id}`)).body).toMatchObject({ version: 1, json_schema: RECIPE });
      expect((await user.put(`/schemas/${id}`, { json_schema })).body).toMatchObject({
        version: 2,
        invalid_nodes: 1,
        invalid_node_ids: [few],
      });
      // Nodes that did not conform before are not counted again.
      const narrower = { properties: { servings: { minimum: 12 } } };
      expect((await user.put(`/schemas/${id}`, { json_schema: narrower })).body.invalid_nodes).toBe(0);
    });

    it('nodes of schemas that inherit a changed one are counted', async () => {
      const user = await world.user();
      const { id } = await schema(user);
      const child = await schema(user, { extends: id, json_schema: { properties: { oven: {} } } });
      const grandchild = await schema(user, { extends: child.id, json_schema: {} });
      const freed = await schema(user, {
        extends: id,
        json_schema: { properties: { servings: { minimum: 0 } } },
      });
      const node = async (schema_id: string, servings: number) => {
        const metadata = { properties: { servings } };
        const made = await user.post('/nodes', { title: 'n', node_type: 't', schema_id, metadata });
        return made.body.id as string;
      };
      const few = [await node(child.id, 2), await node(grandchild.id, 3), await node(id, 4)];
      await node(child.id, 20);
      // A child that redefines servings, so that the change does not affect its nodes.
      await node(freed.id, 2);
      const json_schema = { properties: { servings: { minimum: 10 } } };
      const { body } = await user.put(`/schemas/${id}?dry_run=true`, { json_schema });
      expect(body.invalid_nodes).toBe(3);
      expect([...body.invalid_node_ids].sort()).toEqual(few.sort());
      const elsewhere = await user.put(`/schemas/${freed.id}?dry_run=true`, { json_schema });
      expect(elsewhere.body.invalid_nodes).toBe(1);
    });

    it('changing a schema leaves a row in the change log', async () => {
      const user = await world.user();
      const { id } = await schema(user);
      await user.put(`/schemas/${id}`, { name: 'Other' });
      await user.delete(`/schemas/${id}`);
      const { Database } = await import('../../../src/kernel/database/database.js');
      const { sql } = await import('../../../src/kernel/database/sql.js');
      const rows = await world.nest
        .get(Database)
        .read(
          sql`SELECT action, version, changed_fields FROM changes WHERE entity_id = ${id} ORDER BY sequence`,
        );
      expect(rows).toEqual([
        { action: 'created', version: 1, changed_fields: null },
        { action: 'updated', version: 2, changed_fields: { name: { old: 'Recipe', new: 'Other' } } },
        { action: 'deleted', version: 3, changed_fields: null },
      ]);
    });
  });

  it('schemas are absent after deletion, but their URI stays reserved', async () => {
    const made = await schema(alice, { schema_uri: `gone:${world.number()}` });
    expect(await alice.delete(`/schemas/${made.id}`)).toMatchObject({ status: 204, text: '' });
    for (const path of [
      made.id,
      `uri/${made.schema_uri}`,
      `${made.id}/versions`,
      `uri/${made.schema_uri}?version=1`,
    ])
      expect(codeOf(await alice.get(`/schemas/${path}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await alice.delete(`/schemas/${made.id}`))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await alice.post(`/schemas/${made.id}/validate`, {}))).toEqual([404, 'NOT_FOUND']);
    expect(idsOf(await alice.get(`/schemas?ids=${made.id}`))).toEqual([]);
    const again = await alice.post('/schemas', { name: 'x', json_schema: {}, schema_uri: made.schema_uri });
    expect(codeOf(again)).toEqual([409, 'SCHEMA_URI_EXISTS']);
  });

  describe('POST /schemas/:schema_id/validate', () => {
    it('validates metadata.properties when it is an object, else metadata itself', async () => {
      const { id } = await schema(alice);
      const validate = async (metadata: unknown) =>
        (await alice.post(`/schemas/${id}/validate`, { metadata })).body;
      expect(await validate({ properties: { servings: 2 } })).toEqual({ valid: true, errors: [] });
      expect(await validate({ servings: 2 })).toEqual({ valid: true, errors: [] });
      expect(await validate({ properties: [], servings: 2 })).toEqual({ valid: true, errors: [] });
      expect(await validate({ properties: { servings: 0, cook: 7 }, servings: 2 })).toEqual({
        valid: false,
        errors: ['/servings: must be at least 1', '/cook: must be string'],
      });
      expect(await validate({})).toEqual({ valid: false, errors: ['/servings: is required'] });
    });

    it.each([[{}], [{ metadata: null }], [{ metadata: 'x' }], [{ metadata: [] }], [[]]])(
      'the validation endpoint of schemas refuses a body without an object: %j',
      async (body) => {
        const { id } = await schema(alice);
        expect(codeOf(await alice.post(`/schemas/${id}/validate`, body))).toEqual([400, 'VALIDATION_ERROR']);
      },
    );

    it('the validation endpoint of schemas checks formats only where the schema requires it', async () => {
      const json_schema = { properties: { on: { format: 'date' }, mail: { format: 'email' } } };
      const loose = await schema(alice, { json_schema });
      const strict = await schema(alice, { json_schema: { ...json_schema, 'x-assert-formats': true } });
      const body = { metadata: { on: 'yesterday', mail: 'nobody' } };
      expect((await alice.post(`/schemas/${loose.id}/validate`, body)).body.valid).toBe(true);
      expect((await alice.post(`/schemas/${strict.id}/validate`, body)).body.errors).toEqual([
        '/on: must be of format date',
        '/mail: must be of format email',
      ]);
    });

    it('the validation endpoint of schemas never repeats a value', async () => {
      const json_schema = { properties: { a: { const: 1 }, b: { pattern: '^x' }, c: { enum: ['y'] } } };
      const { id } = await schema(alice, { json_schema });
      const secret = 'zzsecretzz';
      const answer = await alice.post(`/schemas/${id}/validate`, {
        metadata: { a: secret, b: secret, c: secret },
      });
      expect(answer.body.errors).toHaveLength(3);
      expect(answer.text).not.toContain(secret);
    });
  });
});
