import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Quotas } from '../../kernel/change-log/quotas.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { beingImported, Database } from '../../kernel/database/database.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { isMisfit, isUniqueViolation } from '../../kernel/database/violations.js';
import { requestContext } from '../../kernel/request-context.js';
import { isStorable } from '../../kernel/storable.js';
import { invalidArchive } from '../domain/archive-format.js';
import { addedByRow, type Sums } from '../domain/archived-amounts.js';
import { type CarriedName, NameMapping } from '../domain/name-mapping.js';
import { entryNameOf, type OwnedTable } from '../domain/owned-table.js';
import { RESTORED } from '../domain/restored-tables.js';
import { type ArchiveFile } from '../infrastructure/archive-file.js';
import { ArchiveRowsQueries } from '../infrastructure/archive-rows.queries.js';
import { RestoredChecks, type Slice } from '../infrastructure/restored-checks.queries.js';
import {
  type ArchivedRow,
  MarkRemoved,
  RestoredRowsQueries,
} from '../infrastructure/restored-rows.queries.js';
import { objectIn } from './archive-survey.js';
import { type ArchiveUpload, notEmpty } from './archive-uploads.service.js';
import { ImportPlaces } from './import-places.js';
import { LogOrder, numberedAfter } from './log-order.js';
import { placesIn } from './pool-places.js';
import { completed, faultInSlices } from './row-checks.js';
import { UnfinishedImports } from './unfinished-imports.js';

/** The number of imported rows of each table; true if their ids differ from those in the archive. */
export interface Imported {
  rows: Readonly<Record<string, number>>;
  hasNewIds: boolean;
}

const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 1_048_576;
/** The factor by which batches are smaller where others wait for them. */
const SLICED = 5;
/** The most attempts to mark an account to which others write. */
const MARKS = 5;
const SCHEMAS = 'data/schemas.ndjson';
/** The number of rows from which on statistics are gathered. */
const ANALYZED_ROWS = 1_000;

/**
 * Fills an empty account from an archive: all of it or nothing. On a database with one connection this takes
 * many transactions, between which other requests use it (ADR 37), else one unit of work.
 */
