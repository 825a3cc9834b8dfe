import { type Tier } from '../../config/config.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { foldedAddress } from '../../kernel/mail/address.js';
import { EVERYTHING, NO_RIGHTS, type OthersRights } from './others-rights.js';

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

/** The rights that others have by following an account, which is possible without a request while it is public. */
export const followersRights = ({ isPublic }: Pick<User, 'isPublic'>): OthersRights =>
  isPublic ? { rights: [{ kind: 'follow', over: EVERYTHING }] } : NO_RIGHTS;

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
