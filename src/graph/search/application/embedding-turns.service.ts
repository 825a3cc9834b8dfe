import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { type Access, nameOfShowing } from '../../../privacy/index.js';
import { EmbeddingQueue, type LeasedSetting } from '../infrastructure/embedding-queue.repository.js';
import { EmbeddingsClient } from '../infrastructure/embeddings-client.js';
import { type Sending, ServiceVectors } from '../infrastructure/service-vectors.repository.js';
import { EmbeddingConsent } from './embedding-consent.service.js';
import { EmbeddingRequests } from './embedding-requests.service.js';

/** Longer than a request can take, with what is done before and after it. */
const LEASE_MS = 120_000;
/** Changes that are looked at in one statement for vectors to remove. */
const CHECKED = 500;
/**
 * Texts in one request by the number of failures: servers take 32 and more, but a slow one needs fewer, and one text must not
 * hold up the others. Each success takes back one failure, so that a request keeps a size that the service can do.
 */
const BATCHES = [32, 8, 2];
/** The failures of a single text after which the service is tried with another text. */
const FAILURES_OF_ONE = 4;
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 10 * 60_000;
/** The wait where no service is set. */
const LONG_WAIT_MS = 10 * 60_000;
/** The wait where the owner's quota is used up: a text is sent to find that out. */
const FULL_WAIT_MS = 60 * 60_000;

/** One turn of an owner: what is hidden now is removed first, then one request is sent (rule 4.19). */
@Injectable()
export class EmbeddingTurns {
  private readonly logger = new Logger('embeddings');

