import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { bind } from '../../../kernel/http/bodies/binding.js';
import { parseJson, RefusedJson } from '../../../kernel/json/json-text.js';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { type Access } from '../../../privacy/index.js';
import { recognise } from '../application/file-recognition.js';
import { FilesService, type NewFile, refuseUnknownTags } from '../application/files.service.js';
import { type FileKind, type JsonObject } from '../../common/index.js';
import { type Node } from '../../nodes/index.js';
import { type Upload } from './file-upload.interceptor.js';
import { type UploadFileBody, UploadMetadata, type UploadNodeBody, UploadTags } from './files.dto.js';

const SOURCE = 'api';

/** Turns received files and the texts beside them into file nodes. */
@Injectable()
export class FileArrivals {
  constructor(
    private readonly files: FilesService,
    private readonly units: UnitOfWork,
  ) {}

  async fromNodes(access: Access, upload: Upload, body: UploadNodeBody): Promise<Node> {
    const tags = body.tags ? bind(UploadTags, { tags: jsonOf('tags', body.tags) }).tags : [];
    return this.arrive(access, upload, { tags, metadata: metadataOf(body.metadata), kind: {} });
  }

  async fromRawFiles(access: Access, upload: Upload, body: UploadFileBody): Promise<Node> {
    const { data_type, format, structure_type } = body;
    const tags = (body.tag_ids ?? '').split(',').flatMap((id) => id.trim().toLowerCase() || []);
    refuseUnknownTags(access, tags);
    const kind = {
      structure_type,
      ...(data_type === undefined ? {} : { data_type }),
      ...(format === undefined ? {} : { format: format.toLowerCase() }),
    };
    return this.arrive(access, upload, { tags, metadata: metadataOf(body.metadata), kind });
  }

  private async arrive(
    access: Access,
    upload: Upload,
    { kind, ...wanted }: Pick<NewFile, 'tags' | 'metadata'> & { kind: Partial<FileKind> },
  ): Promise<Node> {
    const { filename, claimed, blob } = upload.file;
    const found = await recognise(filename, claimed, blob);
    const file = { filename, blob, ...wanted, kind: { ...found, ...kind }, source: SOURCE };
    const { node, isAdopted } = await this.files.create(access, file);
    if (isAdopted) this.units.afterCommit(upload.keep);
    return node;
  }
}

function metadataOf(text: string | undefined): JsonObject | null {
  return text ? bind(UploadMetadata, { metadata: jsonOf('metadata', text) }).metadata : null;
}

function jsonOf(field: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw error instanceof RefusedJson ? DomainError.validation(field, error.message) : error;
  }
}
