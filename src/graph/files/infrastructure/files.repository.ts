import { Injectable } from '@nestjs/common';
import { ChangeLog } from '../../../kernel/change-log/change-log.js';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import { type FileContent } from '../../nodes/index.js';

/** Bytes in the blob store that no file has yet. */
interface NewBlob {
  key: string;
  /** Hexadecimal. */
  sha256: string;
  size: number;
}

/** The contents of file nodes, without permission checks. Writes need a unit of work. */
@Injectable()
export class FilesRepository {
  constructor(
    private readonly database: Database,
    private readonly changes: ChangeLog,
  ) {}

  /**
   * The owner's blob with that content: the staged one, or an existing one. The sweep cannot remove it before the unit
   * ends; after that a reference protects it. Both take the same statements: a file that is hidden from the caller may
   * have that content.
   */
  async adopt(ownerId: string, blob: NewBlob, at: Date): Promise<string> {
    for (;;) {
      await this.database.write(
        sql`INSERT INTO blobs (owner_id, id, sha256, size_bytes, created_at)
          VALUES (${ownerId}, ${blob.key}, ${blob.sha256}, ${blob.size}, ${at})
          ON CONFLICT (owner_id, sha256) DO NOTHING`,
        'blob-insert',
      );
      const [stored] = await this.database.write<{ id: string }>(
        sql`SELECT id FROM blobs WHERE owner_id = ${ownerId} AND sha256 = ${blob.sha256} FOR KEY SHARE`,
        'blob-keep',
      );
      // None: the sweep was faster, and the next insert succeeds.
      if (stored) return stored.id;
    }
  }

  /**
   * Sets the content of a node, which no other unit may write meanwhile; the sweep removes the previous one. The size
   * is counted also where the owner has the content already: a file with it may be hidden from the caller (ADR 73).
   */
  async put(ownerId: string, nodeId: string, file: Omit<FileContent, 'sha256'>): Promise<void> {
    const [row] = await this.database.write<{ previous: number }>(
      sql`INSERT INTO files (owner_id, node_id, blob_id, media_type)
        VALUES (${ownerId}, ${nodeId}, ${file.blobId}, ${file.mediaType})
        ON CONFLICT (owner_id, node_id) DO UPDATE SET blob_id = EXCLUDED.blob_id, media_type = EXCLUDED.media_type
        RETURNING coalesce((SELECT b.size_bytes FROM files AS f
          JOIN blobs AS b ON b.owner_id = f.owner_id AND b.id = f.blob_id
          WHERE f.owner_id = ${ownerId} AND f.node_id = ${nodeId}), 0) AS previous`,
      'file-put',
    );
    this.changes.count(ownerId, { file_bytes: file.size - (row?.previous ?? 0) });
  }

  /**
   * Deletes rows of blobs that no file refers to. They are locked first and checked again, because an
   * upload may have adopted one meanwhile.
   * @returns their keys; the bytes may be removed after the unit's commit
   */
  async forgetUnused(before: Date, limit: number): Promise<string[]> {
    const locked = await this.database.write<{ owner_id: string; id: string }>(
      sql`SELECT b.owner_id, b.id FROM blobs b
        WHERE b.created_at < ${before}
          AND NOT EXISTS (SELECT 1 FROM files f WHERE f.owner_id = b.owner_id AND f.blob_id = b.id)
        LIMIT ${limit} FOR UPDATE OF b SKIP LOCKED`,
    );
    const forgotten = await this.database.write<{ id: string }>(
      sql`DELETE FROM blobs b USING jsonb_to_recordset(${JSON.stringify(locked)}::jsonb) AS r (owner_id uuid, id uuid)
        WHERE b.owner_id = r.owner_id AND b.id = r.id
          AND NOT EXISTS (SELECT 1 FROM files f WHERE f.owner_id = b.owner_id AND f.blob_id = b.id)
        RETURNING b.id`,
    );
    return forgotten.map(({ id }) => id);
  }

  /** The keys among these that belong to a blob of some owner. */
  async known(keys: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT id FROM blobs WHERE id = ANY(${keys}::uuid[])`,
    );
    return new Set(rows.map(({ id }) => id));
  }
}
