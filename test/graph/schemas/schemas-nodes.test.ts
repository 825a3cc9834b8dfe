import { type Client } from '../../support/client.js';
import { everything } from '../../support/defaults.js';
import { type TestUser, World } from '../../support/world.js';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { codeOf, node, profile } from '../../support/worlds/nodes.js';
import { ABSENT, PRIVATE, RECIPE, schema, SYSTEM } from '../../support/worlds/schemas.js';

const servings = (count: unknown) => ({ properties: { servings: count } });

describe('schema_id', () => {
  let world: World;
  let alice: TestUser;
  let recipe: string;

  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user();
    recipe = (await schema(alice)).id as string;
  });
  afterAll(() => world.stop());

  const create = (client: Client, body: object) =>
    client.post('/nodes', { title: 'soup', node_type: 'recipe', ...body });
  const versionOf = async (id: string) => {
    const [row] = await world.nest
      .get(Database)
      .read<{ schema_version: number | null }>(sql`SELECT schema_version FROM nodes WHERE id = ${id}`);
    return row?.schema_version;
  };

  it('nodes with a schema are refused with pointers to the violations, and without values', async () => {
    const answer = await create(alice, {
      schema_id: recipe,
      metadata: { properties: { cook: { secret: 1 } } },
    });
    expect(codeOf(answer)).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
    expect(answer.body.error.details).toEqual([
      { field: '/cook', message: 'must be string' },
      { field: '/servings', message: 'is required' },
    ]);
    expect(answer.text).not.toContain('secret');
    expect(codeOf(await create(alice, { schema_id: recipe }))).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
  });

  it('nodes with a schema keep the version against which they were validated, in their history too', async () => {
    const own = (await schema(alice)).id as string;
    const { id } = await node(alice, { schema_id: own, metadata: servings(2) });
    expect(await versionOf(id)).toBe(1);
    await alice.put(`/schemas/${own}`, { name: 'Other' });
    await alice.put(`/nodes/${id}`, { title: 'a title is no matter of the schema' });
    expect(await versionOf(id)).toBe(1);
    await alice.put(`/nodes/${id}`, { metadata: servings(3) });
    expect(await versionOf(id)).toBe(2);
    await alice.put(`/nodes/${id}`, { schema_id: null });
    expect(await versionOf(id)).toBeNull();
    const rows = await world.nest
      .get(Database)
      .read<{ kept: number | null }>(
        sql`SELECT (snapshot ->> 'schema_version')::integer AS kept FROM changes WHERE entity_id = ${id} ORDER BY sequence`,
      );
    expect(rows.map(({ kept }) => kept)).toEqual([1, 1, 2, null]);
  });

  it('nodes with a schema are validated when metadata or schema change, by PUT and PATCH', async () => {
    const { id } = await node(alice, { schema_id: recipe, metadata: servings(2) });
    const wrong = [400, 'SCHEMA_VALIDATION_FAILED'];
    expect(codeOf(await alice.put(`/nodes/${id}`, { metadata: servings(0) }))).toEqual(wrong);
    expect(codeOf(await alice.put(`/nodes/${id}`, { metadata: null }))).toEqual(wrong);
    expect(codeOf(await alice.patch(`/nodes/${id}`, { metadata: servings(null) }))).toEqual(wrong);
    expect((await alice.patch(`/nodes/${id}`, { metadata: { properties: { cook: 'me' } } })).status).toBe(
      200,
    );
    const free = await node(alice, { metadata: servings('many') });
    expect(codeOf(await alice.put(`/nodes/${free.id}`, { schema_id: recipe }))).toEqual(wrong);
    const both = await alice.put(`/nodes/${free.id}`, { schema_id: recipe, metadata: servings(1) });
    expect(both.body).toMatchObject({ schema_id: recipe, version: 2 });
  });

  it('nodes with a schema are not created under a schema that does not exist, whatever else is invalid', async () => {
    const bob = await world.user();
    const hidden = await schema(bob, PRIVATE);
    const gone = await schema(alice);
    await alice.delete(`/schemas/${gone.id}`);
    const { id } = await node(alice);
    const texts = new Set<string>();
    for (const schema_id of [hidden.id, gone.id, ABSENT, 'no id']) {
      for (const answer of [
        await create(alice, { schema_id }),
        await alice.put(`/nodes/${id}`, { schema_id }),
        await alice.patch(`/nodes/${id}`, { schema_id }),
      ]) {
        expect(codeOf(answer)).toEqual([400, 'SCHEMA_NOT_FOUND']);
        texts.add(JSON.stringify({ ...answer.body.error, request_id: 0 }));
      }
    }
    expect(texts.size).toBe(1);
  });

  it('nodes with a schema stay writable when their schema is deleted, but not when it is withdrawn', async () => {
    const bob = await world.user();
    const { id: schema_id } = await schema(bob);
    const { id } = await node(alice, { schema_id, metadata: servings(1) });
    await bob.put(`/schemas/${schema_id}`, PRIVATE);
    const change = (body: object) => alice.put(`/nodes/${id}`, body);
    expect(codeOf(await change({ metadata: servings(2) }))).toEqual([400, 'SCHEMA_NOT_FOUND']);
    expect((await change({ title: 'other' })).status).toBe(200);
    await bob.put(`/schemas/${schema_id}`, { scope: 'public' });
    await bob.delete(`/schemas/${schema_id}`);
    expect((await change({ metadata: servings(2) })).status).toBe(200);
    expect(codeOf(await change({ metadata: servings(0) }))).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
    expect((await change({ schema_id: null, metadata: servings(0) })).status).toBe(200);
  });

  it('nodes with a schema fail one by one in a batch', async () => {
    const item = (title: string, body: object) => ({ title, node_type: 't', ...body });
    const answer = await alice.post('/nodes/batch', {
      nodes: [
        item('good', { schema_id: recipe, metadata: servings(1) }),
        item('bad', { schema_id: recipe, metadata: servings(0) }),
        item('absent', { schema_id: ABSENT }),
        item('free', {}),
      ],
    });
    expect(answer.status).toBe(200);
    expect(answer.body.created.map(({ title }: { title: string }) => title)).toEqual(['good', 'free']);
    expect(answer.body.errors).toMatchObject([
      { index: 1, code: 'SCHEMA_VALIDATION_FAILED' },
      { index: 2, code: 'SCHEMA_NOT_FOUND' },
    ]);
    const again = await alice.post('/nodes/batch', {
      on_duplicate: 'overwrite',
      nodes: [
        item('good', { metadata: servings(0) }),
        item('free', { schema_id: recipe, metadata: servings(5) }),
      ],
    });
    expect(again.body.errors).toMatchObject([{ index: 0, code: 'SCHEMA_VALIDATION_FAILED' }]);
    expect(again.body.updated).toMatchObject([{ index: 1, title: 'free' }]);
    expect(await versionOf(again.body.updated[0].id)).toBe(1);
  });

  it('identity nodes are refused with violations of their shape first', async () => {
    const answer = await create(alice, {
      node_type: 'GOAL',
      meaning_level: 'IDENTITY',
      schema_id: SYSTEM.goal,
      metadata: { properties: { status: 'lost' } },
    });
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    const asData = await create(alice, {
      node_type: 'GOAL',
      schema_id: SYSTEM.goal,
      metadata: { properties: { status: 'lost' } },
    });
    expect(codeOf(asData)).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
  });

  it('nodes with a schema are refused to an app without a grant for the schema, equally for a schema that it cannot see', async () => {
    const own = await schema(alice, PRIVATE);
    const grants = (schema_ids: string[]) => ({ schema_ids, allow_all: false });
    const requested = { ...everything, schemas: { read: grants([own.id]), write: grants([own.id]) } };
    const app = await alice.lets(
      await world.app({ requested }),
      profile(
        { read: 'all', create: 'all', edit: 'all', propose: 'all', discover: 'all', delete: 'all' },
        {
          schema_permissions: { read: grants([own.id]), write: grants([own.id]) },
        },
      ),
    );
    expect((await create(app, { schema_id: own.id, metadata: servings(1) })).status).toBe(201);
    expect(codeOf(await create(app, { schema_id: recipe, metadata: servings(1) }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ]);
    const other = await schema(alice, PRIVATE);
    expect(codeOf(await create(app, { schema_id: other.id }))).toEqual([400, 'SCHEMA_NOT_FOUND']);
    expect(codeOf(await create(app, { schema_id: ABSENT }))).toEqual([400, 'SCHEMA_NOT_FOUND']);
  });

  describe('masks', () => {
    const all = {
      read: 'all',
      create: 'all',
      edit: 'all',
      propose: 'all',
      discover: 'all',
      delete: 'all',
    } as const;
    const asked = everything;
    const secretly = { servings: 4, cook: 'jane@example.org' };

    it.each([
      [
        'masked',
        {
          transformations: [
            { type: 'field_mask', config: { paths: ['metadata.properties.cook'], strategy: 'remove' } },
          ],
        },
      ],
      ['cut by detail', { max_detail_level: 'summary' }],
    ])(
      'nodes with a schema of which a caller is not shown everything answer no question about values that are %s',
      async (_, rest) => {
        const app = await alice.lets(await world.app({ requested: asked }), profile(all, rest));
        const guesses = ['jane@example.org', 'joe@example.org'];
        const answers: string[] = [];
        for (const guess of guesses) {
          const { id } = await node(alice, { metadata: { properties: secretly } });
          const json_schema = { properties: { cook: { const: guess } }, required: ['cook'] };
          const probe = await schema(app, { json_schema });
          const named = await app.put(`/nodes/${id}`, { schema_id: probe.id });
          const patched = await app.patch(`/nodes/${id}`, { metadata: { properties: { servings: 5 } } });
          const fallback = {
            if: { properties: { cook: { const: guess } }, required: ['cook'] },
            then: { properties: { servings: false } },
          };
          const branching = await schema(app, { json_schema: fallback });
          const branched = await app.put(`/nodes/${id}`, { schema_id: branching.id });
          const sent = await app.patch(`/nodes/${id}`, { metadata: { properties: { servings: 6 } } });
          const dry = await app.put(`/schemas/${branching.id}?dry_run=true`, {
            json_schema: { not: fallback.if },
          });
          answers.push(
            JSON.stringify([
              codeOf(named),
              codeOf(patched),
              codeOf(branched),
              codeOf(sent),
              dry.body.invalid_nodes,
            ]),
          );
          expect((await alice.get(`/nodes/${id}`)).body.metadata.properties.cook).toBe('jane@example.org');
        }
        expect(answers[0]).toBe(answers[1]);
      },
    );

    it('nodes with a schema of which a caller is not shown everything are written back as they are read', async () => {
      const rest = { transformations: ['pii_redaction'] };
      const app = await alice.lets(await world.app({ requested: asked }), profile(all, rest));
      const json_schema = {
        properties: { cook: { pattern: '^[a-z]+@example.org$' }, servings: RECIPE.properties.servings },
      };
      const { id: schema_id } = await schema(alice, { json_schema });
      const { id } = await node(alice, { schema_id, metadata: { properties: secretly } });
      const read = (await app.get(`/nodes/${id}`)).body;
      expect(read.metadata.properties.cook).toContain('REDACTED');
      const metadata = { properties: { ...read.metadata.properties, servings: 9 } };
      expect((await app.put(`/nodes/${id}`, { metadata })).status).toBe(200);
      expect((await alice.get(`/nodes/${id}`)).body.metadata.properties).toEqual({
        ...secretly,
        servings: 9,
      });
      // No writer who is shown the whole metadata has changed it since.
      expect(await versionOf(id)).toBeNull();
      const wrong = await app.put(`/nodes/${id}`, {
        metadata: { properties: { ...metadata.properties, servings: 0 } },
      });
      expect(codeOf(wrong)).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
      expect(wrong.body.error.details).toEqual([{ field: '/servings', message: 'must be at least 1' }]);
    });
  });
});
