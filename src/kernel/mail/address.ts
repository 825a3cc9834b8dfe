import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * The key by which e-mail addresses are compared: the mailbox regardless of case and compatibility forms, the domain
 * folded by the standard of host names (UTS #46), so that `ü` and its Punycode, or a full stop and its full-width form,
 * are equal. An address without such a domain is only lowercased.
 */
export function foldedAddress(address: string): string {
  const { mailbox, domain } = partsOf(address);
  return domain === '' ? spelledAddress(address) : folded(unquoted(mailbox), domain);
}

const folded = (mailbox: string, domain: string): string =>
  `${mailbox.normalize('NFKC').toLowerCase()}@${domain}`;

/** The mailbox without quotes around it, which are not part of its name (RFC 5321, 4.1.2). */
function unquoted(mailbox: string): string {
  const inner = /^"(.+)"$/su.exec(mailbox)?.[1];
  return inner === undefined ? mailbox : inner.replace(/\\(.)/gsu, '$1');
}

/** An address lowercased and normalized: the key of addresses before the domain was folded. */
const spelledAddress = (address: string): string => address.normalize('NFC').toLowerCase();

/** All keys under which an account of this address may be stored, its own spelling first. A plain address has one. */
export function keysOfAddress(address: string): string[] {
  const { mailbox, domain } = partsOf(address);
  const readable = spelledAddress(`${mailbox}@${domainToUnicode(domain)}`);
  const others = domain === '' ? [] : [folded(mailbox, domain), readable];
  return [...new Set([spelledAddress(address), foldedAddress(address), ...others])];
}

/** The address with its domain in ASCII, so that every mail server understands it the same way. */
export function sendableAddress(address: string): string {
  const { mailbox, domain } = partsOf(address);
  return domain === '' ? address : `${mailbox}@${domain}`;
}

/** True if the domain is one that can be looked up. */
export const hasDomain = (address: string): boolean => partsOf(address).domain !== '';

/** Characters that are read as the end of a host name, or decoded in it. */
const NO_HOST = /[\s%/?#\\:@[\]]/;

/** The parts of an address. The domain is empty if it is missing or cannot be looked up. */
function partsOf(address: string): { mailbox: string; domain: string } {
  const at = address.lastIndexOf('@');
  if (at < 1) return { mailbox: '', domain: '' };
  const written = address.slice(at + 1);
  return { mailbox: address.slice(0, at), domain: NO_HOST.test(written) ? '' : domainToASCII(written) };
}
