import { Database } from '../../src/kernel/database/database.js';
import { type TestUser, World } from '../support/world.js';

/** More than one part of the graph (graph-snapshot.queries.ts). */
const NODES = 1_100;
const A_PART = 1_000;
const BATCH = 100;

describe('the parts of a graph at a point in time', () => {
  let world: World;
  let user: TestUser;
  let ids: string[];
  beforeAll(async () => {
    world = await World.startHere();
    user = await world.user();
    ids = [];
    for (let from = 0; from < NODES; from += BATCH) {
      const nodes = Array.from({ length: BATCH }, (_, i) => ({ title: `n ${from + i}`, node_type: 'note' }));
      const { body } = await user.post('/nodes/batch', { nodes });
      ids.push(...(body.created as { id: string }[]).map(({ id }) => id));
    }
    for (let from = 0; from < NODES; from += BATCH)
      await Promise.all(ids.slice(from, from + BATCH).map((id, i) => join(id, ids[from + i + 1] ?? ids[0])));
  });
  afterAll(() => world.stop());

  const join = async (from_node_id: string, to_node_id: string | undefined): Promise<void> => {
    const edge = { from_node_id, to_node_id, relationship_type: 'next' };
    expect((await user.post('/relationships', edge)).status).toBe(201);
  };

  const graph = async () => (await user.get('/graph/snapshot?timestamp=2999-01-01')).body;
  const idsOf = (things: { id: string }[]): Set<string> => new Set(things.map(({ id }) => id));

  it('no statement for a graph at a point in time returns more than one part, in rows or in lists', async () => {
    const database = world.nest.get(Database);
    const lengths: number[] = [];
    const note = (rows: readonly object[]): void => {
      const lists = rows.flatMap((row) => Object.values(row).filter((value) => Array.isArray(value)));
      lengths.push(rows.length, ...lists.map(({ length }) => length));
    };
    const [read, readPieces] = [database.read.bind(database), database.readPieces.bind(database)];
    Object.assign(database, {
      read: async (...given: Parameters<typeof read>) => {
        const rows = await read(...given);
        note(rows);
        return rows;
      },
      readPieces: async function* (...given: Parameters<typeof readPieces>) {
        for await (const rows of readPieces(...given)) {
          note(rows);
          yield rows;
        }
      },
    });
    try {
      expect(await graph()).toMatchObject({ total_nodes: NODES, total_relationships: NODES });
    } finally {
      Object.assign(database, { read, readPieces });
    }
    expect(lengths.length).toBeGreaterThan(4);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(A_PART);
  });

  it('a graph of several parts has each thing once, its nodes in the order of their creation', async () => {
    const { nodes, relationships } = await graph();
    expect((nodes as { id: string }[]).map(({ id }) => id)).toEqual(ids);
    expect(idsOf(relationships).size).toBe(NODES);
    await user.put(`/nodes/${ids[0]}`, { title: 'changed' });
    await user.delete(`/nodes/${ids[1]}`);
    await user.delete(`/nodes/${ids.at(-1)}`);
    const then = await graph();
    expect((then.nodes as { id: string }[]).map(({ id }) => id)).toEqual([ids[0], ...ids.slice(2, -1)]);
    expect(then).toMatchObject({ total_nodes: NODES - 2, total_relationships: NODES - 4 });
    const left = idsOf(then.nodes);
    const ends = (then.relationships as { from_node_id: string; to_node_id: string }[]).flatMap(
      ({ from_node_id, to_node_id }) => [from_node_id, to_node_id],
    );
    expect(ends.filter((id) => !left.has(id))).toEqual([]);
  });
});
