import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';

/** The content of a file node. */
export interface FileContent {
  blobId: string;
  /** Hexadecimal. */
  sha256: string;
  size: number;
  mediaType: string;
}

/** Reads the contents of file nodes, without permission checks. The room `files` writes them. */
@Injectable()
export class FileContentsQueries {
  constructor(private readonly database: Database) {}

  /** Null: the node is not a file, whatever its schema and metadata contain. */
  async find(ownerId: string, nodeId: string): Promise<FileContent | null> {
    const [row] = await this.database.read<FileContent>(
      sql`SELECT f.blob_id AS "blobId", b.sha256, b.size_bytes AS size, f.media_type AS "mediaType"
        FROM files f JOIN blobs b ON b.owner_id = f.owner_id AND b.id = f.blob_id
        WHERE f.owner_id = ${ownerId} AND f.node_id = ${nodeId}`,
      'file',
    );
    return row ?? null;
  }
}
