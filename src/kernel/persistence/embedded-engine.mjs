// @ts-check
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { CopiedFiles, copyCluster, SyncedFiles } from './embedded-files.mjs';

/** @typedef {import('./embedded-files.mjs').EngineModule} EngineModule */
/** @typedef {import('@electric-sql/pglite').PGliteOptions} PGliteOptions */

/** PostgreSQL's own answer to an error: it jumps out of the query and goes on. Everything else has broken it. */
const HANDLED_ERROR = 100;

/**
 * Without -F, which would switch fsync off; fdatasync (PostgreSQL's choice on Linux) does nothing in PGlite.
 * The stack of the JavaScript engine is smaller than PostgreSQL supposes: with less depth allowed, a deeply nested
 * expression is an error of that statement. The progress timer of a recovery would never end and keep the thread
 * from ending. ANALYZE stops everybody while it reads its sample, 300 rows for each step of the statistics' target:
 * at PostgreSQL's 100 for a second, at 20 for a sixth of that. New words wait in a list until they are put into their
 * index all at once, while everybody waits; each search reads that list. Pages come out of memory, ours or the system's, in any
 * order alike; thinking of a disk, the planner reads all nodes to count those of an owner who has half of them.
 */
const SETTINGS = [
  'wal_sync_method=fsync',
  'max_stack_depth=200kB',
  'log_startup_progress_interval=0',
  'jit=off',
  'default_statistics_target=20',
  'random_page_cost=1.1',
  'gin_pending_list_limit=256kB',
];

/**
 * A running PostgreSQL in this thread: one session, wire protocol in and out. It can break (a full disk or a
 * failed sync while the log is written make PostgreSQL stop on purpose; so does a stack overflow). Then `failure`
 * says why, nothing more gets in, and only a new engine on the same files helps: its recovery brings back exactly
 * what was committed.
 */
export class Engine {
  /** @type {unknown} */
  failure = null;
  /** @type {PGlite} */
  #pglite;
  /** @type {EngineModule} */
  #module;
  /** @type {SyncedFiles | null} */
  #files;
  /** @type {Int32Array} */
  #memory;
  #readOnly = false;

  /** @param {PGlite} pglite @param {SyncedFiles | null} files */
  constructor(pglite, files) {
    this.#pglite = pglite;
    this.#module = /** @type {EngineModule} */ (/** @type {unknown} */ (pglite.Module));
    this.#files = files;
    this.#memory = new Int32Array(this.#module.wasmMemory.buffer);
    this.#watch();
  }

  /**
   * On the cluster in a directory; an empty directory gets a new cluster.
   * @param {string} directory
   * @param {(bytes: number) => void} wroteLog hears of each write to the write-ahead log
   */
  static async onDisk(directory, wroteLog) {
    const files = new SyncedFiles(directory, wroteLog);
    const defaults = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F');
    try {
      return new Engine(await start({ fs: files }, [...defaults, '-c', 'shared_buffers=32MB']), files);
    } catch (error) {
      files.release();
      throw error;
    }
  }

