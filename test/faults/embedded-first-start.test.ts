import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '../support/client.js';
import { Server, Workshop } from '../support/server.js';

const workshop = new Workshop();
afterEach(() => workshop.clear());

const SHOWN = /curl -H 'X-API-Key: ([^']+)' -H 'X-User-ID: ([^']+)' '(http:[^']+)'\n/;

/** What the curl line asks for, from a service on another port than the one that printed it. */
async function ask(line: RegExpExecArray, { origin }: Server) {
  const [, key, user, url] = line as unknown as [string, string, string, string];
  const { pathname, search } = new URL(url);
  return new Client(origin, { 'X-API-Key': key, 'X-User-ID': user }).get(`/${pathname}${search}`);
}

const begin = (directory: string): Server =>
  workshop.keep(new Server('main.js', { PORT: '0', DATA_DIR: directory }));

/** Looks until it is so, or until the process has ended. */
async function until(server: Server, isSo: () => boolean): Promise<void> {
  while (!isSo() && !server.hasEnded) await new Promise((resolve) => setImmediate(resolve));
}

const MOMENTS: [string, (server: Server, directory: string) => Promise<unknown>][] = [
  [
    'the cluster is being made',
    (server, directory) =>
      until(server, () => existsSync(join(directory, 'database/postgres.new/PG_VERSION'))),
  ],
  [
    'the cluster has been made',
    (server, directory) => until(server, () => existsSync(join(directory, 'database/postgres'))),
  ],
  ['it listens', (server) => server.listening()],
  ['the demo is being made', (server) => server.listening().then(() => server.client().get('//health/live'))],
  ['the demo has been shown', (server) => server.printed(SHOWN)],
];

it.each(MOMENTS)(
  'killed when %s, the next start is good, and the curl line shown last works',
  async (_, moment) => {
    const directory = workshop.folder();
    const first = begin(directory);
    await moment(first, directory);
    await first.kill();
    const second = await workshop.serve({ DATA_DIR: directory });
    // With a demo there is a user, and no other is introduced; killed while it said so, it has or it has not.
    const shown = first.stdout.match(SHOWN) as RegExpExecArray | null;
    const works = shown !== null && (await ask(shown, second)).status === 200;
    const line = works ? shown : await second.printed(SHOWN);
    const { status, body } = await ask(line, second);
    expect(status).toBe(200);
    expect(body.total).toBeGreaterThan(0);
    expect((await second.kill('SIGTERM')).code).toBe(0);
    const third = await workshop.serve({ DATA_DIR: directory });
    expect((await ask(line, third)).status).toBe(200);
    expect(third.stdout).not.toMatch(SHOWN);
  },
);

it('the curl line works when it is pasted', async () => {
  const server = await workshop.serve({ DATA_DIR: workshop.folder() });
  const [line] = await server.printed(SHOWN);
  const { stdout } = await promisify(execFile)('sh', ['-c', line.replace(/^curl/, 'curl -sS')]);
  const { nodes, total } = JSON.parse(stdout);
  expect(nodes.length).toBeGreaterThan(0);
  expect(total).toBe(nodes.length);
});
