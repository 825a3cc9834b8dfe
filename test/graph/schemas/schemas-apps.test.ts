import { type Answer, type Client } from '../../support/client.js';
import { allSchemas, everything } from '../../support/defaults.js';
import { type TestApp, type TestUser, World } from '../../support/world.js';
import { codeOf, profile } from '../../support/worlds/nodes.js';
import { ABSENT, APP_ONLY, PRIVATE, schema } from '../../support/worlds/schemas.js';

const all = {
  read: 'all',
  create: 'all',
  edit: 'all',
  propose: 'all',
  discover: 'all',
  delete: 'all',
} as const;
const only = (...schema_ids: string[]) => ({ schema_ids, allow_all: false });
const comparable = ({ status, body }: Answer) => JSON.stringify([status, { ...body?.error, request_id: 0 }]);

describe('readers and writers of schemas', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
    bob = await world.user();
  });
  afterAll(() => world.stop());

  /** An app that asks for and is granted these schemas. */
  const limited = async (user: TestUser, read: object, write: object): Promise<Client> =>
    user.lets(
      await world.app({ requested: { ...everything, schemas: { read, write } } }),
      profile(all, { schema_permissions: { read, write } }),
    );
  const full = async (user: TestUser, app?: TestApp): Promise<[Client, TestApp]> => {
    const made = app ?? (await world.app());
    return [await user.lets(made), made];
  };

  /** All ways to reach a schema, which must answer as for an absent one. */
  async function expectAbsent(client: Client, { id, schema_uri }: { id: string; schema_uri: string }) {
    const asks: ((id: string, uri: string) => Promise<Answer>)[] = [
      (one) => client.get(`/schemas/${one}`),
      (one) => client.get(`/schemas/${one}?resolve=true`),
      (one) => client.get(`/schemas/${one}/versions`),
      (_, uri) => client.get(`/schemas/uri/${encodeURIComponent(uri)}`),
      (_, uri) => client.get(`/schemas/uri/${encodeURIComponent(uri)}?version=1`),
      (one) => client.put(`/schemas/${one}`, { name: 'x' }),
      (one) => client.put(`/schemas/${one}?dry_run=true`, {}),
      (one) => client.delete(`/schemas/${one}`),
      (one) => client.post(`/schemas/${one}/validate`, { metadata: {} }),
      (one) => client.post('/schemas', { name: 'child', json_schema: {}, extends: one }),
      (one) => client.post('/nodes', { title: 'n', node_type: 't', schema_id: one }),
    ];
    for (const [index, ask] of asks.entries())
      expect([index, comparable(await ask(id, schema_uri))]).toEqual([
        index,
        comparable(await ask(ABSENT, 'no:Such')),
      ]);
    const listed = await client.get(`/schemas?ids=${id}`);
    expect(listed.body).toMatchObject({ total: 0, schemas: [] });
    expect((await client.get(`/schemas?search=${encodeURIComponent(schema_uri)}`)).body.total).toBe(0);
  }

  it('public schemas are readable by all users and apps, and changed only by their owner', async () => {
    const made = await schema(alice);
    const [app] = await full(bob);
    for (const client of [bob, app]) {
      const seen = (await client.get(`/schemas/${made.id}`)).body;
      expect(seen).toMatchObject({ id: made.id, owner: 'user', owner_id: null, created_by_app_id: null });
      expect(codeOf(await client.put(`/schemas/${made.id}`, { name: 'x' }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
      expect(codeOf(await client.put(`/schemas/${made.id}`, '{not json'))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
      expect(codeOf(await client.delete(`/schemas/${made.id}`))).toEqual([403, 'PERMISSION_DENIED']);
    }
  });

  it('private schemas of a user are absent for other users and their apps', async () => {
    const made = await schema(alice, PRIVATE);
    const [app] = await full(bob);
    await expectAbsent(bob, made);
    await expectAbsent(app, made);
    expect((await alice.get(`/schemas/${made.id}`)).status).toBe(200);
  });

  it("private schemas of a user are readable by the user's apps as far as schemas.read allows", async () => {
    const [granted, hidden] = [await schema(alice, PRIVATE), await schema(alice, PRIVATE)];
    const app = await limited(alice, only(granted.id), allSchemas.write);
    expect((await app.get(`/schemas/${granted.id}`)).body).toMatchObject({
      id: granted.id,
      owner_id: alice.id,
    });
    await expectAbsent(app, hidden);
    const [whole] = await full(alice);
    expect((await whole.get(`/schemas/${hidden.id}`)).status).toBe(200);
    expect(codeOf(await whole.put(`/schemas/${hidden.id}`, { name: 'x' }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ]);
  });

  it('schemas that are private to an app are readable by that app alone, for every user', async () => {
    const [app, itself] = await full(alice);
    const made = await schema(app, APP_ONLY);
    expect(made).toMatchObject({
      private_to: 'app',
      created_by_app_id: itself.id,
      owner_id: alice.id,
      schema_uri: `app.${itself.id.slice(0, 8)}:Recipe`,
    });
    const [other] = await full(alice);
    await expectAbsent(alice, made);
    await expectAbsent(other, made);
    const [forBob] = await full(bob, itself);
    expect((await forBob.get(`/schemas/${made.id}`)).body).toMatchObject({
      owner_id: null,
      created_by_app_id: itself.id,
    });
    expect((await forBob.put(`/schemas/${made.id}`, { name: 'New' })).body).toMatchObject({
      name: 'New',
      version: 2,
    });
    expect((await forBob.get(`/schemas?ids=${made.id}`)).body.total).toBe(1);
  });

  it("schemas that are private to an app are absent for a user key in other people's graphs (rule 5.7)", async () => {
    const [app, itself] = await full(alice);
    const made = await schema(app, APP_ONLY);
    const { authorization } = await bob.authorizes(itself);
    const [forBob, bound] = [itself.as(bob), world.api.with({ 'X-API-Key': authorization.user_key })];
    await expectAbsent(bound, made);
    const own = await schema(bound, APP_ONLY);
    expect((await bound.put(`/schemas/${own.id}`, { name: 'New' })).body).toMatchObject({ version: 2 });
    expect((await forBob.get(`/schemas/${own.id}`)).body).toMatchObject({ name: 'New', owner_id: bob.id });
    const shared = await schema(app);
    const { created_by_app_id } = (await bound.get(`/schemas/${shared.id}`)).body;
    expect(created_by_app_id).toBeNull();
    // The app gives a node of bob's that schema: a key of bob's may change the node, as bob himself may.
    const node = await forBob.post('/nodes', {
      title: 'n',
      node_type: 't',
      schema_id: made.id,
      metadata: { properties: { servings: 1 } },
    });
    expect(node.status).toBe(201);
    const servings = (number: number) => ({ metadata: { properties: { servings: number } } });
    expect((await bound.put(`/nodes/${node.body.id}`, servings(2))).status).toBe(200);
    expect(codeOf(await bound.put(`/nodes/${node.body.id}`, servings(0)))).toEqual([
      400,
      'SCHEMA_VALIDATION_FAILED',
    ]);
  });

  it('schemas that become private to an app are not at work on nodes of people who never authorized it (rule 5.7)', async () => {
    const [app, itself] = await full(alice);
    const made = await schema(app);
    const carol = await world.user();
    const child = await schema(carol, { json_schema: {}, extends: made.id });
    const nodes: string[] = [];
    for (const schema_id of [made.id, child.id]) {
      const metadata = { properties: { servings: 1 } };
      const node = await carol.post('/nodes', { title: 'n', node_type: 't', schema_id, metadata });
      expect(node.status).toBe(201);
      nodes.push(node.body.id);
    }
    const outcomes = (servings: number) =>
      Promise.all(
        nodes.map(async (id) =>
          codeOf(await carol.put(`/nodes/${id}`, { metadata: { properties: { servings } } })),
        ),
      );
    expect((await app.put(`/schemas/${made.id}`, APP_ONLY)).status).toBe(200);
    const hidden = [400, 'SCHEMA_NOT_FOUND'];
    expect(await outcomes(0)).toEqual([hidden, hidden]);
    expect(await outcomes(2)).toEqual([hidden, hidden]);
    const { authorization } = await carol.authorizes(itself);
    const judged = [400, 'SCHEMA_VALIDATION_FAILED'];
    expect(await outcomes(0)).toEqual([judged, judged]);
    expect((await carol.delete(`/authorizations/${authorization.id}`)).status).toBeLessThan(300);
    expect(await outcomes(3)).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
  });

  it('schemas that an app created belong to the user, who may change them, as may the app acting for that user', async () => {
    const [app, itself] = await full(alice);
    const made = await schema(app);
    expect((await alice.get(`/schemas/${made.id}`)).body).toMatchObject({
      owner_id: alice.id,
      created_by_app_id: itself.id,
    });
    expect((await app.put(`/schemas/${made.id}`, { name: 'by the app' })).body.version).toBe(2);
    expect((await alice.put(`/schemas/${made.id}`, { name: 'by the owner' })).body.version).toBe(3);
    const [other] = await full(alice);
    const [forBob] = await full(bob, itself);
    for (const client of [other, forBob, bob])
      expect(codeOf(await client.put(`/schemas/${made.id}`, { name: 'x' }))).toEqual([
        403,
        'PERMISSION_DENIED',
      ]);
    expect((await forBob.get(`/schemas/${made.id}`)).body.owner_id).toBeNull();
    expect((await app.delete(`/schemas/${made.id}`)).status).toBe(204);
  });

  it('apps create and change schemas only with schemas.write, and not after it is revoked', async () => {
    const reader = await limited(alice, allSchemas.read, only());
    const body = { name: 'Recipe', json_schema: {} };
    expect(codeOf(await reader.post('/schemas', body))).toEqual([403, 'PERMISSION_DENIED']);
    const some = await limited(alice, allSchemas.read, only('__freeform__'));
    const made = await schema(some, body);
    expect((await some.put(`/schemas/${made.id}`, { name: 'x' })).status).toBe(200);
    const itself = await world.app();
    const { profile: granted } = await alice.authorizes(itself);
    const app = itself.as(alice);
    const own = await schema(app);
    await alice.put(`/exposure-profiles/${granted.id}`, {
      schema_permissions: { read: allSchemas.read, write: only() },
    });
    expect(codeOf(await app.put(`/schemas/${own.id}`, { name: 'x' }))).toEqual([403, 'PERMISSION_DENIED']);
    expect(codeOf(await app.delete(`/schemas/${own.id}`))).toEqual([403, 'PERMISSION_DENIED']);
    expect(codeOf(await app.post('/schemas', body))).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('old versions of schemas are shown only to those who could read them', async () => {
    const made = await schema(alice, { ...PRIVATE, description: 'private once' });
    await alice.put(`/schemas/${made.id}`, { scope: 'public', description: 'open' });
    const uri = `/schemas/uri/${made.schema_uri}`;
    expect((await bob.get(`${uri}?version=2`)).body).toMatchObject({ version: 2, private_to: null });
    expect(comparable(await bob.get(`${uri}?version=1`))).toBe(comparable(await bob.get(`${uri}?version=7`)));
    const versions = (await bob.get(`/schemas/${made.id}/versions`)).body;
    expect(versions).toMatchObject({ total: 1, versions: [{ version: 2 }] });
    expect((await alice.get(`/schemas/${made.id}/versions`)).body.total).toBe(2);
    await alice.put(`/schemas/${made.id}`, PRIVATE);
    await expectAbsent(bob, made);
  });

  it('profiles may name the schemas that their owner can read', async () => {
    const [own, foreign, open] = [
      await schema(alice, PRIVATE),
      await schema(bob, PRIVATE),
      await schema(bob),
    ];
    const name = (id: string) =>
      alice.post('/exposure-profiles', {
        name: `profile of ${id} ${world.number()}`,
        schema_permissions: { read: only(id, '__freeform__'), write: only() },
      });
    expect((await name(own.id)).status).toBe(201);
    expect((await name(open.id)).status).toBe(201);
    expect(comparable(await name(foreign.id))).toBe(comparable(await name(ABSENT)));
    expect(codeOf(await name(foreign.id))).toEqual([404, 'NOT_FOUND']);
  });

  it('used_by_me counts the nodes that the caller can read', async () => {
    const made = await schema(alice, { json_schema: {} });
    await alice.post('/nodes', { title: 'n', node_type: 't', schema_id: made.id, tags: ['hidden'] });
    const tag = (await alice.get('/tags?search=hidden')).body.tags[0].id as string;
    const blind = await alice.lets(await world.app(), { ...profile(all), excluded_tag_ids: [tag] });
    const [seeing] = await full(alice);
    const used = async (client: Client) =>
      (await client.get(`/schemas?used_by_me=true&ids=${made.id}`)).body.total;
    expect([await used(alice), await used(seeing), await used(blind), await used(bob)]).toEqual([1, 1, 0, 0]);
    const impact = async (client: Client) =>
      (await client.put(`/schemas/${made.id}?dry_run=true`, { json_schema: { required: ['x'] } })).body
        .invalid_nodes;
    expect(await impact(alice)).toBe(1);
  });

  it('schemas keep a hidden parent when an app writes them back as it reads them', async () => {
    const app = await limited(alice, only(), allSchemas.write);
    const child = (await app.post('/schemas', { name: 'child', json_schema: {} })).body;
    const parent = await schema(alice, PRIVATE);
    expect((await alice.put(`/schemas/${child.id}`, { extends: parent.id })).status).toBe(200);
    const { body: read } = await app.get(`/schemas/${child.id}`);
    expect(read).toMatchObject({ extends: null, version: 2 });
    const { status, body } = await app.put(`/schemas/${child.id}`, read);
    expect([status, body]).toMatchObject([200, read]);
    expect((await alice.get(`/schemas/${child.id}`)).body).toMatchObject({ extends: parent.id, version: 2 });
    expect((await alice.put(`/schemas/${child.id}`, { extends: null })).body.version).toBe(3);
  });
});
