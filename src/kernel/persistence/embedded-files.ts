import type { PGlite } from '@electric-sql/pglite';
import { MemoryFS } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { closeSync, fsyncSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

/** What of PGlite's WebAssembly module is touched here. Not its public interface, so the version is pinned. */
export interface EngineModule {
  FS: {
    filesystems: { NODEFS: NodeFiles };
    streams: ({ nfd?: number } | null | undefined)[];
    mkdirTree(path: string): void;
    writeFile(path: string, data: Uint8Array): void;
    readFile(path: string): Uint8Array;
    readdir(path: string): string[];
    isDir(mode: number): boolean;
    stat(path: string): { mode: number };
  };
  stackRestore: (pointer: number) => void;
  _PostgresMainLoopOnce: () => void;
  _PostgresMainLongJmp: () => void;
  _PostgresSendReadyForQueryIfNecessary: () => void;
  _pgl_pq_flush: () => void;
  _IsTransactionBlock: () => number;
  _clear_setitimer: () => void;
}

interface OpenFile {
  nfd: number;
  node: { parent: { name: string } };
}

interface NodeFiles {
  stream_ops: {
    fsync?: (file: OpenFile) => number;
    write: (file: OpenFile, buffer: Uint8Array, offset: number, length: number, position?: number) => number;
  };
  tryFSOperation<T>(operation: () => T): T;
}

type Preparation = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts'];

/** Where PGlite sees its cluster, whatever keeps it. */
const CLUSTER = '/pglite/data';

/**
 * A directory as PGlite's disk, with the one thing PGlite's own NodeFS leaves out: fsync reaches the disk
 * (without it every COMMIT is acknowledged out of the page cache). Directories are synced through the same door,
 * which is what PostgreSQL itself does after each rename that has to last.
 */
export class SyncedFiles extends NodeFS {
  /** Bytes of write-ahead log since the start: what a restart after a crash might have to read again. */
  walBytes = 0;

  override async init(pglite: PGlite, options: Preparation): Promise<{ emscriptenOpts: Preparation }> {
    const { emscriptenOpts } = await super.init(pglite, options);
    return { emscriptenOpts: before(emscriptenOpts, (module) => this.#attach(module.FS.filesystems.NODEFS)) };
  }

  /** Closes what a PostgreSQL that can no longer be shut down has left open. */
  release(): void {
    const module = this.pg?.Module as unknown as EngineModule | undefined;
    for (const file of module?.FS.streams ?? []) {
      if (file?.nfd === undefined) continue;
      closeSync(file.nfd);
      delete file.nfd;
    }
  }

  #attach(files: NodeFiles): void {
    const { write } = files.stream_ops;
    files.stream_ops.write = (file, buffer, offset, length, position) => {
      if (file.node.parent.name === 'pg_wal') this.walBytes += length;
      return write(file, buffer, offset, length, position);
    };
    files.stream_ops.fsync = (file) =>
      files.tryFSOperation(() => {
        fsyncSync(file.nfd);
        return 0;
      });
  }
}

/** A cluster in memory that begins as the copy of another one, which is much faster than initdb. */
export class CopiedFiles extends MemoryFS {
  constructor(private readonly template: Buffer) {
    super();
  }

  override async init(pglite: PGlite, options: Preparation): Promise<{ emscriptenOpts: Preparation }> {
    const { emscriptenOpts } = await super.init(pglite, options);
    const entries = deserialize(this.template) as [path: string, data: Uint8Array | null][];
    const copy = ({ FS: files }: EngineModule): void => {
      for (const [path, data] of entries) {
        if (data === null) files.mkdirTree(CLUSTER + path);
        else files.writeFile(CLUSTER + path, data);
      }
    };
    return { emscriptenOpts: before(emscriptenOpts, copy) };
  }
}

/** The whole cluster of a module, in the form that CopiedFiles takes. */
export function copyCluster({ FS: files }: EngineModule): Buffer {
  const entries: [path: string, data: Uint8Array | null][] = [];
  const walk = (path: string): void => {
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

/** Syncs a directory with everything in it to the disk. */
export async function syncTree(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    await (entry.isDirectory() ? syncTree(child) : syncPath(child));
  }
  await syncPath(path);
}

/** Syncs one file, or the list of names in a directory. Windows has no such thing as the latter. */
export async function syncPath(path: string): Promise<void> {
  try {
    const file = await open(path, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  }
}

function before(options: Preparation, action: (module: EngineModule) => void): Preparation {
  const run = (module: unknown): void => action(module as EngineModule);
  return { ...options, preRun: [...(options.preRun ?? []), run] };
}
