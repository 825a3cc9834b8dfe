import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';

interface NamedProfile {
  id: string;
  name: string;
}

/** Names beside the ids of profiles (rule 11.13), for those who may read the profiles themselves. */
@Injectable()
export class ProfileNames {
  constructor(private readonly database: Database) {}

  /** The profiles of one owner by id; without ids it sends no statement. */
  async of(ownerId: string, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, NamedProfile>> {
    const wanted = [...new Set(ids.filter((id) => id !== null))];
    if (wanted.length === 0) return new Map();
    const rows = await this.database.read<NamedProfile>(
      sql`SELECT id, name FROM exposure_profiles WHERE owner_id = ${ownerId} AND id = ANY(${wanted}::uuid[])`,
      'profile-names',
    );
    return new Map(rows.map((row) => [row.id, row]));
  }
}
