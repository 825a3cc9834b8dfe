import { jest } from '@jest/globals';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server as Listener } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type ServiceProcess, Workshop } from '../support/server.js';
import { ENTRIES, refusal } from './refusals.js';

// Processes start within two seconds; the limit is for machines with other work.
jest.setTimeout(300_000);
const workshop = new Workshop();
afterAll(() => workshop.clear());

describe.each(ENTRIES)('$name', ({ entry, args, says }) => {
  const start = (environment: Record<string, string>): ServiceProcess =>
    workshop.run(entry, { PORT: '0', ...environment }, { args });

  it.each([
    ['PORT', '70000', 'an integer from 0 to 65535'],
    ['JWT_PRIVATE_KEY', 'secret', 'a P-256 (prime256v1) private key in PEM'],
  ])('refuses a wrong %s', async (name, value, expected) => {
    const directory = await workshop.usedDirectory();
    const line = await refusal(start({ DATA_DIR: directory, [name]: value }));
    expect(line).toBe(`${says}configuration: ${name} must be ${expected}`);
    // A failed start removes even its lock.
    const lock = join(directory, 'database/lock');
    expect(existsSync(lock) ? readdirSync(lock) : []).toEqual([]);
  });

  it('refuses a data directory that another process works in; that one goes on', async () => {
    const directory = await workshop.usedDirectory();
    const first = await workshop.serve({ DATA_DIR: directory });
    expect(await refusal(start({ DATA_DIR: directory }))).toContain(
      `${says}The data directory ${directory}/database is in use by another process (pid ${first.pid}); stop that one`,
    );
    await first.logIn();
    await first.kill();
    await (await workshop.serve({ DATA_DIR: directory })).logIn();
  });
});

describe('npm start', () => {
  const start = (environment: Record<string, string>): ServiceProcess =>
    workshop.run('main.js', { PORT: '0', ...environment });

  it('says when the port is taken, and gives the data directory free', async () => {
    const directory = await workshop.usedDirectory();
    const other = await listening();
    const { port } = other.address() as AddressInfo;
    const line = await refusal(start({ DATA_DIR: directory, PORT: String(port), LOG_LEVEL: 'info' }));
    other.close();
    expect(line).toBe(`cannot start: listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
    expect(existsSync(join(directory, 'database/postgres/postmaster.pid'))).toBe(false);
    await workshop.serve({ DATA_DIR: directory });
  });

  it('says when the data directory cannot be one', async () => {
    const file = join(workshop.folder(), 'file');
    writeFileSync(file, '');
    const places = [file, join(file, 'below')];
    // No user can create anything there; creating a whole path there never ends.
    if (process.platform === 'linux') places.push('/proc/none', '/proc/none/below', '/proc/1');
    for (const place of places) {
      const line = await refusal(start({ DATA_DIR: place }));
      expect(line).toMatch(
        /^cannot start: configuration: DATA_DIR cannot be used, \S+ cannot be made or written: E/,
      );
    }
  });

  it('says which file in the data directory is damaged, and leaves it alone', async () => {
    const directory = await workshop.usedDirectory();
    const file = join(directory, 'encryption-key');
    writeFileSync(file, 'short');
    expect(await refusal(start({ DATA_DIR: directory }))).toMatch(
      /^cannot start: configuration: .*encryption-key/,
    );
    rmSync(file);
    await workshop.serve({ DATA_DIR: directory });
  });

  it('says that the embedded database is damaged', async () => {
    const directory = workshop.folder();
    mkdirSync(join(directory, 'database/postgres/base'), { recursive: true });
    writeFileSync(join(directory, 'database/postgres/PG_VERSION'), 'nonsense');
    expect(await refusal(start({ DATA_DIR: directory }))).toContain(
      `cannot start: the embedded database in ${directory}/database cannot be opened: `,
    );
  });
});

async function listening(): Promise<Listener> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((ready) => server.once('listening', ready));
  return server;
}
