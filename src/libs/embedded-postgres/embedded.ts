import { existsSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { ensurePrivateDirectory } from '../private-directory.js';
import { DatabaseUnavailable } from './database-unavailable.js';
import { DiskReserve } from './disk.js';
import { lockDirectory } from './lock.js';
import { Maintenance } from './maintenance.js';
import { EngineSocket } from './socket.js';
import { EngineThread } from './thread.js';
import { syncPath, syncTree } from './synced-paths.js';

/**
 * PostgreSQL inside this process, in a thread of its own. The reasons for this design:
 * docs/adr/0002-embedded-database.md.
 */
export interface EmbeddedDatabase {
  /**
   * Configuration of a `pg` Pool, or TypeORM's `extra`. Exactly one connection: holding it is what isolates
   * transactions. A caller that holds it and requests a second one gets an error after 30 seconds.
   */
  readonly poolConfig: pg.PoolConfig;
  /**
   * A text that changes with each commit, before PostgreSQL answers it, and sometimes without one. Null in memory,
   * where no log is visible.
   */
  readonly logPosition: string | null;
  /**
   * Runs CHECKPOINT, and VACUUM or ANALYZE of tables that changed enough. Also runs by itself; waits for open
   * transactions.
   */
  checkpoint(): Promise<void>;
  /** Milliseconds for which the statement of the one connection has run; 0 while it waits, or without one. */
  readonly runningMs: number;
  /** Ends the statement of the one connection with an error (57014), as a cancel request to a server does. */
  cancel(): void;
  /**
   * A copy of the whole cluster. As a file it is a template: 'memory://<path>' starts from it in a tenth of the time.
   */
  snapshot(): Promise<Buffer>;
  /** Rolls back an open transaction, shuts PostgreSQL down cleanly and releases the directory. */
  close(): Promise<void>;
}

const ACQUIRE_TIMEOUT_MS = 30_000;
/** Starting takes a third of a second of CPU time, so a database that keeps stopping waits in between. */
const RESTART_PAUSE_MS = 2_000;

const MEMORY = 'memory://';

/**
 * Opens the database in `location`: a directory, which is created if it is missing, or 'memory://', or 'memory://<path
 * of a template>'.
 *
 * A commit is on the disk before the caller is answered. A directory has one process at a time; after a kill the next
 * one starts at once and finds every committed row.
 *
 * @param statementMs limits the time of a statement outside of a transaction (57014)
 * @throws DataDirectoryLocked within a second; DirectoryUnusable
 */
export async function openEmbedded(location: string, statementMs = Infinity): Promise<EmbeddedDatabase> {
  if (location.startsWith(MEMORY)) {
    const path = location.slice(MEMORY.length);
    const engine = await EngineThread.start({ template: path === '' ? null : path }, statementMs);
    return new Embedded(engine, null);
  }
  const directory = resolve(location);
  await ensurePrivateDirectory(directory);
  const release = await lockDirectory(directory);
  try {
    const start = (): Promise<EngineThread> =>
      EngineThread.start({ directory: join(directory, 'postgres') }, statementMs);
    await initialise(directory);
    return new Embedded(await start(), { directory, start, release });
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Creates a new cluster beside its final path and moves it there when it is complete, so that a kill cannot leave half
 * a cluster.
 */
async function initialise(directory: string): Promise<void> {
  const cluster = join(directory, 'postgres');
  const beside = join(directory, 'postgres.new');
  await rm(beside, { recursive: true, force: true });
  if (existsSync(cluster)) return;
  await chmod(directory, 0o700);
  const engine = await EngineThread.start({ directory: beside, isOnlyMade: true });
  await engine.close();
  await syncTree(beside);
  await rename(beside, cluster);
  await syncPath(directory);
  await syncPath(dirname(directory));
}

/** The directory of a database on disk; one in memory has none. */
interface Home {
  directory: string;
  start: () => Promise<EngineThread>;
  release: () => Promise<void>;
}

class Embedded implements EmbeddedDatabase {
  readonly poolConfig: pg.PoolConfig;
  readonly #maintenance: Maintenance;
  readonly #disk: DiskReserve | null;
  #owner: EngineSocket | null = null;
  #restarting: Promise<EngineThread> | null = null;
  #startedAt = performance.now() - RESTART_PAUSE_MS;
  #closing: Promise<void> | null = null;
  #starts = 1;

  constructor(
    private engine: EngineThread,
    private readonly home: Home | null,
  ) {
    this.poolConfig = {
      ...this.#client(() => this.#newOwner()),
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: ACQUIRE_TIMEOUT_MS,
      // Queries of a lost connection are rejected; the additional event would end the process.
      onConnect: (client) => void client.on('error', () => undefined),
    };
    const guest = (): pg.Client =>
      new pg.Client(this.#client(() => new EngineSocket('guest', () => this.#running())));
    this.#maintenance = new Maintenance(
      guest,
      () => this.engine.walBytes,
      () => this.#disk?.isShort ?? false,
    );
    if (home) this.#maintenance.start();
    this.#disk = home ? new DiskReserve(home.directory, () => this.#adaptToDisk()) : null;
    this.#adaptToDisk();
  }

  get logPosition(): string | null {
    return this.home === null ? null : `${this.#starts}:${this.engine.walBytes}`;
  }

  checkpoint(): Promise<void> {
    return this.#maintenance.run();
  }

  get runningMs(): number {
    return this.engine.runningMs;
  }

  cancel(): void {
    this.engine.cancel('owner');
  }

  async snapshot(): Promise<Buffer> {
    const engine = await this.#running();
    return engine.snapshot();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#disk?.stop();
    await this.#maintenance.stop();
    await this.#restarting?.catch(() => undefined);
    try {
      this.#owner?.destroy();
      await this.engine.close();
    } finally {
      await this.home?.release();
    }
  }

  /** Sets everything that pg would otherwise take from the environment. */
  #client(socket: () => EngineSocket): pg.ClientConfig {
    const stream = socket as unknown as pg.ClientConfig['stream'];
    return { host: 'localhost', port: 5432, user: 'postgres', database: 'postgres', ssl: false, stream };
  }

  #newOwner(): EngineSocket {
    if (this.#owner?.isOpen) {
      const taken = new Error('The embedded database has one connection, and it is taken');
      return new EngineSocket('owner', () => Promise.reject(taken));
    }
    this.#owner = new EngineSocket('owner', () => this.#running());
    return this.#owner;
  }

  /** The engine. A broken one is replaced, and its recovery restores the committed state. */
  async #running(): Promise<EngineThread> {
    if (this.#closing) throw DatabaseUnavailable.closed();
    if (this.engine.failure === null) return this.engine;
    this.#restarting ??= this.#restart(this.engine.failure).finally(() => (this.#restarting = null));
    return this.#restarting;
  }

  async #restart(failure: Error): Promise<EngineThread> {
    if (this.home === null || performance.now() - this.#startedAt < RESTART_PAUSE_MS) throw failure;
    this.#startedAt = performance.now();
    await this.engine.close();
    this.engine = await this.home.start().catch((error: unknown) => {
      throw DatabaseUnavailable.stopped(error);
    });
    this.#starts++;
    this.#adaptToDisk();
    return this.engine;
  }

  #adaptToDisk(): void {
    if (this.#disk && this.engine.failure === null)
      this.engine.setReadOnly(this.#disk.isShort).catch(() => undefined);
  }
}
