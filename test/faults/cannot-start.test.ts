import { jest } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshDatabase, onPostgres } from '../support/database.js';
import { freePort } from '../support/ports.js';
import { ACCOUNT, type ServiceProcess, Workshop } from '../support/server.js';
import { ENTRIES, refusal } from './refusals.js';

// Processes start within two seconds; the limit is for machines with other work.
jest.setTimeout(300_000);
const workshop = new Workshop();
afterAll(() => workshop.clear());

describe.each(ENTRIES)('$name', ({ entry, args, says }) => {
  const start = (environment: Record<string, string>, root?: string): ServiceProcess =>
    workshop.run(entry, { PORT: '0', ...environment }, { root, args });

  it('says when the database is down, without the password', async () => {
    const port = await freePort();
    const url = `postgres://somebody:s3cret-password@localhost:${port}/pig`;
    const line = await refusal(start({ DATA_DIR: workshop.folder(), DATABASE_URL: url }));
    expect(line).toContain(`${says}the database cannot be used: connect ECONNREFUSED`);
    expect(line).toContain(`:${port}`);
    expect(line).not.toContain('s3cret');
  });

  it('refuses a migration that fails, undoes all of it, and starts when it is repaired', async () => {
    const database = onPostgres ? await freshDatabase() : null;
    const environment = { DATA_DIR: await workshop.usedDirectory(), DATABASE_URL: database?.url ?? '' };
    const root = workshop.packageFolder();
    const migration = join(root, 'migrations/9999999999999-planted.sql');
    try {
      if (database) await register(environment);
      writeFileSync(
        migration,
        "CREATE TABLE planted (id int);\nUPDATE users SET password_hash = '';\nSELECT * FROM nowhere;\n",
      );
      const line = await refusal(start(environment, root));
      expect(line).toBe(
        `${says}migration 9999999999999-planted.sql failed: relation "nowhere" does not exist`,
      );
      // After a repair the migration can make the table: the first attempt left none behind, and its account
      // is still free.
      writeFileSync(migration, 'CREATE TABLE planted (id int);\n');
      const server = await workshop.serve(environment, { root });
      await server.logIn();
      await server.kill('SIGTERM');
    } finally {
      await database?.drop();
    }
  });
});

async function register(environment: Record<string, string>): Promise<void> {
  const server = await workshop.serve(environment);
  expect((await server.client().post('/auth/register', ACCOUNT)).status).toBe(201);
  await server.kill('SIGTERM');
}
