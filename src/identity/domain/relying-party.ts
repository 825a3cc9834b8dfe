import { isIP } from 'node:net';

/**
 * This service as browsers know it: a passkey is made for its id, and answers only to pages of its origin.
 */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * The relying party of a public address. Null for addresses where browsers make no passkeys: a numeric
 * address, and plain http to anything but the machine itself (rule 1.23).
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  const isSafe = protocol === 'https:' || /^(.+\.)?localhost$/.test(hostname);
  return isName && isSafe ? { id: hostname, origin } : null;
}
