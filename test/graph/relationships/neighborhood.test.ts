import fc from 'fast-check';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type Client } from '../../support/client.js';
import { everything } from '../../support/defaults.js';
import { sentStatements } from '../../support/sent-statements.js';
import { type TestUser, type World } from '../../support/world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { withWorld } from '../../support/worlds/with-world.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const SEED = Number(process.env['SEED'] ?? 20261127);
const RUNS = Number(process.env['RUNS'] ?? 6);

interface Edge {
  id: string;
  from_node_id: string;
  to_node_id: string;
  created_at: string;
}

/** The names of the nodes by distance, and the number of relationships. */
const shownIn = ({ body }: { body: Shown }) =>
  [body.nodes.map(({ title, distance }) => `${distance} ${title}`), body.relationships.length] as const;
interface Shown {
  nodes: { id: string; title: string; distance: number }[];
  relationships: Edge[];
  truncated: boolean;
}

describe('the nodes around a node', () => {
  let world: World;
  let alice: TestUser;
  withWorld((started) => (world = started));
  beforeEach(async () => (alice = await world.user()));

  const relate = async (from: string, to: string): Promise<Edge> => {
    const body = { from_node_id: from, to_node_id: to, relationship_type: 'knows' };
    const made = await alice.post('/relationships', body);
    expect(made.status).toBe(201);
    return made.body as Edge;
  };
  const nodesOf = async (names: Record<string, string[]>): Promise<Record<string, string>> => {
    const made: Record<string, string> = {};
    for (const [title, tags] of Object.entries(names)) made[title] = (await node(alice, { title, tags })).id;
    return made;
  };

  it('GET /nodes/:node_id/neighborhood returns the nearest nodes first, then those of newer relationships', async () => {
    const n = await nodesOf({ me: [], old: [], new: [], beyond: [], further: [], apart: [] });
    await relate(n['me']!, n['old']!);
    await relate(n['old']!, n['beyond']!);
    await relate(n['new']!, n['me']!);
    await relate(n['beyond']!, n['further']!);
    await relate(n['old']!, n['new']!);
    const around = (query: string) => alice.get(`/nodes/${n['me']}/neighborhood${query}`);
    expect(shownIn(await around(''))).toEqual([['0 me', '1 new', '1 old'], 3]);
    expect(shownIn(await around('?depth=2'))).toEqual([['0 me', '1 new', '1 old', '2 beyond'], 4]);
    expect(shownIn(await around('?depth=3'))[0]).toEqual(['0 me', '1 new', '1 old', '2 beyond', '3 further']);
    expect((await around('?depth=3')).body.truncated).toBe(false);
    const cut = await around('?depth=3&limit=3');
    expect(shownIn(cut)).toEqual([['0 me', '1 new', '1 old'], 3]);
    expect(cut.body.truncated).toBe(true);
    expect(cut.body.nodes[0]).toMatchObject({ tags: [], is_shared: false });
    expect(shownIn(await around('?limit=1'))).toEqual([['0 me'], 0]);
    expect((await around('?depth=4')).status).toBe(400);
    expect((await around('?depth=0')).status).toBe(400);
    expect((await around('?limit=0')).status).toBe(400);
  });

  it('GET /nodes/:node_id/neighborhood answers for a hidden and a deleted node as for an absent one', async () => {
    const n = await nodesOf({ open: ['open'], secret: ['secret'] });
    const app = await letsIn(world, alice, profile({ read: [await tagId(alice, 'open')] }));
    const answers = async (client: Client, ids: string[]) => {
      const all = await Promise.all(ids.map((id) => client.get(`/nodes/${id}/neighborhood`)));
      return new Set(all.map(({ text, status }) => `${status} ${text.replace(/"request_id":"[^"]*"/, '')}`));
    };
    expect((await answers(app, [ABSENT, n['secret']!, 'no id'])).size).toBe(1);
    await alice.delete(`/nodes/${n['open']}`);
    expect((await answers(alice, [ABSENT, n['open']!])).size).toBe(1);
    expect(codeOf(await alice.get(`/nodes/${n['open']}/neighborhood`))).toEqual([404, 'NODE_NOT_FOUND']);
  });

  it('GET /nodes/:node_id/neighborhood leads over no hidden and no deleted node', async () => {
    const n = await nodesOf({
      start: ['open'],
      secret: ['open', 'secret'],
      behind: ['open'],
      near: ['open'],
    });
    await relate(n['start']!, n['secret']!);
    await relate(n['secret']!, n['behind']!);
    await relate(n['near']!, n['start']!);
    const hidden = { tag_filters: { exclude_any: ['secret'] } };
    const app = await letsIn(world, alice, profile({ read: [await tagId(alice, 'open')] }, hidden));
    const around = (client: Client) => client.get(`/nodes/${n['start']}/neighborhood?depth=3`);
    expect(shownIn(await around(app))).toEqual([['0 start', '1 near'], 1]);
    expect((await app.get(`/nodes/${n['start']}/neighborhood?limit=2`)).body.truncated).toBe(false);
    expect(shownIn(await around(alice))[1]).toBe(3);
    await alice.delete(`/nodes/${n['secret']}`);
    expect(shownIn(await around(alice))).toEqual([['0 start', '1 near'], 1]);
  });

  it('GET /nodes/:node_id/neighborhood shows nodes as the profile of an app does', async () => {
    const n = await nodesOf({ start: ['open'], nearby: ['open'] });
    await relate(n['start']!, n['nearby']!);
    const masked = {
      transformations: [{ type: 'field_mask', config: { paths: ['title'], strategy: 'last4' } }],
    };
    const app = await letsIn(world, alice, profile({ read: 'all' }, masked));
    const [around, single] = [
      await app.get(`/nodes/${n['start']}/neighborhood`),
      await app.get(`/nodes/${n['nearby']}`),
    ];
    expect(around.body.nodes[1]).toMatchObject({ ...single.body, distance: 1 });
    expect(around.text).not.toContain('nearby');
  });

  it('GET /nodes/:node_id/neighborhood of a shared node stays among what its owner shares', async () => {
    const n = await nodesOf({ given: ['open'], also: ['open'], not: [] });
    await relate(n['given']!, n['also']!);
    await relate(n['also']!, n['not']!);
    await relate(n['not']!, n['given']!);
    const bob = await world.user();
    const share = {
      shared_with_user_id: bob.id,
      scope: 'specific_tags',
      tag_ids: [await tagId(alice, 'open')],
    };
    expect((await alice.post('/sharing', share)).status).toBe(201);
    const around = await bob.get(`/nodes/${n['given']}/neighborhood?depth=3`);
    expect(shownIn(around)).toEqual([['0 given', '1 also'], 1]);
    expect(around.body.nodes[1]).toMatchObject({ is_shared: true, tags: ['open'], owner_id: alice.id });
    const narrow = await letsIn(world, bob, profile({ read: [await tagId(bob, 'mine')] }));
    expect((await narrow.get(`/nodes/${n['given']}/neighborhood`)).status).toBe(404);
  });

  it('GET /nodes/:node_id/neighborhood of a hub takes as many statements with many relationships as with some', async () => {
    const hub = (await node(alice, { title: 'hub', tags: ['open'] })).id as string;
    const far = (await node(alice, { title: 'far', tags: ['open'] })).id as string;
    await many(hub, 300);
    const statements = async () => {
      const sent = sentStatements(world.nest.get(Database));
      const around = await alice.get(`/nodes/${hub}/neighborhood?depth=3&limit=50`);
      sent.stop();
      expect(around.body.truncated).toBe(true);
      const { outgoing } = (await alice.get(`/nodes/${hub}/relationships`)).body;
      const newest = (outgoing as Edge[]).slice(0, 49);
      expect(around.body.nodes.slice(1).map(({ id }: { id: string }) => id)).toEqual(
        newest.map(({ to_node_id }) => to_node_id),
      );
      expect(around.body.relationships).toEqual(newest);
      return sent.names.filter((name) => name !== 'nodes-count').sort();
    };
    await statements();
    const some = await statements();
    await many(hub, 3_000);
    expect(await statements()).toEqual(some);
    // Parallel relationships and hidden nodes are passed over, however many there are.
    await relate(hub, far);
    await many(hub, 3_000, far);
    const app = await letsIn(world, alice, profile({ read: [await tagId(alice, 'open')] }));
    expect((await app.get(`/nodes/${hub}/neighborhood?depth=2`)).body).toMatchObject({
      nodes: [{ title: 'hub' }, { title: 'far' }],
      truncated: true,
    });
    expect((await app.get(`/nodes/${hub}/neighborhood?depth=2`)).body.relationships).toHaveLength(1_000);
  });

  /** Relationships of a hub, written past the service: to new nodes without tags, or all to one. */
  const many = (hub: string, count: number, to?: string): Promise<void> =>
    world.nest.get(UnitOfWork).run(async () => {
      const database = world.nest.get(Database);
      if (to === undefined)
        await database.write(sql`WITH made AS (
            INSERT INTO nodes SELECT (jsonb_populate_record(n, jsonb_build_object('id', gen_random_uuid(), 'tag_ids', '{}'::text))).*
            FROM nodes AS n CROSS JOIN generate_series(1, ${count}) WHERE n.owner_id = ${alice.id} AND n.id = ${hub} RETURNING id)
          INSERT INTO relationships (owner_id, id, from_node_id, to_node_id, relationship_type, graph_view, created_at, updated_at)
          SELECT ${alice.id}, gen_random_uuid(), ${hub}, id, 'has', 'identity', now() - random() * interval '1 second', now() FROM made`);
      else
        await database.write(sql`
          INSERT INTO relationships (owner_id, id, from_node_id, to_node_id, relationship_type, graph_view, created_at, updated_at)
          SELECT ${alice.id}, gen_random_uuid(), ${hub}, ${to}, 'has', 'identity', now() - random() * interval '1 second', now() FROM generate_series(1, ${count})`);
    });

  const graph = fc.record({
    tags: fc.array(fc.subarray(['open', 'secret', 'third']), { minLength: 12, maxLength: 12 }),
    edges: fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { minLength: 10, maxLength: 40 }),
    deleted: fc.nat(11),
    start: fc.nat(11),
    limit: fc.integer({ min: 1, max: 12 }),
    depth: fc.integer({ min: 1, max: 3 }),
  });

  it(`GET /nodes/:node_id/neighborhood equals a walk over the lists of each node (seed ${SEED}, ${RUNS} runs)`, async () => {
    const requested = { ...everything, tags: { read: true }, files: { read: false } };
    const makeApp = () => world.app({ requested });
    const [narrow, timeless, minimal] = [await makeApp(), await makeApp(), await makeApp()];
    await fc.assert(
      fc.asyncProperty(graph, async ({ tags, edges, deleted, start, limit, depth }) => {
        alice = await world.user();
        const bob = await world.user();
        const ids: string[] = [];
        for (const [at, names] of tags.entries())
          ids.push((await node(alice, { title: `n${at}`, tags: names })).id);
        for (const [from, to] of edges) if (from !== to) await relate(ids[from]!, ids[to]!);
        await alice.delete(`/nodes/${ids[deleted]}`);
        const open = await tagId(alice, 'open');
        const filters = { tag_filters: { exclude_any: ['secret'] } };
        const byYear = {
          transformations: [{ type: 'round_date', config: { granularity: 'year' } }],
        };
        const share = { shared_with_user_id: bob.id, scope: 'specific_tags', tag_ids: [open] };
        await alice.post('/sharing', share);
        const callers = [
          alice,
          bob,
          await alice.lets(narrow, profile({ read: [open] }, filters)),
          await alice.lets(timeless, profile({ read: 'all' }, { ...filters, ...byYear })),
          await alice.lets(minimal, profile({ read: [open] }, { max_detail_level: 'minimal' })),
        ];
        for (const [who, caller] of callers.entries()) {
          const { status, body } = await caller.get(
            `/nodes/${ids[start]}/neighborhood?depth=${depth}&limit=${limit}`,
          );
          const expected = await walked(caller, ids[start]!, { depth, limit, isTimeless: who === 3 });
          expect([who, status === 200 ? summary(body as Shown) : null]).toEqual([who, expected]);
        }
      }),
      { seed: SEED, numRuns: RUNS },
    );
  }, 120_000);
});

