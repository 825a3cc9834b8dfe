import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../clock.js';
import { Housekeeping } from '../housekeeping.js';
import { UnitOfWork } from '../change-log/unit-of-work.js';
import { requestContext } from '../request-context.js';
import { type Letter, type LetterWriter } from './letter.js';
import { isRefusedForGood, nextAttempt } from './letter-retries.js';
import { Letters } from './letters.js';
import { LetterRows, type TakenLetter } from './letters.repository.js';
import { MailTransport, NotSent } from './mail-transport.js';

/** The longest delay before letters ordered by other processes, and due retries, are found. */
const LOOK_EVERY_MS = 5_000;
/** Far longer than an attempt can take: a worker that died is replaced after it. */
const LEASE_MS = 5 * 60_000;
/** The most letters of a kind that are sent at once. */
const AT_ONCE = 4;
/** Time for which abandoned letters remain, so that the operator can count them. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Writes and sends letters that are due. Each is taken by one worker of all processes at a time. A process that ends
 * between the server's answer and the deletion of the row sends a letter again, with the same Message-ID.
 */
@Injectable()
export class LetterWorker implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('mail');
  private readonly transport: MailTransport | null;
  private looking: Promise<void> | null = null;
  private looksAgain = false;
  private isStopping = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly config: Config,
    private readonly letters: Letters,
    private readonly rows: LetterRows,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
    private readonly housekeeping: Housekeeping,
  ) {
    this.transport = MailTransport.for(config);
  }

  onModuleInit(): void {
    this.housekeeping.register('letters', () =>
      this.units.run(() => this.rows.forget(new Date(this.clock.now().getTime() - KEPT_MS))),
    );
  }

  onApplicationBootstrap(): void {
    if (this.transport === null || !this.config.webhookWorkers) return;
    const look = (): void => void requestContext.outside(() => this.look());
    this.letters.onOrder(() => setImmediate(look));
    this.timer = setInterval(look, LOOK_EVERY_MS).unref();
    look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    if (this.timer) clearInterval(this.timer);
    await this.looking;
  }

  /** Resolves when every due letter has been tried. A call during a run makes it run once more. */
  look(): Promise<void> {
    if (this.transport === null) return Promise.resolve();
    this.looksAgain = true;
    this.looking ??= this.lookUntilSeen()
      .catch((error: unknown) => this.logger.error({ err: error }, 'letters are left to the next look'))
      .finally(() => (this.looking = null));
    return this.looking;
  }

  private async lookUntilSeen(): Promise<void> {
    while (this.looksAgain && !this.isStopping) {
      this.looksAgain = false;
      const now = this.clock.now();
      const until = new Date(now.getTime() + LEASE_MS);
      const taken = await this.units.autocommit(() => this.rows.take({ now, until, limit: AT_ONCE }));
      await Promise.all(taken.map((letter) => this.deliver(letter)));
      this.looksAgain ||= taken.length > 0;
    }
  }

  private async deliver(taken: TakenLetter): Promise<void> {
    try {
      const letter = taken.expiresAt > this.clock.now() ? await this.written(taken) : null;
      if (letter !== null) await this.transport?.send(taken.id, letter);
      await this.units.run(() => this.rows.remove(taken));
    } catch (error) {
      await this.putBack(taken, error);
    }
  }

  private async written(taken: TakenLetter): Promise<Letter | null> {
    if (taken.isWritten) return this.letters.unseal<Letter>(taken.sealed);
    const writer = this.letters.writerOf(taken.kind);
    if (writer === undefined) throw new Error(`nobody writes letters of the kind ${taken.kind}`);
    const about = this.letters.unseal<object>(taken.sealed);
    if (writer.mayWrite && !(await writer.mayWrite(about))) return null;
    return this.units.run(() => this.write(taken, writer, about));
  }

  private async write(taken: TakenLetter, writer: LetterWriter, about: object): Promise<Letter | null> {
    const letter = await writer.write(about);
    if (letter === null) return null;
    if (!(await this.rows.keepWritten(taken, this.letters.seal(letter))))
      throw new Error('the letter is gone, or another worker has it');
    return letter;
  }

  private async putBack({ id, kind, attempts, expiresAt }: TakenLetter, error: unknown): Promise<void> {
    const isOver = error instanceof NotSent && isRefusedForGood(error);
    const next = isOver ? null : nextAttempt(attempts, this.clock.now(), expiresAt);
    const { responseCode, command } = error instanceof NotSent ? error : {};
    const entry = { letter: id, kind, attempts, err: error, responseCode, command };
    if (next === null) this.logger.error(entry, 'a letter could not be sent and is given up');
    else this.logger.warn(entry, 'a letter could not be sent; it is tried again');
    await this.units
      .run(() => this.rows.putBack({ id, attempts }, next))
      // The letter becomes due again by itself when the lease ends.
      .catch((failed: unknown) => this.logger.error({ err: failed }, 'a letter waits for its lease'));
  }
}