  constructor(
    private readonly queue: EmbeddingQueue,
    private readonly vectors: ServiceVectors,
    private readonly consent: EmbeddingConsent,
    private readonly requests: EmbeddingRequests,
    private readonly client: EmbeddingsClient,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @returns false if there was nothing to do, or nobody may do it now */
  async take(ownerId: string): Promise<boolean> {
    const setting = await this.units.autocommit(() =>
      this.queue.lease(ownerId, this.clock.now(), this.leaseEnd()),
    );
    if (setting === null) return false;
    try {
      await this.serve(setting);
      return true;
    } catch (error) {
      this.logger.error({ err: error }, 'vectors of a graph are left to a later turn');
      await this.postpone(setting);
      return false;
    } finally {
      await this.units.run(() => this.queue.release(setting, this.clock.now()));
    }
  }

  private async serve(setting: LeasedSetting): Promise<void> {
    const { ownerId, profileId } = setting;
    if (profileId === null) return this.clear(setting);
    const access = await this.consent.accessOf(ownerId, profileId);
    if (access === null) {
      // The owner may have chosen another profile meanwhile.
      if (await this.units.run(() => this.queue.end(setting, this.clock.now()))) await this.clear(setting);
      return;
    }
    if (await this.look(setting, access)) return;
    const model = this.client.settings?.model ?? null;
    if (model === null) return this.postponeUntil(setting, this.after(LONG_WAIT_MS));
    if (model !== setting.model) return this.restart(setting, { rules: setting.rules, model });
    if (setting.dueAt !== null && setting.dueAt > this.clock.now()) return;
    if (this.client.pause !== null) return this.postponeUntil(setting, new Date(this.client.pause));
    await this.send({ setting, access, model });
  }

  /** Removes vectors of what the profile does not show in full. @returns true if the rules have changed meanwhile */
  private async look(setting: LeasedSetting, access: Access): Promise<boolean> {
    const rules = nameOfShowing(access);
    if (rules !== setting.rules) {
      await this.removeAllHidden(setting, access);
      await this.restart(setting, { rules, model: setting.model });
      return true;
    }
    let { checked } = setting;
    let removed = 0;
    while (checked < setting.changes) {
      const { ids, next } = await this.vectors.changedAfter(setting, checked, CHECKED);
      removed += await this.vectors.removeHidden(setting, access, ids);
      checked = next;
      await this.renew(setting);
    }
    if (checked === setting.checked) return false;
    setting.checked = checked;
    await this.units.autocommit(() => this.queue.advance(setting, { checked }));
    // The removal has raised the counter of the rules that the access was read with.
    return removed > 0;
  }

  private async send(sending: Sending): Promise<void> {
    const { setting } = sending;
    const limit = BATCHES[setting.failures] ?? 1;
    if (setting.position < setting.changes) {
      const { ids, next: position } = await this.vectors.changedAfter(setting, setting.position, limit);
      await this.vectors.confirm(sending, ids);
      const lacking = await this.vectors.lacking(sending, ids, limit);
      return this.sendAll(sending, lacking, { position });
    }
    if (setting.scannedTo === null) return;
    const { ids, next } = await this.vectors.nodesAfter(setting, setting.scannedTo);
    await this.vectors.confirm(sending, ids);
    const lacking = await this.vectors.lacking(sending, ids, limit);
    const scannedTo = lacking.length === limit ? (lacking.at(-1) as string) : next;
    await this.sendAll(sending, lacking, { scannedTo });
  }

  private async sendAll(
    sending: Sending,
    ids: readonly string[],
    progress: { position: number } | { scannedTo: string | null },
  ): Promise<void> {
    const { setting, access } = sending;
    const renew = () => this.renew(setting);
    const outcome = ids.length === 0 ? 'done' : await this.requests.embed(sending, { ids, renew });
    if (outcome === 'full') return this.waitForRoom(setting);
    if (outcome === 'failed') {
      const { pause } = this.client;
      if (pause !== null) return this.postponeUntil(setting, new Date(pause));
      if (!(await this.isAtFault(setting, ids))) return this.postpone(setting);
    }
    if (await this.queue.stillHolds(setting, access.policy))
      await this.units.autocommit(() => this.queue.advance(setting, progress));
    // Nothing was saved, because the rules have moved: texts must not be sent again without a pause.
    else await this.postponeUntil(setting, this.after(FIRST_WAIT_MS));
  }

  /** The next request has one text: it shows if there is room again. */
  private async waitForRoom(setting: LeasedSetting): Promise<void> {
    const failures = Math.max(setting.failures, BATCHES.length);
    const dueAt = this.after(FULL_WAIT_MS);
    await this.units.autocommit(() => this.queue.postpone(setting, { failures, dueAt }));
  }

  /** True if the service answers for another text than this one, which it has failed to answer for several times. */
  private async isAtFault({ failures }: LeasedSetting, ids: readonly string[]): Promise<boolean> {
    return ids.length === 1 && failures >= FAILURES_OF_ONE && (await this.requests.isAnswering());
  }

  private async removeAllHidden(setting: LeasedSetting, access: Access | null): Promise<void> {
    let after: string | null = null;
    for (;;) {
      const ids: string[] = await this.vectors.madeAfter(setting, after);
      if (ids.length === 0) return;
      await this.vectors.removeHidden(setting, access, ids);
      await this.renew(setting);
      after = ids.at(-1) as string;
    }
  }

  private async clear(setting: LeasedSetting): Promise<void> {
    await this.removeAllHidden(setting, null);
    await this.units.autocommit(() => this.queue.remove(setting));
  }

  private restart(setting: LeasedSetting, state: { rules: string; model: string }): Promise<void> {
    return this.units.autocommit(async () => void (await this.queue.restart(setting, state)));
  }

  private async postpone(setting: LeasedSetting): Promise<void> {
    const wait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(setting.failures, 20));
    const dueAt = new Date(Math.max(this.after(wait).getTime(), this.client.pause ?? 0));
    const failures = setting.failures + 1;
    await this.units.autocommit(() => this.queue.postpone(setting, { failures, dueAt }));
  }

  private async postponeUntil(setting: LeasedSetting, dueAt: Date): Promise<void> {
    await this.units.autocommit(() => this.queue.postpone(setting, { failures: setting.failures, dueAt }));
  }

  /** @throws if another worker has taken over */
  private async renew(setting: LeasedSetting): Promise<void> {
    const longer = this.leaseEnd();
    const isHeld = await this.units.autocommit(() => this.queue.renew(setting, longer));
    if (!isHeld) throw new DomainError('SERVICE_UNAVAILABLE', 'Another worker has taken over');
    setting.until = longer;
  }

  private leaseEnd = (): Date => this.after(LEASE_MS);

  private after(ms: number): Date {
    return new Date(this.clock.now().getTime() + ms);
  }
}
