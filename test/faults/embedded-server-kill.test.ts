import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client } from '../support/client.js';
import { Server } from '../support/server.js';

const KILLS = Number(process.env.KILLS ?? 20);
const WRITERS = 8;
const BATCH = 20;

describe('kill -9 under load, embedded database', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pig-kill-'));
  let server: Server;
  afterAll(async () => {
    await server?.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  const start = async () => (server = await Server.start({ DATA_DIR: directory }));

  /** Writes until the connection breaks; what was answered is what must be there afterwards. */
  async function write(client: Client, writer: number, round: number, acknowledged: Set<string>): Promise<void> {
    for (let number = 0; ; number++) {
      const title = `r${round} w${writer} n${number}`;
      const isBatch = writer === 0;
      const body = { title, node_type: 'NOTE', tags: ['load'] };
      const sent = isBatch
        ? client.post('/nodes/batch', { nodes: Array.from({ length: BATCH }, (_, index) => ({ ...body, title: `${title} b${index}` })) })
        : client.post('/nodes', body);
      const answer = await sent.catch(() => null);
      if (answer === null) return;
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      acknowledged.add(title);
    }
  }

  async function titles(client: Client): Promise<Set<string>> {
    const found = new Set<string>();
    for (let offset = 0; ; offset += 100) {
      const { body } = await client.get(`/nodes?limit=100&offset=${offset}&sort=created_at&order=asc`);
      for (const { title } of body.nodes) found.add(title);
      if (body.nodes.length < 100) return found;
    }
  }

  it(`loses no acknowledged write and keeps no half batch in ${KILLS} kills`, async () => {
    await start();
    const account = { email: 'a@example.org', username: 'alice', password: 'correct horse battery' };
    expect((await server.client().post('/auth/register', account)).status).toBe(201);
    const acknowledged = new Set<string>();
    const starts: number[] = [];
    for (let round = 0; round < KILLS; round++) {
      const token = (await server.client().post('/auth/login', account)).body.access_token as string;
      const client = server.client({ Authorization: `Bearer ${token}` });
      const before = acknowledged.size;
      const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(client, writer, round, acknowledged)));
      const enough = before + 20 + Math.floor(Math.random() * 60);
      while (acknowledged.size < enough) await new Promise((resolve) => setImmediate(resolve));
      await server.kill();
      await writing;
      await start();
      starts.push(server.startedIn);
    }
    const token = (await server.client().post('/auth/login', account)).body.access_token as string;
    const found = await titles(server.client({ Authorization: `Bearer ${token}` }));
    const lost = [...acknowledged].filter((title) => !found.has(title) && !found.has(`${title} b0`));
    const batches = new Map<string, number>();
    for (const title of found) {
      const name = / b\d+$/.test(title) ? title.replace(/ b\d+$/, '') : null;
      if (name) batches.set(name, (batches.get(name) ?? 0) + 1);
    }
    console.log(`${acknowledged.size} acknowledged writes, ${KILLS} kills, slowest start ${Math.max(...starts)} ms`);
    expect(lost).toEqual([]);
    expect([...batches.values()].filter((size) => size !== BATCH)).toEqual([]);
  }, 600_000);

  it('refuses a second process on the same directory with one line', async () => {
    await expect(Server.start({ DATA_DIR: directory })).rejects.toThrow('ended before it listened');
  });
});
