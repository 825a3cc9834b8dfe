import {
  discovers,
  type FileFacts,
  type FileKind,
  type JsonObject,
  nodeNotFound,
  refuse,
  tagNotFound,
  withFacts,
} from '../../common/index.js';
import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Clock } from '../../../kernel/clock.js';
import { codePoints } from '../../../kernel/text/code-points.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { isId, newId } from '../../../kernel/ids.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { EncryptionKey } from '../../../kernel/secrets/encryption-key.js';
import { type Access, maySchema, RAW_FILE_SCHEMA_ID } from '../../../privacy/index.js';
import {
  changeOf,
  firstRevision,
  newNodeErrors,
  NOBODY,
  Node,
  NODE_LIMITS,
  type NodeDraft,
  NodeSchemas,
  NodesRepository,
  NodeTagging,
} from '../../nodes/index.js';
import { FilesRepository } from '../infrastructure/files.repository.js';
import { type StagedBlob } from './blob-intake.js';

/** A received file that is to become a node. */
export interface NewFile {
  filename: string;
  blob: StagedBlob;
  kind: FileKind;
  /** Names of tags, or ids of own ones. */
  tags: readonly string[];
  /** Metadata from the client; facts take precedence. */
  metadata: JsonObject | null;
  source: string;
  /** Runs first in the unit of work that writes an imported file, and may refuse it. */
  first?: () => Promise<void>;
}

/** The node of a file; true if the store uses the staged bytes for it. */
export interface MadeFile {
  node: Node;
  isAdopted: boolean;
}

/**
 * Refuses an upload before its body is read: an app that may not write raw-file nodes may not upload
 * (specification, Upload rules).
 */
export function refuseUpload(access: Access): void {
  if (maySchema(access, 'write', RAW_FILE_SCHEMA_ID)) return;
  throw new DomainError('PERMISSION_DENIED', 'Uploading requires permission to write the raw-file schema');
}

/** @throws NOT_FOUND for tags that the caller may not know, all alike (rule 3.18) */
export function refuseUnknownTags(access: Access, tagIds: readonly string[]): void {
  if (tagIds.every((id) => isId(id) && discovers(access, id.toLowerCase()))) return;
  throw tagNotFound();
}

/** Creates file nodes: the node, its content and the change in one unit of work. */
@Injectable()
export class FilesService {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly files: FilesRepository,
    private readonly tagging: NodeTagging,
    private readonly schemas: NodeSchemas,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
    private readonly secret: EncryptionKey,
  ) {}

  /** @throws PERMISSION_DENIED, VALIDATION_ERROR, SCHEMA_VALIDATION_FAILED */
  async create(access: Access, file: NewFile): Promise<MadeFile> {
    refuseUpload(access);
    refuseName(file.filename);
    const id = newId();
    const fields = this.draftOf(id, file);
    refuse(newNodeErrors({ ...fields, tags: file.tags }));
    const draft = await this.checked(access, fields);
    return this.units.run(async () => {
      const tag_ids = await this.tagging.ofNew(access, file.tags);
      return this.insert(access.ownerId, { ...draft, tag_ids }, { id, file });
    });
  }

  /** Creates a file for an importer, in the owner's name and with resolved tags. */
  async createImported(access: Access, file: NewFile, tagIds: readonly string[]): Promise<MadeFile> {
    const id = newId();
    const fields = { ...this.draftOf(id, file), tag_ids: tagIds };
    refuse(newNodeErrors(fields));
    const draft = await this.checked(access, fields);
    return this.units.run(async () => {
      await file.first?.();
      return this.insert(access.ownerId, draft, { id, file });
    });
  }

  /** Replaces a file's content in its next version. Checks no permission: for the owner's importers. */
  async replaceContent({ ownerId, id }: Node, file: NewFile): Promise<MadeFile> {
    return this.units.run(async () => {
      await file.first?.();
      const node = (await this.nodes.lock(ownerId, [id])).get(id);
      if (node === undefined || node.isDeleted) throw nodeNotFound();
      const facts: Partial<FileFacts> = this.factsOf(id, file);
      // The person may have changed the name since the import.
      delete facts.filename;
      const blobId = await this.files.adopt(ownerId, file.blob, this.clock.now());
      await this.files.put(ownerId, id, contentOf(blobId, file));
      const metadata = withFacts({ ...node.record.metadata, ...file.metadata }, facts);
      // Only facts change, and those are valid.
      const { schema_version: schemaVersion } = node.record;
      const revision = node.change({ metadata }, this.clock.now(), { schemaVersion });
      if (revision === null) return { node, isAdopted: blobId === file.blob.key };
      await this.nodes.updateMany([revision.node]);
      this.changes.append(changeOf(node, revision, NOBODY));
      return { node: revision.node, isAdopted: blobId === file.blob.key };
    });
  }

  /**
   * Validates the node against the raw-file schema as every node against its own (rule 4.4); otherwise no
   * later change would be valid.
   */
  private async checked(access: Access, draft: NodeDraft): Promise<NodeDraft> {
    return { ...draft, schema_version: await this.schemas.checks(access).ofNew(draft) };
  }

  private async insert(
    ownerId: string,
    draft: NodeDraft,
    { id, file }: { id: string; file: NewFile },
  ): Promise<MadeFile> {
    const createdAt = this.clock.now();
    const node = Node.create(draft, { ownerId, id, createdAt });
    this.nodes.insert(node);
    const blobId = await this.files.adopt(ownerId, file.blob, createdAt);
    await this.files.put(ownerId, id, contentOf(blobId, file));
    this.changes.append(changeOf(null, firstRevision(node), NOBODY));
    return { node, isAdopted: blobId === file.blob.key };
  }

  private draftOf(id: string, file: NewFile): NodeDraft {
    return {
      title: file.filename,
      node_type: 'RAW_FILE',
      meaning_level: 'DATA',
      schema_id: RAW_FILE_SCHEMA_ID,
      metadata: withFacts(file.metadata, this.factsOf(id, file)),
    };
  }

  private factsOf(id: string, { filename, blob, kind, source }: NewFile): FileFacts {
    return {
      filename,
      ...kind,
      size_bytes: blob.size,
      blob_key: this.secret.digest('blob-key', id),
      checksum_sha256: blob.sha256,
      upload_source: source,
    };
  }
}

const contentOf = (blobId: string, { blob, kind }: NewFile) => ({
  blobId,
  size: blob.size,
  mediaType: kind.mime_type,
});

function refuseName(filename: string): void {
  const length = codePoints(filename);
  if (length >= 1 && length <= NODE_LIMITS.title) return;
  throw DomainError.validation('file', `its name must have 1 to ${NODE_LIMITS.title} characters`);
}
