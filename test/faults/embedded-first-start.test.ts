import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '../support/client.js';
import { Server, Workshop } from '../support/server.js';
import { until } from '../support/until.js';

// Processes start within two seconds; the limit is for machines with other work.
jest.setTimeout(300_000);
const workshop = new Workshop();
afterAll(() => workshop.clear());

const SHOWN = /curl -H 'X-API-Key: ([^']+)' -H 'X-User-ID: ([^']+)' '(http:[^']+)'\n/;

/** Sends the request of the printed curl line to a service on another port than the one that printed it. */
async function ask(line: RegExpExecArray, { origin }: Server) {
  const [, key, user, url] = line as unknown as [string, string, string, string];
  const { pathname, search } = new URL(url);
  return new Client(origin, { 'X-API-Key': key, 'X-User-ID': user }).get(`/${pathname}${search}`);
}

const begin = (directory: string): Server =>
  workshop.keep(new Server('main.js', { PORT: '0', DATA_DIR: directory }));

/** @param shown the last line that the killed process printed */
async function expectGoodStart(directory: string, shown: RegExpExecArray | null): Promise<void> {
  const second = await workshop.serve({ DATA_DIR: directory });
  const works = shown !== null && (await ask(shown, second)).status === 200;
  // A line that was printed but not committed is printed again.
  const line = works ? shown : await second.printed(SHOWN);
  const { status, body } = await ask(line, second);
  expect(status).toBe(200);
  expect(body.total).toBeGreaterThan(0);
  expect((await second.kill('SIGTERM')).code).toBe(0);
  const third = await workshop.serve({ DATA_DIR: directory });
  expect((await ask(line, third)).status).toBe(200);
  expect(third.stdout).not.toMatch(SHOWN);
  await third.kill();
}

describe('npm start', () => {
  it.each([
    ['is being made', 'database/postgres.new/PG_VERSION'],
    ['has just been made', 'database/postgres'],
  ])(
    'killed on the first start, the next one is good, and the curl line shown last works when the cluster %s',
    async (_, trace) => {
      const directory = workshop.folder();
      const first = begin(directory);
      await until(() => first.hasEnded || existsSync(join(directory, trace)), `${trace} exists`);
      await first.kill();
      await expectGoodStart(directory, SHOWN.exec(first.stdout));
    },
  );

  const later: [string, (server: Server) => Promise<unknown>][] = [
    ['it listens', (server) => server.listening()],
    [
      'the demo is being made',
      (server) => server.listening().then(() => server.client().get('//health/live')),
    ],
    ['the demo has been shown', (server) => server.printed(SHOWN)],
  ];
  it.each(later)(
    'killed on the first start, the next one is good, and the curl line shown last works when %s',
    async (_, moment) => {
      const directory = await workshop.emptyDirectory();
      const first = begin(directory);
      await moment(first);
      await first.kill();
      await expectGoodStart(directory, SHOWN.exec(first.stdout));
    },
  );
});

it('the curl line works when it is pasted', async () => {
  const server = await workshop.serve({ DATA_DIR: await workshop.emptyDirectory() });
  const [line] = await server.printed(SHOWN);
  const { stdout } = await promisify(execFile)('sh', ['-c', line.replace(/^curl/, 'curl -sS')]);
  const { nodes, total } = JSON.parse(stdout);
  expect(nodes.length).toBeGreaterThan(0);
  expect(total).toBe(nodes.length);
});
