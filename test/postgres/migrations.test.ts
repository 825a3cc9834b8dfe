import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { Database } from '../../src/kernel/database/database.js';
import { migrate } from '../../src/kernel/database/migrations.js';
import { freshDatabase } from '../support/database.js';

describe('upgrades', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  afterAll(() => fresh.drop());

  async function migrated(): Promise<string[]> {
    const database = await Database.open(new Config({ DATABASE_URL: fresh.url }), []);
    try {
      return await migrate(database);
    } finally {
      await database.close();
    }
  }

  it('migrations are those of the schema in which tables are made, whatever else is in the search path', async () => {
    expect(await migrated()).toEqual([]);
    const admin = new pg.Client({ connectionString: fresh.url });
    await admin.connect();
    await admin.query(`CREATE SCHEMA tenant;
      DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = tenant, public', current_database()); END $$`);
    await admin.end();
    expect((await migrated()).length).toBeGreaterThan(0);
    expect(await migrated()).toEqual([]);
  });
});
