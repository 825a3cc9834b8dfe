import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliver, type Received, Receiver } from '../delivery/receiver.js';
import { emptyDatabase, freshDatabase, onPostgres } from '../support/database.js';
import { Workshop } from '../support/server.js';
import { World } from '../support/world.js';
import { pull } from '../sync/pages.js';
import { compared, exported } from './archives.js';
import { fullAccount } from './full-account.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** Reads that take no id, but for those that tell of the asking, seal what they tell, or never end. */
const DOORS = Object.entries(
  (JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: Record<string, object> }).paths,
)
  .filter(([path, operations]) => 'get' in operations && !path.includes('{'))
  .map(([path]) => path.replace('/api/v1', ''))
  .filter((path) => !/^\/(health|metrics|\.well-known)|access-log|export|events|stream|sync$/.test(path));

type Settings = Record<'DATA_DIR' | 'DATABASE_URL', string>;

describe('pg_dump and pg_restore', () => {
  const workshop = new Workshop();
  const databases: { drop: () => Promise<void> }[] = [];
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterAll(async () => {
    await receiver.stop();
    await workshop.clear();
    for (const { drop } of databases) await drop();
  });

  async function place(): Promise<Settings> {
    const database = onPostgres ? await freshDatabase() : null;
    if (database !== null) databases.push(database);
    return workshop.settings(database);
  }

  /** A copy of all that a stopped service has, elsewhere. */
  async function restored({ DATA_DIR, DATABASE_URL }: Settings): Promise<Settings> {
    const folder = workshop.folder();
    if (!onPostgres) {
      cpSync(DATA_DIR, folder, { recursive: true });
      return { DATA_DIR: folder, DATABASE_URL };
    }
    const [empty, dump] = [await emptyDatabase(), join(workshop.folder(), 'graph.dump')];
    databases.push(empty);
    execFileSync('pg_dump', ['--format=custom', `--file=${dump}`, DATABASE_URL]);
    cpSync(DATA_DIR, folder, { recursive: true });
    execFileSync('pg_restore', ['--no-owner', `--dbname=${empty.url}`, dump]);
    return { DATA_DIR: folder, DATABASE_URL: empty.url };
  }

  async function inWorld<T>(settings: Settings, work: (world: World) => Promise<T>): Promise<T> {
    const world = await World.startHere(settings);
    try {
      return await work(world);
    } finally {
      await world.stop();
    }
  }

  /** The answers to both users at every endpoint without an id, at some with one, and in an export. */
  async function toldTo(
    world: World,
    { user, app, file, nodes, group }: Kept,
  ): Promise<[string, ...unknown[]][]> {
    const paths = [
      ...DOORS,
      ...[`/nodes/${nodes[0]}`, `/nodes/${nodes[0]}/history`],
      ...[`/raw-files/${file}/download`, `/groups/${group}/nodes`, '/nodes?search=kept&include_tags=true'],
    ];
    const told: [string, number, string][] = [];
    for (const path of paths)
      for (const caller of [user, app]) {
        const { status, text } = await world.api.with({ ...caller, 'X-Request-ID': 'asked' }).get(path);
        // The access log is written behind the answers, at a time of its own.
        told.push([path, status, text.replace(/"last_used_at":[^,}]+/g, '')]);
      }
    return [...told, ...compared(await exported(world.api.with(user)))];
  }

  /** Credentials and ids, which outlive the world in which they were made. */
  interface Kept {
    user: Record<string, string>;
    app: Record<string, string>;
    file: string;
    nodes: string[];
    group: string;
  }

  async function inhabited(world: World): Promise<Kept> {
    const { user, app, ...ids } = await fullAccount(world, 'kept');
    return {
      ...ids,
      user: { Authorization: `Bearer ${user.token}` },
      app: { 'X-API-Key': app.apiKey, 'X-User-ID': user.id },
    };
  }

  it('a backup, made and restored as docs/operating.md says goes on: rules, tokens and keys, files, history, replicas, and webhooks that were due', async () => {
    const first = await place();
    const { kept, told, cursor, tokens } = await inWorld(first, async (world) => {
      const account = await inhabited(world);
      const app = world.api.with(account.app);
      const subscription = { webhook_url: receiver.url, events: ['node.created'], secret: SECRET };
      expect((await app.post('/webhooks/subscribe', subscription)).status).toBeLessThan(300);
      await world.api.with(account.user).post('/nodes', { title: 'kept and due', node_type: 'NOTE' });
      const credentials = { email: 'kept@example.org', password: 'correct horse battery' };
      return {
        kept: account,
        tokens: (await world.api.post('/auth/login', credentials)).body,
        cursor: (await pull(app)).cursor as string,
        told: await toldTo(world, account),
      };
    });
    expect(told.filter((answer) => answer[1] === 200).length).toBeGreaterThan(30);
    expect(receiver.received).toEqual([]);
    await inWorld(await restored(first), async (world) => {
      expect(await toldTo(world, kept)).toEqual(told);
      expect((await pull(world.api.with(kept.app), { cursor })).changes).toEqual([]);
      const { refresh_token } = tokens;
      expect((await world.api.post('/auth/refresh', { refresh_token })).status).toBe(200);
      await deliver(world);
      // Deliveries about two things have no order (docs/webhooks.md).
      expect([...receiver.told].sort()).toEqual(['node.created kept and due', 'node.created kept once']);
      const { headers, text } = receiver.received[0] as Received;
      const signature = `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`;
      expect(headers['x-service-signature']).toBe(signature);
      // The log continues after its last number, and replicas with it.
      await world.api.with(kept.user).post('/nodes', { title: 'after it', node_type: 'NOTE' });
      const { changes } = await pull(world.api.with(kept.app), { cursor });
      expect(changes.map((entry: { node: { title: string } }) => entry.node.title)).toEqual(['after it']);
    });
  });

  it('a backup, made and restored as docs/operating.md says of an earlier moment refuses the cursors of later ones', async () => {
    const first = await place();
    const kept = await inWorld(first, inhabited);
    const earlier = await restored(first);
    const cursor = await inWorld(first, async (world) => {
      await world.api.with(kept.user).post('/nodes', { title: 'later', node_type: 'NOTE' });
      return (await pull(world.api.with(kept.app))).cursor as string;
    });
    await inWorld(earlier, async (world) => {
      const { status, body } = await world.api
        .with(kept.app)
        .get(`/sync?cursor=${encodeURIComponent(cursor)}`);
      expect([status, body.error.code]).toEqual([400, 'INVALID_CURSOR']);
    });
  });
});
