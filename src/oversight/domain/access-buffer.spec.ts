import { AccessBuffer } from './access-buffer.js';
import { type Accessed, MAX_NODE_IDS } from './access-entry.js';

describe('AccessBuffer', () => {
  const read: Accessed = {
    ownerId: 'alice',
    byType: 'app',
    appId: 'app',
    appName: 'app',
    readerId: null,
    action: 'read',
    endpoint: 'GET /nodes/:node_id',
    status: 200,
  };
  const [first, second] = [new Date(1_000), new Date(2_000)];
  const ids = (count: number, from = 0) =>
    new Set(Array.from({ length: count }, (_, i) => `node ${from + i}`));
  let number = 0;
  const buffer = (maxWeight?: number) => new AccessBuffer(() => `entry ${++number}`, maxWeight);

  it('one entry is made of equal accesses, with each node once', () => {
    const equal = buffer();
    equal.add(read, new Set(['a', 'b']), { at: first });
    equal.add(read, new Set(['b', 'c']), { at: second });
    equal.add({ ...read, status: 206 }, new Set(['a']), { at: second });
    equal.add({ ...read, appId: null, readerId: 'bob' }, new Set(['a']), { at: second });
    const { entries } = equal.take();
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({
      since: first,
      at: second,
      requests: 2,
      nodeCount: 3,
      nodeIds: ['a', 'b', 'c'],
    });
    expect(equal.isEmpty).toBe(true);
  });

  it('an entry has at most MAX_NODE_IDS node ids, and counts the rest', () => {
    const many = buffer();
    many.add(read, ids(MAX_NODE_IDS + 5), { at: first });
    many.add(read, ids(1), { at: second });
    const { entries } = many.take();
    expect(entries.map(({ nodeCount, nodeIds }) => [nodeCount, nodeIds.length])).toEqual([
      [MAX_NODE_IDS + 5, MAX_NODE_IDS],
      [1, 1],
    ]);
  });

  it('all pages of a stream count as one request', () => {
    const stream = buffer();
    stream.add(read, ids(1), { at: first, isPart: true });
    stream.add(read, ids(1, 1), { at: first, isPart: true });
    expect(stream.take().entries).toMatchObject([{ requests: 1, nodeCount: 2 }]);
  });

  it('accesses are dropped and counted if too many wait, until entries have been taken', () => {
    const small = buffer(100);
    for (let i = 0; i < 1_000; i++) small.add({ ...read, endpoint: `GET /${i}` }, ids(1), { at: first });
    const { entries, dropped } = small.take();
    expect(entries.length).toBeLessThan(20);
    expect(entries.length + dropped).toBe(1_000);
    small.add(read, ids(1), { at: first });
    expect(small.take()).toMatchObject({ entries: { length: 1 }, dropped: 0 });
  });

  it('accesses of a failed write come again, and count towards the limit', () => {
    const returned = buffer(100);
    returned.add(read, ids(90), { at: first });
    const { entries } = returned.take();
    returned.giveBack(entries);
    returned.add(read, ids(10), { at: second });
    returned.add(read, ids(10, 50), { at: second });
    const again = returned.take();
    expect(again.entries[0]).toEqual(entries[0]);
    expect(again).toMatchObject({ entries: { length: 2 }, dropped: 1 });
  });
});
