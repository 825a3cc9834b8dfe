import { jest } from '@jest/globals';
import { once } from 'node:events';
import { randomBytes, randomInt } from 'node:crypto';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { type Socket } from 'node:net';
import { ExportService } from '../../src/portability/index.js';
import { ArchiveRowsQueries } from '../../src/portability/infrastructure/archive-rows.queries.js';
import { Spool } from '../../src/kernel/spool/spool.js';
import { SpoolRoom } from '../../src/kernel/spool/spool-room.js';
import { codeOf } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { outerGlobals } from '../support/outer-globals.js';
import { until } from '../support/until.js';
import { type TestUser, World } from '../support/world.js';
import { file } from '../support/worlds/files.js';
import { withWorld } from '../support/worlds/with-world.js';
import { imports } from './archives.js';

const TOO_MUCH = [503, 'TOO_MUCH_UNDER_WAY'];
const note = (title: string): object => ({ title, node_type: 'NOTE', tags: ['shelf'] });
const writes = async (user: Client, title: string): Promise<void> => {
  expect((await user.post('/nodes', note(title))).status).toBe(201);
};

describe('bounds', () => {
  let world: World;
  withWorld((started) => (world = started));
  afterEach(() => {
    jest.restoreAllMocks();
    impatient(10_000);
    letClockRun(world);
  });

  /** Sets the time for which exports wait for others. */
  const impatient = (ms = 1): void => {
    const service = world.nest.get(ExportService);
    for (const places of ['people', 'copying']) Reflect.set(Reflect.get(service, places), 'patienceMs', ms);
  };

  /** Holds each copy before its first row, and counts. */
  const heldCopies = () => {
    const copies = { underWay: 0, most: 0, tables: 0, open: (): void => undefined };
    const isOpened = new Promise<void>((resolve) => (copies.open = resolve));
    const { lines } = ArchiveRowsQueries.prototype;
    jest.spyOn(ArchiveRowsQueries.prototype, 'lines').mockImplementation(async function* (
      this: ArchiveRowsQueries,
      owned,
      ownerId,
    ) {
      copies.tables++;
      if (owned.table === 'tags') {
        copies.most = Math.max(copies.most, ++copies.underWay);
        await isOpened;
      }
      yield* lines.call(this, owned, ownerId);
      if (owned.table === 'changes') copies.underWay--;
    });
    return copies;
  };

  it('exports of one process are refused beside another one of the same person, and others are served (rule 12.3i)', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    await writes(alice, 'a');
    const copies = heldCopies();
    const first = alice.get('/export');
    await until(() => copies.underWay === 1, 'the first export copies');
    impatient();
    const second = alice.get('/export');
    await Promise.race([second, until(() => copies.underWay === 2, 'the second export copies')]);
    await writes(bob, 'b');
    copies.open();
    expect((await first).status).toBe(200);
    const refused = await second;
    expect(codeOf(refused)).toEqual(TOO_MUCH);
    expect(refused.body.error.details).toEqual({ limit: 'caller', max_exports: 1 });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // The first one's place may become free a moment after its last byte has come.
    impatient(10_000);
    expect((await alice.get('/export')).status).toBe(200);
  });

  it('exports of one process of one person wait for each other when these end soon (rule 12.3i)', async () => {
    const alice = await world.user();
    await writes(alice, 'a');
    const copies = heldCopies();
    const all = [1, 2, 3].map(() => alice.get('/export'));
    await until(() => copies.underWay > 0, 'an export copies');
    copies.open();
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(copies.most).toBe(1);
  });

  it('exports of one process copy for two people at a time, and have no connection of the others (rule 12.3i)', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => world.user()));
    const copies = heldCopies();
    const [alice, bob, ...others] = people as [TestUser, TestUser, ...TestUser[]];
    const first = [alice, bob].map((person) => person.get('/export'));
    await until(() => copies.underWay === 2, 'two exports copy');
    impatient();
    const further = others.map((person) => person.get('/export'));
    await Promise.race([Promise.all(further), until(() => copies.underWay > 2, 'a third export copies')]);
    await writes(alice, 'while others export');
    copies.open();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
    for (const refused of await Promise.all(further)) {
      expect(codeOf(refused)).toEqual(TOO_MUCH);
      expect(refused.body.error.details).toEqual({ limit: 'process', max_exports: 2 });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await (others[0] as TestUser).get('/export')).status).toBe(200);
  });

  it('exports of one process end with the connection of their client (rule 12.3i)', async () => {
    const alice = await world.user();
    await writes(alice, 'a');
    const copies = heldCopies();
    const closed = jest.spyOn(Spool.prototype, 'close');
    const left = nextConnectionLeft(world);
    const request = rawGet(world, alice, '/export');
    await until(() => copies.underWay === 1, 'the export copies');
    request.destroy();
    await left;
    const { tables } = copies;
    copies.open();
    await until(() => closed.mock.calls.length === 1, 'the export ends');
    expect(copies.tables).toBe(tables);
    expect((await alice.get('/export')).status).toBe(200);
  });

  it('exports of one process copy for an hour at most (rule 12.3i)', async () => {
    const alice = await world.user();
    await writes(alice, 'a');
    const copies = heldCopies();
    const clock = holdClock(world);
    const answer = alice.get('/export');
    await until(() => copies.underWay === 1, 'the export copies');
    clock.advance(3_601);
    copies.open();
    expect(codeOf(await answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    letClockRun(world);
    expect((await alice.get('/export')).status).toBe(200);
  });

  it('exports of one process and imports take at most half of the free disk, and give it back (rule 12.3j)', async () => {
    const [alice, bob] = [await world.user(), await world.user()];
    await writes(alice, 'a');
    const archive = (await alice.get('/export')).bytes;
    const room = world.nest.get(SpoolRoom);
    let free = archive.length;
    jest.spyOn(room, 'freeBytes').mockImplementation(async () => free);
    for (const refused of [await alice.get('/export'), await imports(bob, archive)]) {
      expect(codeOf(refused)).toEqual(TOO_MUCH);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(Reflect.get(room, 'used')).toBe(0);
    free = 1_000_000;
    expect((await alice.get('/export')).status).toBe(200);
    expect((await imports(bob, archive)).status).toBe(201);
    expect(Reflect.get(room, 'used')).toBe(0);
  });
});

describe('a long answer that its client stops reading', () => {
  let world: World;
  let alice: TestUser;
  /** The work that the service repeats each minute. */
  const minutely = new Set<() => void>();
  /** The connections of the service, in their order. */
  const sockets: Socket[] = [];
  const { setInterval: repeat } = outerGlobals;
  beforeAll(async () => {
    outerGlobals.setInterval = ((work: () => void, ms: number) => {
      if (ms === 60_000) minutely.add(work);
      return repeat(work, ms);
    }) as typeof repeat;
    world = await World.startHere();
    world.nest.getHttpServer().on('connection', (socket: Socket) => sockets.push(socket));
    alice = await world.user();
    // More than sockets hold between a service and its client, in titles alone.
    for (let batch = 0; batch < 20; batch++) {
      const nodes = Array.from({ length: 100 }, () => note(incompressible(1000)));
      expect((await alice.post('/nodes/batch', { nodes })).status).toBeLessThan(300);
    }
  });
  afterAll(async () => {
    outerGlobals.setInterval = repeat;
    await world.stop();
  });
  afterEach(() => jest.restoreAllMocks());

  /** Begins to read, stops, and lets minutes pass until the answer has ended. */
  const isEnded = async (path: string): Promise<void> => {
    minutely.clear();
    const [answer] = (await once(rawGet(world, alice, path), 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    answer.pause();
    const broken = once(answer, 'error');
    await until(() => minutely.size > 0, 'the rate of the answer is looked at');
    let hasEnded = false;
    const [socket] = sockets.slice(-1) as [Socket];
    socket.once('close', () => (hasEnded = true));
    await until(() => {
      for (const look of minutely) look();
      return hasEnded;
    }, 'the answer ends');
    answer.resume();
    expect(await broken).toMatchObject([{ code: 'ECONNRESET' }]);
  };

  it('ends when it is an export, whose copy is deleted (rule 12.3j)', async () => {
    const closed = jest.spyOn(Spool.prototype, 'close');
    await isEnded('/export');
    await until(() => closed.mock.calls.length === 1, 'the copy is deleted');
  });

  it('ends when it is a graph at a time (rule 11.9h)', async () => {
    await isEnded(`/graph/snapshot?timestamp=${new Date().toISOString()}`);
  });

  it('ends when it is a download (rule 11.9h)', async () => {
    const { id } = await file(alice, { content: randomBytes(9 * 1024 * 1024) });
    await isEnded(`/raw-files/${id}/download`);
  });
});

/** A text of which compression leaves half. */
const incompressible = (characters: number): string =>
  Array.from({ length: characters }, () => String.fromCodePoint(0x20000 + randomInt(0xa000))).join('');

const rawGet = (world: World, { credentials }: Client, path: string): ClientRequest =>
  get(`${world.origin}/api/v1${path}`, { headers: credentials, agent: false }).on('error', () => undefined);

/** Resolves when the service has noticed that the next connection has ended. */
const nextConnectionLeft = (world: World): Promise<unknown> =>
  new Promise((resolve) =>
    world.nest.getHttpServer().once('connection', (socket: NodeJS.EventEmitter) => {
      socket.once('close', () => setImmediate(resolve));
    }),
  );
