import { beforeEach, describe, expect, it } from '@jest/globals';
import { NodesBatchService } from '../../src/graph/nodes/application/nodes-batch.service.js';
import { AccessGuard } from '../../src/privacy/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { type Client, type Download } from '../support/client.js';
import { everything } from '../support/defaults.js';
import { passTime } from '../support/passed-time.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

interface Shares {
  most: number;
  wait: (...of: [reads: object, leave: () => void]) => Promise<() => void>;
}
type Read = (caller: string, statement: object) => Promise<unknown>;
interface WriteShares extends Shares {
  take: (caller: string) => Promise<() => void>;
}
interface Mutex {
  run: <T>(key: string, work: () => Promise<T>) => Promise<T>;
}

const LONG_MS = 2_000;
const ignored = (): void => undefined;
const VALUE = { title: 'written later', node_type: 'note' };

/** A request that takes longer than a second confirms its rights before it answers or commits (rule 2.8). */
describe('waiting requests', () => {
  let world: World;
  let alice: TestUser;
  let developer: TestUser;
  let app: { id: string; keyId: string; client: Client };
  let profileId: string;
  withWorld((started) => (world = started));
  beforeEach(async () => {
    [alice, developer] = [await world.user(), await world.user()];
    const name = `app ${world.number()}`;
    const { body } = await developer.post('/apps', { name, requested_permissions: everything });
    const { body: key } = await developer.post(`/apps/${body.id}/keys`, {});
    const { profile } = await alice.authorizes({
      id: body.id,
      apiKey: key.api_key,
      alone: world.api,
      as: () => world.api,
    });
    profileId = profile.id;
    const client = world.api.with({ 'X-API-Key': key.api_key, 'X-User-ID': alice.id });
    app = { id: body.id, keyId: key.id, client };
    await alice.post('/nodes', { title: 'written before', node_type: 'note' });
    expect((await client.get('/nodes')).body.total).toBe(1);
  });

  const deleteKey = () => developer.delete(`/apps/${app.id}/keys/${app.keyId}`);
  const codeOf = ({ status, body }: Download): [number, string | undefined] => [status, body.error?.code];

  /** Sends a request that waits behind other reads of its person until something else has happened. */
  async function sendLate(
    request: () => Promise<Download>,
    meanwhile: () => Promise<unknown>,
    passedMs = LONG_MS,
  ): Promise<Download> {
    const database = world.nest.get<unknown, { readShares: { ordinary: Shares }; requestRead: Read }>(
      Database,
    );
    const { ordinary: shares } = database.readShares;
    const [wait, requestRead] = [shares.wait.bind(shares), database.requestRead.bind(database)];
    let [open, isWaiting, areReading] = [ignored, ignored, ignored];
    const gate = new Promise<void>((resolve) => (open = resolve));
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
    const reading = new Promise<void>((resolve) => (areReading = resolve));
    let held = 0;
    shares.wait = (...of) => {
      isWaiting();
      return wait(...of);
    };
    database.requestRead = async (caller, statement) => {
      if (caller === alice.id) {
        if (++held === shares.most) areReading();
        await gate;
      }
      return requestRead(caller, statement);
    };
    try {
      const before = Array.from({ length: shares.most }, () => alice.get('/tags'));
      await reading;
      const late = request();
      await waiting;
      await meanwhile();
      passTime(passedMs);
      open();
      await Promise.all(before);
      return await late;
    } finally {
      open();
      shares.wait = wait;
      database.requestRead = requestRead;
    }
  }

  /** Sends a list that has read its shares, and reads its page only after something else has happened. */
  async function sendWithLatePage(
    request: () => Promise<Download>,
    meanwhile: () => Promise<unknown>,
  ): Promise<Download> {
    const database = world.nest.get(Database);
    const read = database.read.bind(database);
    let [open, isReading] = [ignored, ignored];
    const gate = new Promise<void>((resolve) => (open = resolve));
    const reading = new Promise<void>((resolve) => (isReading = resolve));
    database.read = async (statement, name) => {
      if (name === 'merged-nodes-page') {
        isReading();
        await gate;
      }
      return read(statement, name);
    };
    try {
      const late = request();
      await reading;
      await meanwhile();
      passTime(LONG_MS);
      open();
      return await late;
    } finally {
      open();
      database.read = read;
    }
  }

  it.each([
    [401, 'its key ends'],
    [503, 'its profile hides more'],
  ])('a write whose values become words first is refused (%i) if meanwhile %s', async (status) => {
    const narrowed = { excluded_node_types: ['note'] };
    const hide = () => alice.put(`/exposure-profiles/${profileId}`, narrowed);
    const database = world.nest.get(Database);
    const { writeAlone } = database;
    let hasEnded = false;
    const ending = async (statement: { text: string }): Promise<unknown> => {
      const rows = await writeAlone.call(database, statement as never);
      if (hasEnded || !statement.text.startsWith('INSERT INTO prepared_words')) return rows;
      hasEnded = true;
      await (status === 401 ? deleteKey() : hide());
      passTime(LONG_MS);
      return rows;
    };
    Object.assign(database, { writeAlone: ending });
    try {
      const nodes = ['a', 'b', 'c'].map((word) => ({ ...VALUE, value: `${word}word `.repeat(3_000) }));
      expect(codeOf(await app.client.post('/nodes/batch', { nodes }))[0]).toBe(status);
    } finally {
      Object.assign(database, { writeAlone });
    }
    expect(hasEnded).toBe(true);
    expect((await alice.get('/nodes')).body.total).toBe(1);
  });

  const list = () => app.client.get('/nodes?limit=7');
  const nothing = () => Promise.resolve();
  const admissions = async (send: () => Promise<unknown>): Promise<number> => {
    const guard: Partial<AccessGuard> & AccessGuard = world.nest.get(AccessGuard);
    let times = 0;
    const canActivate = guard.canActivate.bind(guard);
    guard.canActivate = (context) => {
      if (context.switchToHttp().getRequest<Request>().url.includes('limit=7')) times++;
      return canActivate(context);
    };
    await send();
    delete (guard as Partial<AccessGuard>).canActivate;
    return times;
  };

  it('a queued request is admitted again after more than a second only, and answered when its rights are the same', async () => {
    for (const [passedMs, times] of [
      [0, 1],
      [LONG_MS, 2],
    ] as const)
      expect(
        await admissions(async () => {
          const answer = await sendLate(list, nothing, passedMs);
          expect([answer.status, answer.body.total]).toEqual([200, 1]);
        }),
      ).toBe(times);
  });

  it('a key deleted while its request waits refuses the request', async () => {
    expect(codeOf(await sendLate(list, deleteKey))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('requests whose app requests less meanwhile are answered with 503', async () => {
    const answer = await sendLate(list, async () => {
      const less = { requested_permissions: { tags: { discover: true } } };
      expect((await developer.patch(`/apps/${app.id}`, less)).status).toBe(200);
    });
    expect(codeOf(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(answer.headers['retry-after']).toBeDefined();
  });

  it('requests whose profile hides more meanwhile are answered with 503', async () => {
    const answer = await sendLate(list, async () => {
      const narrowed = { excluded_node_types: ['note'] };
      expect((await alice.put(`/exposure-profiles/${profileId}`, narrowed)).status).toBe(200);
    });
    expect(codeOf(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await list()).body.total).toBe(0);
  });

  it('a tag made meanwhile that no rule names changes no answer', async () => {
    const answer = await sendLate(list, async () => {
      expect((await alice.post('/tags', { name: 'made meanwhile' })).status).toBe(201);
    });
    expect(answer.status).toBe(200);
  });

  it('the end of a share that the answer shows is answered with 503', async () => {
    const { body: node } = await developer.post('/nodes', { title: 'shared', node_type: 'note' });
    const { body: share } = await developer.post('/sharing', {
      shared_with_user_id: alice.id,
      scope: 'specific_nodes',
      node_ids: [node.id],
    });
    const own = () => alice.get('/nodes?limit=7');
    expect((await own()).body.total).toBe(2);
    const answer = await sendWithLatePage(own, () => developer.delete(`/sharing/${share.id}`));
    expect(codeOf(answer)).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await own()).body.total).toBe(1);
  });

  /** Sends a batch that waits behind another of its owner until something else has happened. */
  async function sendBatchLate(meanwhile: () => Promise<unknown>): Promise<Download> {
    const mutex = world.nest.get<unknown, { turns: Mutex }>(NodesBatchService).turns;
    const run = mutex.run.bind(mutex);
    let [open, isWaiting] = [ignored, ignored];
    const gate = new Promise<void>((resolve) => (open = resolve));
    const before = mutex.run(alice.id, () => gate);
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
    mutex.run = (key, work) => {
      const taken = run(key, work);
      isWaiting();
      return taken;
    };
    try {
      const late = app.client.post('/nodes/batch', { nodes: [VALUE] });
      await waiting;
      await meanwhile();
      passTime(LONG_MS);
      open();
      await before;
      return await late;
    } finally {
      open();
      mutex.run = run;
    }
  }

  it('a batch is not written when its key is deleted while it waits for its turn', async () => {
    expect(codeOf(await sendBatchLate(deleteKey))).toEqual([401, 'UNAUTHORIZED']);
    expect((await alice.get('/nodes')).body.total).toBe(1);
  });

  it('a batch is written when a tag was made while it waited for its turn', async () => {
    const answer = await sendBatchLate(async () => {
      expect((await alice.post('/tags', { name: 'made meanwhile' })).status).toBe(201);
    });
    expect([answer.status, answer.body.created?.length]).toEqual([201, 1]);
  });

  it('nothing is written when the key is deleted while the request waits for a place among the writes', async () => {
    const database = world.nest.get<unknown, { writeShares: { ordinary: WriteShares } }>(Database);
    const { ordinary: writeShares } = database.writeShares;
    const leaving = await Promise.all(
      Array.from({ length: writeShares.most }, () => writeShares.take(alice.id)),
    );
    const wait = writeShares.wait.bind(writeShares);
    let isWaiting = ignored;
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
    writeShares.wait = (...of) => {
      isWaiting();
      return wait(...of);
    };
    try {
      const late = app.client.post('/sessions', { external_id: 'a session' });
      await waiting;
      expect((await deleteKey()).status).toBeLessThan(300);
      passTime(LONG_MS);
      for (const leave of leaving) leave();
      expect(codeOf(await late)).toEqual([401, 'UNAUTHORIZED']);
    } finally {
      writeShares.wait = wait;
    }
    expect((await alice.get('/sessions')).body.total).toBe(0);
  });
});