const summary = ({ nodes, relationships, truncated }: Shown) => ({
  nodes: nodes.map(({ id, distance }) => `${distance} ${id}`),
  relationships: relationships.map(({ id }) => id),
  truncated,
});

/** The same as the endpoint answers, by a walk over GET /nodes/:node_id/relationships; null for an absent start. */
async function walked(
  caller: Client,
  start: string,
  { depth, limit, isTimeless }: { depth: number; limit: number; isTimeless: boolean },
) {
  const byId = (a: Edge, b: Edge) => (a.id < b.id ? -1 : 1);
  const compare = (a: Edge, b: Edge) =>
    isTimeless ? byId(a, b) : b.created_at.localeCompare(a.created_at) || -byId(a, b);
  const listOf = async (id: string): Promise<Edge[]> => {
    const { body } = await caller.get(`/nodes/${id}/relationships`);
    return [...body.outgoing, ...body.incoming].sort(compare);
  };
  if ((await caller.get(`/nodes/${start}`)).status !== 200) return null;
  const distances = new Map([[start, 0]]);
  let truncated = false;
  for (const [id, distance] of distances) {
    if (distance === depth || truncated) break;
    for (const { from_node_id, to_node_id } of await listOf(id)) {
      const other = from_node_id === id ? to_node_id : from_node_id;
      if (distances.has(other)) continue;
      truncated ||= distances.size === limit;
      if (!truncated) distances.set(other, distance + 1);
    }
  }
  const edges = new Map<string, Edge>();
  for (const id of distances.keys()) for (const edge of await listOf(id)) edges.set(edge.id, edge);
  const between = [...edges.values()].filter(
    ({ from_node_id, to_node_id }) => distances.has(from_node_id) && distances.has(to_node_id),
  );
  return {
    nodes: [...distances].map(([id, distance]) => `${distance} ${id}`),
    relationships: between.sort(compare).map(({ id }) => id),
    truncated,
  };
}
