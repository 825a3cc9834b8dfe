import { type Tier } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { foldedAddress } from '../../kernel/mail/address.js';

/** A person with an account; also the developer of apps (rule 1.5). */
export interface User {
  id: string;
  email: string;
  /** The time when a link that was sent there was used; null: its owner is not verified. */
  emailVerifiedAt: Date | null;
  username: string;
  isPublic: boolean;
  tier: Tier;
  createdAt: Date;
  updatedAt: Date;
}

/** Two e-mail addresses with one key are one account (rule 1.2c). */
export const emailKey = foldedAddress;

/** 3 to 40 of `[A-Za-z0-9_.-]`, unique without regard to case (rule 1.2). */
export const USERNAME = /^[A-Za-z0-9_.-]{3,40}$/;

export function usernameKey(username: string): string {
  return username.toLowerCase();
}

/** The error for an unknown user; `fields` are the fields of the body that named them. */
export const userNotFound = (fields?: string[]): DomainError =>
  DomainError.absent('NOT_FOUND', 'User not found', fields);
