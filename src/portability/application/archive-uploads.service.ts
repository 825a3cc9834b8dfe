import { Injectable } from '@nestjs/common';
import { type Readable } from 'node:stream';
import { createHash } from 'node:crypto';
import { Config, type Tier } from '../../config/config.js';
import {
  BLOB_GRACE_MS,
  BlobIntake,
  type JsonObject,
  JsonSchemas,
  MAX_FILE_BYTES,
  type StagedBlob,
} from '../../graph/index.js';
import { type User } from '../../identity/index.js';
import { Quotas } from '../../kernel/change-log/quotas.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import {
  FILES,
  FORMAT,
  FORMAT_VERSION,
  invalidArchive,
  MANIFEST,
  MAX_ARCHIVE_BYTES,
  MAX_IDS,
  MAX_MANIFEST_BYTES,
  MAX_SCHEMAS,
  REQUIRED_ENTRIES,
} from '../domain/archive-format.js';
import { type ArchivedIds } from '../domain/archived-ids.js';
import { fits } from '../domain/column-kinds.js';
import { SCHEMA_FIELDS } from '../domain/restored-tables.js';
import { ArchiveFile } from '../infrastructure/archive-file.js';
import { ArchiveRowsQueries } from '../infrastructure/archive-rows.queries.js';
import { Spool } from '../../kernel/spool/spool.js';
import { SpoolRoom } from '../../kernel/spool/spool-room.js';
import { objectIn, survey } from './archive-survey.js';
import { IdBudget } from './id-budget.js';
import { UnseenSchemas } from './unseen-schemas.js';

const NO_HEAD = Buffer.alloc(0);

/** A complete archive: its files are in the store, and nothing refers to them yet. */
export interface ArchiveUpload {
  archive: ArchiveFile;
  ids: ArchivedIds;
  /** Blobs by their SHA-256. */
  blobs: ReadonlyMap<string, StagedBlob>;
  sha256: string;
  size: number;
  /**
   * Refuses an import that took too long: blobs without a reference are swept after a while.
   * @throws SERVICE_UNAVAILABLE
   */
  refuseLate(): void;
  /** Deletes the files; the archive itself is deleted in any case. */
  discard(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Receives archives: into a file without a name, and their files into the store. Memory does not grow with
 * their size.
 */
@Injectable()
export class ArchiveUploads {
  constructor(
    private readonly rows: ArchiveRowsQueries,
    private readonly intake: BlobIntake,
    private readonly jsonSchemas: JsonSchemas,
    private readonly quotas: Quotas,
    private readonly budget: IdBudget,
    private readonly unseen: UnseenSchemas,
    private readonly room: SpoolRoom,
    private readonly config: Config,
  ) {}

  /** Checks the account before the body is read. @throws ACCOUNT_NOT_EMPTY */
  async refuseUsed(userId: string): Promise<void> {
    if (!(await this.rows.isEmpty(userId))) throw notEmpty();
  }

  /**
   * Receives an archive. An archive beyond the account's limits is refused before any of its files is stored.
   * @param isOperators true at the operator's request, who imports any export: under the largest plan's
   *   limits, and without quotas
   * @throws PAYLOAD_TOO_LARGE, INVALID_ARCHIVE, QUOTA_EXCEEDED, TOO_MUCH_UNDER_WAY; nothing stays then
   */
  async take(user: User, body: Readable, isOperators = false): Promise<ArchiveUpload> {
    const plan: Tier = isOperators ? 'enterprise' : user.tier;
    const spool = await Spool.open(this.config.dataDir, isOperators ? null : this.room);
    const share = this.budget.share();
    const blobs = new Map<string, StagedBlob>();
    const discard = (): Promise<void> => this.intake.discardAll(blobs.values());
    try {
      const maxBytes = MAX_ARCHIVE_BYTES[plan];
      const sha256 = await fill(spool, body, maxBytes);
      const fileBytes = MAX_FILE_BYTES[plan];
      const archive = await ArchiveFile.open(spool, { bytes: maxBytes });
      await refuseOtherFormats(archive);
      refuseMissingEntries(archive);
      await refuseLargeFiles(archive, fileBytes);
      await this.refuseSchemas(archive);
      // An archive beyond the bound of all imports together would be refused every time.
      const most = Math.min(MAX_IDS[plan], this.config.importIds);
      const { ids, amounts } = await survey(archive, { most, share });
      if (!isOperators) await this.quotas.refuse(user.id, amounts);
      await this.unseen.disown(user.id, ids);
      const begun = performance.now();
      const refuseLate = () => {
        if (performance.now() - begun > BLOB_GRACE_MS / 2) throw tooLate();
      };
      await this.stage(archive, blobs, fileBytes);
      const close = async (): Promise<void> => {
        share.release();
        await spool.close();
      };
      return { archive, ids, blobs, sha256, size: spool.position, refuseLate, discard, close };
    } catch (error) {
      share.release();
      await discard();
      await spool.close();
      throw error;
    }
  }

  /**
   * Refuses schemas that the service cannot check. Runs before the unit of work, which must not wait for
   * verdicts: other people's values are checked against them as well.
   */
  private async refuseSchemas(archive: ArchiveFile): Promise<void> {
    for await (const [line, number] of archive.lines('data/schemas.ndjson')) {
      const where = `data/schemas.ndjson:${number}`;
      if (number > MAX_SCHEMAS) throw invalidArchive(where, `there are more than ${MAX_SCHEMAS} schemas`);
      const { json_schema } = await objectIn(line, where);
      if (!fits(SCHEMA_FIELDS.json_schema, json_schema)) throw invalidArchive(where, 'json_schema is none');
      try {
        await this.jsonSchemas.refuseInvalidAlone(json_schema as JsonObject);
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'INVALID_JSON_SCHEMA') throw error;
        throw invalidArchive(where, `json_schema: ${error.message}`);
      }
    }
  }

  /** Stores each content once, and only content that some row refers to. */
  private async stage(archive: ArchiveFile, blobs: Map<string, StagedBlob>, maxBytes: number): Promise<void> {
    for await (const [line, number] of archive.lines('data/files.ndjson')) {
      const where = `data/files.ndjson:${number}`;
      const { sha256, size_bytes } = await objectIn(line, where);
      if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
        throw invalidArchive(where, 'names no file');
      const blob = blobs.get(sha256) ?? {
        ...(await this.intake.take(archive.bytes(`${FILES}${sha256}`), maxBytes)),
        // The media types are the archive's; the heads of very many files would fill the memory.
        head: NO_HEAD,
      };
      blobs.set(sha256, blob);
      if (blob.sha256 !== sha256 || blob.size !== size_bytes)
        throw invalidArchive(where, 'the file is not the one that is meant');
    }
    if (archive.files.length > blobs.size)
      throw invalidArchive('files', 'there are files that no row stands for');
  }
}

const tooLate = (): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'Receiving the archive took too long; try again when the service is less busy',
  );

