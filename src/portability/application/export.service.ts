import { Inject, Injectable } from '@nestjs/common';
import { type Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { Config } from '../../config/config.js';
import { BLOB_STORE, type BlobStore } from '../../graph/index.js';
import { Notices, type User } from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { CallerPlaces } from '../../kernel/caller-places.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { requestContext } from '../../kernel/request-context.js';
import { FILES } from '../domain/archive-format.js';
import { Spool } from '../../kernel/spool/spool.js';
import { SpoolRoom } from '../../kernel/spool/spool-room.js';
import { ArchiveCopies, type Copy } from './archive-copies.js';
import { placesIn } from './pool-places.js';

/** Zip entries have a time; a changing one would make equal archives differ. */
const NO_TIME = { mtime: new Date('1980-01-01T00:00:00Z'), forceDosTimestamp: true };
/** The time that an export waits for others to end. */
const PATIENCE_MS = 10_000;

/** Takes the archive to its reader; resolves when they have all of it. */
export type Deliver = (archive: Readable) => Promise<void>;

/**
 * Exports everything of one user as one zip file. The rows are first copied to a file, as of one moment: a
 * slow reader then holds no transaction.
 */
@Injectable()
export class ExportService {
  /** Each person has one export at a time, from the copy to its last byte: each takes space on the disk. */
  private readonly people = new CallerPlaces(1, PATIENCE_MS, otherExport);
  private readonly copying: CallerPlaces;

  constructor(
    private readonly copies: ArchiveCopies,
    private readonly room: SpoolRoom,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly config: Config,
    private readonly units: UnitOfWork,
    private readonly notices: Notices,
  ) {
    this.copying = new CallerPlaces(placesIn(config.databasePool), PATIENCE_MS, otherCopies);
  }

  /**
   * Sends an archive within the limits of one person and of the process.
   * @param left aborted when the client has left, which ends the export
   * @throws TOO_MUCH_UNDER_WAY, SERVICE_UNAVAILABLE, before anything is delivered
   */
  async send(user: User, left: AbortSignal, deliver: Deliver): Promise<void> {
    await this.people.run(user.id, () =>
      this.withSpool(this.room, async (spool) => {
        const copy = await this.copying.run('', () => this.copies.make(user, spool, left));
        await this.deliver(user, { spool, copy, left }, deliver);
      }),
    );
  }

  /** Sends an archive at the operator's request: without limits. @throws SERVICE_UNAVAILABLE */
  async sendToOperator(user: User, deliver: Deliver): Promise<void> {
    await this.withSpool(null, async (spool) => {
      const copy = await this.copies.make(user, spool, null);
      await this.deliver(user, { spool, copy, left: null }, deliver);
    });
  }

  private async withSpool(room: SpoolRoom | null, work: (spool: Spool) => Promise<void>): Promise<void> {
    const spool = await Spool.open(this.config.dataDir, room);
    try {
      await work(spool);
    } finally {
      await spool.close();
    }
  }

  private async deliver(user: User, copied: Copied, deliver: Deliver): Promise<void> {
    // The notice is committed before the first byte, so that it exists however the answer ends.
    // The copy may outlive an access token, which does not end an export (rule 2.8).
    await requestContext.outside(() => this.units.run(() => this.notices.tell(user.id, { kind: 'export' })));
    copied.left?.throwIfAborted();
    const { content, failed, close } = this.pack(copied);
    try {
      await Promise.race([deliver(content), failed]);
    } finally {
      close();
    }
  }

  /** Opens each part when its turn comes, so that only one is open at a time. */
  private pack({ spool, copy, left }: Copied): OutgoingArchive {
    const zip = new ZipFile();
    const content = zip.outputStream as Readable;
    let open: Readable | null = null;
    let isClosed = false;
    let fail: (error: unknown) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => (fail = reject));
    failed.catch(() => undefined);
    zip.on('error', fail);
    // A part that waits for the store would not notice it.
    left?.addEventListener('abort', () => fail(left.reason), { once: true });
    const add = (name: string, options: { compress: boolean; size: number }, read: () => Promise<Readable>) =>
      zip.addReadStreamLazy(name, { ...NO_TIME, ...options }, (give) => {
        read().then((source) => {
          open = source.once('error', fail);
          // The reader is gone.
          if (isClosed) open.destroy();
          else give(null, source);
        }, fail);
      });
    for (const { name, start, end } of copy.sections)
      add(name, { compress: true, size: end - start }, () => Promise.resolve(spool.read(start, end)));
    for (const { id, sha256, size } of copy.blobs)
      add(`${FILES}${sha256}`, { compress: false, size }, () => this.store.read(id));
    zip.end();
    const close = (): void => {
      isClosed = true;
      open?.destroy();
      content.destroy();
    };
    return { content, failed, close };
  }
}

/** A complete copy, and the signal of the client for whom it is made. */
interface Copied {
  spool: Spool;
  copy: Copy;
  left: AbortSignal | null;
}

/** An archive that is being sent. */
interface OutgoingArchive {
  content: Readable;
  /** Rejects when a part of it cannot be read, or its client has left: the sent bytes are useless then. */
  failed: Promise<never>;
  /** Must be called in any case. */
  close: () => void;
}

function otherExport(): DomainError {
  const message = 'Another export of this account is under way; try again when it has ended';
  return new DomainError('TOO_MUCH_UNDER_WAY', message, { limit: 'caller', max_exports: 1 });
}

function otherCopies(max_exports: number): DomainError {
  const message = 'Other exports are under way; try again when some of them have ended';
  return new DomainError('TOO_MUCH_UNDER_WAY', message, { limit: 'process', max_exports });
}
