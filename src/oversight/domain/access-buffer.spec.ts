import { AccessBuffer } from './access-buffer.js';
import { type Accessed, MAX_NODE_IDS } from './access-entry.js';

describe('AccessBuffer', () => {
  const read: Accessed = {
    ownerId: 'alice',
    byType: 'app',
    appId: 'app',
    appName: 'app',
    readerId: null,
    sessionId: null,
    via: 'rest',
    tool: null,
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
    equal.add({ ...read, sessionId: 'phone' }, new Set(['a']), { at: second });
    equal.add({ ...read, via: 'mcp' }, new Set(['a']), { at: second });
    equal.add({ ...read, via: 'mcp', tool: 'search' }, new Set(['a']), { at: second });
    const { entries } = equal.take();
    expect(entries).toHaveLength(6);
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

  it('an owner who fills the buffer loses ids and no counts, and another owner loses nothing', () => {
    const small = buffer(5_000);
    const flood = { ...read, ownerId: 'mallory' };
    small.add(read, ids(2), { at: first });
    for (let app = 0; app < 20; app++)
      for (let page = 0; page < 2; page++)
        small.add({ ...flood, appId: `app ${app}` }, ids(900, page * 900), { at: first });
    small.add({ ...read, endpoint: 'GET /nodes' }, ids(3), { at: second });
    const { entries, dropped } = small.take();
    expect(dropped).toBe(0);
    const own = entries.filter(({ ownerId }) => ownerId === 'alice');
    expect(own.map(({ nodeCount, nodeIds }) => [nodeCount, nodeIds.length])).toEqual([
      [2, 2],
      [3, 3],
    ]);
    const others = entries.filter(({ ownerId }) => ownerId === 'mallory');
    expect(others.reduce((sum, { nodeCount }) => sum + nodeCount, 0)).toBe(20 * 2 * 900);
    expect(new Set(others.map(({ appId }) => appId)).size).toBe(20);
    expect(others.reduce((sum, { nodeIds }) => sum + nodeIds.length, 0)).toBeLessThan(5_000);
  });

  it('refusals that name people who do not exist weigh for the app, and no owner loses anything', () => {
    const small = buffer(100);
    const refused = { ...read, action: 'refused', status: 403 } as const;
    small.add(read, ids(10), { at: first });
    for (let i = 0; i < 100; i++) small.add({ ...refused, ownerId: `nobody ${i}` }, ids(0), { at: first });
    const { entries, dropped } = small.take();
    expect(entries[0]).toMatchObject({ ownerId: 'alice', nodeIds: { length: 10 } });
    expect(entries.length + dropped).toBe(101);
  });

  it('an owner loses entries only beyond the limit without any ids, and dropped requests are counted', () => {
    const small = buffer(100);
    small.add({ ...read, ownerId: 'bob' }, ids(1), { at: first });
    for (let i = 0; i < 1_000; i++) small.add({ ...read, endpoint: `GET /${i}` }, ids(1), { at: first });
    const { entries, dropped } = small.take();
    expect(entries[0]).toMatchObject({ ownerId: 'bob', nodeIds: ['node 0'] });
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.length + dropped).toBe(1_001);
    small.add(read, ids(1), { at: first });
    expect(small.take()).toMatchObject({ entries: { length: 1 }, dropped: 0 });
  });

  it('accesses of a failed write come again, and count towards the limit', () => {
    const returned = buffer(100);
    returned.add(read, ids(60), { at: first });
    const { entries } = returned.take();
    returned.giveBack(entries);
    returned.add(read, ids(10), { at: second });
    const again = returned.take();
    expect(again.entries[0]).toEqual(entries[0]);
    returned.giveBack(again.entries);
    returned.add(read, ids(30, 50), { at: second });
    expect(returned.take()).toEqual({
      entries: [
        expect.objectContaining({
          since: new Date(0),
          at: second,
          requests: 3,
          nodeCount: 100,
          nodeIds: [],
          isByHour: true,
        }),
      ],
      dropped: 0,
    });
  });

  it('entries are due to be written early when half of the limit is held', () => {
    const half = buffer(100);
    half.add(read, ids(41), { at: first });
    expect(half.isHalfFull).toBe(false);
    half.add(read, ids(42), { at: first });
    expect(half.isHalfFull).toBe(true);
    half.take();
    expect(half.isHalfFull).toBe(false);
  });

  it('an app whose hour has its ids stored is counted without ids until the next hour (rule 12.2b)', () => {
    const hourly = buffer();
    const readAt = (minute: number, what: Accessed = read) => {
      hourly.add(what, ids(MAX_NODE_IDS), { at: new Date(minute * 60_000) });
      return hourly.take().entries;
    };
    for (let minute = 0; minute < 10; minute++)
      expect(readAt(minute)).toMatchObject([{ nodeIds: { length: MAX_NODE_IDS }, isByHour: false }]);
    const counted = { nodeCount: MAX_NODE_IDS, nodeIds: [], isByHour: true, since: new Date(0) };
    expect(readAt(10)).toMatchObject([counted]);
    expect(readAt(11, { ...read, endpoint: 'GET /nodes' })).toMatchObject([counted]);
    const whole = { nodeIds: { length: MAX_NODE_IDS }, isByHour: false };
    expect(readAt(12, { ...read, appId: 'another' })).toMatchObject([whole]);
    expect(readAt(12, { ...read, ownerId: 'bob' })).toMatchObject([whole]);
    expect(readAt(60)).toMatchObject([whole]);
  });

  it('an app with 2,000 entries in an hour is counted by the hour from then on (rule 12.2b)', () => {
    const hourly = buffer();
    const polled = Array.from({ length: 2_001 }, () => {
      hourly.add(read, ids(0), { at: second });
      return hourly.take().entries[0]?.isByHour;
    });
    expect(polled.lastIndexOf(false)).toBe(1_999);
    expect(polled[2_000]).toBe(true);
  });
});
