import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';

/**
 * True in SQL if a person may see another by name: has shared with them, or is in one group with them (rule 7.1d).
 * @param viewer the person's id in SQL
 * @param other the other person's
 */
export const mayName = (viewer: string, other: string): string =>
  `(EXISTS (SELECT FROM shares AS s WHERE s.owner_id = ${viewer} AND s.shared_with_user_id = ${other})
    OR EXISTS (SELECT FROM group_members AS mine JOIN group_members AS theirs ON theirs.owner_id = mine.owner_id
      WHERE mine.user_id = ${viewer} AND theirs.user_id = ${other}))`;

@Injectable()
export class KnownPeople {
  constructor(private readonly database: Database) {}

  /** Returns the ids of the people whom the viewer may see by name; without people it sends no statement. */
  async among(viewerId: string, people: readonly string[]): Promise<ReadonlySet<string>> {
    if (people.length === 0) return new Set();
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT p.id FROM unnest(${[...people]}::uuid[]) AS p (id), (SELECT ${viewerId}::uuid AS id) AS v
        WHERE ${sql.raw(mayName('v.id', 'p.id'))}`,
      'known-people',
    );
    return new Set(rows.map(({ id }) => id));
  }
}
