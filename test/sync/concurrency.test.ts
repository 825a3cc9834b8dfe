import { Config } from '../../src/config/config.js';
import { Node } from '../../src/graph/index.js';
import { ChangeLog } from '../../src/kernel/changes/change-log.js';
import { newId } from '../../src/kernel/ids.js';
import { Database } from '../../src/kernel/persistence/database.js';
import { sql } from '../../src/kernel/persistence/sql.js';
import { UnitOfWork } from '../../src/kernel/persistence/unit-of-work.js';
import { type Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { Chance, seedOf } from '../properties/random.js';
import { type TestUser, World } from '../support/world.js';
import { pull } from './pages.js';

/** On the embedded database all units come one after the other; there this shows only that nothing is lost. */
const COMMITS = Number(process.env.COMMITS ?? (onPostgres ? 2_000 : 200));
const WRITERS = 16;
const POLLERS = 3;
/** A planted cursor over a serial column must be caught within so many commits. */
const UNTIL_CAUGHT = 20_000;

let world: World;
let alice: TestUser;
let database: Database;
let units: UnitOfWork;
const log = new ChangeLog();
const chance = new Chance(seedOf('commits'));

beforeAll(async () => {
  // Writers hold connections while they dawdle; the pollers need some, too.
  world = await World.startHere({ DATABASE_POOL: String(WRITERS + 8) });
  database = world.nest.get(Database);
  units = world.nest.get(UnitOfWork);
  alice = await world.user();
  expect(world.nest.get(Config).databasePool).toBe(WRITERS + 8);
});
afterAll(() => world.stop());

const born = (): Node =>
  Node.create({ title: 't', node_type: 'note' }, { ownerId: alice.id, id: newId(), createdAt: new Date() });

/** One unit: some changes, somewhere in it a pause, and one in five fails at its end. Says how many changes it kept. */
async function write(inUnit: () => Promise<unknown>): Promise<number> {
  const count = 1 + chance.below(3);
  const [pause, fails] = [chance.below(8) / 1000, chance.once(5)];
  try {
    await units.run(async () => {
      await inUnit();
      await database.write(sql`SELECT pg_sleep(${pause})`);
      for (let i = 0; i < count; i++) {
        const node = born();
        const { id, facts, version } = node;
        log.append({
          ownerId: alice.id,
          entity: 'node',
          entityId: id,
          action: 'created',
          version,
          snapshot: node.snapshot(),
          facts,
        });
      }
      if (fails) throw new Error('rolled back');
    });
    return count;
  } catch (error) {
    if ((error as Error).message === 'rolled back') return 0;
    throw error;
  }
}

async function writers(
  commits: number,
  inUnit: () => Promise<unknown>,
  isOver = () => false,
): Promise<number> {
  let [begun, kept] = [0, 0];
  const one = async (): Promise<void> => {
    while (begun < commits && !isOver()) {
      begun++;
      const count = await write(inUnit);
      kept += count;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, one));
  return kept;
}

/** Follows the feed until it is told that no more comes, and then to its end. */
async function poll(client: Client, isOver: () => boolean): Promise<number[]> {
  const versions: number[] = [];
  let cursor: string | undefined;
  for (;;) {
    const wasOver = isOver();
    const limit = 1 + chance.below(50);
    const page = await pull(client, { limit, ids_only: true, ...(cursor === undefined ? {} : { cursor }) });
    for (const { action, version } of page.changes) {
      expect(action).toBe('create');
      versions.push(version as number);
    }
    cursor = page.cursor as string;
    if (wasOver && !page.has_more) return versions;
  }
}

describe(`${COMMITS} commits of ${WRITERS} writers with pauses and failures`, () => {
  it('reach everybody who polls all the while: none skipped, none twice, contiguous from 1', async () => {
    const app = await alice.lets(await world.app());
    const before = (await alice.get('/sync/status')).body.total_versions as number;
    let isOver = false;
    const pollers = Array.from({ length: POLLERS }, (_, index) =>
      poll(index === 0 ? app : alice, () => isOver),
    );
    const kept = await writers(COMMITS, () => Promise.resolve());
    isOver = true;
    for (const versions of await Promise.all(pollers)) {
      const distinct = new Set(versions);
      const skipped = Array.from({ length: kept }, (_, index) => before + index + 1).filter(
        (one) => !distinct.has(one),
      );
      expect({ count: versions.length, distinct: distinct.size, skipped }).toEqual({
        count: kept,
        distinct: kept,
        skipped: [],
      });
    }
    expect((await alice.get('/sync/status')).body.total_versions).toBe(before + kept);
  }, 1_800_000);

  const serially = onPostgres ? it : it.skip;
  serially(
    'catch a feed over a serial column, which this rig must see skip one',
    async () => {
      await units.run(() => database.write(sql`CREATE TABLE planted (id bigserial PRIMARY KEY)`));
      let skipped = 0;
      let isOver = false;
      const seen = new Set<number>();
      const polling = (async () => {
        for (let last = 0; !isOver && skipped === 0;) {
          const rows = await database.readCommitted<{ id: number; late: number }>(
            sql`SELECT id, (SELECT count(*) FROM planted AS p WHERE p.id <= ${last}) AS late FROM planted WHERE id > ${last} ORDER BY id`,
          );
          if (rows.length > 0) skipped = Math.max(0, (rows[0]?.late ?? 0) - seen.size);
          for (const { id } of rows) seen.add((last = id));
        }
      })();
      await writers(
        UNTIL_CAUGHT,
        () => database.write(sql`INSERT INTO planted DEFAULT VALUES`),
        () => skipped > 0,
      );
      isOver = true;
      await polling;
      expect(skipped).toBeGreaterThan(0);
    },
    60_000,
  );
});
