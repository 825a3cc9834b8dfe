import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { requestContext } from '../../src/kernel/request-context.js';
import { RestoredRowsQueries } from '../../src/portability/infrastructure/restored-rows.queries.js';
import { tagId } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';

/** A lock that only this test takes. */
const READS = 'reads of this test';

describe('write shares', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let most: { reads: number; writes: number };
  let observer: pg.Client;
  beforeAll(async () => {
    world = await World.startHere();
    [alice, bob] = [await world.user(), await world.user()];
    const { databasePool, databaseUrl } = world.nest.get(Config);
    // One place of each kind is only for requests that end access (rule 11.9d).
    most = { reads: Math.floor(databasePool / 2) - 1, writes: Math.floor(databasePool / 3) - 1 };
    observer = new pg.Client({ connectionString: databaseUrl as string });
    await observer.connect();
  });
  afterAll(async () => {
    await observer.end();
    await world.stop();
  });

  const asked = <T>(userId: string, work: () => Promise<T>): Promise<T> =>
    requestContext.run(
      { requestId: 'asked', actor: { type: 'user', userId, appId: null }, changeReason: null },
      work,
    );
  const locked = (name: string) =>
    observer.query('SELECT pg_advisory_lock(hashtextextended($1::text, 0))', [name]);
  const unlocked = (name: string) =>
    observer.query('SELECT pg_advisory_unlock(hashtextextended($1::text, 0))', [name]);
  const waiting = async (): Promise<number> => {
    const { rows } =
      await observer.query(`SELECT count(*)::integer AS waiting FROM pg_locks WHERE locktype = 'advisory'
      AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
    return (rows as { waiting: number }[])[0]?.waiting ?? 0;
  };
  const untilWaiting = async (number: number): Promise<void> => {
    for (let turn = 0; turn < 2_000; turn++) if ((await waiting()) >= number) return;
    throw new Error(`never ${number} statements that wait`);
  };
  /** Units of work of a person that are open, with a connection each, until they are ended. */
  const holding = async (number: number) => {
    let end: () => void = () => undefined;
    const isEnded = new Promise<void>((resolve) => (end = resolve));
    const begun: Promise<void>[] = [];
    const units = Array.from({ length: number }, () => {
      let open: () => void = () => undefined;
      begun.push(new Promise((resolve) => (open = resolve)));
      return asked(alice.id, () =>
        world.nest.get(UnitOfWork).run(async () => {
          await world.nest.get(Database).write(sql`SELECT 1`);
          open();
          await isEnded;
        }),
      );
    });
    await Promise.all(begun);
    return () => (end(), Promise.all(units));
  };

  it('one person leaves others connections while many writes and reads of theirs wait', async () => {
    await locked(`tags:${alice.id}`);
    await locked(READS);
    const writes = Array.from({ length: 40 }, (_, index) => alice.post('/tags', { name: `tag ${index}` }));
    const read = sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${READS}, 0))`;
    await untilWaiting(most.writes);
    const reads = Array.from({ length: 40 }, () =>
      asked(alice.id, () => world.nest.get(Database).read(read)),
    );
    await untilWaiting(most.writes + most.reads);
    for (let round = 0; round < 10; round++) {
      expect((await bob.get('/nodes')).status).toBe(200);
      expect((await bob.post('/tags', { name: `tag ${round}` })).status).toBe(201);
      expect((await bob.post('/nodes', { title: 'a node', node_type: 'NOTE' })).status).toBe(201);
      expect(await waiting()).toBe(most.writes + most.reads);
    }
    await unlocked(READS);
    await Promise.all(reads);
    // Their own reads do not wait for their writes.
    expect((await alice.get('/nodes')).status).toBe(200);
    expect(await waiting()).toBe(most.writes);
    await unlocked(`tags:${alice.id}`);
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(40).fill(201));
  });

  it('the bound on writes also covers a write of one statement, which waits for the counter of its owner', async () => {
    await observer.query('BEGIN');
    await observer.query('SELECT FROM sequences WHERE id = $1 FOR UPDATE', [alice.id]);
    const nodes = (name: string) => ({ nodes: [{ title: name, node_type: 'NOTE' }] });
    const value = 'x'.repeat(20_000);
    const writes = Array.from({ length: 40 }, (_, index) =>
      index % 2
        ? alice.post('/nodes', { title: `${index}`, node_type: 'NOTE', value })
        : alice.post('/nodes/batch', nodes(`${index}`)),
    );
    for (let round = 0; round < 10; round++) {
      expect((await bob.get('/nodes')).status).toBe(200);
      expect((await bob.post('/nodes/batch', nodes(`${round}`))).status).toBe(201);
    }
    await observer.query('COMMIT');
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(Array(40).fill(201));
  });

  it('a person ends what others have while writes of their app and reads of theirs take all other places (rule 11.9d)', async () => {
    const carol = await world.user();
    const granted = await world.app();
    const { authorization } = await carol.authorizes(granted);
    const app = granted.as(carol);
    await locked(`tags:${carol.id}`);
    await locked(READS);
    const writes = Array.from({ length: 20 }, (_, index) => app.post('/tags', { name: `tag ${index}` }));
    await untilWaiting(most.writes);
    const read = sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${READS}, 0))`;
    const reads = Promise.allSettled(
      Array.from({ length: 20 }, () => asked(carol.id, () => world.nest.get(Database).read(read))),
    );
    await untilWaiting(most.writes + most.reads);
    expect((await carol.delete(`/authorizations/${authorization.id}`)).status).toBe(200);
    expect((await carol.delete('/auth/sessions')).status).toBe(204);
    expect(await waiting()).toBe(most.writes + most.reads);
    await unlocked(READS);
    await unlocked(`tags:${carol.id}`);
    await reads;
    await Promise.all(writes);
    expect((await app.get('/nodes')).status).toBe(403);
  });

  it('refreshes have the places of their account, for which they wait for the account without a credential (rule 11.9d)', async () => {
    const carol = await world.user();
    const account = { email: `${carol.name}@example.org`, password: 'correct horse battery' };
    const { body } = await world.api.post('/auth/login', account);
    await observer.query('BEGIN');
    await observer.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [carol.id]);
    let ended = 0;
    const refreshes = Array.from({ length: 40 }, () =>
      world.api
        .post('/auth/refresh', { refresh_token: body.refresh_token })
        .then(({ status }) => (ended++, status)),
    );
    for (let round = 0; round < 10; round++) {
      expect((await bob.get('/nodes')).status).toBe(200);
      expect((await bob.post('/tags', { name: `beside refreshes ${round}` })).status).toBe(201);
    }
    expect(ended).toBe(0);
    await observer.query('COMMIT');
    expect(new Set(await Promise.all(refreshes))).toEqual(new Set([200, 401]));
  });

  it('an import into an account lets its person log in meanwhile', async () => {
    const carol = await world.user();
    const account = { email: `${carol.name}@example.org`, password: 'correct horse battery' };
    await world.nest.get(UnitOfWork).run(async () => {
      await world.nest.get(RestoredRowsQueries).lock(carol.id);
      expect((await world.api.post('/auth/login', account)).status).toBe(200);
    });
  });

  it('a write of one person is refused with 503 when none of their places comes free in time, whatever app sends it', async () => {
    const app = await alice.lets(await world.app());
    const end = await holding(most.writes);
    const refusals = await Promise.all([
      alice.post('/tags', { name: 'refused' }),
      app.post('/nodes/batch', { nodes: [{ title: 'refused', node_type: 'NOTE' }] }),
      alice.post('/tags', { name: 'refused, too' }, { headers: { 'Idempotency-Key': 'refused' } }),
    ]);
    expect(refusals.map(({ status, body }) => [status, body.error.code, body.error.details])).toEqual(
      Array(3).fill([503, 'TOO_MUCH_UNDER_WAY', { limit: 'caller', max_writes: most.writes }]),
    );
    expect(refusals.every(({ headers }) => Number(headers['retry-after']) > 0)).toBe(true);
    expect((await bob.post('/tags', { name: 'of bob' })).status).toBe(201);
    // Work outside of requests has no person whose places it could take.
    await world.nest.get(UnitOfWork).run(() => world.nest.get(Database).write(sql`SELECT 1`));
    await end();
    expect(
      (await alice.post('/tags', { name: 'refused, too' }, { headers: { 'Idempotency-Key': 'refused' } }))
        .status,
    ).toBe(201);
    await expect(tagId(alice, 'refused')).resolves.toBeDefined();
  });
});
