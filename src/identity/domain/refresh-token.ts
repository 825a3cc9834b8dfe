import { randomBytes } from 'node:crypto';

/** One link of a chain: the tokens of one log-in are a family, each spent one has made the next (decisions 1.3). */
export interface RefreshToken {
  userId: string;
  id: string;
  /** Id of the log-in. */
  familyId: string;
  tokenHash: string;
  createdAt: Date;
  expiresAt: Date;
  spentAt: Date | null;
  endedAt: Date | null;
}

export type RefreshTokenState = 'living' | 'spent' | 'ended' | 'expired';

/**
 * What presenting this token means now. `spent` goes before `expired`: a used token that comes back was stolen or
 * copied, however old it is; one of an ended family has nothing more to end.
 */
export function stateOf(
  token: Pick<RefreshToken, 'expiresAt' | 'spentAt' | 'endedAt'>,
  now: Date,
): RefreshTokenState {
  if (token.endedAt !== null) return 'ended';
  if (token.spentAt !== null) return 'spent';
  return token.expiresAt <= now ? 'expired' : 'living';
}

/** A new secret, 256 bits. */
export function newRefreshText(): string {
  return `pig_refresh_${randomBytes(32).toString('base64url')}`;
}