@Injectable()
export class ImportService {
  private readonly logger = new Logger('import');
  private readonly places: ImportPlaces;
  private analyzed: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly stored: ArchiveRowsQueries,
    private readonly rows: RestoredRowsQueries,
    private readonly checks: RestoredChecks,
    private readonly unfinished: UnfinishedImports,
    private readonly quotas: Quotas,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    { databasePool }: Config,
  ) {
    this.places = new ImportPlaces(placesIn(databasePool), clock);
  }

  /**
   * Restores an archive. Everything gets a new id, so that a forged archive names nothing of others (rule
   * 12.3a).
   * @param isOperators true at the operator's request, who imports any export: without quotas (rule 9.8g), and with the
   *   archive's ids unless one of them is in use here
   * @throws ACCOUNT_NOT_EMPTY, INVALID_ARCHIVE, QUOTA_EXCEEDED, SERVICE_UNAVAILABLE; SCHEMA_URI_EXISTS when
   *   the URI of one of its schemas was taken since the import began
   */
  async restore(userId: string, upload: ArchiveUpload, isOperators = false): Promise<Imported> {
    const work = { userId, upload, isOperators };
    return this.database.hasOneConnection ? this.inSlices(work) : this.atOnce(work);
  }

  private async atOnce(work: Work): Promise<Imported> {
    const { userId, upload } = work;
    const fill = async (): Promise<Imported> => {
      await this.rows.hold(userId);
      if (!(await this.stored.isEmpty(userId))) throw notEmpty();
      const filled = await this.fillAll(work, (part) => part());
      await this.settle(work, filled.amounts);
      upload.refuseLate();
      this.units.afterCommit(() => this.analyze(filled.imported));
      return filled.imported;
    };
    return this.inTurn(work, () => this.marked(userId, fill));
  }

  /** Marks the account and fills it; again where somebody wrote to the log in between. @throws SERVICE_UNAVAILABLE */
  private async marked(userId: string, fill: () => Promise<Imported>): Promise<Imported> {
    for (let attempt = 1; attempt <= MARKS; attempt++) {
      await this.unfinished.begin(userId);
      try {
        return await this.units.run(fill);
      } catch (error) {
        if (!(error instanceof MarkRemoved)) throw error;
      }
    }
    throw beingImported();
  }

  /** Gathers statistics behind the answer, one import after the other, where there are rows enough to matter. */
  private analyze({ rows }: Imported): void {
    const count = Object.values(rows).reduce((sum, each) => sum + each, 0);
    if (count < ANALYZED_ROWS) return;
    const work = (): Promise<void> => requestContext.outside(() => this.units.run(() => this.rows.analyze()));
    this.analyzed = this.analyzed
      .then(work)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'no statistics of an import'));
  }

  private inTurn<T>({ userId, isOperators }: Work, work: () => Promise<T>): Promise<T> {
    return isOperators ? work() : this.places.run(userId, work);
  }

  private async inSlices(work: Work): Promise<Imported> {
    const { userId, upload } = work;
    await this.unfinished.begin(userId);
    try {
      const filled = await this.fillAll(work, (part) => this.unfinished.slice(part));
      await this.units.run(async () => {
        await this.rows.reveal(userId);
        await this.settle(work, filled.amounts);
        upload.refuseLate();
      });
      return filled.imported;
    } catch (error) {
      await this.unfinished.takeBack(userId);
      throw error;
    }
  }

  /** @param slice runs each part that may be a transaction of its own */
  private async fillAll(work: Work, slice: Slice): Promise<Filled> {
    const { userId, upload, isOperators } = work;
    const { archive } = upload;
    const { names, hasNewIds } = await this.settleNames(work, slice);
    const parts = this.database.hasOneConnection ? SLICED : 1;
    const most = { rows: BATCH_ROWS / parts, characters: BATCH_CHARACTERS / parts };
    const rows: Record<string, number> = {};
    const amounts: Sums = {};
    const before = await slice(() => this.rows.entriesBefore(userId));
    await this.insertBlobs(work, slice, most.rows);
    for (const owned of RESTORED)
      rows[owned.table] = await this.fill(owned, { userId, archive, names, before, slice, most, amounts });
    if (!isOperators) await slice(() => this.quotas.refuse(userId, amounts));
    await this.checks.settleEmbeddings(userId, slice);
    await this.checks.settleDeletedNodes(userId, slice);
    const dangling = await this.checks.dangling(userId, slice);
    if (dangling !== null)
      throw invalidArchive(
        `data/${dangling}.ndjson`,
        'refers to what is not there, or is not what the log says of it',
      );
    return { imported: { rows, hasNewIds }, amounts };
  }

  /** Locks the counter of the account, which others may raise until then: nothing that takes long may follow. */
  private async settle({ userId, isOperators }: Work, amounts: Sums): Promise<void> {
    await this.unfinished.end(userId);
    await this.rows.setCounter(userId);
    await this.quotas.add(userId, amounts, !isOperators);
  }

  private async insertBlobs({ userId, upload }: Work, slice: Slice, most: number): Promise<void> {
    const blobs = [...upload.blobs.values()];
    const made = blobs.map(({ key, sha256, size }) => ({ id: key, sha256, size_bytes: size }));
    for (let start = 0; start < made.length; start += most)
      await slice(() => this.rows.insertBlobs(userId, made.slice(start, start + most), this.clock.now()));
  }

  private async fill(owned: OwnedTable, source: Source): Promise<number> {
    const { userId, slice, amounts } = source;
    let count = 0;
    try {
      for await (const batch of batches(owned, source)) {
        count += batch.length;
        const bytes = await slice(() =>
          this.rows.insert(owned, userId, batch, this.database.hasOneConnection),
        );
        amounts.graph_bytes = (amounts.graph_bytes ?? 0) + bytes;
        for (const row of batch) addedByRow(amounts, owned.table, row);
      }
      if (owned.later !== undefined)
        for await (const batch of batches(owned, source))
          await slice(() => this.rows.fillIn(owned, userId, batch));
    } catch (error) {
      if (isUniqueViolation(error, 'schemas_uri')) throw uriTaken();
      throw isMisfit(error)
        ? invalidArchive(entryNameOf(owned), 'has a row that does not fit the others')
        : error;
    }
    return count;
  }

  /** Sets the names that differ between the account and the archive. */
  private async settleNames({ userId, upload, isOperators }: Work, slice: Slice): Promise<NewNames> {
    const { archive, ids } = upload;
    const hasNewIds = !isOperators || (await slice(() => this.stored.isSomeTaken(ids)));
    const renamed = hasNewIds ? ids.renamedFor(userId) : (id: string): string => id;
    const inArchive = NameMapping.in(userId, [], renamed);
    const changed: CarriedName[] = [];
    for await (const uris of schemaUris(archive, inArchive))
      changed.push(...(await slice(() => this.settleUris(userId, uris))));
    return { names: NameMapping.in(userId, changed, renamed), hasNewIds };
  }

  /** Schema URIs that are taken here are replaced; see {@link NameMapping}. */
  private async settleUris(userId: string, uris: readonly string[]): Promise<CarriedName[]> {
    const taken = await this.stored.takenSchemaUris(uris);
    if (taken.length === 0) return [];
    const names = taken.map((uri) => ({
      name: `${uri.slice(0, 480)}-${newId().slice(0, 8)}`,
      carried_as: uri,
    }));
    await this.rows.keepNames(userId, names);
    return names;
  }
}

