// @ts-check
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { CopiedFiles, copyCluster, SyncedFiles } from './files.mjs';

/** @typedef {import('./files.mjs').EngineModule} EngineModule */
/** @typedef {import('@electric-sql/pglite').PGliteOptions} PGliteOptions */

/**
 * The status of an error that PostgreSQL handles itself: it jumps out of the query and continues. Any other exception
 * has broken it.
 */
const HANDLED_ERROR = 100;

/**
 * Settings of the embedded PostgreSQL. Without -F, which would switch fsync off; fdatasync (PostgreSQL's default on
 * Linux) does nothing in PGlite. The stack of the JavaScript engine is smaller than PostgreSQL assumes: with a lower
 * limit a deeply nested expression is an error of its statement only. The progress timer of a recovery would never end
 * and would keep the thread alive. ANALYZE blocks all callers while it reads its sample, 300 rows for each step of the
 * statistics target: a second at PostgreSQL's 100, a sixth of that at 20. New words wait in a list until they are moved
 * to their index all at once, while all callers wait, and each search reads that list. Pages come from memory, ours or
 * the system's, equally fast in any order; with the costs of a disk the planner would read all nodes to count those of
 * an owner who has half of them.
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
 * A running PostgreSQL in this thread: one session, wire protocol in and out. It can break (a full disk or a failed
 * sync during a write of the log makes PostgreSQL stop on purpose; so does a stack overflow). Then `failure` holds the
 * reason, further messages are ignored, and only a new engine on the same files helps: its recovery restores exactly
 * the committed state.
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
   * An engine on the cluster in a directory; an empty directory gets a new cluster.
   * @param {string} directory
   * @param {(bytes: number) => void} wroteLog is called for each write to the write-ahead log
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
   * An engine in memory, a copy of `template` (see snapshot()) or empty.
   * @param {Uint8Array | null} template
   */
  static async inMemory(template) {
    const origin = template
      ? { fs: new CopiedFiles(template) }
      : { dataDir: 'memory://', initDbStartParams: ['--wal-segsize=1'] };
    return new Engine(await start(origin, [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']), null);
  }

  /**
   * Its memory, and the positions in it of the flags (32 bits each) that cancel the running statement when they are
   * set.
   */
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
   * Runs messages of the wire protocol and returns PostgreSQL's answer to them; a failed engine returns nothing.
   * @param {Uint8Array} messages
   * @returns {Uint8Array}
   */
  execute(messages) {
    if (this.failure !== null) return new Uint8Array();
    // A cancellation of the statement before may have come too late for it.
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

  /** Resets everything that the previous session left behind. */
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
   * Sets if transactions may write, from the next one on. Refused writes fail with code 25006. Not within a
   * transaction.
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

  /** Shuts PostgreSQL down cleanly, or releases the files of a broken one. */
  async close() {
    this.endSession();
    // PostgreSQL's own timers would fire in here and keep the thread alive.
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
   * Runs one statement and ignores its result.
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
   * Detects exceptions that break the engine. PGlite's loop takes every exception for a handled error and continues:
   * after any other it would spin forever or never answer. So exceptions are checked here, and the only exit from that
   * loop is its clean-up.
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

/** A PGlite used by the wire protocol alone: the catalogue lookups for its own queries would be wasted. */
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
