import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import { requestContext } from '../../kernel/request-context.js';
import { effectiveShare, type ShareTerms } from '../../privacy/index.js';
import { endsReshares, shareOutline, type ShareStep, shareTerms } from '../domain/share.js';
import { type ShareEnd, ShareEndsRepository } from '../infrastructure/share-ends.repository.js';
import { type ShareKey, SharesRepository } from '../infrastructure/shares.repository.js';
import { ShareLog } from './share-log.js';

/** The most re-shares whose ends one transaction writes: it holds the counters of their sharers and recipients. */
const PAGE = 100;
/** The longest delay before ends are found that another process has left, or that could not be written. */
const LOOK_EVERY_MS = 60_000;

/**
 * Writes the ends of re-shares that end with a share above them to the logs of their people (rule 10.8g). Nobody's sight
 * depends on it. More than a page of them are written after the commit, in units of their own.
 */
@Injectable()
export class ShareEnds implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('share ends');
  private looking: Promise<void> | null = null;
  private looksAgain = false;
  private isStopping = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly shares: SharesRepository,
    private readonly ends: ShareEndsRepository,
    private readonly log: ShareLog,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    void this.look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.timer) clearInterval(this.timer);
    await this.looking;
  }

  /** Records the ends of re-shares below shares that were changed. Needs a unit of work. */
  async below(steps: readonly ShareStep[]): Promise<void> {
    const ended = steps.filter(endsReshares).map(({ before }) => before);
    if (ended.length === 0) return;
    const keys = await this.shares.below(ended, PAGE + 1);
    const terms = ended.map(shareTerms);
    if (keys.length <= PAGE) return this.write(keys, terms);
    const { actor, changeReason } = requestContext.current();
    const end = { author: { actor, changeReason }, after: null, noted_at: this.clock.now() };
    for (const before of terms)
      await this.ends.add({ ...end, owner_id: before.ownerId, share_id: before.id, id: newId(), before });
    this.units.afterCommit(() => setImmediate(() => void this.look()));
  }

  /** Resolves when each waiting end was tried. A call during a run makes it run once more. */
  look(): Promise<void> {
    this.looksAgain = true;
    this.looking ??= requestContext
      .outside(() => this.lookUntilSeen())
      .catch((error: unknown) =>
        this.logger.error({ err: error }, 'ends of shares are left to the next look'),
      )
      .finally(() => (this.looking = null));
    return this.looking;
  }

  private async lookUntilSeen(): Promise<void> {
    while (this.looksAgain && !this.isStopping) {
      this.looksAgain = false;
      for (const end of await this.ends.waiting()) {
        const isWritten = await this.writeAll(end).catch((error: unknown) =>
          this.logger.warn({ err: error }, 'the end of a share is left to the next look'),
        );
        this.looksAgain ||= isWritten === true;
      }
    }
  }

  /** @returns true if nothing is left of this end; false once it is another process's, or a later end's */
  private async writeAll(end: ShareEnd): Promise<boolean> {
    const { owner_id, share_id, after } = end;
    const keys = (await this.shares.below([{ owner_id, id: share_id }])).filter(({ id }) =>
      isAfter(id, after),
    );
    const context = { ...requestContext.current(), ...end.author };
    for (let from = 0; from < keys.length; from += PAGE) {
      if (this.isStopping) return false;
      const page = keys.slice(from, from + PAGE);
      const isMine = await requestContext.run(context, () => this.units.run(() => this.writePage(end, page)));
      if (!isMine) return false;
      end.after = (page.at(-1) as ShareKey).id;
    }
    await this.units.run(() => this.ends.remove(end));
    return true;
  }

  private async writePage(end: ShareEnd, page: readonly ShareKey[]): Promise<boolean> {
    await this.ends.lock(end.before.graphOwnerId);
    if (!(await this.ends.advance(end, (page.at(-1) as ShareKey).id))) return false;
    await this.write(page, [end.before]);
    return true;
  }

  /**
   * Appends the ends of those re-shares that were in force until these shares ended, without the ids that they name:
   * together, these can be any number. A share whose own end still waits for a re-share counts as it was before.
   * @param ended the terms of the shares before they ended
   */
  private async write(keys: readonly ShareKey[], ended: readonly ShareTerms[]): Promise<void> {
    const before = new Map(ended.map((one) => [one.id, one]));
    const below = (await this.shares.outlines(keys)).filter(({ id }) => !before.has(id));
    const chains = await this.log.chains(below);
    const above = new Map(below.flatMap(chains).map((one) => [one.id, one]));
    const waiting = new Map((await this.ends.of([...above.values()])).map((end) => [end.share_id, end]));
    const now = this.clock.now();
    const steps = below.map((share) => {
      const chain = chains(share).map((one) => {
        const end = before.has(one.id) ? undefined : waiting.get(one.id);
        return end !== undefined && isAfter(share.id, end.after) ? end.before : one;
      });
      const was = chain.map((one) => before.get(one.id) ?? one);
      return {
        share,
        is: shareOutline(share, effectiveShare(chain), now),
        was: shareOutline(share, effectiveShare(was), now),
        isNarrowing: true,
      };
    });
    await this.log.append(
      'revoked',
      steps.filter(({ is, was }) => was.status !== 'revoked' && is.status === 'revoked'),
    );
  }
}

const isAfter = (id: string, after: string | null): boolean => after === null || id > after;
