import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { sql } from '../../kernel/persistence/sql.js';
import { type Access, TagVocabulary } from '../../privacy/index.js';

/** Names of tags that are younger than the vocabulary which the guard read. */
@Injectable()
export class NodeTagNames {
  constructor(private readonly database: Database) {}

  /**
   * The same access, knowing by name all of these tags: a write answers with the tags that it has just made. Costs
   * a statement only if there are such.
   */
  async knowing(access: Access, tagIds: readonly string[]): Promise<Access> {
    const unknown = tagIds.filter((id) => access.vocabulary.get(id) === undefined);
    if (unknown.length === 0) return access;
    const made = await this.database.read<{ id: string; name: string; deleted: boolean }>(
      sql`SELECT id, name, deleted_at IS NOT NULL AS deleted FROM tags
        WHERE owner_id = ${access.ownerId} AND id = ANY(${unknown}::uuid[])`,
      'tags-made',
    );
    return { ...access, vocabulary: new TagVocabulary([...access.vocabulary.all(), ...made]) };
  }
}
