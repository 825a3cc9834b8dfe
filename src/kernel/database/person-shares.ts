import { requestContext } from '../request-context.js';
import { CallerPlaces, type Leave } from '../caller-places.js';
import { DomainError } from '../errors/domain-error.js';

type Kind = 'reads' | 'writes';

/**
 * The places of each person for reads or for writes, all of their apps together. One of them is only for requests that
 * end access, so that neither their apps nor a stolen token can keep the person from ending it (rule 11.9d). Where a
 * person has one place, that one is in addition.
 */
export class PersonShares {
  private readonly ordinary: CallerPlaces;
  private readonly ending: CallerPlaces;

  constructor(most: number, patienceMs: number, kind: Kind) {
    const refusal = (places: number): DomainError => tooMany(kind, places);
    this.ordinary = new CallerPlaces(Math.max(1, most - 1), patienceMs, refusal);
    this.ending = new CallerPlaces(1, patienceMs, refusal);
  }

  /** @throws TOO_MUCH_UNDER_WAY when none of the person's places becomes free in time */
  run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    return this.current().run(caller, work);
  }

  /**
   * Takes a place; at once if one is free.
   * @throws TOO_MUCH_UNDER_WAY like `run`
   */
  take(caller: string): Leave | Promise<Leave> {
    return this.current().take(caller);
  }

  private current(): CallerPlaces {
    return requestContext.current().endsAccess === true ? this.ending : this.ordinary;
  }
}

const tooMany = (kind: Kind, most: number): DomainError =>
  new DomainError(
    'TOO_MUCH_UNDER_WAY',
    `Too many of your ${kind} are in progress; try again when some of them have ended`,
    { limit: 'caller', [`max_${kind}`]: most },
  );
