import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * An e-mail address as addresses are compared: the mailbox without regard to case and to compatibility forms, the domain
 * folded by the standard of host names (UTS #46), so that `ü`, its Punycode and a full-width dot are no difference.
 * An address without such a domain is only folded by letter case.
 */
export function foldedAddress(address: string): string {
  const { mailbox, domain } = partsOf(address);
  return domain === '' ? spelledAddress(address) : `${mailbox.normalize('NFKC').toLowerCase()}@${domain}`;
}

/** An address by its letters alone: how addresses were compared before they were folded. */
const spelledAddress = (address: string): string => address.normalize('NFC').toLowerCase();

/** All keys that an account of this address may be stored by, its own spelling first. One for a plain address. */
export function keysOfAddress(address: string): string[] {
  const { mailbox, domain } = partsOf(address);
  const readable = spelledAddress(`${mailbox}@${domainToUnicode(domain)}`);
  return [
    ...new Set([spelledAddress(address), foldedAddress(address), ...(domain === '' ? [] : [readable])]),
  ];
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
