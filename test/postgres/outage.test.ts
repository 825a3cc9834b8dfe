import { jest } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Client } from '../support/client.js';
import { freshDatabase } from '../support/database.js';
import { ACCOUNT, type Server, Workshop } from '../support/server.js';

// Processes start within two seconds; the limit is for machines with other work.
jest.setTimeout(300_000);
const workshop = new Workshop();
afterEach(() => workshop.clear());

const WRITERS = 8;

/**
 * Clients that write all the time, and record each answer that is neither a success nor a proper "not now".
 */
class Load {
  readonly acknowledged: string[] = [];
  readonly wrong: string[] = [];
  refused = 0;
  private isOver = false;
  private readonly waiting = new Set<() => void>();
  private readonly writers: Promise<void>[];

  constructor(client: Client) {
    this.writers = Array.from({ length: WRITERS }, (_, writer) => this.write(client, writer));
  }

  /** Resolves when this number of further writes has been acknowledged or refused. */
  async until(more: { acknowledged?: number; refused?: number }): Promise<void> {
    const acknowledged = this.acknowledged.length + (more.acknowledged ?? 0);
    const refused = this.refused + (more.refused ?? 0);
    while (this.acknowledged.length < acknowledged || this.refused < refused) {
      await new Promise<void>((changed) => this.waiting.add(changed));
    }
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.writers);
  }

  private async write(client: Client, writer: number): Promise<void> {
    for (let number = 0; !this.isOver; number++) {
      const title = `writer ${writer} ${number}`;
      const { status, text, body } = await client.post('/nodes', { title, node_type: 'NOTE' });
      if (status === 201) this.acknowledged.push(title);
      else if (status === 503 && body.error?.code === 'SERVICE_UNAVAILABLE' && body.error.request_id)
        this.refused++;
      else this.wrong.push(`${status} ${text}`);
      for (const look of this.waiting) look();
      this.waiting.clear();
    }
  }
}

async function begin(url: string): Promise<{ server: Server; client: Client }> {
  const server = await workshop.serve({ DATA_DIR: workshop.folder(), DATABASE_URL: url });
  expect((await server.client().post('/auth/register', ACCOUNT)).status).toBe(201);
  return { server, client: await server.logIn() };
}

async function expectAllThere(client: Client, load: Load): Promise<void> {
  const found = new Set<string>();
  for (let offset = 0, total = 1; offset < total; offset += 100) {
    const { body } = await client.get(`/nodes?limit=100&offset=${offset}&sort=created_at&order=asc`);
    for (const { title } of body.nodes) found.add(title);
    total = body.total;
  }
  expect(load.acknowledged.filter((title) => !found.has(title))).toEqual([]);
  expect(load.wrong).toEqual([]);
}

it('outlives the loss of all its connections, busy and idle', async () => {
  const database = await freshDatabase();
  const { server, client } = await begin(database.url);
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  // Waits until the connections are gone, not only until they are to go.
  const cut = () =>
    admin.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  try {
    // Idle connections are cut first: no request waits on them, so that only the pool can notice.
    expect((await cut()).rowCount).toBeGreaterThan(0);
    expect((await client.get('/nodes')).status).toBe(200);
    const load = new Load(client);
    for (let round = 0; round < 10; round++) {
      await load.until({ acknowledged: 30 });
      await cut();
    }
    await load.until({ acknowledged: 30 });
    await load.end();
    console.log(
      `10 times all connections lost: ${load.acknowledged.length} acknowledged, ${load.refused} times 503`,
    );
    await expectAllThere(client, load);
    expect((await server.kill('SIGTERM')).code).toBe(0);
  } finally {
    await admin.end();
    await workshop.clear();
    await database.drop();
  }
});

const script = 'scripts/services/postgres.sh';

/** A cluster of this test's own, because other tests use the common one. */
describe('PostgreSQL restarted under load', () => {
  const home = mkdtempSync(join(tmpdir(), 'pig-services-'));
  const run = async (command: 'start' | 'stop'): Promise<string> => {
    const environment = { ...process.env, SERVICES_DIR: home, PG_OPTIONS: '' };
    return (await promisify(execFile)('bash', [script, command], { env: environment })).stdout.trim();
  };
  afterAll(async () => {
    await run('stop');
    rmSync(home, { recursive: true, force: true });
  });

  it('answers 503 while it is away, goes on when it is back, and has lost nothing', async () => {
    // PostgreSQL runs under an account of its own where the tests run as root.
    chmodSync(home, 0o755);
    const { server, client } = await begin(await run('start'));
    const load = new Load(client);
    for (let round = 0; round < 3; round++) {
      await load.until({ acknowledged: 50 });
      await run('stop');
      await load.until({ refused: WRITERS });
      expect((await server.client().get('//health/ready')).status).toBe(503);
      expect((await server.client().get('//health/live')).status).toBe(200);
      const started = performance.now();
      await run('start');
      await load.until({ acknowledged: 1 });
      console.log(`back ${Math.round(performance.now() - started)} ms after the command to start PostgreSQL`);
    }
    await load.end();
    console.log(`3 restarts: ${load.acknowledged.length} acknowledged, ${load.refused} times 503`);
    await expectAllThere(client, load);
  }, 300_000);
});
