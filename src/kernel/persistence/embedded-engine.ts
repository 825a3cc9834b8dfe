import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { CopiedFiles, copyCluster, SyncedFiles, type EngineModule } from './embedded-files.js';

/** PostgreSQL's own answer to an error: it jumps out of the query and goes on. Everything else has broken it. */
const HANDLED_ERROR = 100;

/**
 * Without -F, which would switch fsync off; fdatasync (PostgreSQL's choice on Linux) does nothing in PGlite.
 * The stack of the JavaScript engine is smaller than PostgreSQL supposes: with less depth allowed, a deeply nested
 * expression is an error of that statement. The progress timer of a recovery would never end and keep the process
 * from ending. ANALYZE stops everybody while it reads its sample, 300 rows for each step of the statistics' target:
 * at PostgreSQL's 100 for a second, at 20 for a sixth of that. Pages come out of memory, ours or the system's, in any
 * order alike; thinking of a disk, the planner reads all nodes to count those of an owner who has half of them.
 */
const SETTINGS = [
  'wal_sync_method=fsync',
  'max_stack_depth=200kB',
  'log_startup_progress_interval=0',
  'jit=off',
  'default_statistics_target=20',
  'random_page_cost=1.1',
];

/** Nothing can be asked now; later perhaps. With the code of a server that does not take connections at the moment. */
export class DatabaseUnavailable extends Error {
  readonly code = '57P03';

  static stopped(cause: unknown): DatabaseUnavailable {
    return new DatabaseUnavailable('The embedded database stopped and has to recover', { cause });
  }

  static closed(): DatabaseUnavailable {
    return new DatabaseUnavailable('The embedded database is closed');
  }
}

/**
 * A running PostgreSQL in this process: one session, wire protocol in and out. It can break (a full disk or a
 * failed sync while the log is written make PostgreSQL stop on purpose; so does a stack overflow). Then `failure`
 * says why, nothing more gets in, and only a new engine on the same files helps: its recovery brings back exactly
 * what was committed.
 */
export class Engine {
  failure: Error | null = null;
  readonly #pglite: PGlite;
  readonly #module: EngineModule;
  readonly #files: SyncedFiles | null;
  readonly #whenIdle: (() => void)[] = [];
  #readOnly = false;

  private constructor(pglite: PGlite, files: SyncedFiles | null) {
    this.#pglite = pglite;
    this.#module = pglite.Module as unknown as EngineModule;
    this.#files = files;
    this.#watch();
  }

  /** On the cluster in a directory; an empty directory gets a new cluster. */
  static async onDisk(directory: string): Promise<Engine> {
    const files = new SyncedFiles(directory);
    const defaults = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F');
    try {
      return new Engine(await start({ fs: files }, [...defaults, '-c', 'shared_buffers=64MB']), files);
    } catch (error) {
      files.release();
      throw error;
    }
  }

