import { hash, timingSafeEqual } from 'node:crypto';

/** The form of a code challenge by S256: 32 bytes in base64url (RFC 7636, 4.2). */
export const isChallenge = (text: string): boolean => /^[\w-]{43}$/.test(text);

const VERIFIER = /^[\w.~-]{43,128}$/;

/** True if a verifier has the form of RFC 7636, 4.1, and the challenge was made from it. */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  if (!VERIFIER.test(verifier)) return false;
  const made = Buffer.from(hash('sha256', verifier, 'base64url'));
  const expected = Buffer.from(challenge);
  return made.length === expected.length && timingSafeEqual(made, expected);
}
