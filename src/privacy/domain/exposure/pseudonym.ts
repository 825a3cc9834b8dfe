import { createHmac } from 'node:crypto';

/** The key of one app's pseudonyms of one user: stable for the two, unrelated to any other pair's. */
export function pseudonymKeyOf(secret: string | Uint8Array, appId: string, userId: string): string {
  return createHmac('sha256', secret).update(`pseudonym\0${appId}\0${userId}`).digest('hex');
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The replacement of a value under a key: the same for equal values, and without the key no guess can be
 * verified. An id becomes an id (UUID version 8), so that readers of ids can still parse it.
 * @param purpose `pseudonym`, or a hash and its place: values under different purposes never look alike
 */
export function keyedHash(key: string, purpose: string, value: string): string {
  const digest = createHmac('sha256', key).update(`${purpose}\0${value}`).digest('hex');
  if (UUID.test(value)) {
    return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(12, 15)}-a${digest.slice(15, 18)}-${digest.slice(18, 30)}`;
  }
  return purpose === 'pseudonym' ? `pseudonym-${digest.slice(0, 16)}` : digest.slice(0, 32);
}
