import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImportWarning, UnreadableSource } from './imported-graph.js';
import { reasonOf } from './reason.js';
import { NOTE_EXTENSION } from './link-resolver.js';

export interface VaultFile {
  /** Relative to the vault, `/` between folders, Unicode NFC: the same on every system. */
  path: string;
  location: string;
  kind: 'note' | 'attachment';
  bytes: number;
  created: Date;
  modified: Date;
}

export type VaultEntry = { file: VaultFile } | { warning: ImportWarning };

/** Larger text files are not considered handwritten notes. */
const MAX_NOTE_BYTES = 16 * 1024 * 1024;

/**
 * All files of a vault in alphabetical order, folders in depth, without names that begin with a dot and
 * node_modules. Symbolic links are not followed: their targets inside the vault are listed anyway (a second
 * copy would be a duplicate), those outside are not part of it, and no loop is possible.
 */
export async function* walkVault(root: string): AsyncGenerator<VaultEntry> {
  const top = await realpath(root).catch((error: unknown) => {
    throw new UnreadableSource(`cannot read ${root}: ${reasonOf(error)}`);
  });
  yield* new VaultWalk().folder(top, '');
}

class VaultWalk {
  private readonly taken = new Set<string>();

  async *folder(location: string, path: string): AsyncGenerator<VaultEntry> {
    let entries: Dirent[];
    try {
      entries = await readdir(location, { withFileTypes: true });
    } catch (error) {
      if (path === '') throw new UnreadableSource(`cannot read ${location}: ${reasonOf(error)}`);
      yield warn('unreadable', path, reasonOf(error));
      return;
    }
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      yield* this.entry(entry, join(location, entry.name), inner);
    }
  }

  private async *entry(entry: Dirent, location: string, path: string): AsyncGenerator<VaultEntry> {
    if (entry.isDirectory()) {
      yield* this.folder(location, path);
    } else if (entry.isSymbolicLink()) {
      yield warn('link_not_followed', path, 'symbolic links are not followed');
    } else if (entry.isFile()) {
      yield await this.file(location, path);
    } else {
      yield warn('unreadable', path, 'neither file nor folder');
    }
  }

  private async file(location: string, path: string): Promise<VaultEntry> {
    try {
      const { size, birthtime, mtime } = await stat(location);
      // Copying a file gives it a new creation time and keeps its modification time: the older one is the
      // better guess.
      const created = birthtime.getTime() > 0 && birthtime < mtime ? birthtime : mtime;
      const kind = NOTE_EXTENSION.test(path) ? 'note' : 'attachment';
      const file = {
        path: this.nameOf(path),
        location,
        kind,
        bytes: size,
        created,
        modified: mtime,
      } as const;
      return { file };
    } catch (error) {
      return warn('unreadable', path, reasonOf(error));
    }
  }

  /** Two names that differ only in Unicode form keep their own spelling. */
  private nameOf(path: string): string {
    const normal = path.normalize('NFC');
    const name = this.taken.has(normal) ? path : normal;
    this.taken.add(name);
    return name;
  }
}

/**
 * The text of a note, or the reason why it has none. Only UTF-8, with or without a byte order mark, is
 * text.
 */
export async function readText(file: VaultFile): Promise<{ text: string } | { warning: ImportWarning }> {
  if (file.bytes > MAX_NOTE_BYTES) {
    return warn('too_large', file.path, `${file.bytes} bytes; at most ${MAX_NOTE_BYTES} are read`);
  }
  let bytes: Buffer;
  try {
    bytes = await readFile(file.location);
  } catch (error) {
    return warn('unreadable', file.path, reasonOf(error));
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return warn('not_text', file.path, 'not UTF-8');
  }
}

function warn(code: ImportWarning['code'], ref: string, message: string): { warning: ImportWarning } {
  return { warning: { code, ref, message } };
}
