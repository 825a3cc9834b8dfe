import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { type Authorization } from '../domain/authorization.js';
import { AuthorizationEntity } from './privacy.entities.js';

/** Authorizations as they are stored. Every step needs a unit of work. */
@Injectable()
export class AuthorizationsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns false if the pair of user and app already has a living one; waits for a concurrent insert of the
   * pair.
   */
  async insert(authorization: Authorization): Promise<boolean> {
    const { raw } = await (
      await this.rows()
    )
      .createQueryBuilder()
      .insert()
      .values(authorization)
      .orIgnore()
      .returning('id')
      .execute();
    return (raw as unknown[]).length === 1;
  }

  /** Saves the next version of an authorization that is locked. */
  async update({ ownerId, id, ...fields }: Authorization): Promise<void> {
    await (await this.rows()).update({ ownerId, id }, fields);
  }

  async delete(ownerId: string, id: string): Promise<void> {
    await (await this.rows()).delete({ ownerId, id });
  }

  private rows() {
    return this.database.repository(AuthorizationEntity);
  }
}
