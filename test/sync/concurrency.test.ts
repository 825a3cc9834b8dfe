import { type Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { Chance, seedOf } from '../properties/random.js';
import { type TestUser, type World } from '../support/world.js';
import { pull } from './pages.js';
import { WRITERS, worldOfWriters, Writers } from './writers.js';

/** The embedded database runs units one after the other; there this only shows that nothing is lost. */
const COMMITS = Number(process.env.COMMITS ?? (onPostgres ? 2_000 : 200));
const POLLERS = 3;

let world: World;
let alice: TestUser;
const chance = new Chance(seedOf('commits'));

beforeAll(async () => {
  world = await worldOfWriters();
  alice = await world.user();
});
afterAll(() => world.stop());

/** Follows the feed until it is over, and then to its end. */
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
  it('all commits reach every polling client: none skipped, none twice, contiguous from 1', async () => {
    const app = await alice.lets(await world.app());
    const before = (await alice.get('/sync/status')).body.total_versions as number;
    let isOver = false;
    const pollers = Array.from({ length: POLLERS }, (_, index) =>
      poll(index === 0 ? app : alice, () => isOver),
    );
    const kept = await new Writers(world, alice, chance).commit(COMMITS);
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
});
