import { DomainError } from '../../kernel/errors/domain-error.js';
import { type ProposalStatus } from '../domain/proposal-status.js';

/** @throws PERMISSION_DENIED for a status that an app may not set (rule 8.5) */
export function statusOfApp(status: ProposalStatus): 'PENDING' | 'READY_FOR_APPROVAL' {
  if (status === 'PENDING' || status === 'READY_FOR_APPROVAL') return status;
  throw new DomainError('PERMISSION_DENIED', `An app cannot set the status ${status}`);
}
