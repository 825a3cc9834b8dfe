import { ChangeWaits } from '../../src/kernel/waiting/change-waits.service.js';
import { type Client } from '../support/client.js';
import { until } from '../support/until.js';
import { type TestUser, World } from '../support/world.js';
import { EventReader, pull } from './pages.js';

const FULL = [503, { limit: 'shared' }];

describe('places for streams and waiting pulls', () => {
  let world: World;
  let alice: TestUser;
  let open: EventReader[];
  beforeEach(async () => {
    world = await World.startHere({ CALLER_STREAMS: '2', PERSON_STREAMS: '2', PROCESS_STREAMS: '3' });
    [alice, open] = [await world.user(), []];
  });
  afterEach(() => {
    for (const reader of open) reader.leave();
    return world.stop();
  });

  const stream = async (client: Client): Promise<EventReader> => {
    const reader = await EventReader.open(world.origin, '/sync/stream', client.credentials);
    open.push(reader);
    return reader;
  };
  const refused = async (client: Client): Promise<unknown> => {
    const { status, body } = await client.get('/sync/stream');
    return [status, body.error?.details];
  };

  it('the first streams of a person’s apps are admitted up to half as many again (rule 7.12)', async () => {
    const apps: Client[] = [];
    for (let number = 0; number < 3; number++) apps.push(await alice.lets(await world.app()));
    const [one, two, three] = apps as [Client, Client, Client];
    const readers = [await stream(one), await stream(one), await stream(two)];
    expect(readers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await refused(three)).toEqual(FULL);
  });

  it('a person without a stream gets the newest place of the person with most (rule 7.12)', async () => {
    const app = await alice.lets(await world.app());
    const [oldest, older, newest] = [await stream(alice), await stream(app), await stream(alice)];
    const [bob, carol, dave] = [await world.user(), await world.user(), await world.user()];
    expect((await stream(bob)).status).toBe(200);
    await newest.ended();
    expect(await refused(alice)).toEqual(FULL);
    expect(await refused(bob)).toEqual(FULL);
    expect((await stream(carol)).status).toBe(200);
    await older.ended();
    // Everybody has one.
    expect(await refused(dave)).toEqual(FULL);
    await alice.post('/nodes', { title: 'news', node_type: 'note' });
    expect((await oldest.next()).data.changes).toHaveLength(1);
  });

  it('a waiting pull that loses its place answers with an empty page (rule 7.12)', async () => {
    for (const client of [alice, alice]) await stream(client);
    const app = await alice.lets(await world.app());
    const { cursor } = await pull(app);
    const waiting = app.get(`/sync?wait=30&cursor=${cursor}`);
    const { waiters } = world.nest.get<unknown, { waiters: Set<unknown> }>(ChangeWaits);
    await until(() => waiters.size === 3, 'the pull waits');
    const bob = await world.user();
    expect((await stream(bob)).status).toBe(200);
    const { status, body } = await waiting;
    expect([status, body.stats.total]).toEqual([200, 0]);
  });
});
