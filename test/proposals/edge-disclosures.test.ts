import { type Client } from '../support/client.js';
import { node, profile, tagId } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';
import { EVERY_VERB, proposed, ready } from '../support/worlds/proposals.js';

type Body = Record<string, unknown>;

describe('existing relationships in the disclosures of a proposal (rule 8.10c)', () => {
  let world: World;
  let alice: TestUser;
  /** The proposing app, to which values at a DIARY are hidden. */
  let app: Client;
  let diary: string;
  let note: string;
  let friend: string;

  const TEXTS = { relationship_type: 'confided_in', context: 'a secret', emotion_type: 'fear' };
  const masking = (rest: Body = {}) => ({
    transformations: [
      {
        type: 'field_mask',
        config: { paths: ['value'], strategy: 'remove' },
        apply_to: { node_types: ['DIARY'] },
      },
    ],
    ...rest,
  });
  const relate = async (from: string, to: string, rest: Body = {}): Promise<string> => {
    const body = { from_node_id: from, to_node_id: to, ...TEXTS, ...rest };
    const made = await alice.post('/relationships', body);
    if (made.status !== 201) throw new Error(`relationship: ${made.status} ${made.text}`);
    return made.body.id;
  };

  beforeAll(async () => {
    world = await World.start();
  });
  beforeEach(async () => {
    alice = await world.user();
    app = await alice.lets(await world.app(), profile(EVERY_VERB, masking()));
    diary = (await node(alice, { title: 'diary', node_type: 'DIARY', tags: ['work'] })).id;
    note = (await node(alice, { title: 'note', node_type: 'NOTE', tags: ['work'] })).id;
    friend = (await node(alice, { title: 'friend', node_type: 'NOTE', tags: ['work'] })).id;
  });
  afterAll(() => world.stop());

  const merge = (rest: Body = {}) => ({
    type: 'MERGE_NODES',
    canonical_data: { target_node_id: note, source_node_ids: [diary], ...rest },
  });
  const update = (changes: Body, node_id = diary) => ({
    type: 'UPDATE_NODE',
    canonical_data: { node_id, changes },
  });
  const disclosed = async (body: Body) => {
    const { id } = await proposed(app, body);
    const diff = (await alice.get(`/proposals/${id}/diff`)).body;
    return { id, diff, numbers: diff.disclosures.map(numbersOf) };
  };
  const numbersOf = ({ relationships, relationship_texts }: Body) => [relationships, relationship_texts];
  const apply = async (id: string) => {
    expect((await ready(app, id)).status).toBe(200);
    expect((await alice.post(`/proposals/${id}/approve`)).status).toBe(200);
    expect((await alice.post(`/proposals/${id}/apply`)).body).toMatchObject({
      status: 'APPLIED',
      errors: [],
    });
  };
  const seen = async (client: Client) => (await client.get('/relationships')).body.relationships;

  it('a merge that moves a masked relationship to an unmasked node discloses its texts, as they are shown once applied', async () => {
    const edge = await relate(diary, friend);
    const { id, diff } = await disclosed(merge());
    expect(diff).toMatchObject({
      disclosures_complete: true,
      disclosures: [
        {
          is_proposing: true,
          nodes: [],
          relationships: 0,
          relationship_texts: 1,
          summary: expect.stringContaining('is shown texts of 1 relationship that it reads'),
        },
      ],
    });
    expect((await seen(app))[0]).not.toHaveProperty('context');
    await apply(id);
    expect(await seen(app)).toMatchObject([{ id: edge, ...TEXTS }]);
  });

  it('a merge that moves a relationship away from a hidden node names an app that could not read it before', async () => {
    const other = await alice.lets(await world.app(), profile(EVERY_VERB, { allowed_node_types: ['NOTE'] }));
    await relate(diary, friend);
    const { id, diff } = await disclosed(merge());
    expect(diff.disclosures.map(numbersOf)).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(diff.disclosures[1]).toMatchObject({
      is_proposing: false,
      nodes: [],
      summary: expect.stringContaining('can read 1 more relationship'),
    });
    expect(await seen(other)).toEqual([]);
    await apply(id);
    expect(await seen(other)).toMatchObject([TEXTS]);
  });

  it('another type of a node discloses the texts of its relationships', async () => {
    await relate(diary, friend);
    await relate(friend, diary);
    await relate(note, friend);
    expect((await disclosed(update({ node_type: 'NOTE' }))).numbers).toEqual([[0, 2]]);
    expect((await disclosed(update({ title: 'another' }))).numbers).toEqual([[0, 0]]);
  });

  it('a tag that makes a node readable discloses its relationships to readable nodes only', async () => {
    const hidden = await node(alice, { title: 'hidden', tags: ['private'] });
    await alice.put(`/nodes/${friend}`, { tags: ['open'] });
    const open = { tag_filters: { include_all: [], include_any: ['open'], exclude_any: [] } };
    await alice.lets(await world.app(), profile(EVERY_VERB, open));
    await relate(note, friend);
    await relate(note, hidden.id);
    const { numbers, diff } = await disclosed({
      type: 'ADD_TAGS',
      canonical_data: { node_id: note, tags: ['open'] },
    });
    expect(numbers).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(diff.disclosures[1].summary).toMatch(/can read 1 more node, and can read 1 more relationship/);
  });

  it('a tag that is taken off discloses texts that a mask of that tag hides', async () => {
    const work = await tagId(alice, 'work');
    const mask = { ...masking().transformations[0], apply_to: { tag_ids: [work] } };
    await alice.lets(await world.app(), profile(EVERY_VERB, { transformations: [mask] }));
    await alice.put(`/nodes/${friend}`, { tags: ['other'] });
    await relate(note, friend);
    const body = { type: 'UPDATE_NODE', canonical_data: { node_id: note, changes: { tags: ['other'] } } };
    expect((await disclosed(body)).numbers).toEqual([
      [0, 0],
      [0, 1],
    ]);
  });

  it('relationships that a merge or another action deletes are not disclosed', async () => {
    await relate(note, friend);
    await relate(diary, friend);
    await relate(diary, note);
    expect((await disclosed(merge())).numbers).toEqual([[0, 0]]);
    const kept = await relate(friend, diary);
    expect((await disclosed(merge())).numbers).toEqual([[0, 1]]);
    const actions = [
      { id: 'a', type: 'DELETE_RELATIONSHIP', payload: { relationship_id: kept } },
      { id: 'b', type: 'MERGE_NODES', payload: merge().canonical_data },
    ];
    expect((await disclosed({ type: 'BATCH', actions })).numbers).toEqual([[0, 0]]);
  });

  it('relationships that an earlier action makes no duplicates are moved, and disclosed with an entry', async () => {
    const own = await relate(note, friend, { context: 'harmless' });
    const hidden = await relate(diary, friend);
    const actions = (first: Body) => [
      { id: 'a', payload: { relationship_id: own }, ...first },
      { id: 'b', type: 'MERGE_NODES', payload: merge().canonical_data },
    ];
    const changes = { relationship_type: 'other' };
    const update = { type: 'UPDATE_RELATIONSHIP', payload: { relationship_id: own, changes } };
    for (const first of [update, { type: 'DELETE_RELATIONSHIP' }]) {
      const { id, diff, numbers } = await disclosed({ type: 'BATCH', actions: actions(first) });
      expect(numbers).toEqual([[0, 1]]);
      const entry = { entity: 'relationship', change: 'update', entity_id: hidden, action_id: 'b' };
      expect(diff.entries).toContainEqual(expect.objectContaining(entry));
      const excerpt = (await alice.get(`/proposals/${id}/diff?action_id=b`)).body;
      expect(excerpt.entries).toContainEqual(expect.objectContaining(entry));
    }
  });

  it('relationships that a chain of merges deletes are entries of the last merge', async () => {
    const end = (await node(alice, { title: 'end', node_type: 'NOTE', tags: ['work'] })).id;
    const [moved, loop] = [await relate(diary, friend), await relate(diary, end)];
    await relate(end, friend);
    const merging = (id: string, target: string, source: string) => ({
      id,
      type: 'MERGE_NODES',
      payload: { target_node_id: target, source_node_ids: [source] },
    });
    const actions = [merging('a', note, diary), merging('b', end, note)];
    const { diff } = await disclosed({ type: 'BATCH', actions });
    const ofEdges = diff.entries
      .filter(({ entity }: Body) => entity === 'relationship')
      .map(({ action_id, entity_id, change }: Body) => [action_id, entity_id, change]);
    expect(ofEdges).toEqual([
      ['a', moved, 'update'],
      ['a', loop, 'update'],
      ['b', moved, 'delete'],
      ['b', loop, 'delete'],
    ]);
  });

  it('relationships of a deleted node are disclosed as if it was restored', async () => {
    await relate(diary, friend);
    expect((await app.delete(`/nodes/${friend}`)).status).toBe(204);
    expect((await disclosed(merge())).numbers).toEqual([[0, 1]]);
    const { id, numbers } = await disclosed(update({ node_type: 'NOTE' }));
    expect(numbers).toEqual([[0, 1]]);
    await apply(id);
    expect((await app.post(`/nodes/${friend}/restore`)).status).toBe(200);
    expect(await seen(app)).toMatchObject([TEXTS]);
  });

  it('relationships of nodes that a proposal opens and ends are disclosed', async () => {
    await relate(diary, friend);
    const actions = (first: Body, end: string) => ({
      type: 'BATCH',
      actions: [
        { id: 'a', ...first },
        { id: 'b', type: 'DELETE_NODE', payload: { node_id: end } },
      ],
    });
    const opening = { type: 'UPDATE_NODE', payload: { node_id: diary, changes: { node_type: 'NOTE' } } };
    const merging = { type: 'MERGE_NODES', payload: merge().canonical_data };
    expect((await disclosed(actions(merging, note))).numbers).toEqual([[0, 1]]);
    const { id, numbers } = await disclosed(actions(opening, diary));
    expect(numbers).toEqual([[0, 1]]);
    await apply(id);
    expect((await app.post(`/nodes/${diary}/restore`)).status).toBe(200);
    expect(await seen(app)).toMatchObject([TEXTS]);
  });

  it('relationships are followed through several merges, new ones too', async () => {
    const end = (await node(alice, { title: 'end', node_type: 'NOTE', tags: ['work'] })).id;
    await relate(diary, friend);
    const merging = (id: string, target: string, source: string) => ({
      id,
      type: 'MERGE_NODES',
      payload: { target_node_id: target, source_node_ids: [source] },
    });
    const made = { from_node_id: diary, to_node_id: friend, relationship_type: 'new' };
    const actions = [
      { id: 'a', type: 'CREATE_RELATIONSHIP', payload: made },
      merging('b', note, diary),
      merging('c', end, note),
    ];
    expect((await disclosed({ type: 'BATCH', actions })).numbers).toEqual([[1, 1]]);
  });

  it('relationships beyond the bounds of one answer leave the disclosures incomplete', async () => {
    const context = 'x'.repeat(10_000);
    const ends = await Promise.all(
      Array.from({ length: 21 }, async (_, i) => (await node(alice, { title: `${i}`, tags: ['work'] })).id),
    );
    for (const end of ends)
      await Promise.all(
        Array.from({ length: 21 }, (_, i) => relate(diary, end, { context, relationship_type: `r${i}` })),
      );
    const { diff } = await disclosed(merge());
    expect(diff.disclosures_complete).toBe(false);
    expect(diff.disclosures[0].relationship_texts).toBeGreaterThan(0);
  });
});
