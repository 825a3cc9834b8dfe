import { Inject, Injectable } from '@nestjs/common';
import { type Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { Config } from '../../config/config.js';
import { BLOB_STORE, type BlobStore } from '../../graph/index.js';
import { Notices, type User } from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Database } from '../../kernel/persistence/database.js';
import { UnitOfWork } from '../../kernel/persistence/unit-of-work.js';
import { FILES, FORMAT, FORMAT_VERSION, MANIFEST, type Manifest } from '../domain/archive-format.js';
import { CarriedNames } from '../domain/carried-names.js';
import { entryNameOf } from '../domain/owned-table.js';
import { OWNED_TABLES } from '../domain/owned-tables.js';
import { ArchiveRowsQueries, type OwnBlob, RowsMoved } from '../infrastructure/archive-rows.queries.js';
import { Spool } from '../infrastructure/spool.js';
import { HeldGraphs } from './held-graphs.js';
import { UnfinishedImports } from './unfinished-imports.js';

interface Section {
  name: string;
  start: number;
  end: number;
}

interface Copy {
  sections: Section[];
  blobs: OwnBlob[];
}

/** The number of attempts to copy a graph in pieces while others write to it, and while nobody may. */
const ATTEMPTS = { open: 2, held: 3 };
/** Zip entries have a time; a changing one would make equal archives differ. */
const NO_TIME = { mtime: new Date('1980-01-01T00:00:00Z'), forceDosTimestamp: true };

/** An archive that is being sent. */
export interface OutgoingArchive {
  content: NodeJS.ReadableStream;
  /** Rejects when a part of it cannot be read: the sent bytes are useless then. */
  failed: Promise<never>;
  /** Must be called in any case. */
  close(): Promise<void>;
}

/**
 * Exports everything of one user as one zip file. The rows are first copied to a file, as of one moment: a
 * slow reader then holds no transaction.
 */
@Injectable()
export class ExportService {
  constructor(
    private readonly database: Database,
    private readonly rows: ArchiveRowsQueries,
    private readonly unfinished: UnfinishedImports,
    private readonly graphs: HeldGraphs,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly units: UnitOfWork,
    private readonly notices: Notices,
  ) {}

  /** @throws SERVICE_UNAVAILABLE while an import has written a part of the account */
  async begin(user: User): Promise<OutgoingArchive> {
    const spool = await Spool.open(this.config.dataDir);
    try {
      const { sections, blobs } = this.database.hasOneConnection
        ? await this.copyInPieces(user, spool)
        : await this.database.snapshot(() => this.copy(user, spool));
      await spool.flush();
      // The notice is committed before the first byte, so that it exists however the answer ends.
      await this.units.run(() => this.notices.tell(user.id, { kind: 'export' }));
      return this.pack(spool, sections, blobs);
    } catch (error) {
      await spool.close();
      throw error;
    }
  }

  /**
   * Copies in pieces, between which other requests can use the only connection; a snapshot would block them. The copy
   * is valid if the account did not change meanwhile. A graph that always did is copied while nobody may write to it
   * (ADR 55).
   */
  private async copyInPieces(user: User, spool: Spool): Promise<Copy> {
    const copy =
      (await this.copyUnchanged(user, spool, ATTEMPTS.open)) ??
      (await this.graphs.during(user.id, () => this.copyUnchanged(user, spool, ATTEMPTS.held)));
    if (copy !== null) return copy;
    throw new DomainError(
      'SERVICE_UNAVAILABLE',
      'The account changes too often to be exported; try again later',
    );
  }

  /** @returns null if the account changed during each attempt */
  private async copyUnchanged(user: User, spool: Spool, attempts: number): Promise<Copy | null> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      try {
        const mark = await this.rows.mark(user.id);
        const copy = await this.copy(user, spool);
        if (mark === (await this.rows.mark(user.id))) return copy;
      } catch (error) {
        if (!(error instanceof RowsMoved)) throw error;
      }
    }
    return null;
  }

  private async copy(user: User, spool: Spool): Promise<Copy> {
    await this.unfinished.refuseHalf(user.id);
    // An earlier attempt has left its rows there.
    await spool.clear();
    const names = CarriedNames.out(user.id, await this.rows.carriedNames(user.id));
    const sections: Section[] = [];
    const begin = spool.position;
    await spool.append(Buffer.from(JSON.stringify(this.manifest(user), null, 2)));
    sections.push({ name: MANIFEST, start: begin, end: spool.position });
    for (const owned of OWNED_TABLES) {
      if (owned.fate === 'left out') continue;
      const start = spool.position;
      for await (const lines of this.rows.lines(owned, user.id))
        for (const line of lines) await spool.append(Buffer.from(`${names.exchange(line)}\n`));
      sections.push({ name: entryNameOf(owned), start, end: spool.position });
    }
    return { sections, blobs: await this.rows.blobs(user.id) };
  }

  private manifest({ username, email }: User): Manifest {
    return {
      format: FORMAT,
      version: FORMAT_VERSION,
      exported_at: this.clock.now().toISOString(),
      account: { username, email },
    };
  }

  /** Opens each part when its turn comes, so that only one is open at a time. */
  private pack(spool: Spool, sections: readonly Section[], blobs: readonly OwnBlob[]): OutgoingArchive {
    const zip = new ZipFile();
    let open: Readable | null = null;
    let isClosed = false;
    let fail: (error: unknown) => void = () => undefined;
    const failed = new Promise<never>((_, reject) => (fail = reject));
    failed.catch(() => undefined);
    zip.on('error', fail);
    const add = (name: string, options: { compress: boolean; size: number }, read: () => Promise<Readable>) =>
      zip.addReadStreamLazy(name, { ...NO_TIME, ...options }, (give) => {
        read().then((source) => {
          open = source.once('error', fail);
          // The reader is gone.
          if (isClosed) open.destroy();
          else give(null, source);
        }, fail);
      });
    for (const { name, start, end } of sections)
      add(name, { compress: true, size: end - start }, () => Promise.resolve(spool.read(start, end)));
    for (const { id, sha256, size } of blobs)
      add(`${FILES}${sha256}`, { compress: false, size }, () => this.store.read(id));
    zip.end();
    return {
      content: zip.outputStream,
      failed,
      close: async () => {
        isClosed = true;
        open?.destroy();
        await spool.close();
      },
    };
  }
}
