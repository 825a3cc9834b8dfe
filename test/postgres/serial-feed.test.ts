import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { Chance, seedOf } from '../properties/random.js';
import { type World } from '../support/world.js';
import { WRITERS, worldOfWriters, Writers } from '../sync/writers.js';

/** The number of commits within which a planted cursor over a serial column must be caught. */
const UNTIL_CAUGHT = 20_000;

describe(`commits of ${WRITERS} writers with pauses and failures`, () => {
  let world: World;
  let database: Database;
  beforeAll(async () => {
    world = await worldOfWriters();
    database = world.nest.get(Database);
  });
  afterAll(() => world.stop());

  it('commits of several writers catch a feed over a serial column, which this rig must see skip one', async () => {
    await world.nest
      .get(UnitOfWork)
      .run(() => database.write(sql`CREATE TABLE planted (id bigserial PRIMARY KEY)`));
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
    await new Writers(world, await world.user(), new Chance(seedOf('commits'))).commit(
      UNTIL_CAUGHT,
      () => database.write(sql`INSERT INTO planted DEFAULT VALUES`),
      () => skipped > 0,
    );
    isOver = true;
    await polling;
    expect(skipped).toBeGreaterThan(0);
  }, 60_000);
});
