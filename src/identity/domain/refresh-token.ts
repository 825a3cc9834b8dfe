import { randomBytes } from 'node:crypto';

/**
 * One link of a chain: the tokens of one log-in are a family, each spent one has produced the next (rule
 * 1.3).
 */
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
 * The state of a token that is presented now. `spent` precedes `expired`: a used token that comes back was
 * stolen or copied, at any age; one of an ended family has nothing more to end.
 */
export function stateOf(
  token: Pick<RefreshToken, 'expiresAt' | 'spentAt' | 'endedAt'>,
  now: Date,
): RefreshTokenState {
  if (token.endedAt !== null) return 'ended';
  if (token.spentAt !== null) return 'spent';
  return token.expiresAt <= now ? 'expired' : 'living';
}

/** True for a text of the form of {@link newRefreshText}. */
export const isRefreshText = (text: string): boolean => /^pig_refresh_[\w-]{43}$/.test(text);

/** A new secret, 256 bits. */
export function newRefreshText(): string {
  return `pig_refresh_${randomBytes(32).toString('base64url')}`;
}
