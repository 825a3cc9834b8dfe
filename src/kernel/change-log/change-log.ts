import { Injectable } from '@nestjs/common';
import { requestContext } from '../request-context.js';
import { currentBuffer } from './call-scope.js';
import { type Change } from './change.js';
import { type ExpectedCounter } from './change-buffer.js';
import { type Amounts } from './quota-statements.js';
import { callersReason } from './reasons.js';

/**
 * The one record of all changes, written in the transaction that makes them. Rows are numbered per owner without gaps
 * and in commit order (rule 7.7a).
 */
@Injectable()
export class ChangeLog {
  /** Needs an open unit of work. The actor is taken from the request. */
  append(change: Change): void {
    const { actor, changeReason } = requestContext.current();
    const own = change.reason ?? null;
    const reason = own === null ? changeReason : callersReason(own);
    currentBuffer().add(reason === own ? change : { ...change, reason }, actor);
  }

  /**
   * Makes the unit conditional, for creates that read without a lock: the unit is written if the owner's counter still
   * has the expected value and the lock is free, else not at all.
   * @throws ConcurrentChange at the end of the unit
   */
  requireUnchanged(expected: ExpectedCounter): void {
    currentBuffer().requireUnchanged(expected);
  }

  /**
   * Raises the policy version of a graph owner or of an app. Every write that changes a decision of a guard calls this
   * in its own transaction; the next request then decides again, in every process (rule 2.8).
   */
  bumpPolicyVersion(id: string): void {
    currentBuffer().bumpPolicyVersion(id);
  }

  /**
   * Adds to an owner's counters amounts that do not follow from a change: apps, groups, bytes of files; negative for a
   * decrease. Nothing is counted for an owner whose account is closed.
   * @throws QUOTA_EXCEEDED at the end of the unit
   */
  count(ownerId: string, added: Amounts): void {
    currentBuffer().count(ownerId, added);
  }
}
