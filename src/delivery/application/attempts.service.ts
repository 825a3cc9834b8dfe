import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';
import { isCancelled, isRetryable, isUnavailable } from '../../kernel/database/violations.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { slicesWithoutEnd } from '../../graph/index.js';
import { signedHeaders } from '../domain/signature.js';
import { type Delivery, urlOf } from '../domain/subscription.js';
import { DeliveriesRepository } from '../infrastructure/deliveries.repository.js';
import { Receivers, type SignedRequest } from '../infrastructure/receiver.js';
import {
  type LeasedSubscription,
  SubscriptionsRepository,
} from '../infrastructure/subscriptions.repository.js';
import { type Content, Contents, type Decided } from './contents.service.js';
import { DatabaseBulkhead } from './database-bulkhead.js';
import { type Lease } from './leases.js';

const GONE = 410;
/** Rounds in which one message is made again because its inputs changed. */
const MAX_ROUNDS = 10;
/**
 * The wait for a receiver, or the work of masks on a message, from which a subscription is slow, also if the receiver
 * answers with success.
 */
const SLOW_MS = 1_000;

/** A message, with the state of its subscription that it was made from. */
interface Draft {
  known: LeasedSubscription;
  url: string | null;
  /** Null: there is nothing to send. 'faulty': it cannot be made. */
  content: Content | 'faulty' | null;
}

/** The turn of a subscription. */
interface Turn {
  /** True once no further message may be begun. */
  isOver(): boolean;
  /** True once messages that are not sent yet must be left to the next worker. */
  isStopping(): boolean;
}

type Sendable = Draft & { url: string; content: Content };

const isSendable = (draft: Draft): draft is Sendable =>
  draft.url !== null && draft.content !== null && draft.content !== 'faulty';

const deliversNode = ({ content }: Sendable): boolean => content.decision.hasNodeAfter === true;

const isSameKind = (draft: Draft, first: Sendable): draft is Sendable =>
  isSendable(draft) && draft.url === first.url && deliversNode(draft) === deliversNode(first);

