import { randomBytes, randomInt } from 'node:crypto';

const CODE_BYTES = 32;
/** A code is exchanged at once, or not at all. */
export const CODE_LIFETIME_MS = 60_000;

export const newCode = (): string => randomBytes(CODE_BYTES).toString('base64url');

/** Consonants that cannot be read as others, and form no words (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LENGTH = 8;
export const DEVICE_LIFETIME_MS = 15 * 60_000;
/** Seconds between two questions of a device, at first and added for each that comes too early. */
export const DEVICE_INTERVAL = 5;

/** A code that a person types, without its hyphen: 34 bits, valid for a quarter of an hour. */
export const newUserCode = (): string =>
  Array.from({ length: USER_CODE_LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');

/** The code that a person means by what they typed: without case, spaces and hyphens. */
export const userCodeIn = (typed: string): string => typed.toUpperCase().replace(/[^A-Z]/g, '');

/** The code as it is shown: in two groups. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;
