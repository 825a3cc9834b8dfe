import { Injectable } from '@nestjs/common';
import { type User } from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Database } from '../../kernel/database/database.js';
import { FORMAT, FORMAT_VERSION, MANIFEST, type Manifest } from '../domain/archive-format.js';
import { NameMapping } from '../domain/name-mapping.js';
import { entryNameOf } from '../domain/owned-table.js';
import { OWNED_TABLES } from '../domain/owned-tables.js';
import { ArchiveRowsQueries, type OwnBlob, RowsMoved } from '../infrastructure/archive-rows.queries.js';
import { type Spool } from '../../kernel/spool/spool.js';
import { HeldGraphs } from './held-graphs.js';
import { UnfinishedImports } from './unfinished-imports.js';

/** A part of the spool that is an entry of the archive. */
export interface Section {
  name: string;
  start: number;
  end: number;
}

export interface Copy {
  sections: Section[];
  blobs: OwnBlob[];
}

/** The number of attempts to copy a graph in pieces while others write to it, and while nobody may. */
const ATTEMPTS = { open: 2, held: 3 };
/** The time that a copy may take, and hold a connection. */
const COPY_MS = 60 * 60 * 1000;

/** Throws when a copy must not continue. */
type Check = () => void;

/** Copies the rows of an archive to a spool, as of one moment. */
@Injectable()
export class ArchiveCopies {
  constructor(
    private readonly database: Database,
    private readonly rows: ArchiveRowsQueries,
    private readonly unfinished: UnfinishedImports,
    private readonly graphs: HeldGraphs,
    private readonly clock: Clock,
  ) {}

  /**
   * @param left aborted when the client has left, which ends the copy; null at the operator's request, whose copy may
   *   take any time
   * @throws SERVICE_UNAVAILABLE while an import has written a part of the account, and when the copy takes too long
   */
  async make(user: User, spool: Spool, left: AbortSignal | null): Promise<Copy> {
    const check = this.checkOf(left);
    return this.database.hasOneConnection
      ? this.copyInPieces(user, spool, check)
      : this.database.snapshot(() => this.copy(user, spool, check));
  }

  /** A check that throws once the client has left, or when the time is up. */
  private checkOf(left: AbortSignal | null): Check {
    if (left === null) return () => undefined;
    const end = this.clock.now().getTime() + COPY_MS;
    return () => {
      left.throwIfAborted();
      if (this.clock.now().getTime() > end) throw tookTooLong();
    };
  }

  /**
   * Copies in pieces, between which other requests can use the only connection; a snapshot would block them. The copy
   * is valid if the account did not change meanwhile. A graph that always did is copied while nobody may write to it
   * (ADR 55).
   */
  private async copyInPieces(user: User, spool: Spool, check: Check): Promise<Copy> {
    const attempt = (attempts: number) => this.copyUnchanged(user, { spool, check, attempts });
    const copy =
      (await attempt(ATTEMPTS.open)) ?? (await this.graphs.during(user.id, () => attempt(ATTEMPTS.held)));
    if (copy !== null) return copy;
    throw new DomainError(
      'SERVICE_UNAVAILABLE',
      'The account changes too often to be exported; try again later',
    );
  }

  /** @returns null if the account changed during each attempt */
  private async copyUnchanged(
    user: User,
    { spool, check, attempts }: { spool: Spool; check: Check; attempts: number },
  ): Promise<Copy | null> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      try {
        const mark = await this.rows.mark(user.id);
        const copy = await this.copy(user, spool, check);
        if (mark === (await this.rows.mark(user.id))) return copy;
      } catch (error) {
        if (!(error instanceof RowsMoved)) throw error;
      }
    }
    return null;
  }

  private async copy(user: User, spool: Spool, check: Check): Promise<Copy> {
    check();
    await this.unfinished.refuseHalf(user.id);
    // An earlier attempt has left its rows there.
    await spool.clear();
    const names = NameMapping.out(user.id, await this.rows.carriedNames(user.id));
    const sections: Section[] = [];
    const begin = spool.position;
    await spool.append(Buffer.from(JSON.stringify(this.manifest(user), null, 2)));
    sections.push({ name: MANIFEST, start: begin, end: spool.position });
    for (const owned of OWNED_TABLES) {
      if (owned.fate === 'left out') continue;
      const start = spool.position;
      for await (const lines of this.rows.lines(owned, user.id)) {
        check();
        for (const line of lines) await spool.append(Buffer.from(`${await names.exchange(line)}\n`));
      }
      sections.push({ name: entryNameOf(owned), start, end: spool.position });
    }
    await spool.flush();
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
}

const tookTooLong = (): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'Copying the data took too long; try again when the service is less busy',
  );
