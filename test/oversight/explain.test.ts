import { Chance, seedOf } from '../properties/random.js';
import { codeOf, node, profile, tagId } from '../support/worlds/nodes.js';
import { type Answer } from '../support/client.js';
import { everything, someTags } from '../support/defaults.js';
import { type TestApp, type TestUser, World } from '../support/world.js';

const ABSENT = '00000000-0000-4000-8000-000000000000';

interface Verb {
  verb: string;
  allowed: boolean;
  decided_by: string;
  rules: { rule: string; verdict: string }[];
}

describe('GET /exposure-profiles/:id/explain', () => {
  let world: World;
  let alice: TestUser;
  let app: TestApp;
  const tags: Record<string, string> = {};

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
    app = await world.app();
    for (const name of ['work', 'private', 'team']) tags[name] = await tagId(alice, name);
  });
  afterAll(() => world.stop());

  const explain = (id: string, node_id: string, app_id?: string) =>
    alice.get(`/exposure-profiles/${id}/explain?node_id=${node_id}${app_id ? `&app_id=${app_id}` : ''}`);
  const verb = ({ body }: Answer, name = 'read'): Verb =>
    (body.verbs as Verb[]).find((one) => one.verb === name) as Verb;
  const verdict = (answer: Answer, rule: string, name = 'read'): string | undefined =>
    verb(answer, name).rules.find((one) => one.rule === rule)?.verdict;
  const made = async (body: Record<string, unknown>): Promise<string> =>
    (await alice.post('/exposure-profiles', { name: `profile ${world.number()}`, ...body })).body.id;

  it('names the first rule that decided, for each verb', async () => {
    const id = await made(
      profile(
        { read: [tags['work'] as string], edit: [tags['team'] as string] },
        { tag_filters: { exclude_any: ['private'] } },
      ),
    );
    const [work, hidden, other] = [
      await node(alice, { tags: ['work'] }),
      await node(alice, { tags: ['work', 'private'] }),
      await node(alice, { tags: ['team'] }),
    ];
    const seen = await explain(id, work.id);
    expect(verb(seen)).toMatchObject({ allowed: true, decided_by: 'tag_permissions.read' });
    expect(verb(seen, 'edit')).toMatchObject({ allowed: false, decided_by: 'tag_permissions.edit' });
    expect(verb(seen, 'delete')).toMatchObject({ allowed: false, decided_by: 'tag_permissions.edit' });
    expect(seen.body.shown_as).toMatchObject({ id: work.id, title: 'a node' });
    const excluded = await explain(id, hidden.id);
    expect(verb(excluded)).toMatchObject({ allowed: false, decided_by: 'tag_filters.exclude_any' });
    expect(verdict(excluded, 'tag_permissions.read')).toBe('passes');
    expect(verb(excluded, 'edit').decided_by).toBe('read');
    expect(excluded.body.shown_as).toBeNull();
    expect(verb(await explain(id, other.id)).decided_by).toBe('tag_permissions.read');
  });

  it('distinguishes single nodes from nodes by tags, and filters and types from grants', async () => {
    const { id: node_id } = await node(alice, { tags: ['team'], node_type: 'DIARY' });
    const grants = { read: [tags['work'] as string], edit: [tags['team'] as string] };
    const byId = await made(profile(grants, { allowed_node_ids: [node_id], allowed_node_types: ['note'] }));
    const bypassing = await explain(byId, node_id);
    expect(verb(bypassing)).toMatchObject({ allowed: true, decided_by: 'allowed_node_ids' });
    expect(verdict(bypassing, 'tag_permissions.read')).toBe('bypassed');
    expect(verdict(bypassing, 'tag_expression')).toBe('not_set');
    // The id list applies to reading only (rule 3.6).
    expect(verb(bypassing, 'edit')).toMatchObject({ allowed: false, decided_by: 'allowed_node_types' });
    const excluded = await made(
      profile({ read: 'all' }, { allowed_node_ids: [node_id], excluded_node_types: ['DIARY'] }),
    );
    expect(verb(await explain(excluded, node_id)).decided_by).toBe('excluded_node_types');
  });

  it("checks the app's requested permissions, its authorization and the expiry first", async () => {
    const reader = await world.app({ requested: { ...everything, tags: { discover: true, read: true } } });
    const { profile: through, authorization } = await alice.authorizes(reader);
    const { id } = await node(alice, {});
    const now = await explain(through.id, id, reader.id);
    expect(now.body.authorization).toMatchObject({ id: authorization.id, status: 'active' });
    expect(verb(now)).toMatchObject({ allowed: true });
    expect(verb(now, 'edit')).toMatchObject({
      allowed: false,
      decided_by: 'requested_permissions.tags.edit',
    });
    const elsewhere = await explain(await made(profile({ read: 'all' })), id, reader.id);
    expect(verb(elsewhere)).toMatchObject({ allowed: false, decided_by: 'authorization' });
    await alice.put(`/exposure-profiles/${through.id}`, { is_active: false });
    expect(verb(await explain(through.id, id, reader.id)).decided_by).toBe('is_active');
    await alice.delete(`/authorizations/${authorization.id}`);
    expect(verb(await explain(through.id, id, reader.id)).decided_by).toBe('authorization');
    expect((await explain(through.id, id, reader.id)).body.authorization).toBeNull();
  });

  it('explains the outcome for each field and tag', async () => {
    const id = await made(
      profile(
        { read: [tags['work'] as string] },
        {
          max_detail_level: 'summary',
          transformations: [
            { type: 'truncate', config: { field: 'title', max: 4 } },
            { type: 'field_mask', config: { paths: ['importance_score'], strategy: 'remove' } },
          ],
        },
      ),
    );
    const { id: node_id } = await node(alice, {
      title: 'a long title',
      value: 'secret',
      importance_score: 0.5,
      tags: ['work', 'team'],
    });
    const { body } = await explain(id, node_id);
    const field = (name: string) => body.fields.find((one: { field: string }) => one.field === name);
    expect(field('value')).toMatchObject({ shown: false, hidden_by: 'max_detail_level' });
    expect(field('importance_score')).toMatchObject({
      shown: false,
      hidden_by: 'transformations',
      transformations: [{ index: 1, type: 'field_mask' }],
    });
    expect(field('title')).toMatchObject({
      shown: true,
      hidden_by: null,
      transformations: [{ index: 0, type: 'truncate' }],
    });
    expect(body.tags.map(({ name, shown }: { name: string; shown: boolean }) => [name, shown])).toEqual(
      expect.arrayContaining([
        ['work', true],
        ['team', false],
      ]),
    );
    expect(body.shown_as).toMatchObject({ title: 'a lo', tags: ['work'] });
    expect(Object.keys(body.shown_as)).toEqual(
      body.fields
        .filter(({ shown }: { shown: boolean }) => shown)
        .map(({ field: name }: { field: string }) => name),
    );
  });

  it('accepts only own nodes, own profiles and existing apps', async () => {
    const bob = await world.user();
    const id = await made(profile({ read: 'all' }));
    const mine = (await node(alice, {})).id as string;
    const theirs = (await node(bob, {})).id as string;
    for (const absent of [theirs, ABSENT, 'no-id', 'x'.repeat(1000)])
      expect(codeOf(await explain(id, absent))).toEqual([404, 'NODE_NOT_FOUND']);
    for (const absent of [ABSENT, 'no-id', 'x'.repeat(1000)])
      expect(codeOf(await explain(id, mine, absent))).toEqual([404, 'NOT_FOUND']);
    const foreign = await bob.get(`/exposure-profiles/${id}/explain?node_id=${theirs}`);
    expect(codeOf(foreign)).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await alice.get(`/exposure-profiles/${id}/explain`))).toEqual([400, 'VALIDATION_ERROR']);
    expect(
      codeOf(await (await alice.lets(app)).get(`/exposure-profiles/${id}/explain?node_id=${mine}`)),
    ).toEqual([403, 'PERMISSION_DENIED']);
  });

  /** A random profile with values of all its rules. */
  function anyProfile(chance: Chance, ids: readonly string[]): Record<string, unknown> {
    const own = Object.values(tags);
    const grant = () => (chance.once(3) ? 'all' : chance.some(own, 2));
    return profile(
      { read: grant(), edit: grant(), delete: grant() },
      {
        allowed_node_ids: chance.once(2) ? chance.some(ids, 3) : [],
        excluded_tag_ids: chance.once(4) ? chance.some(own, 1) : [],
        allowed_node_types: chance.once(4) ? ['note'] : [],
        excluded_node_types: chance.once(4) ? ['DIARY'] : [],
        tag_filters: chance.once(3) ? { include_any: chance.some(['work', 'team', 'gone'], 2) } : {},
        max_detail_level: chance.pick(['full', 'summary', 'minimal']),
        schema_permissions: chance.once(5)
          ? { read: { schema_ids: ['__freeform__'] }, write: { schema_ids: [] } }
          : { read: { allow_all: true }, write: { allow_all: true } },
      },
    );
  }

  it("predicts the app's later answers for one node, the list and a write, and the preview shows that list", async () => {
    const chance = new Chance(seedOf('explained and met'));
    const owner = await world.user();
    for (const name of Object.keys(tags)) tags[name] = await tagId(owner, name);
    const ids: string[] = [];
    for (let i = 0; i < 12; i++)
      ids.push(
        (
          await node(owner, {
            title: `node ${i}`,
            node_type: chance.pick(['note', 'DIARY']),
            tags: chance.some(Object.keys(tags), 2),
          })
        ).id,
      );
    for (let round = 0; round < 12; round++) {
      const met = await world.app({ requested: { ...everything, files: { read: false } } });
      const { profile: through } = await owner.authorizes(met);
      await owner.put(`/exposure-profiles/${through.id}`, anyProfile(chance, ids));
      const client = met.as(owner);
      const list = await client.get('/nodes?limit=100&include_tags=true');
      const listed = new Set(list.body.nodes.map(({ id }: { id: string }) => id));
      const counts: Record<string, number> = { nodes: ids.length, read: 0, propose: 0, edit: 0, delete: 0 };
      for (const id of ids) {
        const told = await owner.get(
          `/exposure-profiles/${through.id}/explain?node_id=${id}&app_id=${met.id}`,
        );
        const single = await client.get(`/nodes/${id}`);
        const write = await client.put(`/nodes/${id}`, {});
        expect(verb(told).allowed).toBe(listed.has(id));
        expect(single.status).toBe(verb(told).allowed ? 200 : 404);
        expect(write.status).toBe(verb(told, 'edit').allowed ? 200 : verb(told).allowed ? 403 : 404);
        if (verb(told).allowed) expect(told.body.shown_as).toEqual(single.body);
        for (const { verb: name, allowed } of told.body.verbs as Verb[])
          if (allowed) counts[name] = (counts[name] as number) + 1;
      }
      const preview = await owner.post(`/exposure-profiles/${through.id}/preview`, {
        app_id: met.id,
        limit: 100,
      });
      expect(preview.body.counts).toEqual(counts);
      expect(preview.body.sample.nodes).toEqual(list.body.nodes);
    }
  }, 120_000);
});