  /** In memory, as a copy of `template` (see snapshot()) or empty. */
  static async inMemory(template?: Buffer): Promise<Engine> {
    const origin: PGliteOptions = template
      ? { fs: new CopiedFiles(template) }
      : { dataDir: 'memory://', initDbStartParams: ['--wal-segsize=1'] };
    return new Engine(await start(origin, [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']), null);
  }

  get inTransaction(): boolean {
    return this.failure === null && this.#module._IsTransactionBlock() !== 0;
  }

  /** Bytes of log written since the start; always 0 in memory. */
  get walBytes(): number {
    return this.#files?.walBytes ?? 0;
  }

  /**
   * Runs messages of the wire protocol and returns PostgreSQL's answer to them. Synchronous: nobody else's
   * statement comes in between, and nothing else in this process happens meanwhile.
   */
  execute(messages: Buffer): Buffer {
    if (this.failure !== null) throw this.failure;
    const answer: Buffer[] = [];
    const onRawData = (bytes: Uint8Array): void => void answer.push(Buffer.from(bytes));
    this.#pglite
      .execProtocolRawStream(messages, { syncToFs: false, onRawData })
      .catch((error: unknown) => this.#fail(error));
    this.#runWaiting();
    return answer.length === 1 ? (answer[0] as Buffer) : Buffer.concat(answer);
  }

  /** Runs `action` when no transaction is open: at once, or after the statement that ends the one that is. */
  whenIdle(action: () => void): void {
    this.#whenIdle.push(action);
    this.#runWaiting();
  }

  /** Makes the session forget everything that the one before has left in it. */
  beginSession(): void {
    if (this.failure !== null) return;
    this.endSession();
    this.#command('DISCARD ALL');
    this.#applyAccess();
  }

  endSession(): void {
    if (this.inTransaction) this.#command('ROLLBACK');
  }

  /** Whether transactions may write, from the next one on. Refused writes fail with code 25006. */
  setReadOnly(readOnly: boolean): void {
    this.#readOnly = readOnly;
    this.whenIdle(() => this.#applyAccess());
  }

  #applyAccess(): void {
    const access = this.#readOnly ? 'READ ONLY' : 'READ WRITE';
    if (this.failure === null) this.#command(`SET SESSION CHARACTERISTICS AS TRANSACTION ${access}`);
  }

  /** Runs one statement whose result is of no interest. */
  #command(text: string): void {
    const length = Buffer.byteLength(text) + 5;
    const message = Buffer.alloc(length + 1);
    message.write('Q');
    message.writeInt32BE(length, 1);
    message.write(text, 5);
    this.execute(message);
  }

  /** A copy of the whole cluster, to start other engines from. */
  snapshot(): Buffer {
    this.#command('CHECKPOINT');
    return copyCluster(this.#module);
  }

  /** Shuts PostgreSQL down in good order, or lets go of the files of a broken one. */
  async close(): Promise<void> {
    this.endSession();
    // PostgreSQL's own timers would go off in here and keep the process from ending.
    this.#module._clear_setitimer();
    if (this.failure === null) {
      await this.#pglite.close();
      this.failure = DatabaseUnavailable.closed();
      return;
    }
    this.#files?.release();
  }

  #runWaiting(): void {
    while (this.#whenIdle.length > 0 && !this.inTransaction) this.#whenIdle.shift()?.();
  }

  /**
   * PGlite's loop takes every exception for a handled error and goes on: after anything else it would spin for
   * ever or never answer. So the exceptions are looked at here, and the way out of that loop is its clean-up.
   */
  #watch(): void {
    const module = this.#module;
    const { stackRestore, _PostgresMainLoopOnce, _PostgresMainLongJmp } = module;
    const { _PostgresSendReadyForQueryIfNecessary, _pgl_pq_flush } = module;
    const guarded = (step: () => void) => (): void => {
      try {
        step();
      } catch (error) {
        if ((error as { status?: number }).status !== HANDLED_ERROR) this.#fail(error);
        throw error;
      }
    };
    const unlessFailed = (step: () => void) => (): void => {
      if (this.failure === null) step();
    };
    module._PostgresMainLoopOnce = guarded(_PostgresMainLoopOnce);
    module._PostgresMainLongJmp = guarded(_PostgresMainLongJmp);
    module._PostgresSendReadyForQueryIfNecessary = unlessFailed(_PostgresSendReadyForQueryIfNecessary);
    module._pgl_pq_flush = unlessFailed(_pgl_pq_flush);
    module.stackRestore = (pointer) => {
      if (this.failure !== null) throw this.failure;
      stackRestore(pointer);
    };
  }

  #fail(cause: unknown): void {
    this.failure ??= DatabaseUnavailable.stopped(cause);
  }
}

/** Spoken to by the wire protocol alone: what PGlite asks the catalogue for its own queries would be for nothing. */
class WireOnly extends PGlite {
  override async _initArrayTypes(): Promise<void> {}
}

async function start(origin: PGliteOptions, parameters: string[]): Promise<PGlite> {
  const startParams = [...parameters, ...SETTINGS.flatMap((setting) => ['-c', setting])];
  const pglite = new WireOnly({ ...origin, startParams, extensions: { vector } });
  await pglite.waitReady;
  return pglite;
}
