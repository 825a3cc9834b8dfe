import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { UnfinishedImports } from '../../src/portability/application/unfinished-imports.js';
import { importLock } from '../../src/portability/infrastructure/import-lock.js';
import { RestoredRowsQueries } from '../../src/portability/infrastructure/restored-rows.queries.js';
import { RestoredChecks } from '../../src/portability/infrastructure/restored-checks.queries.js';
import { exported, imports, zipped } from '../portability/archives.js';
import { codeOf } from '../support/worlds/nodes.js';
import { until } from '../support/until.js';
import { type TestUser, World } from '../support/world.js';

const NODES = 1_500;

/** An owner who is new to a server's statistics, where large accounts are known by name. */
describe('an import into a database whose statistics do not know its owner', () => {
  let world: World;
  let client: pg.Client;
  let archive: Buffer;
  let small: Buffer;
  beforeAll(async () => {
    world = await World.startHere();
    client = new pg.Client({ connectionString: world.nest.get(Config).databaseUrl as string });
    await client.connect();
    const first = await world.user();
    for (let from = 0; from < NODES; from += 100) {
      const nodes = Array.from({ length: 100 }, (_, index) => ({
        title: `node ${from + index}`,
        node_type: 'note',
        tags: [`tag ${index % 7}`],
      }));
      expect((await first.post('/nodes/batch', { nodes })).status).toBe(201);
    }
    archive = await zipped(await exported(first));
    small = await zipped(await exported(await world.user()));
    for (const user of [await world.user(), await world.user()])
      expect((await imports(user, archive)).status).toBe(201);
    await client.query('ANALYZE changes, contributions, nodes, tags');
  });
  afterAll(async () => {
    await client.end();
    await world.stop();
  });

  /** The rows of a table that statements of this transaction have fetched by its indexes. */
  const fetched = async (): Promise<number> => {
    const rows = await world.nest
      .get(Database)
      .read<{ rows: number }>({ text: FETCHED, values: [] } as never);
    return Number(rows[0]?.rows);
  };

  it('checks its rows in a time that grows with their number', async () => {
    const checks = world.nest.get(RestoredChecks);
    const dangling = checks.dangling.bind(checks);
    let rows = Infinity;
    checks.dangling = async (ownerId, slice) => {
      const before = await fetched();
      const found = await dangling(ownerId, slice);
      rows = (await fetched()) - before;
      return found;
    };
    const user = await world.user();
    expect((await imports(user, archive)).status).toBe(201);
    checks.dangling = dangling;
    expect(rows / NODES).toBeGreaterThan(1);
    expect(rows / NODES).toBeLessThan(50);
  });

  it('leaves connections to others, however many people import at once', async () => {
    const checks = world.nest.get(RestoredChecks);
    const dangling = checks.dangling.bind(checks);
    let [underWay, most] = [0, 0];
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    checks.dangling = async (ownerId, slice) => {
      most = Math.max(most, ++underWay);
      await opened;
      return dangling(ownerId, slice).finally(() => underWay--);
    };
    const people = await Promise.all(Array.from({ length: 6 }, () => world.user()));
    const reader = await world.user();
    const all = Promise.all(people.map((user) => imports(user, small)));
    await until(() => most > 0, 'an import checks its rows');
    for (let times = 0; times < 20; times++) expect((await reader.get('/nodes')).status).toBe(200);
    open();
    expect((await all).map(({ status }) => status)).toEqual(people.map(() => 201));
    expect(most).toBeLessThanOrEqual(2);
    checks.dangling = dangling;
  });

  it('accounts whose imports have failed at their end leave a place to others (rule 12.3i)', async () => {
    const checks = world.nest.get(RestoredChecks);
    const dangling = checks.dangling.bind(checks);
    const [failing, other] = [[await world.user(), await world.user()], await world.user()];
    let open = (): void => undefined;
    let opened = Promise.resolve();
    let underWay = 0;
    checks.dangling = async (ownerId, slice) => {
      if (ownerId === other.id) return dangling(ownerId, slice);
      underWay++;
      await opened;
      return 'nodes';
    };
    const fail = () => Promise.all(failing.map((user) => imports(user, small)));
    const failed = failing.map(() => [400, 'INVALID_ARCHIVE']);
    expect((await fail()).map(codeOf)).toEqual(failed);
    opened = new Promise((resolve) => (open = resolve));
    const again = fail();
    await until(() => underWay > failing.length, 'an import checks its rows');
    expect((await imports(other, small)).status).toBe(201);
    open();
    expect((await again).map(codeOf)).toEqual(failed);
    checks.dangling = dangling;
  });

  it('refuses writes to the log of its account at once, so that nobody waits with a connection (rule 12.3n)', async () => {
    const [owner, sharer] = [await world.user(), await world.user()];
    const [rows, database] = [world.nest.get(RestoredRowsQueries), world.nest.get(Database)];
    await world.nest.get(UnfinishedImports).begin(owner.id);
    const [answers, waiting] = await world.nest.get(UnitOfWork).run(async () => {
      await rows.hold(owner.id);
      const found: unknown[] = [];
      let isOver = false;
      const all = Promise.all([
        sharer.post('/sharing', { shared_with_user_id: owner.id, scope: 'all' }),
        sharer.post('/follows', { target_user_id: owner.id }),
        owner.post('/nodes', { title: 'beside', node_type: 'note' }),
      ]).finally(() => (isOver = true));
      while (!isOver) found.push(...(await database.readCommitted(WAITING)));
      return [await all, found] as const;
    });
    expect(answers.map(codeOf)).toEqual(answers.map(() => [503, 'SERVICE_UNAVAILABLE']));
    expect(waiting).toEqual([]);
  });

  it('refuses a share and a follow that begin while it marks its account, whose log would lack them (rule 12.3n)', async () => {
    const [owner, sharer] = [await world.user(), await world.user()];
    const begun = () => [
      sharer.post('/sharing', { shared_with_user_id: owner.id, scope: 'all' }),
      sharer.post('/follows', { target_user_id: owner.id }),
    ];
    const answers = await world.nest.get(UnitOfWork).run(async () => {
      await world.nest.get(Database).write(sql`SELECT pg_advisory_xact_lock(${importLock(owner.id)})`);
      return Promise.all(begun());
    });
    expect(answers.map(codeOf)).toEqual(answers.map(() => [503, 'SERVICE_UNAVAILABLE']));
    expect((await Promise.all(begun())).map(({ status }) => status)).toEqual([201, 201]);
    const { rows } = await client.query(
      `SELECT entity, action FROM changes WHERE owner_id = $1 AND entity IN ('share', 'follow') ORDER BY entity`,
      [owner.id],
    );
    expect(rows).toEqual([
      { entity: 'follow', action: 'created' },
      { entity: 'share', action: 'created' },
    ]);
  });

  it('leaves no closed account behind when its process dies (rule 12.3b)', async () => {
    const marked = async ({ id }: TestUser): Promise<unknown[]> =>
      (await client.query('SELECT id FROM sequences WHERE id = $1 AND is_importing', [id])).rows;
    const [owner, sharer, other] = [await world.user(), await world.user(), await world.user()];
    for (const { id } of [owner, other]) await world.nest.get(UnfinishedImports).begin(id);
    expect([(await marked(owner)).length, (await marked(other)).length]).toEqual([1, 1]);
    expect((await owner.post('/nodes', { title: 'later', node_type: 'note' })).status).toBe(201);
    expect((await sharer.post('/sharing', { shared_with_user_id: other.id, scope: 'all' })).status).toBe(201);
    expect([await marked(owner), await marked(other)]).toEqual([[], []]);
  });

  it('refuses an archive when a write has come between the mark of its import and the first row (rule 12.3b)', async () => {
    const owner = await world.user();
    const unfinished = world.nest.get(UnfinishedImports);
    const { begin } = unfinished;
    unfinished.begin = async (id) => {
      await begin.call(unfinished, id);
      expect((await owner.post('/nodes', { title: 'between', node_type: 'note' })).status).toBe(201);
    };
    expect(codeOf(await imports(owner, small))).toEqual([409, 'ACCOUNT_NOT_EMPTY']);
    unfinished.begin = begin;
    expect(codeOf(await imports(owner, small))).toEqual([409, 'ACCOUNT_NOT_EMPTY']);
  });

  it('leaves statistics by which the next reads are planned', async () => {
    const user: TestUser = await world.user();
    expect((await imports(user, archive)).status).toBe(201);
    const isKnown = async (): Promise<boolean> => {
      const { rows } = await client.query(
        `SELECT most_common_vals::text LIKE '%' || $1 || '%' AS is_known FROM pg_stats
          WHERE tablename = 'changes' AND attname = 'owner_id'`,
        [user.id],
      );
      return rows[0].is_known as boolean;
    };
    await until(isKnown, 'the statistics know the person');
  });
});

const WAITING = sql`SELECT wait_event FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const FETCHED = `SELECT sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int AS rows FROM pg_stat_xact_user_tables`;
