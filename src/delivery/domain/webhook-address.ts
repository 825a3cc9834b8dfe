import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';

const MAX_LENGTH = 2_048;
/** Names by which clouds serve their machines' secrets; some of their addresses look public. */
const METADATA_NAMES = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'instance-data',
  'instance-data.ec2.internal',
  'kubernetes.default.svc',
]);
const METADATA_ADDRESSES = new Set(['168.63.129.16']);
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|corp)$/;

/** Exceptions for development: plain http, and loopback (rule 9.6). */
export interface Allowance {
  loopback: boolean;
}

/**
 * The address of a receiver, as far as its text can be checked.
 * @returns null if it may not be called: not a URL, not https, with credentials, or with a name or literal that is not
 *   public
 */
export function webhookUrl(text: string, allowance: Allowance): URL | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowance.loopback && url.protocol === 'http:')) return null;
  if (url.username !== '' || url.password !== '' || url.hash !== '') return null;
  const host = hostOf(url);
  if (isIP(host)) return isCallable(host, allowance) ? url : null;
  const name = host.replace(/\.$/, '').toLowerCase();
  if (METADATA_NAMES.has(name)) return null;
  if (LOCAL_NAMES.test(name) && !(allowance.loopback && /(^|\.)localhost$/.test(name))) return null;
  return url;
}

/** Name or literal, without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** True if a connection to this address is allowed: public unicast, and loopback in development. */
export function isCallable(address: string, { loopback }: Allowance): boolean {
  if (!ipaddr.isValid(address) || METADATA_ADDRESSES.has(address)) return false;
  // `process` turns an IPv4-mapped IPv6 address into the IPv4 address.
  const parsed = ipaddr.process(address.split('%')[0] as string);
  if (METADATA_ADDRESSES.has(parsed.toString())) return false;
  // Only 2000::/3 of IPv6 has been assigned (RFC 4291, 2.4).
  if (
    parsed instanceof ipaddr.IPv6 &&
    parsed.range() === 'unicast' &&
    (parsed.parts[0] as number) >> 13 !== 1
  )
    return false;
  const range = parsed.range();
  return range === 'unicast' || (loopback && range === 'loopback');
}
