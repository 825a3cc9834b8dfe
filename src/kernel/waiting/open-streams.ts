import { Injectable } from '@nestjs/common';
import { type Response } from 'express';
import { Config } from '../../config/config.js';
import { DomainError } from '../errors/domain-error.js';

/** The caller of a stream or waiting request; no app: the owner in person. */
export interface Waiting {
  ownerId: string;
  appId: string | null;
}

/** A stream or waiting request that is open. */
interface OpenStream {
  readonly caller: string;
  readonly ownerId: string;
  readonly end: AbortController;
}

/**
 * Limits open streams and waiting requests: each looks again at every change. A person's limit is over all apps that act for
 * them, so that the number of apps multiplies little; the first of an app is admitted beyond it, up to half as many
 * again, so that one app cannot lock out another. In a full process, a person without any gets the newest place of the
 * person with most, so that a few people cannot lock out all others. No app learns of the streams of others: a refusal by
 * the person's limit is the same as one by the process's.
 */
@Injectable()
export class OpenStreams {
  /** The open streams of each person, oldest first. */
  private readonly byPerson = new Map<string, Set<OpenStream>>();
  private all = 0;

  constructor(private readonly config: Config) {}

  /**
   * Counts one more, until its answer has ended or its place is given to somebody else.
   * @returns a signal that is aborted when the place is given away: the stream or request must then end
   * @throws TOO_MANY_STREAMS
   */
  open({ ownerId, appId }: Waiting, response: Response): AbortSignal {
    const { callerStreams, personStreams, processStreams } = this.config;
    const caller = `${ownerId} ${appId}`;
    const persons = [...(this.byPerson.get(ownerId) ?? [])];
    const own = persons.filter((one) => one.caller === caller).length;
    if (own >= callerStreams) throw tooMany({ limit: 'caller', max: callerStreams });
    const most = own > 0 ? personStreams : personStreams + Math.ceil(personStreams / 2);
    if (persons.length >= most) throw tooMany({ limit: 'shared' });
    if (this.all >= processStreams && !(persons.length === 0 && this.giveAwayPlace()))
      throw tooMany({ limit: 'shared' });
    const opened = { caller, ownerId, end: new AbortController() };
    if (response.destroyed) return opened.end.signal;
    this.add(opened);
    response.once('close', () => this.remove(opened));
    return opened.end.signal;
  }

  /** Ends the newest stream of the person with most of them. @returns false if nobody has two */
  private giveAwayPlace(): boolean {
    let most: ReadonlySet<OpenStream> = new Set();
    for (const streams of this.byPerson.values()) if (streams.size > most.size) most = streams;
    const newest = [...most].at(-1);
    if (newest === undefined || most.size < 2) return false;
    this.remove(newest);
    newest.end.abort();
    return true;
  }

  private add(opened: OpenStream): void {
    const streams = this.byPerson.get(opened.ownerId);
    if (streams === undefined) this.byPerson.set(opened.ownerId, new Set([opened]));
    else streams.add(opened);
    this.all++;
  }

  private remove(opened: OpenStream): void {
    const streams = this.byPerson.get(opened.ownerId);
    if (!streams?.delete(opened)) return;
    if (streams.size === 0) this.byPerson.delete(opened.ownerId);
    this.all--;
  }
}

const tooMany = (details: { limit: 'caller' | 'shared'; max?: number }): DomainError =>
  new DomainError(
    'TOO_MANY_STREAMS',
    'Too many streams and waiting pulls are open; close some, or try again later',
    details,
  );
