import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type KnownTag, TagVocabulary } from '../domain/tags/tag-vocabulary.js';

/** Reads of the tags, nodes and schemas that rules refer to and other contexts write. */
@Injectable()
export class VocabularyQueries {
  constructor(private readonly database: Database) {}

  /** All tags of an owner, deleted ones included. */
  async load(ownerId: string): Promise<TagVocabulary> {
    return TagVocabulary.of(
      await this.database.read<KnownTag>(
        sql`SELECT id, name, deleted_at IS NOT NULL AS deleted FROM tags WHERE owner_id = ${ownerId}`,
        'vocabulary',
      ),
    );
  }

  /** The ids of living nodes of the owner, among these. */
  async livingNodes(ownerId: string, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT id FROM nodes WHERE owner_id = ${ownerId} AND id = ANY(${[...ids]}::uuid[]) AND deleted_at IS NULL`,
      'vocabulary-nodes',
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The ids of living schemas that this person can see, among these (specification, Schema visibility). */
  async visibleSchemas(ownerId: string, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT id FROM schemas
        WHERE id = ANY(${[...ids]}::uuid[]) AND deleted_at IS NULL
          AND (scope = 'public' OR (private_to = 'user' AND owner_id = ${ownerId}))`,
      'vocabulary-schemas',
    );
    return new Set(rows.map(({ id }) => id));
  }
}
