import { Injectable } from '@nestjs/common';
import { createReadStream } from 'node:fs';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { storable } from '../../../kernel/storable.js';
import { type Access } from '../../../privacy/index.js';
import { type JsonObject, nodeNotFound } from '../../common/index.js';
import { FileContentsQueries, NodesRepository } from '../../nodes/index.js';
import { BlobIntake } from './blob-intake.js';
import { recognise } from './file-recognition.js';
import { FilesService, type MadeFile, type NewFile } from './files.service.js';

/** A file on this machine. */
export interface ImportableFile {
  filename: string;
  location: string;
  metadata: JsonObject;
  /** The maximum size; an existing file may keep its own. */
  maxBytes?: number;
  /** Runs first in the unit of work that writes the file, and may refuse it. */
  first?: () => Promise<void>;
}

/** The most that any plan allows: importers run for the operator, who also decides on plans. */
const MAX_BYTES = 1024 * 1_048_576;

/** Files for an importer, in the owner's name; see GraphImports. */
@Injectable()
export class FileImports {
  constructor(
    private readonly intake: BlobIntake,
    private readonly service: FilesService,
    private readonly files: FileContentsQueries,
    private readonly nodes: NodesRepository,
  ) {}

  /** @returns the id of its node */
  async create(access: Access, file: ImportableFile, tagIds: readonly string[]): Promise<string> {
    refuseOthers(access);
    const made = await this.with(file, file.maxBytes ?? MAX_BYTES, (taken) =>
      this.service.createImported(access, taken, tagIds),
    );
    return made.node.id;
  }

  /** Gives the file the content that is on this machine now, if it is another one. */
  async update(access: Access, id: string, file: ImportableFile): Promise<'updated' | 'unchanged'> {
    refuseOthers(access);
    const [node, known] = [
      await this.nodes.find(access.ownerId, id),
      await this.files.find(access.ownerId, id),
    ];
    if (node === null || known === null) throw nodeNotFound();
    let outcome: 'updated' | 'unchanged' = 'unchanged';
    const maxBytes = Math.max(file.maxBytes ?? MAX_BYTES, known.size);
    await this.with(file, maxBytes, async (taken) => {
      if (taken.blob.sha256 === known.sha256) return { node, isAdopted: false };
      outcome = 'updated';
      return this.service.replaceContent(node, taken);
    });
    return outcome;
  }

  private async with(
    { filename, location, metadata, first }: ImportableFile,
    maxBytes: number,
    work: (file: NewFile) => Promise<MadeFile>,
  ): Promise<MadeFile> {
    const blob = await this.intake.take(contentOf(location), maxBytes);
    try {
      const name = storable(filename);
      const kind = await recognise(name, 'application/octet-stream', blob);
      const made = await work({
        filename: name,
        blob,
        kind,
        tags: [],
        metadata,
        source: 'import',
        ...(first && { first }),
      });
      if (!made.isAdopted) await this.intake.discard(blob);
      return made;
    } catch (error) {
      if (error instanceof DomainError) await this.intake.discard(blob);
      throw error;
    }
  }
}

/** Opened when the first byte is needed: an error before that would be unhandled and end the process. */
async function* contentOf(location: string): AsyncGenerator<Buffer> {
  yield* createReadStream(location) as AsyncIterable<Buffer>;
}

function refuseOthers({ isOwner }: Access): void {
  if (!isOwner) throw new Error('an import is written in the name of the owner');
}
