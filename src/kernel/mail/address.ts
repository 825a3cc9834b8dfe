import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * An e-mail address as addresses are compared: the mailbox without regard to case and to compatibility forms, the domain
 * folded by the standard of host names (UTS #46), so that `ü`, its Punycode and a full-width dot are no difference.
 * An address without such a domain is only folded by letter case.
 */
export function foldedAddress(address: string): string {
  const { mailbox, domain } = partsOf(address);
  return domain === '' ? spelledAddress(address) : folded(unquoted(mailbox), domain);
}

const folded = (mailbox: string, domain: string): string =>
  `${mailbox.normalize('NFKC').toLowerCase()}@${domain}`;

/** Quotes that are written around a mailbox are no part of its name (RFC 5321, 4.1.2). */
function unquoted(mailbox: string): string {
  const inner = /^"(.+)"$/su.exec(mailbox)?.[1];
  return inner === undefined ? mailbox : inner.replace(/\\(.)/gsu, '$1');
}

/** An address by its letters alone: how addresses were compared before they were folded. */
const spelledAddress = (address: string): string => address.normalize('NFC').toLowerCase();

/** All keys that an account of this address may be stored by, its own spelling first. One for a plain address. */
export function keysOfAddress(address: string): string[] {
  const { mailbox, domain } = partsOf(address);
  const readable = spelledAddress(`${mailbox}@${domainToUnicode(domain)}`);
  const others = domain === '' ? [] : [folded(mailbox, domain), readable];
  return [...new Set([spelledAddress(address), foldedAddress(address), ...others])];
}

/** The address with its domain in ASCII, so that whatever sends a letter cannot understand it in another way. */
export function sendableAddress(address: string): string {
  const { mailbox, domain } = partsOf(address);
  return domain === '' ? address : `${mailbox}@${domain}`;
}

/** True if the domain is one that can be looked up. */
export const hasDomain = (address: string): boolean => partsOf(address).domain !== '';

/** Signs that are read as the end of a host name, or decoded in it. */
const NO_HOST = /[\s%/?#\\:@[\]]/;

/** The domain is empty where there is none, or none that can be looked up. */
function partsOf(address: string): { mailbox: string; domain: string } {
  const at = address.lastIndexOf('@');
  if (at < 1) return { mailbox: '', domain: '' };
  const written = address.slice(at + 1);
  return { mailbox: address.slice(0, at), domain: NO_HOST.test(written) ? '' : domainToASCII(written) };
}