describe('POST /exposure-profiles/:id/preview', () => {
  let world: World;
  let alice: TestUser;
  let narrow: string;
  let wide: string;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
    const work = await tagId(alice, 'work');
    await node(alice, { title: 'one', tags: ['work'], value: 'jane@example.org' });
    await node(alice, { title: 'two', tags: ['work'], node_type: 'DIARY' });
    await node(alice, { title: 'three', tags: ['home'] });
    narrow = (await alice.post('/exposure-profiles', { name: 'narrow', ...profile({ read: [work] }) })).body
      .id;
    wide = (await alice.post('/exposure-profiles', { name: 'wide', ...profile({ read: 'all' }) })).body.id;
  });
  afterAll(() => world.stop());

  const preview = (id: string, body: object = {}) => alice.post(`/exposure-profiles/${id}/preview`, body);
  const idsOf = async (tag: string): Promise<string[]> =>
    (await alice.get(`/tags/${tag}/nodes`)).body.nodes.map(({ id }: { id: string }) => id);
  const titles = (page: { nodes: { title: string }[] }): string[] => page.nodes.map(({ title }) => title);

  it('counts by verb and shows nodes as the app would see them', async () => {
    const { status, body } = await preview(narrow, { limit: 1 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      is_edited: false,
      permissions: expect.arrayContaining(['tags.read']),
      counts: { nodes: 3, read: 2, propose: 0, edit: 0, delete: 0 },
      sample: { total: 2, limit: 1, offset: 0 },
      comparison: null,
    });
    expect(titles(body.sample)).toEqual(['two']);
    expect(titles((await preview(narrow, { limit: 1, offset: 1 })).body.sample)).toEqual(['one']);
  });

  it('reports how many large nodes it has shown, from which the next page continues', async () => {
    const large = await tagId(alice, 'large');
    const metadata = { properties: { text: 'x'.repeat(240_000) } };
    const made = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const title of made)
      await node(alice, { title, tags: ['large'], value: 'v'.repeat(90_000), metadata });
    const { id } = (await alice.post('/exposure-profiles', { name: 'l', ...profile({ read: [large] }) }))
      .body;
    const seen: string[] = [];
    while (seen.length < made.length) {
      const { sample } = (await preview(id, { limit: 10, offset: seen.length })).body;
      seen.push(...titles(sample));
      const isLast = seen.length === made.length;
      expect([sample.total, sample.limit]).toEqual([made.length, isLast ? 10 : sample.nodes.length]);
    }
    expect(seen).toEqual([...made].reverse());
    await alice.post('/nodes/bulk-delete', { node_ids: await idsOf(large) });
  });

  it('shows an unsaved edit with its gains and losses', async () => {
    const edit = {
      excluded_node_types: ['DIARY'],
      tag_permissions: { read: { allow_all: true } },
      transformations: ['pii_redaction'],
    };
    const { body } = await preview(narrow, { profile: edit });
    expect(body.is_edited).toBe(true);
    expect(body.counts.read).toBe(2);
    expect(titles(body.comparison.gained)).toEqual(['three']);
    expect(titles(body.comparison.lost)).toEqual(['two']);
    expect(body.comparison).toMatchObject({ exposure_profile_id: narrow, counts: { read: 2 } });
    const one = body.sample.nodes.find(({ title }: { title: string }) => title === 'one');
    expect(one.value).toBe('[REDACTED:email]');
    const saved = await alice.get(`/exposure-profiles/${narrow}`);
    expect(saved.body.excluded_node_types).toEqual([]);
  });

  it('compares a profile, or its edit, with another profile', async () => {
    const { body } = await preview(narrow, { compare_to: wide });
    expect(titles(body.comparison.gained)).toEqual([]);
    expect(titles(body.comparison.lost)).toEqual(['three']);
    const edited = await preview(narrow, { compare_to: wide, profile: { allowed_node_types: ['DIARY'] } });
    expect(titles(edited.body.comparison.lost)).toEqual(['three', 'one']);
  });

  it('shows nothing through an inactive profile', async () => {
    const app = await world.app();
    const listed = await alice.get('/nodes');
    const allowed_node_ids = listed.body.nodes.map(({ id }: { id: string }) => id);
    for (const app_id of [null, app.id]) {
      await preview(narrow, { app_id, profile: { allowed_node_ids } });
      const { body } = await preview(narrow, { app_id, profile: { is_active: false, allowed_node_ids } });
      expect(body).toMatchObject({
        permissions: [],
        counts: { nodes: 3, read: 0, propose: 0, edit: 0, delete: 0 },
        sample: { nodes: [], total: 0 },
        comparison: { counts: { read: 2 }, gained: { total: 0 }, lost: { total: 2 } },
      });
      expect(body.missing).toEqual(app_id === null ? [] : expect.arrayContaining(['tags.read']));
    }
  });

  it('lists requested permissions that are not granted, and authorizes no app', async () => {
    const app = await world.app();
    const { body } = await preview(narrow, { app_id: app.id });
    expect(body.missing).toEqual(expect.arrayContaining(['tags.propose', 'tags.edit', 'tags.delete']));
    expect((await app.as(alice).get('/nodes')).status).toBe(403);
    expect((await alice.get('/authorizations')).body.total).toBe(0);
  });

  it('accepts only existing apps and profiles', async () => {
    const bob = await world.user();
    const theirs = (await bob.post('/exposure-profiles', { name: 'theirs' })).body.id as string;
    for (const compare_to of [ABSENT, 'no id', theirs])
      expect(codeOf(await preview(narrow, { compare_to }))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await preview(narrow, { app_id: ABSENT }))).toEqual([404, 'NOT_FOUND']);
    const unknown = { tag_permissions: { read: someTags(ABSENT) } };
    expect(codeOf(await preview(narrow, { profile: unknown }))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await preview(narrow, { profile: { transformations: ['magic'] } }))).toEqual([
      400,
      'INVALID_TRANSFORMATION',
    ]);
    expect(codeOf(await preview(narrow, { profile: { max_detail_level: 'all' } }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});
