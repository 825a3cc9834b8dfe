import { jest } from '@jest/globals';
import { retried } from './database/retries.js';
import { openTransaction, type Transaction } from './database/transaction.js';
import { requestContext, SYSTEM_ACTOR } from './request-context.js';
import { mapInSlices, Slices, sortInSlices } from './slices.js';

/** Works for a number of milliseconds in steps of one. */
function* workFor(milliseconds: number): Generator<undefined, string> {
  for (let step = 0; step < milliseconds; step += 1) {
    const end = performance.now() + 1;
    while (performance.now() < end);
    yield undefined;
  }
  return 'done';
}

describe('work in slices', () => {
  it('lets others have their turn in between, and returns the result', async () => {
    let turns = 0;
    const turn = (): void => void (turns += 1);
    const beside = setInterval(turn, 0);
    try {
      expect(await Promise.all([1, 2, 3].map(() => new Slices(10_000).run(workFor(30))))).toEqual([
        'done',
        'done',
        'done',
      ]);
    } finally {
      clearInterval(beside);
    }
    expect(turns).toBeGreaterThan(5);
  });

  it('shares one turn among the short pieces of all requests', async () => {
    let turns = 0;
    const beside = setInterval(() => void (turns += 1), 0);
    try {
      await Promise.all(Array.from({ length: 50 }, () => new Slices(10_000).run(workFor(2))));
    } finally {
      clearInterval(beside);
    }
    expect(turns).toBeGreaterThan(5);
  });

  it('reports when more than half of its time is gone', async () => {
    const [short, long] = [new Slices(600_000), new Slices(20)];
    await short.run(workFor(2));
    await long.run(workFor(1_000)).catch(() => undefined);
    expect([short.isHalfSpent, long.isHalfSpent]).toEqual([false, true]);
  });

  it('ends with 503 when it takes longer than it may', async () => {
    await expect(new Slices(20).run(workFor(1_000))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('the time limit of work in slices', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('counts no time in which the process waits for the processor', async () => {
    jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 1_000_000, system: 0 });
    const slices = new Slices(1);
    expect(await slices.run(workFor(10))).toBe('done');
    expect(slices.spentMs).toBe(0);
  });

  it('counts no time in which other threads of the process work', async () => {
    let user = 0;
    jest.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: (user += 60_000_000), system: 0 }));
    expect(await new Slices(30_000).run(workFor(10))).toBe('done');
  });
});

describe('mapInSlices', () => {
  afterEach(() => jest.restoreAllMocks());

  it('items mapped in slices come in their order, with turns of others between items that take long', async () => {
    let time = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => (time += 10));
    let turns = 0;
    let beside = setImmediate(function count() {
      turns += 1;
      beside = setImmediate(count);
    });
    try {
      const mapped = await mapInSlices(['a', 'b', 'c', 'd'], (item, index) => ({ item, index, turns }));
      expect(mapped.map(({ item, index }) => `${item}${index}`)).toEqual(['a0', 'b1', 'c2', 'd3']);
      expect(new Set(mapped.map((one) => one.turns)).size).toBe(4);
    } finally {
      clearImmediate(beside);
    }
  });
});

describe('sorting in slices', () => {
  it.each([0, 1, 999, 1_000, 1_001, 25_017])('orders %i items as one sort does', async (count) => {
    const items = Array.from({ length: count }, (_, index) => ({ key: (index * 7919) % 97, index }));
    const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;
    expect(await sortInSlices(items, byKey)).toEqual([...items].sort(byKey));
  });

  it('lets others have their turn in between', async () => {
    let turns = 0;
    const beside = setInterval(() => void (turns += 1), 0);
    try {
      const items = Array.from({ length: 200_000 }, (_, index) => (index * 7919) % 200_003);
      await sortInSlices(items, (a, b) => a - b);
    } finally {
      clearInterval(beside);
    }
    expect(turns).toBeGreaterThan(5);
  });
});

describe('turns', () => {
  let order: string[];
  let time = 0;
  beforeEach(() => {
    order = [];
    time = Math.max(time, performance.now());
    // Each look at the time finds the round used up: a slice is one step.
    jest.spyOn(performance, 'now').mockImplementation(() => (time += 10));
  });
  afterEach(() => jest.restoreAllMocks());

  function* steps(name: string, count: number): Generator<undefined, string> {
    for (let step = 0; step < count; step++) {
      order.push(name);
      yield undefined;
    }
    return name;
  }

  /** Work of a request of this person. */
  const request = (
    caller: string,
    count: number,
    isLeft?: () => boolean,
    mostMs = 600_000,
  ): Promise<string> =>
    requestContext.run(
      { requestId: 'request', actor: SYSTEM_ACTOR, changeReason: null, caller, ...(isLeft && { isLeft }) },
      () => new Slices(mostMs).run(steps(caller, count)),
    );

  it('slices of several persons come in turn: one waits for one slice of each other person, however many these have (rule 3.15e)', async () => {
    const busy = ['mallory', 'mallet'].flatMap((person) =>
      Array.from({ length: 20 }, () => request(person, 4)),
    );
    await Promise.all([...busy, request('alice', 4)]);
    const turns = order.flatMap((person, turn) => (person === 'alice' ? [turn] : []));
    expect(turns).toHaveLength(4);
    // One that runs already, then at most one of each of the two others before each of alice's.
    expect(turns.at(-1)).toBeLessThanOrEqual(4 * 3);
    expect(order).toHaveLength(2 * 20 * 4 + 4);
  });

  it('slices of several persons come in the order in which one person began to wait for them', async () => {
    const ends: number[] = [];
    await Promise.all([1, 2, 3].map(async (one) => request('alice', 2).then(() => ends.push(one))));
    expect(ends).toEqual([1, 2, 3]);
  });

  it('slices of several persons end with the next one when the client has disconnected', async () => {
    const isLeft = (): boolean => order.length >= 3;
    await expect(request('alice', 1_000, isLeft)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(order).toHaveLength(3);
  });

  it('slices are completed without a limit, also when the client has disconnected', async () => {
    await request('alice', 10, () => true, Infinity);
    expect(order).toHaveLength(10);
  });
});

describe('long work in a transaction that holds a connection', () => {
  const LONG_MS = 400;
  // The round that began at the mocked time of the tests above ends.
  beforeAll(() => new Promise((resolve) => setImmediate(resolve)));
  const inTransaction = <T>(work: () => Promise<T>): Promise<T> => {
    const transaction = { isBegun: true } as Transaction;
    return openTransaction.run({ transaction }, work);
  };

  it('long work with a lasting result is finished without the connection, and the unit is repeated', async () => {
    let isDone = false;
    const places: boolean[] = [];
    function* lasting(): Generator<undefined, void> {
      yield* workFor(LONG_MS);
      places.push(openTransaction.getStore() !== null);
      isDone = true;
    }
    const unit = () =>
      inTransaction(async () => {
        if (!isDone) await new Slices(10_000).run(lasting(), true);
        return 'written';
      });
    expect(await retried(unit)).toBe('written');
    expect(places).toEqual([false]);
  });

  it('long work whose result would be lost is refused with 503', async () => {
    const work = () => new Slices(10_000).run(workFor(2 * LONG_MS));
    await expect(inTransaction(work)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await openTransaction.run({ transaction: {} as Transaction }, work)).toBe('done');
  });
});
