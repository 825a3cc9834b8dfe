import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql, type Sql } from '../../kernel/database/sql.js';
import { PERSONS_EVENTS } from '../domain/events.js';
import { type Delivery, type Expansion, type Subscription, type Target } from '../domain/subscription.js';
import { hasManyPending, type SubscriptionKey } from './subscriptions.repository.js';

const COLUMNS =
  sql.raw(`d.owner_id AS "ownerId", d.id, d.subscription_id AS "subscriptionId", d.target, d.sequence, d.event,
  d.entity_id AS "entityId", d.status, d.attempts, d.round_attempts AS "roundAttempts",
  d.response_status AS "responseStatus", d.next_attempt_at AS "nextAttemptAt", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt"`);

export type NewDelivery = Pick<Delivery, 'id' | 'target' | 'sequence' | 'event' | 'entityId' | 'createdAt'>;

/** The most deliveries of a subscription that stay once they have ended (rule 9.2e). */
const MOST_ENDED = 10_000;

/** The event that a receiver got, and whether it has the node then. */
export interface DeliveredEvent {
  event: string;
  hasNodeAfter?: boolean;
}

/** The outcome of an attempt that failed. */
export interface AttemptResult {
  status: 'pending' | 'failed';
  event: string;
  responseStatus: number | null;
  /** Set while it is pending. */
  nextAttemptAt: Date | null;
}

