import { jest } from '@jest/globals';
import { get } from 'node:http';
import { NodePresenter } from '../../../src/graph/index.js';
import { Slices } from '../../../src/kernel/slices.js';
import { type Client } from '../../support/client.js';
import { readOnly } from '../../support/defaults.js';
import { until } from '../../support/until.js';
import { type TestApp, type TestUser, World } from '../../support/world.js';
import { node, profile } from '../../support/worlds/nodes.js';

const ALL_TAGS = { discover: 'all', read: 'all' } as const;
const SEARCHES = 10;
/** Searches that work at a time for one caller. */
const AT_ONCE = 3;
const NODES = 6;
/** Long enough for several slices of redaction, the first time: redacted texts are cached. */
const textOf = (name: string): string =>
  Array.from({ length: 1_500 }, (_, i) => `${name}${i}@example${i}.org 192.168.0.${i % 255}`).join(' ');

type WithSlice = { slice: (work: Iterator<unknown>) => unknown };

/** Searches of masked texts are the longest work in slices. */
describe('long work in slices for one person', () => {
  let world: World;
  let mallory: TestUser;
  let alice: TestUser;
  let app: TestApp;
  let searcher: Client;

  beforeAll(async () => {
    world = await World.startHere();
    [mallory, alice] = [await world.user(), await world.user()];
    app = await world.app({ requested: readOnly });
    searcher = await mallory.lets(app, profile(ALL_TAGS, { transformations: [{ type: 'pii_redaction' }] }));
    for (let index = 0; index < 20; index++) await node(alice, { title: `a ${index}` });
  });
  beforeEach(async () => {
    const name = `test${world.number()}node`;
    for (let index = 0; index < NODES; index++)
      await node(mallory, { title: `m ${index}`, value: textOf(`${name}${index}at`) });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  /** Records each slice by the work that it is a part of, and the items of alice's lists as `item`. */
  function recorded(): (WithSlice | 'item')[] {
    const order: (WithSlice | 'item')[] = [];
    const { slice } = Slices.prototype as unknown as WithSlice;
    jest.spyOn(Slices.prototype as unknown as WithSlice, 'slice').mockImplementation(function (
      this: WithSlice,
      work,
    ) {
      order.push(this);
      return slice.call(this, work);
    });
    const { presentListed } = NodePresenter.prototype;
    jest.spyOn(NodePresenter.prototype, 'presentListed').mockImplementation(function (
      this: NodePresenter,
      ...given
    ) {
      if (given[0].ownerId === alice.id) order.push('item');
      return presentListed.apply(this, given);
    });
    return order;
  }

  /** Holds each search until this number has begun: a first one alone would leave its texts in the cache for the rest. */
  function beginTogether(searches: number): { begun: Set<Slices> } {
    const begun = new Set<Slices>();
    let release = (): void => undefined;
    const together = new Promise<void>((resolve) => (release = resolve));
    const { run } = Slices.prototype;
    jest.spyOn(Slices.prototype, 'run').mockImplementation(async function (this: Slices, work) {
      begun.add(this);
      if (begun.size >= searches) release();
      await together;
      return run.call(this, work);
    });
    return { begun };
  }

  it('delays a list of another person by one slice at a time, however many requests it is for', async () => {
    const order = recorded();
    const { begun } = beginTogether(AT_ONCE);
    const searches = Array.from({ length: SEARCHES }, (_, i) => searcher.get(`/nodes?search=zzz${i}`));
    await until(() => begun.size >= AT_ONCE, 'searches are under way');
    expect((await alice.get('/nodes?limit=20')).status).toBe(200);
    const items = order.flatMap((what, at) => (what === 'item' ? [at] : []));
    expect(items).toHaveLength(20);
    const before = order.length;
    for (const { status } of await Promise.all(searches)) expect(status).toBe(200);
    expect(order.length).toBeGreaterThan(before);
    const between = items.slice(1).map((at, index) => at - (items[index] as number) - 1);
    // A list that has not asked for its next slice yet loses a turn now and then, but not to all searches each time.
    const slices = between.reduce((sum, count) => sum + count, 0);
    expect(slices / between.length).toBeLessThan(1.5);
  });

  it('searches of a caller work three at a time', async () => {
    const order = recorded();
    beginTogether(AT_ONCE);
    const answers = Array.from({ length: SEARCHES }, (_, i) => searcher.get(`/nodes?search=yyy${i}`));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    const searches = [...new Set(order)];
    const underWay = searches.map((one) => {
      const begin = order.indexOf(one);
      return searches.filter((other) => order.indexOf(other) <= begin && order.lastIndexOf(other) >= begin)
        .length;
    });
    expect(Math.max(...underWay)).toBe(AT_ONCE);
  });

  it('a search ends when its client has disconnected', async () => {
    const order = recorded();
    const { run } = Slices.prototype;
    const ends: unknown[] = [];
    jest.spyOn(Slices.prototype, 'run').mockImplementation(async function (this: Slices, work) {
      try {
        return await run.call(this, work);
      } catch (error) {
        ends.push(error);
        throw error;
      }
    });
    const { hostname, port } = new URL(world.origin);
    const headers = { 'X-API-Key': app.apiKey, 'X-User-ID': mallory.id };
    const left = get({ host: hostname, port, path: '/api/v1/nodes?search=left', headers });
    left.on('error', () => undefined);
    await until(() => order.length > 0, 'the search is under way');
    left.destroy();
    await until(() => ends.length > 0, 'the search ends');
    expect(ends).toMatchObject([
      { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('disconnected') },
    ]);
    expect((await searcher.get('/nodes?limit=1')).status).toBe(200);
  });
});
