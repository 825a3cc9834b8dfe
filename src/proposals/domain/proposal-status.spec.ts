import { type DomainError } from '../../kernel/errors/domain-error.js';
import {
  PROPOSAL_STATUSES,
  type ProposalStatus,
  statusAfter,
  type Trigger,
  TRIGGERS,
} from './proposal-status.js';

const NO = 'INVALID_STATE_TRANSITION';
const NOT_YET = 'PROPOSAL_NOT_APPROVED';

/** One row a trigger, one column a status, in the order of PROPOSAL_STATUSES. */
const TABLE: Record<Trigger, string[]> = {
  revise: ['PENDING', 'PENDING', NO, NO, NO, NO],
  offer: ['READY_FOR_APPROVAL', 'READY_FOR_APPROVAL', NO, NO, NO, NO],
  approve: [NO, 'APPROVED', NO, NO, NO, 'APPROVED'],
  reject: ['REJECTED', 'REJECTED', 'REJECTED', NO, NO, NO],
  succeed: [NOT_YET, NOT_YET, 'APPLIED', NOT_YET, NOT_YET, NOT_YET],
  fail: [NOT_YET, NOT_YET, 'FAILED', NOT_YET, NOT_YET, NOT_YET],
  revert: [NO, NO, NO, NO, 'APPLIED', NO],
  withdraw: ['PENDING', 'READY_FOR_APPROVAL', NO, 'REJECTED', NO, 'FAILED'],
};

const told = (status: ProposalStatus, trigger: Trigger): string => {
  try {
    return statusAfter(status, trigger);
  } catch (error) {
    return (error as DomainError).code;
  }
};

describe('transitions', () => {
  it.each(TRIGGERS)('the status of a proposal after %s is what the table says', (trigger) => {
    expect(PROPOSAL_STATUSES.map((status) => told(status, trigger))).toEqual(TABLE[trigger]);
  });
});
