import { randomBytes } from 'node:crypto';

/** Crockford's base32: no letter can be mistaken for a digit. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 2;
const GROUP_LENGTH = 5;

/** The number that a person has at once. */
const RECOVERY_CODES = 10;

/** New codes for people to write down, such as `7K3QX-0M9TD`: 50 random bits each. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: GROUPS }, newGroup).join('-'));
}

/** One form for all ways of typing a code: case, spaces, dashes, and letters that look like digits. */
export function recoveryCodeKey(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

function newGroup(): string {
  return [...randomBytes(GROUP_LENGTH)].map((byte) => DIGITS.charAt(byte % DIGITS.length)).join('');
}