/** One attempt of a delivery: permission is checked and the body made now, then it is sent and the outcome recorded. */
@Injectable()
export class Attempts {
  private readonly logger = new Logger('deliveries');

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly units: UnitOfWork,
    private readonly bulkhead: DatabaseBulkhead,
    private readonly contents: Contents,
    private readonly receivers: Receivers,
    private readonly deliveries: DeliveriesRepository,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  /** @returns true if the subscription can continue */
  async make(lease: Lease, delivery: Delivery, turn: Turn): Promise<boolean> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      // It may have waited for other messages of the owner.
      const draft = await this.bulkhead.draft(async () =>
        turn.isOver() ? null : this.draft(lease, delivery),
      );
      // The subscription is deleted, disabled or leased by another worker.
      if (draft === null || turn.isStopping()) return false;
      const result = await this.settle(lease, delivery, draft);
      if (result !== 'moved') return result;
    }
    // The rules change faster than a message can be made.
    return false;
  }

  /** Must run as a draft of the bulkhead. */
  private async draft(lease: Lease, delivery: Delivery): Promise<Draft | null> {
    const known = await this.bulkhead.run(() => lease.current());
    if (known === null || known.status === 'disabled') return null;
    const url = urlOf(known, delivery.target);
    const slices = slicesWithoutEnd();
    const content =
      url === null ? null : await this.orFaulty(() => this.contents.of(known, delivery, slices));
    if (slices.spentMs > SLOW_MS) lease.pace = 'slow';
    return { known, url, content };
  }

  /**
   * @returns true if the subscription can continue; 'moved' if something has changed, so that the message must be made
   *   again
   */
  private async settle(lease: Lease, delivery: Delivery, draft: Draft): Promise<boolean | 'moved'> {
    if (isSendable(draft)) return this.send(lease, delivery, draft);
    const { url, content } = draft;
    if (!(await this.bulkhead.run(() => this.isUnchanged(lease, delivery, draft)))) return 'moved';
    if (url !== null && content === 'faulty') return this.recordFaulty(delivery);
    await this.bulkhead.run(() => this.units.autocommit(() => this.deliveries.drop(delivery)));
    return true;
  }

  private async send(lease: Lease, delivery: Delivery, draft: Sendable): Promise<boolean | 'moved'> {
    const { url } = draft;
    let decision = draft.content.decision;
    let isMarked = false;
    let status: number | 'unsent' | null = 'unsent';
    try {
      status = await this.post(lease, url, async () => {
        isMarked = await this.mark(delivery, draft);
        const content = await this.currentContent(lease, delivery, draft);
        if (content === null) return null;
        decision = content.decision;
        return this.signed(delivery, content);
      });
    } finally {
      if (isMarked && status === 'unsent') await this.unmark(lease, delivery);
    }
    if (status === 'unsent') return 'moved';
    try {
      return isSuccess(status)
        ? await this.succeeded(delivery, decision, status)
        : await this.failed(delivery, decision, { status, url });
    } catch (error) {
      lease.runsOut = true;
      throw error;
    }
  }

  /** Sends a message, and records the pace of its receiver: the time of composing does not count. */
  private async post(
    lease: Lease,
    url: string,
    compose: () => Promise<SignedRequest | null>,
  ): Promise<number | 'unsent' | null> {
    let own = 0;
    const since = performance.now();
    const status = await this.receivers.post(url, async () => {
      const begun = performance.now();
      return compose().finally(() => (own = performance.now() - begun));
    });
    if (performance.now() - since - own > SLOW_MS) lease.pace = 'slow';
    else if (isSuccess(status) && lease.pace === 'unknown') lease.pace = 'quick';
    return status;
  }

  /** Marks the node as possibly delivered before anything is sent. @returns true if that is new */
  private async mark(delivery: Delivery, draft: Sendable): Promise<boolean> {
    if (!deliversNode(draft) || draft.content.mayHaveNode) return false;
    return this.bulkhead.record(() =>
      this.units.autocommit(() => this.deliveries.markPossiblyDelivered(delivery)),
    );
  }

  private async unmark(lease: Lease, delivery: Delivery): Promise<void> {
    const unmark = (until: Date) =>
      this.units.autocommit(() => this.deliveries.unmarkPossiblyDelivered(delivery, until));
    await this.bulkhead.record(() => lease.during(unmark));
  }

  /**
   * The content to send now, checked last: nothing is awaited between this check and the write, so that nothing revoked
   * is sent and no removed address is called. If something has changed, the message is made again over the open
   * connection. A waiting receiver only waits for this check, not for other drafts. Null if it is no longer the same
   * kind of message to the same address.
   */
  private async currentContent(lease: Lease, delivery: Delivery, first: Sendable): Promise<Content | null> {
    let draft: Draft | null = first;
    for (let round = 0; round < MAX_ROUNDS && draft !== null && isSameKind(draft, first); round++) {
      const made = draft;
      if (await this.bulkhead.record(() => this.isUnchanged(lease, delivery, made))) return made.content;
      draft = await this.bulkhead.draft(() => this.draft(lease, delivery));
    }
    return null;
  }

  /** Looks only at the entities of this message: an owner who writes without a pause still gets events. */
  private async isUnchanged(lease: Lease, delivery: Delivery, { known, content }: Draft): Promise<boolean> {
    const ids = content !== null && content !== 'faulty' ? content.ids : entityOf(delivery);
    const now = await lease.current({ ids, after: known.changes });
    if (now === null || now.status === 'disabled' || now.hasChanged) return false;
    if (now.policies !== known.policies || now.updatedAt.getTime() !== known.updatedAt.getTime())
      return false;
    // Checked last: an authorization that expires moves no counter, and the query above took time.
    return now.endsAt === null || now.endsAt > this.clock.now() || content === null;
  }

  private async orFaulty<T>(work: () => T | Promise<T>): Promise<T | 'faulty'> {
    try {
      return await work();
    } catch (error) {
      if (isUnavailable(error) || isRetryable(error) || isCancelled(error)) throw error;
      // A rethrown error would be retried at once and without end, and block everything behind it.
      this.logger.error({ err: error }, 'a delivery cannot be made; it is retried like a failed one');
      return 'faulty';
    }
  }

  private signed({ id }: Delivery, { decision: { event }, body, secrets }: Content): SignedRequest {
    return { body, headers: signedHeaders({ id, event, at: this.clock.now(), body, secrets }) };
  }

  /** A body that cannot be made is not the receiver's fault: its subscription counts no failure (rule 9.2d). */
  private async recordFaulty(delivery: Delivery): Promise<boolean> {
    const wait = this.config.webhookRetrySeconds[delivery.roundAttempts];
    const nextAttemptAt = wait === undefined ? null : new Date(this.clock.now().getTime() + wait * 1000);
    const status = nextAttemptAt === null ? 'failed' : 'pending';
    const result = { status, event: delivery.event, responseStatus: null, nextAttemptAt } as const;
    await this.bulkhead.record(() => this.units.autocommit(() => this.deliveries.record(delivery, result)));
    return true;
  }

  private async succeeded(delivery: Delivery, decision: Decided, status: number): Promise<boolean> {
    const at = this.clock.now();
    return this.bulkhead.record(() =>
      this.units.autocommit(() => this.deliveries.succeeded(delivery, { delivered: decision, status, at })),
    );
  }

  private async failed(
    delivery: Delivery,
    decision: Decided,
    { status, url }: { status: number | null; url: string },
  ): Promise<boolean> {
    const at = this.clock.now();
    const key = keyOf(delivery);
    const wait = this.config.webhookRetrySeconds[delivery.roundAttempts];
    const reason = status === GONE ? 'gone' : wait === undefined ? 'delivery_failures' : null;
    return this.bulkhead.record(() =>
      this.units.run(async () => {
        // Locks the subscription first, like every other writer of it.
        const known = await this.subscriptions.lockKnown(key);
        if (known === null) return false;
        const isDisabled = known.status === 'disabled';
        const isReplaced = urlOf(known, delivery.target) !== url;
        const isOver = isDisabled || (reason !== null && !isReplaced);
        const nextAttemptAt = isOver ? null : new Date(at.getTime() + (wait ?? 0) * 1000);
        const outcome = isOver ? 'failed' : 'pending';
        const result = {
          status: outcome,
          event: decision.event,
          responseStatus: status,
          nextAttemptAt,
        } as const;
        if (!(await this.deliveries.record(delivery, result))) return true;
        if (isReplaced) {
          // The old address failed, not the new one: the new one starts with its own first attempt, if it is to get
          // any.
          if (!isDisabled) await this.deliveries.beginRound(delivery, at);
          return !isDisabled;
        }
        const isToEnd = await this.subscriptions.failed(key, reason);
        if (isToEnd) await this.deliveries.failPending(key);
        return !isToEnd;
      }),
    );
  }
}

const isSuccess = (status: number | 'unsent' | null): status is number =>
  typeof status === 'number' && status >= 200 && status < 300;
const entityOf = ({ entityId }: Delivery): string[] => (entityId === null ? [] : [entityId]);
const keyOf = ({ ownerId, subscriptionId }: Delivery) => ({ ownerId, id: subscriptionId });
