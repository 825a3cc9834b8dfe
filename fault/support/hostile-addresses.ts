import { type Rig } from './rig.js';

const byte = (rig: Rig): number => Math.floor(rig.random() * 256);
const group = (rig: Rig): string => Math.floor(rig.random() * 65_536).toString(16);
const pick = <T>(rig: Rig, from: readonly T[]): T => from[Math.floor(rig.random() * from.length)] as T;

/** IPv4 addresses that are not public (IANA, special-purpose registry), and those of clouds' own services. */
const FOUR: ((rig: Rig) => string)[] = [
  (rig) => `127.${byte(rig)}.${byte(rig)}.${byte(rig)}`,
  () => '127.0.0.1',
  (rig) => `10.${byte(rig)}.${byte(rig)}.${byte(rig)}`,
  (rig) => `172.${16 + (byte(rig) % 16)}.${byte(rig)}.${byte(rig)}`,
  (rig) => `192.168.${byte(rig)}.${byte(rig)}`,
  (rig) => `169.254.${byte(rig)}.${byte(rig)}`,
  () => '169.254.169.254',
  () => '168.63.129.16',
  (rig) => `100.${64 + (byte(rig) % 64)}.${byte(rig)}.${byte(rig)}`,
  (rig) => `0.${byte(rig)}.${byte(rig)}.${byte(rig)}`,
  () => '0.0.0.0',
  (rig) => `192.0.0.${byte(rig)}`,
  (rig) => `198.${18 + (byte(rig) % 2)}.${byte(rig)}.${byte(rig)}`,
  (rig) => `${224 + (byte(rig) % 16)}.${byte(rig)}.${byte(rig)}.${byte(rig)}`,
  (rig) => `${240 + (byte(rig) % 15)}.${byte(rig)}.${byte(rig)}.${byte(rig)}`,
  () => '255.255.255.255',
];

const four = (rig: Rig): string => pick(rig, FOUR)(rig);
const asGroups = (address: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
};

/** Special addresses of IPv6, and all forms of IPv4 addresses in IPv6. */
const SIX: ((rig: Rig) => string)[] = [
  () => '::1',
  () => '::',
  (rig) => `fe80::${group(rig)}`,
  (rig) => `fc${(byte(rig) | 16).toString(16)}:${group(rig)}::${group(rig)}`,
  (rig) => `fd12:${group(rig)}::1`,
  (rig) => `ff0${byte(rig) % 16 < 10 ? byte(rig) % 10 : 2}::${group(rig)}`,
  (rig) => `::ffff:${four(rig)}`,
  (rig) => `::ffff:${asGroups(four(rig))}`,
  (rig) => `::${four(rig)}`,
  (rig) => `64:ff9b::${asGroups(four(rig))}`,
  (rig) => `2002:${asGroups(four(rig))}::1`,
  (rig) => `2001:db8::${group(rig)}`,
  (rig) => `2001:0:${group(rig)}::1`,
  (rig) => `fec0::${group(rig)}`,
  (rig) => `4000::${group(rig)}`,
];

export const hostileAddresses = (rig: Rig, count: number): string[] =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? four(rig) : pick(rig, SIX)(rig)));

/** Spellings of one IPv4 address that URLs allow (WHATWG, IPv4 parser). */
const SPELLINGS: ((address: string) => string)[] = [
  (address) => address,
  (address) => String(address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)),
  (address) =>
    `0x${address
      .split('.')
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('')}`,
  (address) =>
    address
      .split('.')
      .map((part) => `0${Number(part).toString(8)}`)
      .join('.'),
  (address) =>
    address
      .split('.')
      .map((part) => `0x${Number(part).toString(16)}`)
      .join('.'),
];

const NAMES = [
  'localhost',
  'a.localhost',
  'printer.local',
  'metadata.google.internal',
  'metadata.google.internal.',
  'db.internal',
  'router.lan',
];

/** Addresses of receivers as texts. */
export const hostileUrls = (rig: Rig, count: number, port: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const kind = index % 4;
    if (kind === 3) return `https://${pick(rig, NAMES)}:${port}/`;
    if (kind === 2) return `https://[${pick(rig, SIX)(rig)}]:${port}/`;
    return `https://${pick(rig, SPELLINGS)(four(rig))}:${port}/`;
  });
