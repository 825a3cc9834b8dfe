import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';

/**
 * The uses of tags in the rules and shares of an owner, of others than the caller as well (rule 3.11e). Profiles of earlier
 * releases may have ids in capital letters.
 */
@Injectable()
export class TagUsesQueries {
  constructor(private readonly database: Database) {}

  /**
   * True if a profile, used or not, or a share names the tag by its id, for whatever purpose; shares of
   * recipients go by tags of their own only. Needs the lock of the owner's tags.
   */
  async isNamed(ownerId: string, tagId: string): Promise<boolean> {
    return this.holds(
      sql`EXISTS (SELECT FROM exposure_profiles WHERE owner_id = ${ownerId} AND strpos(lower(rules::text), ${tagId}) > 0)
        OR EXISTS (SELECT FROM shares
          WHERE owner_id = ${ownerId} AND revoked_at IS NULL AND ${tagId}::uuid = ANY(tag_ids))`,
      'tag-uses-named',
    );
  }

  /**
   * True if a profile, used or not, excludes or masks nodes by one of the tags. Needs the lock of the owner's
   * tags. Rules are turned into text once, however many tags there are: those of all profiles may have 25 MiB.
   */
  async areConcealing(ownerId: string, tagIds: readonly string[]): Promise<boolean> {
    return this.holds(
      sql`EXISTS (WITH concealing AS MATERIALIZED (
          SELECT lower(concat(p.rules -> 'excluded_tag_ids', p.rules -> 'transformations',
            p.rules #> '{tag_filters,exclude_any}')) AS rules
          FROM exposure_profiles AS p WHERE p.owner_id = ${ownerId})
        SELECT FROM concealing CROSS JOIN unnest(${tagIds}::text[]) AS tag (id)
        WHERE strpos(concealing.rules, tag.id) > 0)`,
      'tag-uses-concealing',
    );
  }

  private async holds(condition: Sql, name: string): Promise<boolean> {
    const [row] = await this.database.read<{ holds: boolean }>(sql`SELECT ${condition} AS holds`, name);
    return row?.holds === true;
  }
}
