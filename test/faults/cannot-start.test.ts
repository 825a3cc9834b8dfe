import { createServer } from 'node:http';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freshDatabase, onPostgres } from '../support/database.js';
import { type ServiceProcess, Workshop } from '../support/server.js';

const workshop = new Workshop();
afterAll(() => workshop.clear());

const ENTRIES = [
  { name: 'the server', entry: 'main.js', args: [] as string[], says: 'cannot start: ' },
  { name: 'migrate', entry: 'cli/main.js', args: ['migrate'], says: 'error: ' },
];

/** The end of a process that cannot start: exit 1, nothing but one line. */
async function refusal(process: ServiceProcess): Promise<string> {
  expect(await process.ended).toEqual({ code: 1, signal: null });
  expect(process.stdout).toBe('');
  expect(process.stderr).toMatch(/^[^\n]+\n$/);
  return process.stderr.trimEnd();
}

describe.each(ENTRIES)('$name', ({ entry, args, says }) => {
  const start = (environment: Record<string, string>, root?: string): ServiceProcess =>
    workshop.run(entry, { PORT: '0', ...environment }, { root, args });

  it.each([
    ['PORT', '70000', 'an integer from 0 to 65535'],
    ['DATABASE_URL', 'mysql://127.0.0.1/x', 'a URL that begins with postgres:// or postgresql:// or memory://'],
    ['ENCRYPTION_KEY', 'c2hvcnQ=', '32 bytes in base64'],
    ['JWT_PRIVATE_KEY', 'secret', 'a P-256 (prime256v1) private key in PEM'],
  ])('refuses a wrong %s in one line', async (name, value, expected) => {
    const line = await refusal(start({ DATA_DIR: workshop.folder(), [name]: value }));
    expect(line).toBe(`${says}configuration: ${name} must be ${expected}`);
  });

  it('says when the data directory cannot be one', async () => {
    const file = join(workshop.folder(), 'file');
    writeFileSync(file, '');
    expect(await refusal(start({ DATA_DIR: file }))).toMatch(/E(NOTDIR|EXIST)/);
  });

  it('says which file in the data directory is damaged, and leaves it alone', async () => {
    const directory = workshop.folder();
    writeFileSync(join(directory, 'encryption-key'), 'short');
    expect(await refusal(start({ DATA_DIR: directory }))).toMatch(/^[^:]+: configuration: .*encryption-key/);
    rmSync(join(directory, 'encryption-key'));
    await workshop.serve({ DATA_DIR: directory });
  });

  it('says that the embedded database is damaged', async () => {
    const directory = workshop.folder();
    mkdirSync(join(directory, 'database/postgres/base'), { recursive: true });
    writeFileSync(join(directory, 'database/postgres/PG_VERSION'), 'nonsense');
    expect(await refusal(start({ DATA_DIR: directory }))).toContain(join(directory, 'database'));
  });

  it.each(['127.0.0.1', 'localhost'])('says when the database is down (%s)', async (host) => {
    const port = await closedPort();
    const url = `postgres://somebody:s3cret-password@${host}:${port}/pig`;
    const line = await refusal(start({ DATA_DIR: workshop.folder(), DATABASE_URL: url }));
    expect(line).toMatch(`${says}the database cannot be used: connect ECONNREFUSED`);
    expect(line).toMatch(`:${port}`);
    expect(line).not.toMatch('s3cret');
  });

  it('refuses a data directory that another process works in; that one goes on', async () => {
    const directory = workshop.folder();
    const first = await workshop.serve({ DATA_DIR: directory });
    const line = await refusal(start({ DATA_DIR: directory }));
    expect(line).toMatch(/^.*: The data directory .+ is in use by another process \(pid \d+\); stop that one/);
    expect((await first.client().get('//health/ready')).status).toBe(200);
    await first.kill();
    await workshop.serve({ DATA_DIR: directory });
  });

  it('refuses a migration that fails, undoes all of it, and starts when it is repaired', async () => {
    const database = onPostgres ? await freshDatabase() : { url: '', drop: async () => undefined };
    const environment = { DATA_DIR: workshop.folder(), DATABASE_URL: database.url };
    const root = workshop.packageFolder();
    const migration = join(root, 'migrations/9999999999999-planted.sql');
    try {
      const account = await register(environment);
      writeFileSync(migration, 'CREATE TABLE planted (id int);\nINSERT INTO users SELECT FROM nowhere;\n');
      const line = await refusal(start(environment, root));
      expect(line).toBe(
        `${says}migration 9999999999999-planted.sql failed: relation "nowhere" does not exist`,
      );
      // Without the planted file all is as it was.
      await logIn(environment, account);
      // With a repaired one the table can be made: the first attempt left none behind.
      writeFileSync(migration, 'CREATE TABLE planted (id int);\n');
      await logIn(environment, account, root);
    } finally {
      await workshop.clear();
      await database.drop();
    }
  });
});

it('the server says when the port is taken, and gives the data directory free', async () => {
  const directory = workshop.folder();
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => other.once('listening', listening));
  const { port } = other.address() as AddressInfo;
  const line = await refusal(workshop.run('main.js', { DATA_DIR: directory, PORT: String(port) }));
  other.close();
  expect(line).toBe(`cannot start: listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
  expect(existsSync(join(directory, 'database/postgres/postmaster.pid'))).toBe(false);
  await workshop.serve({ DATA_DIR: directory });
});

async function register(environment: Record<string, string>) {
  const account = { email: 'alice@example.org', username: 'alice', password: 'correct horse battery' };
  const server = await workshop.serve(environment);
  expect((await server.client().post('/auth/register', account)).status).toBe(201);
  await server.kill('SIGTERM');
  return account;
}

async function logIn(environment: Record<string, string>, account: object, root?: string): Promise<void> {
  const server = await workshop.serve(environment, { root });
  expect((await server.client().post('/auth/login', account)).status).toBe(200);
  await server.kill('SIGTERM');
}

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
