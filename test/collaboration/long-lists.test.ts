import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { type TestUser, World } from '../support/world.js';

interface Entry {
  id: string;
  key: string;
}

/**
 * Lists so long that no part of them is read as a whole: large sharers are read in the database, small ones
 * are cached in memory, and pages begin far beyond the start of both.
 */
describe('merged lists', () => {
  let world: World;
  let reader: TestUser;
  const sharers: { user: TestUser; nodes: number; share: object }[] = [];

  beforeAll(async () => {
    world = await World.startHere();
    reader = await world.user();
    await furnish(reader, 700);
    const tagged = { scope: 'specific_tags' };
    const plan: [number, object][] = [
      [2100, { scope: 'all' }],
      [600, { scope: 'all' }],
      [300, tagged],
      [60, { scope: 'specific_nodes' }],
    ];
    for (const [nodes, share] of plan) {
      const user = await world.user();
      await furnish(user, nodes);
      const about = {
        ...(share === tagged ? { tag_ids: await ids('tags', user, `AND name LIKE '%7'`) } : {}),
        ...('scope' in share && share.scope === 'specific_nodes'
          ? { node_ids: (await ids('nodes', user)).slice(0, 20) }
          : {}),
      };
      const made = await user.post('/sharing', { shared_with_user_id: reader.id, ...share, ...about });
      if (made.status !== 201) throw new Error(made.text);
      sharers.push({ user, nodes, share });
    }
    await world.nest.get(UnitOfWork).run(() => database().write(sql`ANALYZE nodes, tags, relationships`));
  });
  afterAll(() => world.stop());

  const database = (): Database => world.nest.get(Database);
  const ids = async (table: 'tags' | 'nodes', { id }: TestUser, also = ''): Promise<string[]> =>
    (
      await database().read<{ id: string }>(
        sql`SELECT id FROM ${sql.raw(table)} WHERE owner_id = ${id} ${sql.raw(also)} ORDER BY id`,
      )
    ).map((row) => row.id);

  /** A tag and a relationship for each node; times in clumps, so that ids decide, too. */
  function furnish({ id }: TestUser, nodes: number): Promise<void> {
    return world.nest.get(UnitOfWork).run(async () => {
      const write = (statement: ReturnType<typeof sql>) => database().write(statement);
      await write(sql`INSERT INTO tags (owner_id, id, name, name_key, created_at, updated_at)
        SELECT ${id}, gen_random_uuid(), name, name, now(), now()
        FROM generate_series(1, ${nodes}::int) AS n, LATERAL (SELECT 'tag ' || n || ' 7') AS t (name)`);
      await write(sql`INSERT INTO nodes (owner_id, id, title, node_type, meaning_level, graph_view, tag_ids, created_at, updated_at)
        SELECT ${id}, gen_random_uuid(), 'title ' || n % 97, 'note', 'DATA', 'neutral', ARRAY[t.id],
          timestamptz '2026-01-01Z' + interval '1 hour' * (n % 50), timestamptz '2026-02-01Z' + interval '1 minute' * (n * 31 % 211)
        FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM tags WHERE owner_id = ${id}) AS t`);
      await write(sql`INSERT INTO relationships (owner_id, id, from_node_id, to_node_id, relationship_type, graph_view, created_at, updated_at)
        SELECT ${id}, gen_random_uuid(), n.id, n.next, 'related_to', 'neutral',
          timestamptz '2026-03-01Z' + interval '1 minute' * (n.n % 83), now()
        FROM (SELECT id, lead(id) OVER (ORDER BY id) AS next, row_number() OVER (ORDER BY id) AS n FROM nodes WHERE owner_id = ${id}) AS n
        WHERE n.next IS NOT NULL`);
      await write(
        sql`INSERT INTO sequences (id, changes) VALUES (${id}, 1) ON CONFLICT (id) DO UPDATE SET changes = sequences.changes + 1`,
      );
    });
  }

  /** The received rows, expressed directly. */
  const received = sql.raw(`EXISTS (
    SELECT FROM shares AS s WHERE s.graph_owner_id = n.owner_id AND s.shared_with_user_id = 'READER'
      AND (s.scope = 'all' OR n.tag_ids && s.tag_ids OR n.id = ANY(s.node_ids)))`).text;
  const reached = (access: string, alias = 'n') => {
    const others = received.replaceAll('n.', `${alias}.`).replace('READER', reader.id);
    return sql.raw(access === 'shared' ? others : `(${alias}.owner_id = '${reader.id}' OR ${others})`);
  };

  async function expectPages(path: string, name: string, expected: Entry[]): Promise<void> {
    const all = expected.map(({ id }) => id);
    const last = all.length;
    const offsets = [0, 1, 480, 505, 640, 1200, 1999, Math.floor(last / 2), last - 7, last, last + 50];
    for (const offset of offsets) {
      const { status, body } = await reader.get(`${path}&limit=20&offset=${offset}`);
      expect([path, offset, status, body.total]).toEqual([path, offset, 200, last]);
      expect([offset, (body[name] as Entry[]).map(({ id }) => id)]).toEqual([
        offset,
        all.slice(offset, offset + 20),
      ]);
    }
  }

  const nodesBy = (access: string, sort: string, order: string): Promise<Entry[]> =>
    database().read<Entry>(
      sql`SELECT n.id FROM nodes AS n WHERE ${reached(access)} AND n.deleted_at IS NULL
        ORDER BY ${sql.raw(sort === 'title' ? 'n.title COLLATE "C"' : `n.${sort}`)} ${sql.raw(order)}, n.id ${sql.raw(order)}`,
    );

  it.each(['updated_at desc', 'created_at asc', 'title desc'])(
    'long lists of own and received entities have nodes by %s',
    async (by) => {
      const [sort, order] = by.split(' ') as [string, string];
      for (const access of ['all', 'shared']) {
        const path = `/nodes?access=${access}&sort=${sort}&order=${order}`;
        await expectPages(path, 'nodes', await nodesBy(access, sort, order));
      }
    },
  );

  it('long lists of own and received entities have relationships, newest first', async () => {
    for (const access of ['all', 'shared']) {
      const expected = await database().read<Entry>(
        sql`SELECT r.id FROM relationships AS r
          JOIN nodes AS f ON f.owner_id = r.owner_id AND f.id = r.from_node_id JOIN nodes AS t ON t.owner_id = r.owner_id AND t.id = r.to_node_id
          WHERE ${reached(access, 'f')} AND ${reached(access, 't')} ORDER BY r.created_at DESC, r.id DESC`,
      );
      await expectPages(`/relationships?view=neutral&access=${access}`, 'relationships', expected);
    }
  });

  it('long lists of own and received entities have tags by name, a thousand of each sharer (rule 4.15c)', async () => {
    for (const access of ['all', 'shared']) {
      const expected = await database().read<Entry>(
        sql`SELECT g.id FROM (
            SELECT t.*, row_number() OVER (PARTITION BY t.owner_id ORDER BY t.id) AS place FROM tags AS t WHERE t.deleted_at IS NULL
              AND (t.owner_id = ${reader.id} OR t.id IN (SELECT unnest(n.tag_ids) FROM nodes AS n WHERE ${reached('shared')}))
          ) AS g
          WHERE ${access === 'all'} AND g.owner_id = ${reader.id} OR g.owner_id <> ${reader.id} AND g.place <= 1000
          ORDER BY g.name_key COLLATE "C", g.id`,
      );
      const all = expected.map(({ id }) => id);
      for (const page of [1, 2, 5, 12, Math.ceil(all.length / 100), 60]) {
        const { body } = await reader.get(`/tags?access=${access}&per_page=100&page=${page}`);
        expect([page, body.total]).toEqual([page, all.length]);
        expect((body.tags as Entry[]).map(({ id }) => id)).toEqual(all.slice((page - 1) * 100, page * 100));
      }
    }
  });

  it('long lists of own and received entities show a change by one sharer in the next list, and move nothing else', async () => {
    const path = '/nodes?access=shared&sort=title&order=asc';
    for (const { user, nodes } of sharers) {
      const [id] = (await reader.get(`/nodes?access=shared&sort=title&limit=100`)).body.nodes
        .filter(({ owner_id }: { owner_id: string }) => owner_id === user.id)
        .map((one: Entry) => one.id);
      const first = id ?? (await ids('nodes', user))[0];
      expect((await user.put(`/nodes/${first}`, { title: `a first ${nodes}` })).status).toBe(200);
      expect((await reader.get(`${path}&limit=1`)).body.nodes[0]).toMatchObject({ id: first });
      expect((await user.delete(`/nodes/${first}`)).status).toBe(204);
      await expectPages(path, 'nodes', await nodesBy('shared', 'title', 'asc'));
    }
  }, 60_000);
});
