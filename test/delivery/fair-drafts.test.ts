import { jest } from '@jest/globals';
import { DeliveryWorker } from '../../src/delivery/application/delivery-worker.js';
import { NodePresenter } from '../../src/graph/index.js';
import { type Client } from '../support/client.js';
import { until } from '../support/until.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { Receiver } from './receiver.js';

const APPS = 4;
const NODES = 3;

/** Owners whose messages take as long as the test says, as those with many masks over long texts do. */
describe('webhook messages that take long to mask', () => {
  let world: World;
  let receiver: Receiver;
  let quick: Client;
  let slow: TestUser[];
  /** The end of the work on masks. */
  let end: () => void;
  /** Messages under way, by owner. */
  let underWay: Map<string, number>;

  withWorld(
    (started) => (world = started),
    () => World.startHere({ WEBHOOK_WORKERS: 'false' }),
  );
  beforeEach(async () => {
    receiver = await Receiver.start();
    quick = await subscribed(await world.user());
    slow = [await world.user(), await world.user()];
    for (const owner of slow) for (let app = 0; app < APPS; app++) await subscribed(owner);
    underWay = new Map();
    const ended = new Promise<void>((resolve) => (end = resolve));
    const isSlow = (ownerId: string): boolean => slow.some(({ id }) => id === ownerId);
    const { preparePast } = NodePresenter.prototype;
    jest.spyOn(NodePresenter.prototype, 'preparePast').mockImplementation(async function (
      this: NodePresenter,
      ...given
    ) {
      const { ownerId } = given[0];
      underWay.set(ownerId, (underWay.get(ownerId) ?? 0) + 1);
      if (isSlow(ownerId)) await ended;
      underWay.set(ownerId, (underWay.get(ownerId) ?? 0) - 1);
      return preparePast.apply(this, given);
    });
  });
  afterEach(async () => {
    end();
    await world.nest.get(DeliveryWorker).drain();
    jest.restoreAllMocks();
    await receiver.stop();
  });

  async function subscribed(user: TestUser): Promise<Client> {
    const client = await user.lets(await world.app());
    const wish = { webhook_url: receiver.url, events: ['node.created'] };
    expect((await client.post('/webhooks/subscribe', wish)).status).toBe(201);
    return client;
  }
  const create = async (client: Client, title: string): Promise<void> => {
    expect((await client.post('/nodes', { title, node_type: 'NOTE' })).status).toBe(201);
  };
  const look = (): void => void world.nest.get(DeliveryWorker).look();

  it('masked messages of one owner do not delay those of other owners (rule 9.5b)', async () => {
    for (const owner of slow) for (let node = 0; node < NODES; node++) await create(owner, `slow ${node}`);
    look();
    await until(() => slow.some(({ id }) => (underWay.get(id) ?? 0) > 0), 'masks are at work');
    await create(quick, 'quick');
    look();
    await until(() => receiver.told.includes('node.created quick'), 'the other owner has their event');
    expect(receiver.told).toEqual(['node.created quick']);
  });

  it('masked messages are made two at a time for one owner, and all of them arrive', async () => {
    for (const owner of slow) for (let node = 0; node < NODES; node++) await create(owner, `slow ${node}`);
    look();
    await until(() => slow.every(({ id }) => underWay.get(id) === 2), 'two are made for each owner');
    // All others that could begin have their chance.
    await create(quick, 'quick');
    look();
    await until(() => receiver.told.includes('node.created quick'), 'the other owner has their event');
    expect(slow.map(({ id }) => underWay.get(id))).toEqual([2, 2]);
    end();
    await world.nest.get(DeliveryWorker).drain();
    expect(receiver.received).toHaveLength(1 + slow.length * APPS * NODES);
  });
});
