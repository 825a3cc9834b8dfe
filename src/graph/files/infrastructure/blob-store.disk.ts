import { constants, createReadStream, type Dirent } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { isId } from '../../../kernel/ids.js';
import { RoomShare, type SpoolRoom } from '../../../kernel/spool/spool-room.js';
import { syncDirectory, writeSynced } from '../../../kernel/synced-files.js';
import { BlobMissing, type BlobStore, type ByteRange, type StoredBlob } from '../application/blob-store.js';

/** A reader who has stopped holds several of these. */
const READ_BYTES = 64 * 1024;

/**
 * Blobs as files below one directory: written in `incoming`, synced, renamed to `blobs/<first two of the
 * key>/<key>`, and the directory synced, so that a name always refers to whole and durable bytes.
 */
export class DiskBlobStore implements BlobStore {
  private readonly incoming: string;
  private readonly blobs: string;

  /** @param room the room on the disk for files that are not complete */
  constructor(
    root: string,
    private readonly room: SpoolRoom,
  ) {
    this.incoming = join(root, 'incoming');
    this.blobs = join(root, 'blobs');
  }

  async write(key: string, content: AsyncIterable<Buffer>): Promise<void> {
    const place = this.placeOf(key);
    const draft = join(this.incoming, key);
    const folder = join(place, '..');
    const share = new RoomShare(this.room);
    await this.makeFolder(this.incoming);
    try {
      await writeSynced(draft, share.within(content));
      await this.makeFolder(folder);
      await rename(draft, place);
      await syncDirectory(folder);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    } finally {
      share.leave();
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable> {
    const handle = await open(this.placeOf(key), 'r').catch((error: unknown) => {
      throw isAbsent(error) ? new BlobMissing(key) : error;
    });
    return createReadStream('', { fd: handle, highWaterMark: READ_BYTES, ...range });
  }

  async size(key: string): Promise<number | null> {
    try {
      return (await stat(this.placeOf(key))).size;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    await rm(this.placeOf(key), { force: true });
  }

  async *list(): AsyncGenerator<StoredBlob> {
    for (const folder of await entriesOf(this.blobs)) yield* filesIn(join(this.blobs, folder.name));
  }

  async removeUnfinished(before: Date): Promise<number> {
    let removed = 0;
    for await (const { key, modified } of filesIn(this.incoming)) {
      if (modified >= before) continue;
      await rm(join(this.incoming, key), { force: true });
      removed++;
    }
    return removed;
  }

  async check(): Promise<void> {
    await this.makeFolder(this.incoming);
    await access(this.incoming, constants.W_OK);
  }

  private placeOf(key: string): string {
    if (!isId(key)) throw new Error('a key of the store is a UUID');
    return join(this.blobs, key.slice(0, 2), key);
  }

  /** A new folder is durable when the one above it is synced. */
  private async makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    for (let path = folder; path.length >= first.length; path = join(path, '..')) {
      await syncDirectory(join(path, '..'));
    }
  }
}

/** Files with names of the store's own form; others are left alone. */
async function* filesIn(folder: string): AsyncGenerator<StoredBlob> {
  for (const { name } of await entriesOf(folder)) {
    if (!isId(name)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found?.isFile()) yield { key: name, modified: found.mtime };
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
