import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';
import { type Possession } from '../domain/thing-events.js';
import { type SubscriptionKey } from './subscriptions.repository.js';

/** The things that receivers may have. The table has nodes and relationships, which have no ids in common. */
@Injectable()
export class HeldThings {
  constructor(private readonly database: Database) {}

  /** Things that nothing was sent of are absent. */
  async of(
    { ownerId, id }: SubscriptionKey,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Possession>> {
    const rows = await this.database.read<{ id: string; has: boolean }>(
      sql`SELECT node_id AS id, is_answered AS has FROM webhook_told_nodes
        WHERE owner_id = ${ownerId} AND subscription_id = ${id} AND node_id = ANY(${[...new Set(ids)]}::uuid[])`,
      'held-things',
    );
    return new Map(rows.map(({ id: thing, has }) => [thing, { mayHave: true, has }]));
  }
}