/** Deliveries of one subscription. Writes need a unit of work. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  async insert({ ownerId, id }: SubscriptionKey, delivery: NewDelivery): Promise<void> {
    const subscription = sql`(SELECT ${ownerId}::uuid AS owner_id, ${id}::uuid AS id)`;
    await this.database.write(insertion([delivery], subscription), 'delivery-insert');
  }

  /**
   * Moves the subscription's position in the log and inserts the deliveries, both in one statement.
   * @returns false if the subscription has changed since it was read: another worker has advanced it, or its user has
   *   edited it
   */
  async advance(
    {
      ownerId,
      id,
      position,
      expansion,
      updatedAt,
    }: SubscriptionKey & Pick<Subscription, 'position' | 'expansion' | 'updatedAt'>,
    to: Pick<Subscription, 'position' | 'expansion'>,
    deliveries: readonly NewDelivery[],
  ): Promise<boolean> {
    const advanced = await this.database.write(
      sql`WITH advanced AS (
          UPDATE webhook_subscriptions SET position = ${to.position}, expansion = ${documentOf(to.expansion)},
            is_full = ${hasManyPending({ ownerId, id }, deliveries.length)}
          WHERE owner_id = ${ownerId} AND id = ${id} AND position = ${position}
            AND expansion IS NOT DISTINCT FROM ${documentOf(expansion)} AND updated_at = ${updatedAt}
          RETURNING owner_id, id
        ), made AS (
          ${insertion(deliveries, sql.raw('advanced'))}
        ) SELECT id FROM advanced`,
      'deliveries-advance',
    );
    return advanced.length === 1;
  }

  /** Due deliveries to one address, in the order of the changes; of one change, that of a node before its relationships. */
  async due(
    { ownerId, id }: SubscriptionKey,
    { target, now, limit }: { target: Target; now: Date; limit: number },
  ): Promise<Delivery[]> {
    return this.database.read<Delivery>(
      sql`SELECT ${COLUMNS} FROM webhook_deliveries d
        WHERE d.owner_id = ${ownerId} AND d.subscription_id = ${id} AND d.target = ${target} AND d.status = 'pending'
          AND d.next_attempt_at <= ${now}
        ORDER BY d.next_attempt_at, d.sequence, d.event, d.entity_id LIMIT ${limit}`,
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

  /** True for a subscription that gets no further deliveries until some have ended. */
  async isFull(subscription: SubscriptionKey): Promise<boolean> {
    const rows = await this.database.read(
      sql`SELECT WHERE ${hasManyPending(subscription)}`,
      'deliveries-full',
    );
    return rows.length > 0;
  }

  async list(
    { ownerId, id }: SubscriptionKey,
    { limit, offset, isByKey }: { limit: number; offset: number; isByKey: boolean },
  ): Promise<{ deliveries: Delivery[]; total: number }> {
    const hidden = isByKey ? PERSONS_EVENTS : [];
    const deliveries = await this.database.read<Delivery & { total: number }>(
      sql`SELECT ${COLUMNS}, (${counted({ ownerId, id }, hidden)}) AS total FROM webhook_deliveries d
        WHERE d.owner_id = ${ownerId} AND d.subscription_id = ${id} AND d.event <> ALL(${[...hidden]}::text[])
        ORDER BY d.created_at DESC, d.sequence DESC NULLS LAST, d.event DESC, d.entity_id DESC, d.id LIMIT ${limit} OFFSET ${offset}`,
      'deliveries',
    );
    return {
      deliveries,
      total: deliveries[0]?.total ?? (offset === 0 ? 0 : await this.count({ ownerId, id }, hidden)),
    };
  }

  /**
   * Records a success in one statement, which locks the subscription first, like every other writer of it.
   * @param delivered its `hasNodeAfter` is true if the receiver has the node now; undefined if the event was about something else
   * @returns false if the subscription is deleted
   */
  async succeeded(
    { ownerId, id, subscriptionId, entityId, attempts }: Delivery,
    {
      delivered: { event, hasNodeAfter },
      status,
      at,
    }: { delivered: DeliveredEvent; status: number; at: Date },
  ): Promise<boolean> {
    const known = await this.database.write(
      sql`WITH known AS (
          SELECT s.owner_id, s.id FROM webhook_subscriptions s
          WHERE s.owner_id = ${ownerId} AND s.id = ${subscriptionId} FOR UPDATE
        ), recorded AS (
          UPDATE webhook_deliveries d SET status = 'succeeded', event = ${event}, attempts = attempts + 1,
            round_attempts = round_attempts + 1, response_status = ${status}, next_attempt_at = NULL,
            delivered_at = ${at}
          FROM known s WHERE d.owner_id = s.owner_id AND d.id = ${id} AND d.attempts = ${attempts}
          RETURNING d.owner_id, d.subscription_id
        ), counted AS (
          UPDATE webhook_subscriptions s SET consecutive_failures = 0, last_delivery_at = ${at}
          FROM recorded r WHERE s.owner_id = r.owner_id AND s.id = r.subscription_id
        )${hasNodeAfter === undefined ? sql.empty : nodeHeldOrLost(entityId, hasNodeAfter)} SELECT id FROM known`,
      'delivery-succeeded',
    );
    return known.length === 1;
  }

  /**
   * Marks the node as possibly delivered. Written before anything is sent, so that no crash loses it.
   * @returns true if it was not marked yet
   */
  async markPossiblyDelivered({ ownerId, subscriptionId, entityId }: Delivery): Promise<boolean> {
    const heard = await this.database.write(
      sql`INSERT INTO webhook_told_nodes (owner_id, subscription_id, node_id, is_answered)
        SELECT owner_id, id, ${entityId}::uuid, false FROM webhook_subscriptions
        WHERE owner_id = ${ownerId} AND id = ${subscriptionId} FOR KEY SHARE
        ON CONFLICT DO NOTHING RETURNING node_id`,
      'delivery-may-hear',
    );
    return heard.length === 1;
  }

  /**
   * Removes the mark: nothing was sent. Only the lease holder may do so, since a later one may already rely on the row.
   */
  async unmarkPossiblyDelivered(
    { ownerId, subscriptionId, entityId }: Delivery,
    leasedUntil: Date,
  ): Promise<void> {
    await this.database.write(
      sql`WITH leased AS (
          SELECT owner_id, id FROM webhook_subscriptions
          WHERE owner_id = ${ownerId} AND id = ${subscriptionId} AND leased_until = ${leasedUntil} FOR UPDATE
        ) DELETE FROM webhook_told_nodes t USING leased s
        WHERE t.owner_id = s.owner_id AND t.subscription_id = s.id AND t.node_id = ${entityId} AND NOT t.is_answered`,
      'delivery-not-heard',
    );
  }

  /**
   * Records a failed attempt.
   * @returns false if another worker has recorded this very attempt, a new round has begun, or the delivery is deleted
   */
  async record(
    { ownerId, id, attempts, nextAttemptAt: at }: Delivery,
    result: AttemptResult,
  ): Promise<boolean> {
    const { status, event, responseStatus, nextAttemptAt } = result;
    const recorded = await this.database.write(
      sql`UPDATE webhook_deliveries SET status = ${status}, event = ${event}, attempts = attempts + 1,
          round_attempts = round_attempts + 1, response_status = ${responseStatus}, next_attempt_at = ${nextAttemptAt},
          delivered_at = NULL
        WHERE owner_id = ${ownerId} AND id = ${id} AND attempts = ${attempts}
          AND coalesce(next_attempt_at, ${at}) = ${at} RETURNING id`,
      'delivery-record',
    );
    return recorded.length === 1;
  }

  /**
   * Deletes a delivery without content, so that the list of deliveries does not reveal it; no effect if it was sent or
   * rescheduled meanwhile.
   */
  async drop({ ownerId, id, attempts, nextAttemptAt }: Delivery): Promise<void> {
    await this.database.write(
      sql`DELETE FROM webhook_deliveries WHERE owner_id = ${ownerId} AND id = ${id} AND attempts = ${attempts}
          AND status = 'pending' AND next_attempt_at = ${nextAttemptAt}`,
      'delivery-drop',
    );
  }

  /** Begins a new round of attempts (rules 9.1, 9.3). */
  async beginRound({ ownerId, id }: Delivery, now: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE webhook_deliveries SET status = 'pending', round_attempts = 0, next_attempt_at = ${now}
        WHERE owner_id = ${ownerId} AND id = ${id}`,
      'delivery-again',
    );
  }

  /** Ends all pending deliveries of a disabled subscription (rule 9.2). */
  async failPending({ ownerId, id }: SubscriptionKey): Promise<void> {
    await this.database.write(
      sql`UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL
        WHERE owner_id = ${ownerId} AND subscription_id = ${id} AND status = 'pending'`,
      'deliveries-fail-waiting',
    );
  }

  /** Deletes the deliveries of a subscription that have ended, but for the newest {@link MOST_ENDED}. */
  async trim({ ownerId, id }: SubscriptionKey): Promise<void> {
    const subscription = sql`(SELECT ${ownerId}::uuid AS owner_id, ${id}::uuid AS id)`;
    await this.database.write(excessOf(subscription), 'deliveries-trim');
  }

  /** Deletes deliveries that ended before a time, and those beyond {@link MOST_ENDED} of every subscription. */
  async sweep(before: Date): Promise<void> {
    await this.database.write(
      sql`DELETE FROM webhook_deliveries WHERE created_at < ${before} AND status <> 'pending'`,
      'deliveries-sweep',
    );
    await this.database.write(excessOf(sql.raw('webhook_subscriptions')), 'deliveries-sweep-excess');
  }

  private async count(key: SubscriptionKey, hidden: readonly string[]): Promise<number> {
    const [row] = await this.database.read<{ total: number }>(
      sql`SELECT (${counted(key, hidden)}) AS total`,
      'deliveries-count',
    );
    return row?.total ?? 0;
  }
}

const documentOf = (expansion: Expansion | null): Sql =>
  sql`${expansion === null ? null : JSON.stringify(expansion)}::jsonb`;

const insertion = (deliveries: readonly NewDelivery[], subscription: Sql): Sql =>
  sql`INSERT INTO webhook_deliveries (owner_id, id, subscription_id, target, sequence, event, entity_id, status,
            next_attempt_at, created_at)
          SELECT s.owner_id, r.id, s.id, r.target, r.sequence, r.event, r."entityId", 'pending', r."createdAt",
            r."createdAt"
          FROM ${subscription} s, jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) AS r (id uuid,
            target text, sequence bigint, event text, "entityId" uuid, "createdAt" timestamptz)`;

/**
 * Deletes ended deliveries older than the newest of these subscriptions. The borders are found first, each by one scan
 * of the index of recent deliveries: joined, they would be found again for each row.
 */
const excessOf = (subscriptions: Sql): Sql =>
  sql`WITH borders AS MATERIALIZED (
        SELECT s.owner_id, s.id AS subscription_id, border.created_at, border.id
        FROM ${subscriptions} s, LATERAL (
          SELECT e.created_at, e.id FROM webhook_deliveries e
          WHERE e.owner_id = s.owner_id AND e.subscription_id = s.id
          ORDER BY e.created_at DESC, e.id DESC OFFSET ${MOST_ENDED} - 1 LIMIT 1) border
      ) DELETE FROM webhook_deliveries d USING borders b
      WHERE d.owner_id = b.owner_id AND d.subscription_id = b.subscription_id AND d.status <> 'pending'
        AND (d.created_at, d.id) < (b.created_at, b.id)`;

/** Stores which nodes the receiver has, for it gets an event when it loses them. */
const nodeHeldOrLost = (nodeId: string | null, hasNode: boolean): Sql =>
  hasNode
    ? sql`, held AS (
          INSERT INTO webhook_told_nodes (owner_id, subscription_id, node_id)
          SELECT owner_id, subscription_id, ${nodeId}::uuid FROM recorded
          ON CONFLICT (owner_id, subscription_id, node_id) DO UPDATE SET is_answered = true WHERE NOT webhook_told_nodes.is_answered
        )`
    : sql`, ended AS (
          DELETE FROM webhook_told_nodes t USING recorded r
          WHERE t.owner_id = r.owner_id AND t.subscription_id = r.subscription_id AND t.node_id = ${nodeId}
        )`;

/** Counted on its own: a page reads only its part of an index. */
const counted = ({ ownerId, id }: SubscriptionKey, hidden: readonly string[]): Sql =>
  sql`SELECT count(*) FROM webhook_deliveries WHERE owner_id = ${ownerId} AND subscription_id = ${id}
    AND event <> ALL(${[...hidden]}::text[])`;