export const notEmpty = (): DomainError =>
  new DomainError(
    'ACCOUNT_NOT_EMPTY',
    'An archive can be imported only into an account whose owner has written nothing yet, and whose graph nobody may read',
  );

async function fill(spool: Spool, body: Readable, maxBytes: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body as AsyncIterable<Buffer>) {
    if (spool.position + chunk.length > maxBytes) throw tooLarge(maxBytes);
    hash.update(chunk);
    await spool.append(chunk);
  }
  await spool.flush();
  return hash.digest('hex');
}

export const tooLarge = (max_bytes: number): DomainError =>
  new DomainError('PAYLOAD_TOO_LARGE', `The archive is larger than the ${max_bytes} bytes of your plan`, {
    max_bytes,
  });

/**
 * Refuses large files by the name that their owner knows, because the archive has only a hash, and with the
 * remedy.
 */
async function refuseLargeFiles(archive: ArchiveFile, maxBytes: number): Promise<void> {
  const sha256 = archive.files.find((name) => archive.sizeOf(`${FILES}${name}`) > maxBytes);
  if (sha256 === undefined) return;
  const title = await titleOf(archive, sha256);
  const size = archive.sizeOf(`${FILES}${sha256}`);
  throw invalidArchive(
    `${FILES}${sha256}`,
    `the file ${title === null ? '' : `${JSON.stringify(title)} `}has ${size} bytes, more than the ${maxBytes} bytes ` +
      'of your plan; a larger plan takes it, or the operator with the import command',
  );
}

async function titleOf(archive: ArchiveFile, sha256: string): Promise<string | null> {
  let nodeId: unknown;
  for await (const [line, number] of archive.lines('data/files.ndjson')) {
    const row = await objectIn(line, `data/files.ndjson:${number}`);
    if (row['sha256'] === sha256) nodeId ??= row['node_id'];
  }
  if (typeof nodeId !== 'string') return null;
  for await (const [line, number] of archive.lines('data/nodes.ndjson')) {
    // Most lines are others: only the one that names the node is parsed.
    if (!line.includes(nodeId)) continue;
    const { id, title } = await objectIn(line, `data/nodes.ndjson:${number}`);
    if (id === nodeId) return typeof title === 'string' ? title.slice(0, 200) : null;
  }
  return null;
}

async function refuseOtherFormats(archive: ArchiveFile): Promise<void> {
  if (archive.sizeOf(MANIFEST) > MAX_MANIFEST_BYTES) throw invalidArchive(MANIFEST, 'is too large');
  const parts: Buffer[] = [];
  for await (const chunk of archive.bytes(MANIFEST)) parts.push(chunk);
  const { format, version } = await objectIn(Buffer.concat(parts).toString('utf8'), MANIFEST);
  if (format !== FORMAT || version !== FORMAT_VERSION)
    throw invalidArchive(MANIFEST, `must say the format ${FORMAT}, version ${FORMAT_VERSION}`);
}

function refuseMissingEntries(archive: ArchiveFile): void {
  const missing = REQUIRED_ENTRIES.find((name) => !archive.has(name));
  if (missing !== undefined) throw invalidArchive(missing, 'is missing');
}
