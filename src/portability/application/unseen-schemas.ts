import { Injectable } from '@nestjs/common';
import { SchemasQueries } from '../../graph/index.js';
import { Accesses } from '../../privacy/index.js';
import { type ArchivedIds } from '../domain/archived-ids.js';

const ASKED_AT_ONCE = 10_000;

/** Schemas that an archive names and its account cannot see: hidden ones and absent ones, which are treated alike. */
@Injectable()
export class UnseenSchemas {
  constructor(
    private readonly accesses: Accesses,
    private readonly schemas: SchemasQueries,
  ) {}

  /**
   * Counts them among the ids that the archive defines, so that they get new ids, which name nothing here: a private
   * schema of others must not be at work in the account (rule 5.7).
   */
  async disown(userId: string, ids: ArchivedIds): Promise<void> {
    const named = [...ids.otherSchemas];
    if (named.length === 0) return;
    const access = await this.accesses.ofOwner(userId);
    for (let start = 0; start < named.length; start += ASKED_AT_ONCE) {
      const some = named.slice(start, start + ASKED_AT_ONCE);
      const visible = await this.schemas.visible(access, some);
      ids.define(some.filter((id) => !visible.has(id)));
    }
  }
}
