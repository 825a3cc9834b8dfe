import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import { WAITS } from './embedding-queue.repository.js';

/** Counts of vectors that the service makes, and of owners who have switched it on. */
@Injectable()
export class EmbeddingCounts {
  constructor(private readonly database: Database) {}

  /** The number of an owner's nodes with a vector of the service. */
  async countVectors(ownerId: string): Promise<number> {
    const [row] = await this.database.read<{ count: number }>(
      sql`SELECT count(*) FROM embeddings e WHERE e.owner_id = ${ownerId} AND e.made_of IS NOT NULL`,
      'embedding-vectors-count',
    );
    return row?.count ?? 0;
  }

  /** The number of owners with work, under way or not. */
  async countWaiting(): Promise<number> {
    const [row] = await this.database.read<{ count: number }>(
      sql`SELECT count(*) FROM embedding_news n JOIN embedding_settings s ON s.owner_id = n.owner_id
        JOIN sequences q ON q.id = n.owner_id WHERE ${WAITS}`,
      'embedding-waiting',
    );
    return row?.count ?? 0;
  }

  /** All owners who have switched it on. */
  async owners(): Promise<string[]> {
    const rows = await this.database.read<{ ownerId: string }>(
      sql`SELECT owner_id AS "ownerId" FROM embedding_settings ORDER BY owner_id`,
      'embedding-owners',
    );
    return rows.map(({ ownerId }) => ownerId);
  }

  /** The number of an owner's living nodes. */
  async countNodes(ownerId: string): Promise<number> {
    const [row] = await this.database.read<{ count: number }>(
      sql`SELECT count(*) FROM nodes n WHERE n.owner_id = ${ownerId} AND n.deleted_at IS NULL`,
      'embedding-nodes-count',
    );
    return row?.count ?? 0;
  }
}
