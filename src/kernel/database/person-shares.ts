import { requestContext } from '../request-context.js';
import { ConnectionShares, type Leave } from './connection-shares.js';

/**
 * The places of each person for reads or for writes, all of their apps together. One of them is only for requests that
 * end access, so that neither their apps nor a stolen token can keep the person from ending it (rule 11.9d). Where a
 * person has one place, that one is in addition.
 */
export class PersonShares {
  private readonly ordinary: ConnectionShares;
  private readonly ending: ConnectionShares;

  constructor(most: number, patienceMs: number, kind: 'reads' | 'writes') {
    this.ordinary = new ConnectionShares(Math.max(1, most - 1), patienceMs, kind);
    this.ending = new ConnectionShares(1, patienceMs, kind);
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

  private current(): ConnectionShares {
    return requestContext.current().endsAccess === true ? this.ending : this.ordinary;
  }
}
