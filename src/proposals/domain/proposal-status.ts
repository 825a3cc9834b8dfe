import { DomainError } from '../../kernel/errors/domain-error.js';

export const PROPOSAL_STATUSES = [
  'PENDING',
  'READY_FOR_APPROVAL',
  'APPROVED',
  'REJECTED',
  'APPLIED',
  'FAILED',
] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** The triggers of status changes. `revise`: the content changes; `offer`: the app declares it complete. */
export const TRIGGERS = [
  'revise',
  'offer',
  'approve',
  'reject',
  'succeed',
  'fail',
  'revert',
  'withdraw',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/**
 * The next status for each trigger and status; a missing pair is refused (specification, Proposal status;
 * rules 8.5-8.7).
 */
const TRANSITIONS: Readonly<Record<Trigger, Partial<Record<ProposalStatus, ProposalStatus>>>> = {
  revise: { PENDING: 'PENDING', READY_FOR_APPROVAL: 'PENDING' },
  offer: { PENDING: 'READY_FOR_APPROVAL', READY_FOR_APPROVAL: 'READY_FOR_APPROVAL' },
  approve: { READY_FOR_APPROVAL: 'APPROVED', FAILED: 'APPROVED' },
  reject: { PENDING: 'REJECTED', READY_FOR_APPROVAL: 'REJECTED', APPROVED: 'REJECTED' },
  succeed: { APPROVED: 'APPLIED' },
  fail: { APPROVED: 'FAILED' },
  revert: { APPLIED: 'APPLIED' },
  // A withdrawn proposal is deleted: these are the statuses that permit it.
  withdraw: {
    PENDING: 'PENDING',
    READY_FOR_APPROVAL: 'READY_FOR_APPROVAL',
    REJECTED: 'REJECTED',
    FAILED: 'FAILED',
  },
};

/** @throws PROPOSAL_NOT_APPROVED for an application, else INVALID_STATE_TRANSITION */
export function statusAfter(status: ProposalStatus, trigger: Trigger): ProposalStatus {
  const next = TRANSITIONS[trigger][status];
  if (next !== undefined) return next;
  if (trigger === 'succeed' || trigger === 'fail') {
    throw new DomainError(
      'PROPOSAL_NOT_APPROVED',
      `Only an APPROVED proposal can be applied; this one is ${status}`,
    );
  }
  throw new DomainError(
    'INVALID_STATE_TRANSITION',
    `A proposal that is ${status} cannot be changed in this way`,
  );
}
