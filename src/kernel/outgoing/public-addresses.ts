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
const METADATA_ADDRESSES = new Set([
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
]);
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|corp)$/;

/** Exceptions: for development plain http and loopback (rule 9.6); for an address of the operator private networks, too. */
export interface Allowance {
  loopback: boolean;
  privateNetworks?: boolean;
}
const PRIVATE_RANGES = ['private', 'uniqueLocal', 'carrierGradeNat'];

/**
 * The address of a receiver, as far as its text can be checked.
 * @returns null if it may not be called: not a URL, not https, with credentials, or with a name or literal that is not
 *   public
 */
export function callableUrl(text: string, allowance: Allowance): URL | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowance.loopback && url.protocol === 'http:')) return null;
  if (url.username !== '' || url.password !== '' || url.hash !== '') return null;
  const host = hostOf(url);
  if (isIP(host)) return isCallable(host, allowance) ? url : null;
  const name = host.replace(/\.$/, '').toLowerCase();
  if (METADATA_NAMES.has(name)) return null;
  if (allowance.privateNetworks) return url;
  if (LOCAL_NAMES.test(name) && !(allowance.loopback && /(^|\.)localhost$/.test(name))) return null;
  return url;
}

/** Name or literal, without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** True if a connection to this address is allowed: public unicast, and what the allowance adds. */
export function isCallable(address: string, { loopback, privateNetworks = false }: Allowance): boolean {
  if (!ipaddr.isValid(address) || METADATA_ADDRESSES.has(address)) return false;
  // `process` turns an IPv4-mapped IPv6 address into the IPv4 address.
  const parsed = ipaddr.process(address.split('%')[0] as string);
  if (METADATA_ADDRESSES.has(parsed.toString())) return false;
  const range = parsed.range();
  if (privateNetworks && PRIVATE_RANGES.includes(range)) return true;
  // Only 2000::/3 of IPv6 has been assigned (RFC 4291, 2.4).
  if (parsed instanceof ipaddr.IPv6 && range === 'unicast' && (parsed.parts[0] as number) >> 13 !== 1)
    return false;
  return range === 'unicast' || (loopback && range === 'loopback');
}
