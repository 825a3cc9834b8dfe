import { type Quota } from '../../config/quotas.js';
import { DomainError } from '../errors/domain-error.js';
import { quotaViolation } from '../database/violations.js';
import { requestContext } from '../request-context.js';

/** A quota that a write would have exceeded, as the database reports it. */
interface ExceededQuota {
  owner: string;
  quota: Quota;
  limit: number;
  used: number;
}

/**
 * The refusal of a write that the database has ended because of a quota; null for any other error. Limit and used
 * amount are only for the owner: an app or another user could otherwise count what is hidden from them
 * (rule 9.8e).
 */
export function quotaExceeded(error: unknown): DomainError | null {
  const detail = quotaViolation(error);
  if (detail === null) return null;
  const { owner, quota, limit, used } = JSON.parse(detail) as ExceededQuota;
  const { type, userId } = requestContext.current().actor;
  if (type !== 'user' || userId !== owner)
    return new DomainError(
      'QUOTA_EXCEEDED',
      `The quota \`${quota}\` of the account that you write to is used up`,
      { quota },
    );
  return new DomainError(
    'QUOTA_EXCEEDED',
    `This would exceed your quota \`${quota}\` of ${limit}, of which ${used} are used; the operator can raise it`,
    { quota, limit, used },
  );
}