  /**
   * In memory, as a copy of `template` (see snapshot()) or empty.
   * @param {Uint8Array | null} template
   */
  static async inMemory(template) {
    const origin = template
      ? { fs: new CopiedFiles(template) }
      : { dataDir: 'memory://', initDbStartParams: ['--wal-segsize=1'] };
    return new Engine(await start(origin, [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']), null);
  }

  /** Its memory, and where in it are the flags (32 bits each) that end the statement under way when they are set. */
  get interrupts() {
    const { _QueryCancelPending, _InterruptPending } = this.#module;
    return {
      memory: this.#module.wasmMemory.buffer,
      flags: [_QueryCancelPending / 4, _InterruptPending / 4],
    };
  }

  get inTransaction() {
    return this.failure === null && this.#module._IsTransactionBlock() !== 0;
  }

  /**
   * Runs messages of the wire protocol and returns PostgreSQL's answer to them; a failed engine answers nothing more.
   * @param {Uint8Array} messages
   * @returns {Uint8Array}
   */
  execute(messages) {
    if (this.failure !== null) return new Uint8Array();
    // One that was to end the statement before may have come too late for it.
    for (const flag of this.interrupts.flags) Atomics.store(this.#memory, flag, 0);
    /** @type {Uint8Array[]} */
    const answer = [];
    this.#pglite
      .execProtocolRawStream(messages, {
        syncToFs: false,
        onRawData: (bytes) => void answer.push(new Uint8Array(bytes)),
      })
      .catch((/** @type {unknown} */ error) => this.#fail(error));
    return answer.length === 1 ? /** @type {Uint8Array} */ (answer[0]) : joined(answer);
  }

  /** Makes the session forget everything that the one before has left in it. */
  beginSession() {
    if (this.failure !== null) return;
    this.endSession();
    this.#command('DISCARD ALL');
    this.#applyAccess();
  }

  endSession() {
    if (this.inTransaction) this.#command('ROLLBACK');
  }

  /**
   * Whether transactions may write, from the next one on. Refused writes fail with code 25006. Not within a transaction.
   * @param {boolean} readOnly
   */
  setReadOnly(readOnly) {
    this.#readOnly = readOnly;
    this.#applyAccess();
  }

  /** A copy of the whole cluster, to start other engines from. */
  snapshot() {
    this.#command('CHECKPOINT');
    return copyCluster(this.#module);
  }

  /** Shuts PostgreSQL down in good order, or lets go of the files of a broken one. */
  async close() {
    this.endSession();
    // PostgreSQL's own timers would go off in here and keep the thread from ending.
    this.#module._clear_setitimer();
    if (this.failure === null) await this.#pglite.close();
    else this.#files?.release();
  }

  #applyAccess() {
    this.#command(
      `SET SESSION CHARACTERISTICS AS TRANSACTION ${this.#readOnly ? 'READ ONLY' : 'READ WRITE'}`,
    );
  }

  /**
   * Runs one statement whose result is of no interest.
   * @param {string} text
   */
  #command(text) {
    const length = Buffer.byteLength(text) + 5;
    const message = Buffer.alloc(length + 1);
    message.write('Q');
    message.writeInt32BE(length, 1);
    message.write(text, 5);
    this.execute(message);
  }

  /**
   * PGlite's loop takes every exception for a handled error and goes on: after anything else it would spin for
   * ever or never answer. So the exceptions are looked at here, and the way out of that loop is its clean-up.
   */
  #watch() {
    const module = this.#module;
    const { stackRestore, _PostgresMainLoopOnce, _PostgresMainLongJmp } = module;
    const { _PostgresSendReadyForQueryIfNecessary, _pgl_pq_flush } = module;
    /** @param {() => void} step */
    const guarded = (step) => () => {
      try {
        step();
      } catch (error) {
        if (/** @type {{ status?: number }} */ (error).status !== HANDLED_ERROR) this.#fail(error);
        throw error;
      }
    };
    /** @param {() => void} step */
    const unlessFailed = (step) => () => {
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

  /** @param {unknown} cause */
  #fail(cause) {
    this.failure ??= cause ?? new Error('stopped without a reason');
  }
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Spoken to by the wire protocol alone: what PGlite asks the catalogue for its own queries would be for nothing. */
class WireOnly extends PGlite {
  /** @override */
  async _initArrayTypes() {}
}

/** @param {PGliteOptions} origin @param {string[]} parameters @returns {Promise<PGlite>} */
async function start(origin, parameters) {
  const startParams = [...parameters, ...SETTINGS.flatMap((setting) => ['-c', setting])];
  const pglite = new WireOnly({ ...origin, startParams, extensions: { vector } });
  await pglite.waitReady;
  return pglite;
}
