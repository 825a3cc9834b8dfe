import { jest } from '@jest/globals';
import { freshDatabase, onPostgres } from '../support/database.js';
import { freePort } from '../support/ports.js';
import { Server, Workshop } from '../support/server.js';
import { until } from '../support/until.js';

// Processes start within two seconds; the limit is for machines with other work.
jest.setTimeout(300_000);
const workshop = new Workshop();
const database = onPostgres ? await freshDatabase() : null;
const settings = await workshop.settings(database);
afterAll(async () => {
  await workshop.clear();
  await database?.drop();
});

const isReady = async (server: Server): Promise<boolean> => {
  const answer = server.client().get('//health/ready');
  return (await answer.catch(() => null))?.status === 200;
};

it('the service serves and stops in good order though nobody reads its output', async () => {
  const port = await freePort();
  const server = workshop.keep(new Server('main.js', { ...settings, PORT: String(port) }));
  server.stopReading();
  server.origin = `http://127.0.0.1:${port}`;
  await until(async () => server.hasEnded || (await isReady(server)), 'the server is ready or has ended');
  expect(server.hasEnded).toBe(false);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
