import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql, type Sql } from '../../kernel/database/sql.js';
import { isOwnerGone } from '../../kernel/database/violations.js';
import { type Subscription } from '../domain/subscription.js';
import { accountGone } from '../../kernel/errors/account-gone.js';

const COLUMNS = sql.raw(`s.owner_id AS "ownerId", s.id, s.app_id AS "appId", s.is_users AS "isUsers",
  s.webhook_url AS "webhookUrl", s.events, s.proposals_url AS "proposalsUrl", s.proposal_events AS "proposalEvents",
  s.webhook_authorization_id AS "webhookAuthorizationId", s.proposals_authorization_id AS "proposalsAuthorizationId",
  s.secret, s.previous_secret AS "previousSecret", s.previous_until AS "previousUntil", s.status,
  s.disabled_reason AS "disabledReason", s.consecutive_failures AS "consecutiveFailures",
  s.last_delivery_at AS "lastDeliveryAt", s.position, s.expansion, s.is_full AS "isFull", s.created_at AS "createdAt", s.updated_at AS "updatedAt"`);

/** The counters that an event's content depends on: those of the rules, and that of the owner's graph. */
const COUNTERS = sql.raw(`(SELECT string_agg(concat_ws(' ', q.id, q.policy), ' ' ORDER BY q.id)
    FROM sequences q WHERE q.id IN (s.owner_id, s.app_id)) AS policies,
  (SELECT q.changes FROM sequences q WHERE q.id = s.owner_id) AS changes,
  (SELECT a.expires_at FROM authorizations a
    WHERE a.owner_id = s.owner_id AND a.app_id = s.app_id AND a.revoked_at IS NULL) AS "endsAt"`);

/** The pending deliveries of a subscription from which on it gets no further ones (rule 9.2f). */
export const MOST_PENDING = 10_000;

/**
 * True for a subscription with {@link MOST_PENDING} pending deliveries.
 * @param made the number of those that the same statement adds, which does not see them
 */
export const hasManyPending = ({ ownerId, id }: SubscriptionKey, made = 0): Sql =>
  sql`EXISTS (SELECT FROM webhook_deliveries d
    WHERE d.owner_id = ${ownerId} AND d.subscription_id = ${id} AND d.status = 'pending' OFFSET ${MOST_PENDING - 1 - made})`;

/** Subscriptions that have not read the log of pending owner `n` to its end. */
const BEHIND = sql.raw(`SELECT FROM webhook_subscriptions s JOIN sequences q ON q.id = s.owner_id
  WHERE s.owner_id = n.owner_id AND s.position < q.changes`);

/** A subscription by its keys. */
export type SubscriptionKey = Pick<Subscription, 'ownerId' | 'id'>;

export type LeasedSubscription = Subscription & {
  policies: string;
  changes: number;
  /** The end of the app's authorization. */
  endsAt: Date | null;
  /** True if any of the watched entities has changed. */
  hasChanged: boolean;
};

/** Subscriptions that a worker has no place for. */
export interface ExcludedSubscriptions {
  owners: readonly string[];
  ids: readonly string[];
  /** Ids of the only subscriptions that it has places for; null: no such limit. */
  only: readonly string[] | null;
}

const NONE: ExcludedSubscriptions = { owners: [], ids: [], only: null };

/** Entities of the owner's graph, and a position in the change log. */
export interface WatchedEntities {
  ids: readonly string[];
  after: number;
}

/**
 * Subscriptions as their users see them. The columns of the workers have their own statements, so that neither
 * overwrites the other.
 */
