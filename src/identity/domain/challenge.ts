import { randomBytes } from 'node:crypto';
import { DomainError } from '../../kernel/errors/domain-error.js';

export const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

/** The number of wrong answers that end a challenge. */
export const CHALLENGE_TRIES = 5;

/** A step that a person has begun and must finish within minutes: the proofs so far, and the person. */
export interface Challenge {
  /** Hash of the text that the client holds. */
  digest: string;
  userId: string;
  /** log-in: the password was right. step-up: it was right within a log-in. */
  purpose: 'log-in' | 'step-up';
  /** The log-in in which it began; null before there is one. */
  logInId: string | null;
  /** The account's generation when the challenge began: a new password voids the challenge. */
  generation: number;
  /** The group of challenges whose wrong answers are counted together. */
  countedAs: string;
  expiresAt: Date;
}

/** A new secret, 256 bits. */
export const newChallengeText = (): string => `pig_challenge_${randomBytes(32).toString('base64url')}`;

/** True for a text of the form of {@link newChallengeText}. */
export const isChallengeText = (text: string): boolean => /^pig_challenge_[\w-]{43}$/.test(text);

/** One error for challenges that are unknown, of others, expired, answered, or answered wrong too often. */
export const invalidChallenge = (): DomainError =>
  new DomainError('INVALID_CHALLENGE', 'The challenge is invalid or has expired; start again');
