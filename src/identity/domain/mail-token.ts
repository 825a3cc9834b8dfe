import { randomBytes } from 'node:crypto';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** The one action that the link in a letter permits. */
export type MailPurpose = 'reset' | 'verify' | 'change' | 'undo';

/** The time in which a link can be used. */
export const LINK_LIFETIME_MS: Record<MailPurpose, number> = {
  reset: HOUR_MS,
  verify: DAY_MS,
  change: DAY_MS,
  undo: 7 * DAY_MS,
};

/**
 * True for links of which a newer one ends the earlier ones. Each earlier address keeps its link back:
 * otherwise a thief would change the address twice.
 */
export const isOneAtATime = (purpose: MailPurpose): boolean => purpose !== 'undo';

export interface MailToken {
  userId: string;
  id: string;
  purpose: MailPurpose;
  tokenHash: string;
  /** The address that the link is about. */
  email: string;
  /** The key of that address, where no other account may take it while the link is valid. */
  reservedKey: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** A new secret, 256 bits. */
export const newMailText = (): string => `pig_mail_${randomBytes(32).toString('base64url')}`;