@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly database: Database) {}

  async find(ownerId: string, appId: string): Promise<Subscription | null> {
    const [row] = await this.database.read<Subscription>(
      sql`SELECT ${COLUMNS} FROM webhook_subscriptions s WHERE s.owner_id = ${ownerId} AND s.app_id = ${appId}`,
      'subscription',
    );
    return row ?? null;
  }

  /** Locks the subscription until the unit ends. */
  async lock(ownerId: string, appId: string): Promise<Subscription | null> {
    const [row] = await this.database.write<Subscription>(
      sql`SELECT ${COLUMNS} FROM webhook_subscriptions s WHERE s.owner_id = ${ownerId} AND s.app_id = ${appId} FOR UPDATE`,
      'subscription-lock',
    );
    return row ?? null;
  }

  /**
   * Inserts a subscription whose position is the last committed change.
   * @returns false if there is already one of this owner and app
   * @throws NOT_FOUND if the account is erased
   */
  async insert(subscription: Subscription): Promise<boolean> {
    const { ownerId, id, appId, isUsers, webhookUrl, events, proposalsUrl, proposalEvents } = subscription;
    // Waits for changes under way, which are counted below; later ones wait for us and mark the owner as pending.
    await this.markFollowed(ownerId);
    const inserted = await this.database.write(
      sql`INSERT INTO webhook_subscriptions (owner_id, id, app_id, is_users, webhook_url, events, proposals_url,
          proposal_events, webhook_authorization_id, proposals_authorization_id, secret, status, position, created_at,
          updated_at)
        SELECT ${ownerId}, ${id}, ${appId}, ${isUsers}, ${webhookUrl}, ${events}::text[], ${proposalsUrl},
          ${proposalEvents}::text[], ${subscription.webhookAuthorizationId}::uuid,
          ${subscription.proposalsAuthorizationId}::uuid, ${subscription.secret}, ${subscription.status},
          COALESCE((SELECT changes FROM sequences WHERE id = ${ownerId}), 0), ${subscription.createdAt},
          ${subscription.updatedAt}
        ON CONFLICT (owner_id, app_id) DO NOTHING RETURNING id`,
      'subscription-insert',
    );
    return inserted.length === 1;
  }

  private async markFollowed(ownerId: string): Promise<void> {
    try {
      await this.database.write(
        sql`INSERT INTO sequences (id, changes, policy, is_followed) VALUES (${ownerId}, 0, 0, true)
          ON CONFLICT (id) DO UPDATE SET is_followed = true`,
        'subscription-follow',
      );
    } catch (error) {
      throw isOwnerGone(error) ? accountGone() : error;
    }
  }

  /** Locks the subscription by its own key, for workers. */
  async lockKnown({ ownerId, id }: SubscriptionKey): Promise<Subscription | null> {
    const [row] = await this.database.write<Subscription>(
      sql`SELECT ${COLUMNS} FROM webhook_subscriptions s WHERE s.owner_id = ${ownerId} AND s.id = ${id} FOR UPDATE`,
      'subscription-lock-known',
    );
    return row ?? null;
  }

  async update(subscription: Subscription): Promise<void> {
    const { ownerId, id, isUsers, webhookUrl, events, proposalsUrl, proposalEvents } = subscription;
    await this.database.write(
      sql`UPDATE webhook_subscriptions SET is_users = ${isUsers}, webhook_url = ${webhookUrl},
          events = ${events}::text[], proposals_url = ${proposalsUrl}, proposal_events = ${proposalEvents}::text[],
          webhook_authorization_id = ${subscription.webhookAuthorizationId},
          proposals_authorization_id = ${subscription.proposalsAuthorizationId}, secret = ${subscription.secret}, previous_secret = ${subscription.previousSecret},
          previous_until = ${subscription.previousUntil}, status = ${subscription.status},
          disabled_reason = ${subscription.disabledReason},
          consecutive_failures = ${subscription.consecutiveFailures}, updated_at = ${subscription.updatedAt}
        WHERE owner_id = ${ownerId} AND id = ${id}`,
      'subscription-update',
    );
  }

  async remove({ ownerId, id }: SubscriptionKey): Promise<void> {
    await this.database.write(
      sql`DELETE FROM webhook_subscriptions WHERE owner_id = ${ownerId} AND id = ${id}`,
      'subscription-remove',
    );
  }

  /**
   * Subscriptions with something to do and no worker, the longest waiting first: a delivery is due, there are unread
   * changes and not too many deliveries, or a worker died and has not set the due time. Excluded ones take no room of the limit.
   */
  async ready(
    now: Date,
    limit: number,
    { owners, ids, only }: ExcludedSubscriptions = NONE,
  ): Promise<SubscriptionKey[]> {
    const isIncluded = sql`s.owner_id <> ALL(${[...owners]}::uuid[]) AND s.id <> ALL(${[...ids]}::uuid[])
      AND (${only === null} OR s.id = ANY(${[...(only ?? [])]}::uuid[]))`;
    return this.database.read<SubscriptionKey>(
      sql`SELECT owner_id AS "ownerId", id FROM (
          (SELECT s.owner_id, s.id, s.due_at AS since FROM webhook_subscriptions s
            WHERE s.due_at <= ${now} AND (s.leased_until IS NULL OR s.leased_until <= ${now}) AND ${isIncluded}
            ORDER BY s.due_at LIMIT ${limit})
          UNION ALL
          (SELECT s.owner_id, s.id, s.leased_until FROM webhook_subscriptions s
            WHERE s.leased_until <= ${now} AND ${isIncluded} ORDER BY s.leased_until LIMIT ${limit})
          UNION ALL
          (SELECT s.owner_id, s.id, n.changed_at FROM webhook_news n
            JOIN webhook_subscriptions s ON s.owner_id = n.owner_id
            JOIN sequences q ON q.id = n.owner_id AND q.changes > s.position
            WHERE NOT s.is_full AND (s.leased_until IS NULL OR s.leased_until <= ${now}) AND (s.due_at IS NULL OR s.due_at > ${now})
              AND ${isIncluded}
            ORDER BY n.changed_at LIMIT ${limit})
        ) ready GROUP BY owner_id, id ORDER BY min(since), id LIMIT ${limit}`,
      'subscriptions-ready',
    );
  }

  /** Takes the lease for one worker. Null: another worker has it, or the subscription is deleted. */
  async lease({ ownerId, id }: SubscriptionKey, now: Date, until: Date): Promise<LeasedSubscription | null> {
    const [row] = await this.database.write<LeasedSubscription>(
      sql`UPDATE webhook_subscriptions s SET leased_until = ${until}
        WHERE s.owner_id = ${ownerId} AND s.id = ${id} AND (s.leased_until IS NULL OR s.leased_until <= ${now})
        RETURNING ${COLUMNS}, ${COUNTERS}, false AS "hasChanged"`,
      'subscription-lease',
    );
    return row ?? null;
  }

  /** The current subscription, if the lease with this expiry time still holds. */
  async held(
    { ownerId, id }: SubscriptionKey,
    until: Date,
    { ids, after }: WatchedEntities,
  ): Promise<LeasedSubscription | null> {
    const [row] = await this.database.read<LeasedSubscription>(
      sql`SELECT ${COLUMNS}, ${COUNTERS}, EXISTS (SELECT FROM changes c
          WHERE c.owner_id = s.owner_id AND c.entity_id = ANY(${[...ids]}::uuid[]) AND c.sequence > ${after}) AS "hasChanged"
        FROM webhook_subscriptions s
        WHERE s.owner_id = ${ownerId} AND s.id = ${id} AND s.leased_until = ${until}`,
      'subscription-held',
    );
    return row ?? null;
  }

  /** Extends the lease with this expiry time, if it still holds. */
  async renew(
    { ownerId, id }: SubscriptionKey,
    { until, longer }: { until: Date; longer: Date },
  ): Promise<void> {
    await this.database.write(
      sql`UPDATE webhook_subscriptions SET leased_until = ${longer}
        WHERE owner_id = ${ownerId} AND id = ${id} AND leased_until = ${until}`,
      'subscription-renew',
    );
  }

  /**
   * Ends the lease and sets the time at which there is something to do, at the earliest now: it has had its turn. No
   * effect on another worker's lease.
   */
  async release({ ownerId, id }: SubscriptionKey, { until, now }: { until: Date; now: Date }): Promise<void> {
    // Only reading the log fills it. Its deliveries are counted only while it is full.
    const isStillFull = sql`(s.is_full AND ${hasManyPending({ ownerId, id })})`;
    // Locked first: the due time must include everything that was committed while this waited for the row.
    await this.database.write(
      sql`SELECT 1 FROM webhook_subscriptions s WHERE s.owner_id = ${ownerId} AND s.id = ${id} FOR UPDATE`,
      'subscription-release-lock',
    );
    await this.database.write(
      sql`UPDATE webhook_subscriptions s SET leased_until = NULL, is_full = ${isStillFull}, due_at = CASE
            WHEN NOT ${isStillFull} AND s.position < (SELECT q.changes FROM sequences q WHERE q.id = ${ownerId}) THEN ${now}::timestamptz
            -- NULL if nothing waits. One row for each address, for any number of deliveries.
            ELSE (SELECT greatest(min(first.at), ${now}::timestamptz)
              FROM (VALUES ('webhook'), ('proposals')) AS t (target), LATERAL (
                SELECT d.next_attempt_at AS at FROM webhook_deliveries d
                WHERE d.owner_id = ${ownerId} AND d.subscription_id = ${id} AND d.target = t.target AND d.status = 'pending'
                ORDER BY d.next_attempt_at LIMIT 1) first HAVING count(*) > 0)
          END
        WHERE s.owner_id = ${ownerId} AND s.id = ${id} AND s.leased_until = ${until}`,
      'subscription-release',
    );
  }

  /**
   * Removes the owner's pending mark if every subscription has read the log to its end. Skips a locked mark: a writer
   * of a change sets it in any case.
   */
  async clearPendingOwner(ownerId: string): Promise<void> {
    const pending = await this.database.write(
      sql`SELECT 1 FROM webhook_news WHERE owner_id = ${ownerId} FOR UPDATE SKIP LOCKED`,
      'pending-owner-lock',
    );
    if (pending.length === 0) return;
    await this.database.write(
      sql`DELETE FROM webhook_news n WHERE n.owner_id = ${ownerId} AND NOT EXISTS (${BEHIND})`,
      'pending-owner-clear',
    );
  }

  /** Deletes subscriptions of deleted apps with their deliveries, and pending marks without readers. */
  async sweep(): Promise<void> {
    await this.database.write(
      sql`DELETE FROM webhook_subscriptions s
        WHERE NOT EXISTS (SELECT FROM apps a WHERE a.id = s.app_id AND a.deleted_at IS NULL)`,
      'subscriptions-sweep',
    );
    const idle = await this.database.write<{ ownerId: string }>(
      sql`SELECT n.owner_id AS "ownerId" FROM webhook_news n
        WHERE NOT EXISTS (${BEHIND}) ORDER BY 1 FOR UPDATE SKIP LOCKED`,
      'pending-owners-idle',
    );
    // Checked again now that they are locked: a change may have been committed meanwhile.
    await this.database.write(
      sql`DELETE FROM webhook_news n WHERE n.owner_id = ANY(${idle.map(({ ownerId }) => ownerId)}::uuid[])
          AND NOT EXISTS (${BEHIND})`,
      'pending-owners-sweep',
    );
    // Marks that processes of an older version, or a restored backup, have left out.
    await this.database.write(
      sql`INSERT INTO webhook_news (owner_id, changed_at)
        SELECT DISTINCT s.owner_id, now() FROM webhook_subscriptions s
        JOIN sequences q ON q.id = s.owner_id AND q.changes > s.position
        WHERE NOT EXISTS (SELECT FROM webhook_news n WHERE n.owner_id = s.owner_id) ORDER BY 1
        ON CONFLICT DO NOTHING`,
      'pending-owners-found',
    );
  }

  /** Makes the subscription due at once. */
  async makeDue({ ownerId, id }: SubscriptionKey, now: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE webhook_subscriptions SET due_at = least(due_at, ${now}) WHERE owner_id = ${ownerId} AND id = ${id}`,
      'subscription-hurry',
    );
  }

  /**
   * Counts a failed attempt.
   * @param reason why it is disabled; null: it stays active
   * @returns true if it is disabled now
   */
  async failed({ ownerId, id }: SubscriptionKey, reason: string | null): Promise<boolean> {
    const [row] = await this.database.write<{ disabled: boolean }>(
      sql`UPDATE webhook_subscriptions SET consecutive_failures = consecutive_failures + 1,
          status = CASE WHEN ${reason}::text IS NOT NULL THEN 'disabled' ELSE status END,
          disabled_reason = COALESCE(${reason}::text, disabled_reason)
        WHERE owner_id = ${ownerId} AND id = ${id} RETURNING status = 'disabled' AS disabled`,
      'subscription-failed',
    );
    return row?.disabled ?? false;
  }
}
