import { Injectable } from '@nestjs/common';
import { isId } from '../../kernel/ids.js';
import { Database } from '../../kernel/persistence/database.js';
import { type ExposureProfile } from '../domain/exposure-profile.js';
import { tagNameKey } from '../domain/tag-name.js';
import { ExposureProfileEntity, type ProfileRow } from './privacy.entities.js';
import { ProfileLocks } from './profile-locks.queries.js';

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

  /** A page of profiles, oldest first. */
  async list(
    ownerId: string,
    { isActive, limit, offset }: { isActive?: boolean | undefined; limit: number; offset: number },
  ): Promise<{ profiles: ExposureProfile[]; total: number }> {
    const [profiles, total] = await (
      await this.rows()
    ).findAndCount({
      where: { ownerId, ...(isActive === undefined ? {} : { isActive }) },
      order: { createdAt: 'ASC', id: 'ASC' },
      take: limit,
      skip: offset,
    });
    return { profiles, total };
  }

  /** All profiles of an owner, oldest first. */
  async all(ownerId: string): Promise<ExposureProfile[]> {
    return (await this.rows()).find({ where: { ownerId }, order: { createdAt: 'ASC', id: 'ASC' } });
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
