import { jest } from '@jest/globals';
import { Database } from '../../src/kernel/database/database.js';
import { type TestUser, World } from '../support/world.js';

const HALF_A_MIB = 512 * 1024;
const NODES = 12;

describe('reads of nodes with long documents', () => {
  let world: World;
  let alice: TestUser;
  let ids: string[];
  /** The largest part that one statement read of each. */
  let largest = 0;
  const metadata = Object.fromEntries(
    Array.from({ length: 8_000 }, (_, n) => [`key ${n}`, (n * 7919) % 9999]),
  );
  const rowBytes = JSON.stringify(metadata).length;
  const made = async (body: object): Promise<string> => {
    const { status, body: node, text } = await alice.post('/nodes', body);
    if (status !== 201) throw new Error(text);
    return node.id as string;
  };
  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user();
    ids = [];
    for (let n = 0; n < NODES; n++) {
      const id = await made({ title: `n ${n}`, value: 'sought', node_type: 'NOTE', tags: ['t'], metadata });
      ids.push(id);
    }
    for (let n = 1; n < NODES; n++)
      await alice.put(`/nodes/${ids[0]}`, { metadata: { ...metadata, [`key ${n}`]: 'new' } });
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    largest = 0;
    const { read, readPieces } = Database.prototype;
    const notes = <Row>(rows: Row[]): Row[] => {
      largest = Math.max(largest, JSON.stringify(rows).length);
      return rows;
    };
    jest.spyOn(Database.prototype, 'read').mockImplementation(async function (this: Database, ...given) {
      return notes(await read.apply(this, given));
    });
    jest.spyOn(Database.prototype, 'readPieces').mockImplementation(async function* (
      this: Database,
      ...given
    ) {
      for await (const rows of readPieces.apply(this, given)) yield notes(rows);
    });
  });
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['a list', '/nodes', 1],
    ['a search', '/nodes?search=sought', 1],
    ['a pull', '/sync', 1],
    // The old and the new value, and the snapshot.
    ['a history', '/nodes/ID/history?include_snapshots=true', 3],
  ])(
    '%s takes half a MiB and one row from the database at a time at most (rule 11.9e)',
    async (_, path, documents) => {
      const { status, text } = await alice.get(path.replace('ID', ids[0] as string));
      expect(status).toBe(200);
      expect(text.length).toBeGreaterThan(2 * HALF_A_MIB);
      expect(largest).toBeGreaterThan(0);
      expect(largest).toBeLessThan(HALF_A_MIB + 1.2 * documents * rowBytes);
    },
  );

  it('a graph at a time takes no document from the database', async () => {
    const { status, body } = await alice.get('/graph/snapshot?timestamp=2100-01-01T00:00:00Z');
    expect(status).toBe(200);
    expect(body.nodes.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(body.nodes[0]).toMatchObject({ title: 'n 0', node_type: 'NOTE', importance_score: null });
    expect(largest).toBeLessThan(rowBytes);
  });

  it('both ends of a relationship are shown, however long the numbers of the first are', async () => {
    // Together as long as a node's metadata may be; the statement of the relationships holds both.
    const numbers = { n: Array.from({ length: 840 }, () => 1e308) };
    const [from, to] = [
      await made({ title: 'long', node_type: 'LONG', tags: ['t'], metadata: numbers }),
      await made({ title: 'long, too', node_type: 'LONG', tags: ['t'], metadata: numbers }),
    ];
    const edge = { from_node_id: from, to_node_id: to, relationship_type: 'next_to' };
    expect((await alice.post('/relationships', edge)).status).toBe(201);
    const { status, body } = await alice.get('/relationships?include_nodes=true');
    expect(status).toBe(200);
    expect(body.relationships).toHaveLength(1);
  });
});
