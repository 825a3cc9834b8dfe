import { randomBytes } from 'node:crypto';

const HOUR_MS = 60 * 60 * 1000;

/** The one action that the link in a letter permits. */
export type MailPurpose = 'reset' | 'verify';

/** How long a link can be used. */
export const LINK_LIFETIME_MS: Record<MailPurpose, number> = { reset: HOUR_MS, verify: 24 * HOUR_MS };

export interface MailToken {
  userId: string;
  id: string;
  purpose: MailPurpose;
  tokenHash: string;
  /** The address that the link is about. */
  email: string;
  createdAt: Date;
  expiresAt: Date;
}

/** A new secret, 256 bits. */
export const newMailText = (): string => `pig_mail_${randomBytes(32).toString('base64url')}`;
