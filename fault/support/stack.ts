import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { Server } from '../../test/support/server.js';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const SCRIPTS = join(ROOT, 'scripts/services');
/** The same settings as in the image and in `npm start`. */
const { MALLOC } = (await import(pathToFileURL(join(ROOT, 'scripts/malloc.mjs')).href)) as {
  MALLOC: Record<string, string>;
};

/** A PostgreSQL, a Redis and servers of a rig's own, all of which it may kill. */
export class Stack {
  readonly folder = mkdtempSync(join(tmpdir(), 'pig-fault-'));
  databaseUrl = '';
  redisUrl = '';
  readonly #servers = new Set<Server>();
  #admin: pg.Client | null = null;
  #hasS3 = false;

  constructor() {
    // PostgreSQL runs under an account of its own if the rig runs as root.
    chmodSync(this.folder, 0o755);
    mkdirSync(join(this.folder, 'data'));
  }

  async startPostgres(): Promise<void> {
    this.databaseUrl = await this.script('postgres.sh', 'start');
  }

  /** immediate: stops like a crash, without another write. */
  async stopPostgres(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.script('postgres.sh', 'stop', mode);
  }

  async startRedis(): Promise<void> {
    this.redisUrl = await this.script('redis.sh', 'start');
  }

  async killRedis(): Promise<void> {
    const file = join(this.folder, 'redis/redis.pid');
    const pid = Number(readFileSync(file, 'utf8'));
    process.kill(pid, 'SIGKILL');
    rmSync(file);
    // Its port is free once it has ended; without its parent nobody else waits for it.
    while (existsSync(`/proc/${pid}/exe`)) await sleep(10);
  }

  /** @returns the settings that make a server store its files there */
  async startS3(): Promise<Record<string, string>> {
    const exports = await this.script('s3.sh', 'start');
    const of = (name: string): string => new RegExp(`TEST_S3_${name}='(.*)'`).exec(exports)?.[1] ?? '';
    this.#hasS3 = true;
    return {
      S3_BUCKET: of('BUCKET'),
      S3_ENDPOINT: of('ENDPOINT'),
      S3_FORCE_PATH_STYLE: 'true',
      AWS_ACCESS_KEY_ID: of('ACCESS_KEY_ID'),
      AWS_SECRET_ACCESS_KEY: of('SECRET_ACCESS_KEY'),
    };
  }

  async flushRedis(): Promise<void> {
    const client = new Redis(this.redisUrl);
    await client.flushall();
    client.disconnect();
  }

  /** A statement of the rig's own. */
  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (this.#admin === null) {
      this.#admin = new pg.Client({ connectionString: this.databaseUrl });
      this.#admin.on('error', () => (this.#admin = null));
      await this.#admin.connect();
    }
    return (await this.#admin.query<Row>(text, values)).rows;
  }

  /** A server process on the started services. */
  async serve(environment: Record<string, string> = {}): Promise<Server> {
    const server = await Server.start(
      {
        DATA_DIR: join(this.folder, 'data'),
        DATABASE_URL: this.databaseUrl,
        REDIS_URL: this.redisUrl,
        WEBHOOK_ALLOW_PRIVATE: 'true',
        LOG_LEVEL: 'fatal',
        NODE_ENV: 'production',
        ...MALLOC,
        ...environment,
      },
      { root: ROOT },
    );
    this.#servers.add(server);
    void server.ended.then(() => this.#servers.delete(server));
    return server;
  }

  async clear(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.kill()));
    await this.#admin?.end().catch(() => undefined);
    if (this.databaseUrl !== '') await this.stopPostgres('immediate').catch(() => undefined);
    if (this.redisUrl !== '') await this.killRedis().catch(() => undefined);
    if (this.#hasS3) await this.script('s3.sh', 'stop');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async script(...[name, ...args]: [string, ...string[]]): Promise<string> {
    const environment = { ...process.env, SERVICES_DIR: this.folder, PG_DATABASE: 'pig' };
    return (
      await promisify(execFile)('bash', [join(SCRIPTS, name), ...args], { env: environment })
    ).stdout.trim();
  }
}

/** A preload of a server process: `NODE_OPTIONS` for one of `fault/plants`. */
export const preload = (name: string): string =>
  `--import ${new URL(`../../../../fault/plants/${name}.mjs`, import.meta.url).href}`;

export const word = (): string => randomBytes(6).toString('hex');
