import { describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

const TAKEN = [409, 'TAG_ALREADY_EXISTS'];

describe('look-alikes (rule 4.14e)', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));

  /** Two tags as they could be stored before such names were compared. */
  const formerPair = async () => {
    const plain = await tagId(alice, '1');
    const ringed = await tagId(alice, 'other');
    await world.nest
      .get(UnitOfWork)
      .run(() =>
        world.nest
          .get(Database)
          .write(sql`UPDATE tags SET name = ${'①'}, name_key = ${'①'} WHERE id = ${ringed}`),
      );
    // Any change of a tag invalidates the cached tags.
    await tagId(alice, 'newest');
    return { plain, ringed };
  };
  const tagsOf = async (id: string) => (await alice.get(`/nodes/${id}`)).body.tags as string[];

  it.each([
    ['Diary', '𝐝𝐢𝐚𝐫𝐲'],
    ['❤', '❤️'],
    ['a b', 'a\u00a0b'],
  ])('tags with look-alike names cannot both be created: beside %j not %j', async (first, second) => {
    const id = await tagId(alice, first);
    expect(codeOf(await alice.post('/tags', { name: second }))).toEqual(TAKEN);
    const third = await tagId(alice, 'third');
    expect(codeOf(await alice.put(`/tags/${third}`, { name: second }))).toEqual(TAKEN);
    expect((await alice.put(`/tags/${id}`, { name: second })).status).toBe(200);
  });

  it('tags with look-alike names are one tag for writes of nodes, also beside new names', async () => {
    await tagId(alice, '❤️');
    const made = await node(alice, { tags: ['❤', 'ｎｅｗ', 'new', 'newer'] });
    expect(await tagsOf(made.id)).toEqual(['❤️', 'ｎｅｗ', 'newer']);
    const { tags } = (await alice.get('/tags')).body as { tags: object[] };
    expect(tags).toHaveLength(3);
  });

  it('tags with look-alike names hide a node under either name', async () => {
    const id = await tagId(alice, 'Diary');
    const { id: hidden } = await node(alice, { tags: ['ｄｉａｒｙ'] });
    const excluding = { tag_filters: { exclude_any: ['ＤＩＡＲＹ'] } };
    const app = await letsIn(world, alice, profile({ read: 'all', discover: 'all' }, excluding));
    expect((await app.get(`/nodes/${hidden}`)).status).toBe(404);
    expect((await alice.get(`/tags/${id}/nodes`)).body.total).toBe(1);
  });

  it('stored tags of an earlier release are each named by their own spelling, and an exclusion of one excludes both', async () => {
    const { plain, ringed } = await formerPair();
    const made = await node(alice, { tags: ['①', 'unknown'] });
    const other = await node(alice, { tags: ['1'] });
    expect((await alice.get(`/tags/${ringed}/nodes`)).body.nodes).toMatchObject([{ id: made.id }]);
    expect((await alice.get(`/tags/${plain}/nodes`)).body.nodes).toMatchObject([{ id: other.id }]);
    expect((await alice.put(`/nodes/${made.id}`, { tags: await tagsOf(made.id) })).status).toBe(200);
    expect(await tagsOf(made.id)).toEqual(['①', 'unknown']);
    expect((await alice.put(`/tags/${ringed}`, { color: '#112233' })).status).toBe(200);
    const excluding = { tag_filters: { exclude_any: ['１'] } };
    const app = await letsIn(world, alice, profile({ read: 'all', discover: 'all' }, excluding));
    for (const { id } of [made, other]) expect((await app.get(`/nodes/${id}`)).status).toBe(404);
  });

  /** Two tags under these names, as they could be stored before, in this order. */
  const storedPair = async (names: readonly [string, string]): Promise<string[]> => {
    const ids = [await tagId(alice, 'first'), await tagId(alice, 'second')];
    for (const [index, name] of names.entries())
      await world.nest
        .get(UnitOfWork)
        .run(() =>
          world.nest
            .get(Database)
            .write(sql`UPDATE tags SET name = ${name}, name_key = ${name} WHERE id = ${ids[index]}`),
        );
    await tagId(alice, 'newest');
    return ids;
  };

  it.each<[names: [string, string], third: string, meant: number | null]>([
    [['1', '①'], '１', 0],
    [['①', '1'], '１', 1],
    // Neither is plain, so the smallest id wins.
    [['①', '１'], '1', null],
    [['１', '①'], '1', null],
  ])(
    'stored by an earlier release as %j are always resolved in the same way by a third spelling %j',
    async (names, third, meant) => {
      const ids = await storedPair(names);
      const made = await node(alice, { tags: [third] });
      const id = meant === null ? [...ids].sort()[0] : ids[meant];
      expect((await alice.get(`/tags/${id}/nodes`)).body.nodes).toMatchObject([{ id: made.id }]);
      expect((await alice.get('/tags')).body.total).toBe(3);
      expect(codeOf(await alice.post('/tags', { name: third }))).toEqual(TAKEN);
    },
  );

  it('an exclusion in a third spelling keeps the nodes of such stored tags, and changes of them, out of replicas', async () => {
    type Entry = { node?: { id: string }; node_id?: string };
    const idOf = (entry: Entry) => entry.node?.id ?? entry.node_id;
    await storedPair(['1', '①']);
    const hidden = [await node(alice, { tags: ['1'] }), await node(alice, { tags: ['①'] })];
    const shown = await node(alice, { tags: ['newest'] });
    const excluding = { tag_filters: { exclude_any: ['１'] } };
    const app = await letsIn(world, alice, profile({ read: 'all', discover: 'all' }, excluding));
    const full = (await app.get('/sync')).body;
    expect(full.changes.map(idOf)).toEqual([shown.id]);
    for (const { id } of hidden) expect((await alice.put(`/nodes/${id}`, { title: 'new' })).status).toBe(200);
    const next = (await app.get(`/sync?cursor=${encodeURIComponent(full.cursor)}`)).body;
    expect(next.changes).toEqual([]);
    // A node that comes under one of them leaves the replica.
    expect((await alice.put(`/nodes/${shown.id}`, { tags: ['①'] })).status).toBe(200);
    const last = (await app.get(`/sync?cursor=${encodeURIComponent(next.cursor)}`)).body;
    expect(last.changes.map(idOf)).toEqual([shown.id]);
    expect(JSON.stringify(last)).not.toContain('①');
  });
});
