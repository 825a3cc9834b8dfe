import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { isId } from '../../kernel/ids.js';
import { Database } from '../../kernel/database/database.js';
import { contentBytes, type Room, withinPageBytes } from '../../kernel/database/page-bytes.js';
import { sql } from '../../kernel/database/sql.js';
import { type ExposureProfile } from '../domain/exposure-profile.js';
import { type ProfileGrants } from '../domain/profile-grants.js';
import { type TagReference } from '../domain/profile-rules.js';
import { tagNameKey } from '../domain/tags/tag-name.js';
import { ExposureProfileEntity, type ProfileRow } from './privacy.entities.js';
import { ProfileLocks } from './profile-locks.queries.js';

/** The part of a profile that a consent page compares with an app's request. */
export type NamedGrants = ProfileGrants & Pick<ExposureProfile, 'id' | 'name' | 'isDefault'>;

export type ProfilesPage = Room & { isActive?: boolean | undefined };

export interface ExcludesByName {
  id: string;
  excludes: TagReference[];
}

/** Profiles of a page: each may hold 256 KiB of rules. */
const PAGE = 10;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Profiles as they are stored. Writes need a unit of work. */
@Injectable()
export class ExposureProfilesRepository {
  constructor(
    private readonly database: Database,
    private readonly locks: ProfileLocks,
  ) {}

  async find(ownerId: string, id: string): Promise<ExposureProfile | null> {
    if (!isId(id)) return null;
    return (await this.rows()).findOneBy({ ownerId, id });
  }

  /** The first profiles of a page, oldest first, until they fill a part of it. */
  async list(
    ownerId: string,
    { isActive, limit, offset }: ProfilesPage,
  ): Promise<{ profiles: ExposureProfile[]; total: number }> {
    const passing = sql.and([
      sql`owner_id = ${ownerId}`,
      isActive !== undefined && sql`is_active = ${isActive}`,
    ]);
    const found = await this.database.read<{ id: string }>(
      withinPageBytes({
        from: sql`(SELECT id, description, rules, created_at FROM exposure_profiles WHERE ${passing}
          ORDER BY created_at, id LIMIT ${limit} OFFSET ${offset}) AS p`,
        columns: sql`p.id`,
        order: sql`p.created_at, p.id`,
        bytes: contentBytes('p', { texts: ['description'], documents: ['rules'] }),
        names: sql`id`,
      }),
      'profiles-page',
    );
    const rows = await this.rows();
    const profiles = await rows.find({
      where: { ownerId, id: In(found.map(({ id }) => id)) },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
    const total = await rows.countBy({ ownerId, ...(isActive === undefined ? {} : { isActive }) });
    return { profiles, total };
  }

  /** The names and grants of all profiles, oldest first, in pages. */
  async *grants(ownerId: string): AsyncGenerator<NamedGrants[]> {
    const oldest = await this.database.read<{ id: string }>(
      sql`SELECT id FROM exposure_profiles WHERE owner_id = ${ownerId} ORDER BY created_at, id`,
      'profiles-oldest',
    );
    for (let at = 0; at < oldest.length; at += PAGE) {
      const ids = oldest.slice(at, at + PAGE).map(({ id }) => id);
      yield await this.database.read<NamedGrants>(
        sql`SELECT id, name, is_default AS "isDefault", is_active AS "isActive",
            jsonb_build_object('tag_permissions', rules -> 'tag_permissions',
              'schema_permissions', rules -> 'schema_permissions') AS rules
          FROM exposure_profiles WHERE owner_id = ${ownerId} AND id = ANY(${ids}::uuid[])
          ORDER BY created_at, id`,
        'profiles-grants',
      );
    }
  }

  /**
   * The excludes that name no living tag by its id, and so go by their names (rule 3.11), in pages. Profiles
   * that have none, or that exclude this tag by its id, are left out.
   */
  async *excludesByName(ownerId: string, tagId: string): AsyncGenerator<ExcludesByName[]> {
    const named = JSON.stringify([{ id: tagId }]);
    for (let after = BEFORE_ALL; ;) {
      const page = await this.database.read<ExcludesByName>(
        sql`SELECT p.id, e.excludes FROM exposure_profiles AS p
          CROSS JOIN LATERAL (SELECT jsonb_agg(tag) AS excludes
            FROM jsonb_array_elements(p.rules #> '{tag_filters,exclude_any}') AS tag
            WHERE NOT EXISTS (SELECT FROM tags AS t
              WHERE t.owner_id = p.owner_id AND t.id = (tag ->> 'id')::uuid AND t.deleted_at IS NULL)) AS e
          WHERE p.owner_id = ${ownerId} AND p.id > ${after} AND e.excludes IS NOT NULL
            AND NOT (p.rules #> '{tag_filters,exclude_any}') @> ${named}::jsonb
          ORDER BY p.id LIMIT ${PAGE}`,
        'profiles-excludes-by-name',
      );
      yield page;
      if (page.length < PAGE) return;
      after = page.at(-1)?.id as string;
    }
  }

  async findDefault(ownerId: string): Promise<ExposureProfile | null> {
    return (await this.rows()).findOneBy({ ownerId, isDefault: true });
  }

  /** Locks the profile against changes and deletion until the unit ends. */
  async lock(ownerId: string, id: string): Promise<ExposureProfile | null> {
    if (!isId(id)) return null;
    await this.locks.profile(ownerId, id);
    return this.find(ownerId, id);
  }

  /** Returns false if the owner has a profile of that name (or, for a default profile, a default). */
  async insert(profile: ExposureProfile): Promise<boolean> {
    const { raw } = await (
      await this.rows()
    )
      .createQueryBuilder()
      .insert()
      .values(rowOf(profile))
      .orIgnore()
      .returning('id')
      .execute();
    return (raw as unknown[]).length === 1;
  }

  /** Saves the next version of a profile that is locked. */
  async update(profile: ExposureProfile): Promise<void> {
    const { ownerId, id, ...fields } = rowOf(profile);
    await (await this.rows()).update({ ownerId, id }, fields);
  }

  async delete(ownerId: string, id: string): Promise<void> {
    await (await this.rows()).delete({ ownerId, id });
  }

  private rows() {
    return this.database.repository(ExposureProfileEntity);
  }
}

const rowOf = (profile: ExposureProfile): ProfileRow => ({ ...profile, nameKey: tagNameKey(profile.name) });
