// @ts-check
import { MemoryFS } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { closeSync, fsyncSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';

/** @typedef {import('@electric-sql/pglite').PGlite} PGlite */
/** @typedef {Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts']} Preparation */
/** @typedef {{ nfd: number, node: { parent: { name: string } } }} OpenFile */

/**
 * @typedef {object} NodeFiles
 * @property {{
 *   fsync?: (file: OpenFile) => number,
 *   write: (file: OpenFile, buffer: Uint8Array, offset: number, length: number, position?: number) => number,
 * }} stream_ops
 * @property {<T>(operation: () => T) => T} tryFSOperation
 */

/**
 * The parts of PGlite's WebAssembly module that are touched here. Not its public interface, so the version is pinned.
 * @typedef {object} EngineModule
 * @property {{
 *   filesystems: { NODEFS: NodeFiles },
 *   streams: ({ nfd?: number } | null | undefined)[],
 *   mkdirTree(path: string): void,
 *   writeFile(path: string, data: Uint8Array): void,
 *   readFile(path: string): Uint8Array,
 *   readdir(path: string): string[],
 *   isDir(mode: number): boolean,
 *   stat(path: string): { mode: number },
 * }} FS
 * @property {{ buffer: SharedArrayBuffer }} wasmMemory
 * @property {(pointer: number) => void} stackRestore
 * @property {() => void} _PostgresMainLoopOnce
 * @property {() => void} _PostgresMainLongJmp
 * @property {() => void} _PostgresSendReadyForQueryIfNecessary
 * @property {() => void} _pgl_pq_flush
 * @property {() => number} _IsTransactionBlock
 * @property {() => void} _clear_setitimer
 * @property {number} _InterruptPending address of PostgreSQL's flag
 * @property {number} _QueryCancelPending address of PostgreSQL's flag
 */

/** The mount point of PGlite's cluster, on any file system. */
const CLUSTER = '/pglite/data';

/**
 * A directory as PGlite's disk, with the one thing PGlite's own NodeFS leaves out: fsync reaches the disk (without it
 * every COMMIT would be acknowledged from the page cache). Directories are synced in the same way, as PostgreSQL itself
 * does after each rename that has to last.
 */
export class SyncedFiles extends NodeFS {
  /** @type {(bytes: number) => void} */
  #wroteLog;

  /**
   * @param {string} directory
   * @param {(bytes: number) => void} wroteLog is called for each write to the write-ahead log
   */
  constructor(directory, wroteLog) {
    super(directory);
    this.#wroteLog = wroteLog;
  }

  /** @override @param {PGlite} pglite @param {Preparation} options */
  async init(pglite, options) {
    const { emscriptenOpts } = await super.init(pglite, options);
    return {
      emscriptenOpts: before(emscriptenOpts, (module) => this.#attach(module.FS.filesystems.NODEFS)),
    };
  }

  /** Closes the files of a PostgreSQL that can no longer shut down. */
  release() {
    const module = /** @type {EngineModule | undefined} */ (/** @type {unknown} */ (this.pg?.Module));
    for (const file of module?.FS.streams ?? []) {
      if (file?.nfd === undefined) continue;
      closeSync(file.nfd);
      delete file.nfd;
    }
  }

  /** @param {NodeFiles} files */
  #attach(files) {
    const { write } = files.stream_ops;
    files.stream_ops.write = (file, buffer, offset, length, position) => {
      if (file.node.parent.name === 'pg_wal') this.#wroteLog(length);
      return write(file, buffer, offset, length, position);
    };
    files.stream_ops.fsync = (file) =>
      files.tryFSOperation(() => {
        fsyncSync(file.nfd);
        return 0;
      });
  }
}

/** A cluster in memory that begins as a copy of another one, which is much faster than initdb. */
export class CopiedFiles extends MemoryFS {
  /** @type {Uint8Array} */
  #template;

  /** @param {Uint8Array} template */
  constructor(template) {
    super();
    this.#template = template;
  }

  /** @override @param {PGlite} pglite @param {Preparation} options */
  async init(pglite, options) {
    const { emscriptenOpts } = await super.init(pglite, options);
    const entries = /** @type {[path: string, data: Uint8Array | null][]} */ (deserialize(this.#template));
    return {
      emscriptenOpts: before(emscriptenOpts, ({ FS: files }) => {
        for (const [path, data] of entries) {
          if (data === null) files.mkdirTree(CLUSTER + path);
          else files.writeFile(CLUSTER + path, data);
        }
      }),
    };
  }
}

/**
 * A copy of a module's whole cluster, in the form that CopiedFiles takes.
 * @param {EngineModule} module
 */
export function copyCluster({ FS: files }) {
  /** @type {[path: string, data: Uint8Array | null][]} */
  const entries = [];
  /** @param {string} path */
  const walk = (path) => {
    if (!files.isDir(files.stat(CLUSTER + path).mode)) {
      entries.push([path, files.readFile(CLUSTER + path)]);
      return;
    }
    entries.push([path, null]);
    for (const name of files.readdir(CLUSTER + path))
      if (name !== '.' && name !== '..') walk(`${path}/${name}`);
  };
  walk('');
  return serialize(entries);
}

/** @param {Preparation} options @param {(module: EngineModule) => void} action @returns {Preparation} */
function before(options, action) {
  /** @param {unknown} module */
  const run = (module) => action(/** @type {EngineModule} */ (module));
  return { ...options, preRun: [...(options.preRun ?? []), run] };
}
