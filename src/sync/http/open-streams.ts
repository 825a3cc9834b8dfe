import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { Config } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { type Viewer } from '../../privacy/index.js';

/**
 * Limits open streams and waiting pulls: each looks again at every change. A person's limit is over all apps that act for
 * them, so that the number of apps multiplies little; the first of an app is admitted beyond it, so that other apps
 * cannot lock it out. No app learns of the streams of others: a refusal by the person's limit is the same as one by the
 * process's.
 */
@Injectable()
export class OpenStreams {
  private readonly each = new Map<string, number>();
  private all = 0;

  constructor(private readonly config: Config) {}

  /**
   * Counts one more, until its answer has ended.
   * @throws TOO_MANY_STREAMS
   */
  open({ ownerId, appId }: Viewer, response: Response): void {
    const { callerStreams, personStreams, processStreams } = this.config;
    const [caller, person] = [`${ownerId} ${appId}`, ownerId];
    const own = this.count(caller);
    if (own >= callerStreams) throw tooMany({ limit: 'caller', max: callerStreams });
    const isPersonFull = own > 0 && this.count(person) >= personStreams;
    if (isPersonFull || this.all >= processStreams) throw tooMany({ limit: 'shared' });
    if (response.destroyed) return;
    this.add([caller, person], 1);
    response.once('close', () => this.add([caller, person], -1));
  }

  private add(counted: readonly string[], change: 1 | -1): void {
    for (const name of counted) {
      const count = this.count(name) + change;
      if (count === 0) this.each.delete(name);
      else this.each.set(name, count);
    }
    this.all += change;
  }

  private count(name: string): number {
    return this.each.get(name) ?? 0;
  }
}

const tooMany = (details: { limit: 'caller' | 'shared'; max?: number }): DomainError =>
  new DomainError(
    'TOO_MANY_STREAMS',
    'Too many streams and waiting pulls are open; close some, or try again later',
    details,
  );
