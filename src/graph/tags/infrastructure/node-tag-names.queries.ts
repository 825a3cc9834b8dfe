import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import { rest } from '../../../kernel/slices.js';
import { type Access, TagVocabulary } from '../../../privacy/index.js';
import { rowsAt } from '../../lists/index.js';

/** A tag of an owner. */
interface TagPlace {
  ownerId: string;
  id: string;
}

/** The number of tags that one statement names. */
const AT_ONCE = 1_000;

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
    const made = new Map(owners.map((ownerId) => [ownerId, [] as typeof found]));
    for (const tag of found) made.get(tag.owner_id)?.push(tag);
    return new Map(
      owners.map((ownerId) => {
        const access = accesses.get(ownerId) as T;
        const names = [...access.vocabulary.all(), ...(made.get(ownerId) ?? [])];
        return [ownerId, { ...access, vocabulary: new TagVocabulary(names) }];
      }),
    );
  }

  /** Passes on the living ones among any number of tags, with their names; others are served in between. */
  async *living<T extends TagPlace>(tags: readonly T[]): AsyncGenerator<{ tag: T; name: string }> {
    for (let from = 0; from < tags.length; from += AT_ONCE) {
      const some = tags.slice(from, from + AT_ONCE);
      const found = await this.database.read<TagPlace & { name: string }>(
        sql`SELECT t.owner_id AS "ownerId", t.id, t.name FROM ${rowsAt(some, 'tags', 't')} WHERE t.deleted_at IS NULL`,
        'tags-living',
      );
      const names = new Map(found.map((tag) => [keyOf(tag), tag.name]));
      for (const tag of some) {
        const name = names.get(keyOf(tag));
        if (name !== undefined) yield { tag, name };
      }
      await rest();
    }
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

const keyOf = ({ ownerId, id }: TagPlace): string => `${ownerId} ${id}`;
