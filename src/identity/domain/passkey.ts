import { randomBytes } from 'node:crypto';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { parseJson } from '../../kernel/json-text.js';
import { type Challenge } from './challenge.js';

/** The most that a person may have at once. */
export const MAX_PASSKEYS = 20;

/**
 * A passkey of a person. The private key never leaves their device, or the keychain that it is synced with.
 */
export interface Passkey {
  userId: string;
  id: string;
  /** Chosen by the device, in base64url: the name of the passkey between browsers and the service. */
  credentialId: string;
  /** COSE, in base64url. */
  publicKey: string;
  /** The counter of the last answer; always 0 for a device that does not count. */
  counter: number;
  /** Ways to the device, as hints for browsers. */
  transports: string[];
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  /** The last time when its counter went back. */
  regressedAt: Date | null;
}

/** A credential that a device has made. */
export type NewCredential = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

/** A browser's answer to a request to make a passkey, in the W3C's names. */
export interface CreatedAnswer {
  id: string;
  rawId: string;
  type: string;
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] };
}

/** A browser's answer to a request to use one. */
export interface UsedAnswer {
  id: string;
  rawId: string;
  type: string;
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string;
  };
}

/** registration: a passkey is made. The others: one is used, before anybody is known, or within a log-in. */
export type PasskeyPurpose = 'passkey registration' | 'passkey log-in' | 'passkey step-up';

/**
 * A challenge that a device has to sign. Account, log-in and generation are those in which it began; null
 * before the person is known.
 */
export interface PasskeyChallenge extends Pick<Challenge, 'digest' | 'logInId' | 'countedAs' | 'expiresAt'> {
  purpose: PasskeyPurpose;
  userId: string | null;
  generation: number | null;
}

/** 256 bits in base64url. */
export const newPasskeyChallenge = (): string => randomBytes(32).toString('base64url');

/**
 * The challenge that client data names; null for anything but client data, and for a page embedded in another
 * site's page. The signature is verified later.
 */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const data = parseJson(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const { challenge, crossOrigin } = data as { challenge?: unknown; crossOrigin?: unknown };
    return typeof challenge === 'string' && crossOrigin !== true ? challenge : null;
  } catch {
    return null;
  }
}

/** True for a counter that shows a copy: devices that count never send the same number twice. */
export const isCounterBack = (known: number, sent: number): boolean =>
  (known > 0 || sent > 0) && sent <= known;

/** The account's id as devices store and return it: base64url of its bytes, no name. */
export const userHandleOf = (userId: string): string =>
  Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');

export const passkeysNotConfigured = (): DomainError =>
  new DomainError(
    'PASSKEYS_NOT_CONFIGURED',
    'Passkeys need a service whose `PUBLIC_URL` is https with a host name; ask its operator',
  );
