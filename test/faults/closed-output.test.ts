import { jest } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import { freshDatabase, onPostgres } from '../support/database.js';
import { freePort } from '../support/ports.js';
import { Server, Workshop } from '../support/server.js';

// Processes start within two seconds; the limit is for machines with other work.
jest.setTimeout(300_000);
const workshop = new Workshop();
const database = onPostgres ? await freshDatabase() : null;
const settings = await workshop.settings(database);
afterAll(async () => {
  await workshop.clear();
  await database?.drop();
});

/** Polls until the server is ready, or until the process has ended. */
async function isReady(server: Server): Promise<boolean> {
  while (!server.hasEnded) {
    const answer = await server
      .client()
      .get('//health/ready')
      .catch(() => null);
    if (answer?.status === 200) return true;
    await setTimeout(10);
  }
  return false;
}

it('serves and stops in good order though nobody reads what it prints', async () => {
  const port = await freePort();
  const server = workshop.keep(new Server('main.js', { ...settings, PORT: String(port) }));
  server.stopReading();
  server.origin = `http://127.0.0.1:${port}`;
  expect(await isReady(server)).toBe(true);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
