import { Injectable } from '@nestjs/common';
import { type Repository } from 'typeorm';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Tag } from '../domain/tag.js';
import { tagMapping } from './tags.mapping.js';

export type TagLabel = Pick<Tag, 'id' | 'name_key'>;

/** Tags as stored, without permission checks. Writes need a unit of work. */
@Injectable()
export class TagsRepository {
  constructor(private readonly database: Database) {}

  /** A living tag. */
  async find(ownerId: string, id: string): Promise<Tag | null> {
    const [tag] = await this.database.read<Tag>(
      sql`SELECT * FROM tags WHERE owner_id = ${ownerId} AND id = ${id} AND deleted_at IS NULL`,
      'tag',
    );
    return tag ?? null;
  }

  /** Living tags that have one of the names or one of the ids. */
  async findNamed(ownerId: string, keys: readonly string[], ids: readonly string[]): Promise<TagLabel[]> {
    return this.database.read<TagLabel>(
      sql`SELECT id, name_key FROM tags
        WHERE owner_id = ${ownerId} AND deleted_at IS NULL AND (name_key = ANY(${keys}::text[]) OR id = ANY(${ids}::uuid[]))`,
      'tags-named',
    );
  }

  /** True if a tag is the other one or one of its ancestors. */
  async isSameOrAbove(ownerId: string, upperId: string, lowerId: string): Promise<boolean> {
    const rows = await this.database.read(
      sql`WITH RECURSIVE upwards (id, parent_tag_id) AS (
          SELECT id, parent_tag_id FROM tags WHERE owner_id = ${ownerId} AND id = ${lowerId}
          UNION
          SELECT t.id, t.parent_tag_id FROM tags t JOIN upwards u ON t.id = u.parent_tag_id WHERE t.owner_id = ${ownerId}
        ) SELECT 1 FROM upwards WHERE id = ${upperId}`,
    );
    return rows.length > 0;
  }

  /**
   * Prevents other writers from creating, moving or deleting tags of this owner until the unit of work
   * ends. Names and the tree of parents are rules over many rows; they hold because those writes run one
   * after the other.
   */
  async lockAll(ownerId: string): Promise<void> {
    await this.database.write(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(${`tags:${ownerId}`}, 0))`,
      'tags-lock',
    );
  }

  /** The living tags among these, locked until the unit of work ends. */
  lock(ownerId: string, ids: readonly string[]): Promise<Tag[]> {
    return this.lockWhere(ownerId, sql`id = ANY(${ids}::uuid[])`);
  }

  /** The living children of these tags, locked. */
  lockChildren(ownerId: string, parentIds: readonly string[]): Promise<Tag[]> {
    return this.lockWhere(ownerId, sql`parent_tag_id = ANY(${parentIds}::uuid[])`);
  }

  /** Throws the unique violation of tags_name when a living tag has the name. */
  async insert(tag: Tag): Promise<void> {
    await (await this.tags()).insert(tag);
  }

  /**
   * Saves tags whose names no living tag has; others are skipped without an error. Stores only name and
   * dates.
   * @returns the ids that were saved
   */
  async insertNew(tags: readonly Tag[]): Promise<Set<string>> {
    const rows = await this.database.write<{ id: string }>(
      sql`INSERT INTO tags (owner_id, id, name, name_key, created_at, updated_at)
        SELECT owner_id, id, name, name_key, created_at, updated_at
        FROM jsonb_to_recordset(${JSON.stringify(tags)}::jsonb) AS r (owner_id uuid, id uuid, name text, name_key text,
          created_at timestamptz, updated_at timestamptz)
        ON CONFLICT (owner_id, name_key) WHERE deleted_at IS NULL DO NOTHING RETURNING id`,
      'tags-insert',
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Saves the next versions of tags that this unit has locked. Throws the unique violation of tags_name
   * when another living tag has the name.
   */
  async update(tags: readonly Tag[]): Promise<void> {
    const repository = await this.tags();
    for (const { owner_id, id, ...rest } of tags) await repository.update({ owner_id, id }, rest);
  }

  private lockWhere(ownerId: string, condition: Sql): Promise<Tag[]> {
    return this.database.write<Tag>(
      sql`SELECT * FROM tags WHERE owner_id = ${ownerId} AND ${condition} AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
      'tags-lock-rows',
    );
  }

  private tags(): Promise<Repository<Tag>> {
    return this.database.repository(tagMapping);
  }
}
