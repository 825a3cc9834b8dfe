import { Injectable } from '@nestjs/common';
import pLimit, { type LimitFunction } from 'p-limit';
import { Config } from '../../config/config.js';
import { requestContext } from '../../kernel/request-context.js';
import { workerNow } from '../../kernel/slices.js';
import { FairPlaces } from '../../kernel/fair-places.js';

/** Messages and pages of the log that are made at a time, in all and for one owner: each holds its content. */
const DRAFTS = 16;
const DRAFTS_OF_ONE = 2;

/**
 * Limits the connections that delivery may hold at a time (a bulkhead): half of the pool, some of them reserved for
 * outcomes. With the embedded database's single connection at most two pieces of work are queued. Requests never wait
 * behind all receivers. Owners take the places for new messages in turn (rule 9.5b).
 */
@Injectable()
export class DatabaseBulkhead {
  private readonly looking: FairPlaces;
  private readonly recording: LimitFunction;
  private readonly drafting = new FairPlaces(DRAFTS, DRAFTS_OF_ONE);

  constructor({ embedded, databasePool }: Config) {
    const share = embedded ? 1 : Math.max(2, Math.floor(databasePool / 2));
    const recording = Math.ceil(share / 3);
    this.looking = new FairPlaces(Math.max(1, share - recording));
    this.recording = pLimit(recording);
  }

  /** Runs work that waits for the database and nothing else. Work inside it must not call this again. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.looking.run(workerNow(), () => reading(undefined, work));
  }

  /** Records an outcome. It never waits behind new messages, because its lease would expire. */
  record<T>(work: () => Promise<T>): Promise<T> {
    return this.recording(() => reading(undefined, work));
  }

  /**
   * Runs work that reads and masks contents, which may take seconds: only its reads take places at the database. Its
   * writes must call {@link run}.
   */
  draft<T>(work: () => Promise<T>): Promise<T> {
    return this.drafting.run(workerNow(), () => reading((read) => this.run(read), work));
  }
}

type Reading = NonNullable<ReturnType<typeof requestContext.current>['reading']>;

/** Runs work whose reads are run in this way; undefined: at once. */
const reading = <T>(way: Reading | undefined, work: () => Promise<T>): Promise<T> => {
  const { reading: _, ...context } = requestContext.current();
  return requestContext.run(way === undefined ? context : { ...context, reading: way }, work);
};
