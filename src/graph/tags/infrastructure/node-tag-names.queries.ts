import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import { type Access, TagVocabulary } from '../../../privacy/index.js';

/** Names of tags that are younger than the guard's vocabulary. */
@Injectable()
export class NodeTagNames {
  constructor(private readonly database: Database) {}

  /**
   * The same access with the names of all these tags: a write answers with the tags that it has just
   * created. Costs a statement only if a name is missing.
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

  /** The same for the nodes of several owners: each access then knows the tags of its owner's nodes. One statement. */
  async knowingAll<T extends Access>(
    accesses: ReadonlyMap<string, T>,
    nodes: readonly { owner_id: string; tag_ids: readonly string[] }[],
  ): Promise<Map<string, T>> {
    const unknown = nodes.flatMap(({ owner_id, tag_ids }) =>
      tag_ids.filter((id) => accesses.get(owner_id)?.vocabulary.get(id) === undefined),
    );
    const owners = [...new Set(nodes.map(({ owner_id }) => owner_id))].filter((id) => accesses.has(id));
    const found = owners.length === 0 ? [] : await this.find(owners, [...new Set(unknown)]);
    return new Map(
      owners.map((ownerId) => {
        const access = accesses.get(ownerId) as T;
        const made = found.filter(({ owner_id }) => owner_id === ownerId);
        return [ownerId, { ...access, vocabulary: new TagVocabulary([...access.vocabulary.all(), ...made]) }];
      }),
    );
  }

  private async find(ownerIds: readonly string[], tagIds: readonly string[]) {
    if (tagIds.length === 0) return [];
    return this.database.read<{ owner_id: string; id: string; name: string; deleted: boolean }>(
      sql`SELECT owner_id, id, name, deleted_at IS NOT NULL AS deleted FROM tags
        WHERE owner_id = ANY(${ownerIds}::uuid[]) AND id = ANY(${tagIds}::uuid[])`,
      'tags-received',
    );
  }
}
