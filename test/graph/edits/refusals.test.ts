import { randomUUID } from 'node:crypto';
import { World } from '../../support/world.js';
import { withWorld } from '../../support/worlds/with-world.js';

/** Refusals say what to send instead, in the caller's own words. */
describe('equal answers', () => {
  let world: World;
  withWorld(
    (started) => (world = started),
    () => World.start(),
  );

  it('refusals of tags and versions name the tags that may not be assigned as they were sent, and no others', async () => {
    const alice = await world.user();
    const [open, hidden] = await Promise.all(
      ['open', 'hidden'].map(async (name) => (await alice.post('/tags', { name })).body.id as string),
    );
    const app = await alice.lets(await world.app(), {
      tag_permissions: {
        read: { tag_ids: [open], allow_all: false },
        create: { tag_ids: [open], allow_all: false },
        edit: { tag_ids: [open], allow_all: false },
        propose: { tag_ids: [open], allow_all: false },
        discover: { tag_ids: [open], allow_all: false },
        delete: { tag_ids: [open], allow_all: false },
      },
      schema_permissions: {
        read: { schema_ids: [], allow_all: true },
        write: { schema_ids: [], allow_all: true },
      },
    });
    const refusalOf = async (tags: unknown[]) => {
      const { status, body } = await app.post('/nodes', { title: 'a', node_type: 'NOTE', tags });
      expect(status).toBe(403);
      return body.error.message as string;
    };
    expect((await app.post('/nodes', { title: 'b', node_type: 'NOTE', tags: ['open'] })).status).toBe(201);
    expect(await refusalOf(['open', 'hidden', 'unheard of'])).toBe(
      'You may not assign "hidden","unheard of"',
    );
    expect(await refusalOf([' hidden', 'Hidden', ...Array<string>(1_000).fill('hidden ')])).toBe(
      'You may not assign "hidden"',
    );
    // Named by its id, a hidden tag does not reveal its name; it is refused like an unknown id.
    for (const id of [hidden as string, randomUUID()])
      expect(await refusalOf([open, id])).toBe(`You may not assign "${id}"`);
    expect(await refusalOf([])).toBe('You may not create nodes without tags');
    const made = await app.post('/tags', { name: 'fresh' });
    expect(made.body.error.message).toBe(
      'This requires the permission tags.create, granted with allow_new, and tags.discover with allow_all',
    );
  });

  it('refusals of tags and versions are the same with and without a hidden tag of that name, with and without allow_new', async () => {
    const service = await world.app();
    const told = async (names: string[]) => {
      const alice = await world.user();
      const [open, known] = await Promise.all(
        ['open', 'known', ...names].map(
          async (name) => (await alice.post('/tags', { name })).body.id as string,
        ),
      );
      const assigning = { tag_ids: [open], allow_all: false, allow_new: true };
      const app = await alice.lets(service, {
        tag_permissions: {
          read: { tag_ids: [open], allow_all: false },
          create: assigning,
          edit: assigning,
          propose: assigning,
          discover: { tag_ids: [known], allow_all: false },
        },
        schema_permissions: {
          read: { schema_ids: [], allow_all: true },
          write: { schema_ids: [], allow_all: true },
        },
      });
      const node = (tags: string[], title = 'a') => ({ title, node_type: 'NOTE', tags });
      const { body } = await app.post('/nodes', node(['open']));
      const refused = [];
      for (const tags of [['open', 'cancer'], ['cancer'], ['open', 'cancer', 'known', 'divorce']])
        refused.push(
          await app.put(`/nodes/${body.id}`, { tags }),
          await app.post('/nodes', node(tags)),
          await app.post('/proposals', { title: 'p', tags, canonical_data: node([]) }),
          await app.post('/proposals', { title: 'p', canonical_data: node(tags) }),
          await app.post('/proposals', {
            title: 'p',
            type: 'ADD_TAGS',
            canonical_data: { node_id: body.id, tags },
          }),
        );
      for (const name of ['Cancer', 'open', 'known'])
        refused.push(
          await app.post('/tags', { name }),
          await app.post('/third-party/tags', { name }),
          ...(name === 'open' ? [] : [await app.put(`/tags/${open}`, { name })]),
        );
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
      const cased = await app.put(`/tags/${open}`, { name: 'OPEN' });
      expect([cased.status, cased.body.name]).toEqual([200, 'OPEN']);
      const batch = await app.post('/nodes/batch', { nodes: [node(['cancer'], 'b')] });
      expect(batch.body.errors).toHaveLength(1);
      return [...refused.map(({ body: { error } }) => [error.code, error.message]), batch.body];
    };
    const [hidden, absent] = [await told(['cancer']), await told([])];
    expect(hidden).toEqual(absent);
    expect(hidden[1]).toEqual(['PERMISSION_DENIED', 'You may not assign "cancer"']);
  });

  it('refusals of tags and versions explain why a weak entity tag does not match, and what the header should contain', async () => {
    const alice = await world.user();
    const { body } = await alice.post('/nodes', { title: 'a', node_type: 'NOTE' });
    const put = (tag: string) =>
      alice.put(`/nodes/${body.id}`, { title: 'b' }, { headers: { 'If-Match': tag } });
    expect((await put('W/"1"')).body.error.message).toBe(
      'A weak entity tag never matches: send If-Match without W/',
    );
    expect((await put('W/"2"')).body.error.message).toBe('If-Match does not name the current version');
    const bare = await world.api.with({ Authorization: alice.token }).get('/nodes');
    expect(bare.body.error.message).toContain('"Bearer <access token>"');
  });
});
