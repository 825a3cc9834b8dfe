import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Clock } from '../clock.js';
import { DomainError } from '../errors/domain-error.js';
import { newId } from '../ids.js';
import { UnitOfWork } from '../change-log/unit-of-work.js';
import { EncryptionKey } from '../secrets/encryption-key.js';
import { type LetterOrder, type LetterWriter } from './letter.js';
import { LetterRows } from './letters.repository.js';

/**
 * The outbox of letters. A letter is ordered in the unit of work of its cause, so that both are stored or neither; a
 * worker writes it, once, and sends it (see LetterWorker, rule 1.18).
 */
@Injectable()
export class Letters {
  /** False without an SMTP server, except in development: then nothing is stored. */
  readonly isOn: boolean;
  private readonly writers = new Map<string, LetterWriter>();
  private wake: () => void = () => undefined;

  constructor(
    config: Config,
    private readonly rows: LetterRows,
    private readonly units: UnitOfWork,
    private readonly secret: EncryptionKey,
    private readonly clock: Clock,
  ) {
    this.isOn = config.smtp !== null || config.isDevelopment;
  }

  register<T extends object>(kind: string, writer: LetterWriter<T>): void {
    if (this.writers.has(kind)) throw new Error(`letters of the kind ${kind} have a writer already`);
    this.writers.set(kind, writer);
  }

  writerOf(kind: string): LetterWriter | undefined {
    return this.writers.get(kind);
  }

  /** Sets a function that is called when a letter was ordered and committed in this process. */
  onOrder(wake: () => void): void {
    this.wake = wake;
  }

  /**
   * Refuses requests whose only effect is a letter where none are sent.
   * @throws MAIL_NOT_CONFIGURED (409)
   */
  requireOn(): void {
    if (!this.isOn)
      throw new DomainError('MAIL_NOT_CONFIGURED', 'This service does not send mail; contact its operator');
  }

  /** Orders a letter. Needs a unit of work. Does nothing where no letters are sent. */
  async order<T extends object>({ kind, userId, about, lifetimeMs }: LetterOrder<T>): Promise<void> {
    if (!this.isOn) return;
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + lifetimeMs);
    await this.rows.insert({ id: newId(), userId, kind, sealed: this.seal(about), expiresAt }, now);
    this.units.afterCommit(() => this.wake());
  }

  seal(content: object): string {
    return this.secret.seal('letter', JSON.stringify(content));
  }

  /** @throws when the letter was sealed with another encryption key */
  unseal<T>(sealed: string): T {
    return JSON.parse(this.secret.unseal('letter', sealed)) as T;
  }
}
