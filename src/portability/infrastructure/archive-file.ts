import { type Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { rest } from '../../kernel/slices.js';
import {
  FILES,
  invalidArchive,
  isFileEntry,
  isKnownEntry,
  MAX_ENTRIES,
  MAX_LINE_BYTES,
} from '../domain/archive-format.js';
import { type Spool } from '../../kernel/spool/spool.js';

interface Limits {
  /** The sum of all entries, unpacked. */
  bytes: number;
}

const NEWLINE = 0x0a;
/** The bound of an entry's bytes beside its name: none needs more, and the directory is in memory. */
const MAX_EXTRA_BYTES = 1024;
/** The end of a directory, and the end of one with many entries or bytes (zip64). */
const END_BYTES = 22;
const LONG_END_BYTES = 56 + 20 + END_BYTES;
const NO_BYTES = Buffer.alloc(0);

const WINDOW_BYTES = 64 * 1024;

/**
 * Reads the spool in place of the library's own file access, which goes by the file's number and does not
 * wait for reads before it closes. Directories are read in small pieces, one after the other: the next one is
 * read ahead.
 */
class SpoolReader extends RandomAccessReader {
  private window = { start: 0, bytes: NO_BYTES };

  constructor(private readonly spool: Spool) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.spool.read(start, end);
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const told = (error: Error | null): void => process.nextTick(callback, error);
    this.fill(buffer.subarray(offset, offset + length), position).then(() => told(null), told);
  }

  private async fill(piece: Buffer, position: number): Promise<void> {
    const isInside = position >= this.window.start;
    if (!isInside || position + piece.length > this.window.start + this.window.bytes.length) {
      const size = Math.max(piece.length, Math.min(WINDOW_BYTES, this.spool.position - position));
      const bytes = Buffer.allocUnsafe(size);
      await this.spool.fill(bytes, position);
      this.window = { start: position, bytes };
    }
    const { start, bytes } = this.window;
    bytes.copy(piece, 0, position - start, position - start + piece.length);
  }
}

/**
 * A zip file from a caller. Its directory is checked before anything is unpacked: unknown and repeated names,
 * encryption, too many entries or bytes refuse it; later no entry yields more than it has declared.
 */
export class ArchiveFile {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** @throws INVALID_ARCHIVE */
  static async open(spool: Spool, limits: Limits): Promise<ArchiveFile> {
    const zip = await readable(ARCHIVE, () =>
      fromRandomAccessReaderPromise(new SpoolReader(spool), spool.position, {
        autoClose: false,
        lazyEntries: true,
        strictFileNames: true,
        validateEntrySizes: true,
      }),
    );
    if (zip.entryCount > MAX_ENTRIES) throw invalidArchive(ARCHIVE, `has more than ${MAX_ENTRIES} entries`);
    const entries = new Map<string, Entry>();
    let bytes = 0;
    await readable(ARCHIVE, async () => {
      for await (const entry of zip.eachEntry()) {
        refuseStrange(entry, entries);
        entries.set(entry.fileName, slim(entry));
        if ((bytes += entry.uncompressedSize) > limits.bytes)
          throw invalidArchive(ARCHIVE, `unpacks to more than the ${limits.bytes} bytes of your plan`);
      }
    });
    // A position, in spite of its type.
    refuseMoreBytes(zip, spool.position - Number(zip.readEntryCursor));
    return new ArchiveFile(zip, entries);
  }

  has(name: string): boolean {
    return this.entries.has(name);
  }

  sizeOf(name: string): number {
    return this.entries.get(name)?.uncompressedSize ?? 0;
  }

  /** SHA-256 of the files in it, as declared by their names. */
  get files(): string[] {
    return [...this.entries.keys()].filter(isFileEntry).map((name) => name.slice(FILES.length));
  }

  /** The bytes of all files, unpacked. */
  get fileBytes(): number {
    return this.files.reduce((sum, sha256) => sum + this.sizeOf(`${FILES}${sha256}`), 0);
  }

  async read(name: string): Promise<Readable> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw invalidArchive(name, 'is missing');
    return readable(name, () => this.zip.openReadStreamPromise(entry));
  }

  /** The bytes of an entry; any fault in them is the archive's. */
  async *bytes(name: string): AsyncGenerator<Buffer> {
    const source = await this.read(name);
    try {
      yield* source as AsyncIterable<Buffer>;
    } catch (error) {
      throw refusalOf(name, error);
    }
  }

  /** Lines with their numbers; others are served between them. A missing entry has none. */
  async *lines(name: string): AsyncGenerator<[line: string, number: number]> {
    if (!this.has(name)) return;
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    let pieces: Buffer[] = [];
    let size = 0;
    let number = 0;
    const line = (): [string, number] => {
      number++;
      try {
        return [decoder.decode(Buffer.concat(pieces)), number];
      } catch {
        throw invalidArchive(`${name}:${number}`, 'is not UTF-8');
      } finally {
        pieces = [];
        size = 0;
      }
    };
    for await (const chunk of this.bytes(name)) {
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
        pieces.push(chunk.subarray(from, to));
        from = to + 1;
        yield line();
        await rest();
      }
      pieces.push(chunk.subarray(from));
      if ((size += chunk.length - from) > MAX_LINE_BYTES)
        throw invalidArchive(name, 'has a line that is too long');
    }
    if (pieces.some(({ length }) => length > 0)) yield line();
  }
}

/**
 * Refuses bytes other than the end after the directory: another reader of zip files could take them for the
 * archive, or for another one, and nothing has checked them.
 * @param left bytes after the directory's last entry
 */
function refuseMoreBytes({ comment }: ZipFile, left: number): void {
  if (comment.length > 0 || (left !== END_BYTES && left !== LONG_END_BYTES))
    throw invalidArchive(ARCHIVE, 'has bytes that belong to no entry');
}

function refuseStrange(entry: Entry, known: ReadonlyMap<string, Entry>): void {
  const { fileName: name } = entry;
  if (!isKnownEntry(name)) throw invalidArchive(ARCHIVE, 'has an entry that belongs to no archive');
  if (known.has(name)) throw invalidArchive(name, 'is there twice');
  if (entry.extraFieldLength > MAX_EXTRA_BYTES || entry.fileCommentLength > 0)
    throw invalidArchive(name, 'says more of itself than an entry needs to');
  if (entry.isEncrypted() || !entry.canDecodeFileData())
    throw invalidArchive(name, 'is packed in a way that is not read here');
}

/** The entry without the fields that are needed only to compute the rest. */
function slim(entry: Entry): Entry {
  const nothing = { extraFieldRaw: NO_BYTES, fileNameRaw: NO_BYTES, fileCommentRaw: NO_BYTES };
  return Object.assign(entry, { extraFields: [], ...nothing });
}

/** Treats every failure of the zip reader as the archive's fault. */
async function readable<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(where, error);
  }
}

/** The service's own message: the reader's are about the internals of zip files. */
function refusalOf(where: string, error: unknown): unknown {
  if ((error as { code?: string }).code === 'INVALID_ARCHIVE') return error;
  return invalidArchive(
    where,
    where === ARCHIVE ? 'is no zip file, or a damaged one' : 'is damaged: it cannot be unpacked as it says',
  );
}

/** The place of a fault in no single entry. */
const ARCHIVE = 'archive';
