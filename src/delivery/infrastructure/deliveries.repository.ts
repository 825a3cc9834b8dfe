import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { sql } from '../../kernel/persistence/sql.js';
import { type Delivery } from '../domain/subscription.js';
import { type SubscriptionKey } from './subscriptions.repository.js';

const COLUMNS =
  sql.raw(`d.owner_id AS "ownerId", d.id, d.subscription_id AS "subscriptionId", d.target, d.sequence, d.event,
  d.entity_id AS "entityId", d.status, d.attempts, d.round_attempts AS "roundAttempts",
  d.response_status AS "responseStatus", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt"`);

export type NewDelivery = Pick<
  Delivery,
  'id' | 'target' | 'sequence' | 'event' | 'entityId' | 'status' | 'createdAt'
>;

/** What became of an attempt. */
export interface AttemptResult {
  status: Delivery['status'];
  event: string;
  responseStatus: number | null;
  /** Set while it is pending. */
  nextAttemptAt: Date | null;
  at: Date;
}

/** Deliveries of one subscription. Writes need a unit of work. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  async insert({ ownerId, id }: SubscriptionKey, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.database.write(
      sql`INSERT INTO webhook_deliveries (owner_id, id, subscription_id, target, sequence, event, entity_id, status,
          next_attempt_at, created_at)
        SELECT ${ownerId}, r.id, ${id}, r.target, r.sequence, r.event, r."entityId", r.status,
          CASE WHEN r.status = 'pending' THEN r."createdAt" END, r."createdAt"
        FROM jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) AS r (id uuid, target text, sequence bigint,
          event text, "entityId" uuid, status text, "createdAt" timestamptz)`,
      'deliveries-insert',
    );
  }

  /** Those whose time has come, in the order of what happened. */
  async due({ ownerId, id }: SubscriptionKey, now: Date, limit: number): Promise<Delivery[]> {
    return this.database.read<Delivery>(
      sql`SELECT ${COLUMNS} FROM webhook_deliveries d
        WHERE d.owner_id = ${ownerId} AND d.subscription_id = ${id} AND d.status = 'pending' AND d.next_attempt_at <= ${now}
        ORDER BY d.next_attempt_at, d.sequence LIMIT ${limit}`,
      'deliveries-due',
    );
  }

  async find({ ownerId, id }: SubscriptionKey, deliveryId: string): Promise<Delivery | null> {
    const [row] = await this.database.read<Delivery>(
      sql`SELECT ${COLUMNS} FROM webhook_deliveries d
        WHERE d.owner_id = ${ownerId} AND d.subscription_id = ${id} AND d.id = ${deliveryId}`,
      'delivery',
    );
    return row ?? null;
  }

  async list(
    { ownerId, id }: SubscriptionKey,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<{ deliveries: Delivery[]; total: number }> {
    const deliveries = await this.database.read<Delivery & { total: number }>(
      sql`SELECT ${COLUMNS}, count(*) OVER () AS total FROM webhook_deliveries d
        WHERE d.owner_id = ${ownerId} AND d.subscription_id = ${id}
        ORDER BY d.created_at DESC, d.sequence DESC NULLS LAST, d.id LIMIT ${limit} OFFSET ${offset}`,
      'deliveries',
    );
    return {
      deliveries,
      total: deliveries[0]?.total ?? (offset === 0 ? 0 : await this.count({ ownerId, id })),
    };
  }

  /** @returns false when another worker has recorded this very attempt, or the delivery is gone */
  async record({ ownerId, id, attempts }: Delivery, result: AttemptResult): Promise<boolean> {
    const { status, event, responseStatus, nextAttemptAt, at } = result;
    const recorded = await this.database.write(
      sql`UPDATE webhook_deliveries SET status = ${status}, event = ${event}, attempts = attempts + 1,
          round_attempts = round_attempts + 1, response_status = ${responseStatus}, next_attempt_at = ${nextAttemptAt},
          delivered_at = CASE WHEN ${status} = 'succeeded' THEN ${at}::timestamptz END
        WHERE owner_id = ${ownerId} AND id = ${id} AND attempts = ${attempts} RETURNING id`,
      'delivery-record',
    );
    return recorded.length === 1;
  }

  /** There is nothing to tell any more: no trace remains of what the receiver may not know. */
  async drop({ ownerId, id }: Delivery): Promise<void> {
    await this.database.write(
      sql`DELETE FROM webhook_deliveries WHERE owner_id = ${ownerId} AND id = ${id}`,
      'delivery-drop',
    );
  }

  /** Begins a new round of attempts (decisions 9.1, 9.3). */
  async again({ ownerId, id }: Delivery, now: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE webhook_deliveries SET status = 'pending', round_attempts = 0, next_attempt_at = ${now}
        WHERE owner_id = ${ownerId} AND id = ${id}`,
      'delivery-again',
    );
  }

  /** What waits for a subscription that has been disabled ends (decisions 9.2). */
  async failWaiting({ ownerId, id }: SubscriptionKey): Promise<void> {
    await this.database.write(
      sql`UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL
        WHERE owner_id = ${ownerId} AND subscription_id = ${id} AND status = 'pending'`,
      'deliveries-fail-waiting',
    );
  }

  async setTold(delivery: Delivery, isTold: boolean): Promise<void> {
    const { ownerId, subscriptionId, entityId } = delivery;
    await this.database.write(
      isTold
        ? sql`INSERT INTO webhook_told_nodes (owner_id, subscription_id, node_id)
            VALUES (${ownerId}, ${subscriptionId}, ${entityId}) ON CONFLICT DO NOTHING`
        : sql`DELETE FROM webhook_told_nodes
            WHERE owner_id = ${ownerId} AND subscription_id = ${subscriptionId} AND node_id = ${entityId}`,
      isTold ? 'told-node' : 'untold-node',
    );
  }

  /** Deliveries are kept for a while after they ended. */
  async sweep(before: Date): Promise<void> {
    await this.database.write(
      sql`DELETE FROM webhook_deliveries WHERE created_at < ${before} AND status <> 'pending'`,
      'deliveries-sweep',
    );
  }

  private async count({ ownerId, id }: SubscriptionKey): Promise<number> {
    const [row] = await this.database.read<{ total: number }>(
      sql`SELECT count(*) AS total FROM webhook_deliveries WHERE owner_id = ${ownerId} AND subscription_id = ${id}`,
      'deliveries-count',
    );
    return row?.total ?? 0;
  }
}
