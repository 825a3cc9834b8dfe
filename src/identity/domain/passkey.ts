import { randomBytes, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { parseJson } from '../../kernel/json/json-text.js';
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

/** registration: a passkey is made. step-up: one is used within a log-in. */
export type PasskeyPurpose = 'passkey registration' | 'passkey step-up';

/** A challenge that a device has to sign, and the account, log-in and generation in which it began. */
export interface PasskeyChallenge extends Omit<Challenge, 'purpose' | 'logInId'> {
  purpose: PasskeyPurpose;
  logInId: string;
}

/** 256 bits in base64url. */
export const newPasskeyChallenge = (): string => randomBytes(32).toString('base64url');

/** Signs a text with a secret of the service. */
type Sign = (text: string) => string;

/** The lengths of the parts of a challenge before a log-in: its random part, its end, its signature. */
const RANDOM_BYTES = 24;
const END_BYTES = 6;
const SIGNATURE_BYTES = 16;

const signatureOf = (head: Buffer, sign: Sign): Buffer =>
  Buffer.from(sign(head.toString('base64url')), 'base64url').subarray(0, SIGNATURE_BYTES);

/**
 * A challenge before the person is known, in base64url. It carries its end and the service's signature, so that none
 * has to be stored before it is answered, and strangers cannot displace one another's.
 */
export function newLogInChallenge(expiresAt: Date, sign: Sign): string {
  const head = Buffer.alloc(RANDOM_BYTES + END_BYTES);
  randomBytes(RANDOM_BYTES).copy(head);
  head.writeUIntBE(expiresAt.getTime(), RANDOM_BYTES, END_BYTES);
  return Buffer.concat([head, signatureOf(head, sign)]).toString('base64url');
}

/** The end of a challenge of {@link newLogInChallenge}; null for any other text. */
export function endOfLogInChallenge(challenge: string, sign: Sign): Date | null {
  const bytes = Buffer.from(challenge, 'base64url');
  const length = RANDOM_BYTES + END_BYTES + SIGNATURE_BYTES;
  // Only the canonical spelling: another one of the same bytes would be a second answer.
  if (bytes.length !== length || bytes.toString('base64url') !== challenge) return null;
  const head = bytes.subarray(0, RANDOM_BYTES + END_BYTES);
  if (!timingSafeEqual(signatureOf(head, sign), bytes.subarray(RANDOM_BYTES + END_BYTES))) return null;
  return new Date(head.readUIntBE(RANDOM_BYTES, END_BYTES));
}

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
    'Passkeys require a `PUBLIC_URL` with https and a host name; contact the operator of this service',
  );