/** The archive is not at fault: on another attempt its schema gets another URI. */
const uriTaken = (): DomainError =>
  new DomainError(
    'SCHEMA_URI_EXISTS',
    'The URI of a schema in this archive was taken during the import; send the archive again',
  );

interface Work {
  userId: string;
  upload: ArchiveUpload;
  isOperators: boolean;
}

interface Filled {
  imported: Imported;
  /** The additions of the import to the counters of the account. */
  amounts: Sums;
}

interface NewNames {
  names: NameMapping;
  hasNewIds: boolean;
}

interface Source {
  userId: string;
  archive: ArchiveFile;
  names: NameMapping;
  /** The number of entries of the log before those of the archive. */
  before: number;
  slice: Slice;
  /** The largest batch that is written at a time. */
  most: { rows: number; characters: number };
  /** Sums that grow with the rows. */
  amounts: Sums;
}

async function* batches(
  owned: OwnedTable,
  { archive, names, userId, before, most }: Source,
): AsyncGenerator<ArchivedRow[]> {
  const entry = entryNameOf(owned);
  const order = owned.table === 'changes' ? new LogOrder() : null;
  let batch: ArchivedRow[] = [];
  let characters = 0;
  for await (const [line, number] of archive.lines(entry)) {
    const where = `${entry}:${number}`;
    const row = await objectIn(await names.exchange(line), where);
    const fault = (await faultInSlices(owned, row, userId)) ?? order?.faultOf(row) ?? null;
    if (fault !== null) throw invalidArchive(where, fault);
    batch.push(numberedAfter(before, completed(owned, row)));
    characters += line.length;
    if (batch.length < most.rows && characters < most.characters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The URIs in the names of the account: those of the archive, except for ids in them. */
async function* schemaUris(archive: ArchiveFile, names: NameMapping): AsyncGenerator<string[]> {
  let batch: string[] = [];
  const known = new Set<string>();
  for await (const [line, number] of archive.lines(SCHEMAS)) {
    const { schema_uri: uri } = await objectIn(await names.exchange(line), `${SCHEMAS}:${number}`);
    if (typeof uri !== 'string' || !isStorable(uri))
      throw invalidArchive(`${SCHEMAS}:${number}`, 'has no name');
    if (known.has(uri)) throw invalidArchive(`${SCHEMAS}:${number}`, 'has the schema_uri of another schema');
    known.add(uri);
    batch.push(uri);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
