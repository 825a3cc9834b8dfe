import { isIP, isIPv4 } from 'node:net';
import { type Notice } from './notice.js';
import { networkOf } from './rate-limits.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** However often it is refreshed, a log-in ends after this. */
export const LOG_IN_LIFETIME_MS = 90 * DAY_MS;

/** A log-in that is not used for this long ends, too. */
export const IDLE_LIFETIME_MS = 30 * DAY_MS;

/** How old the last proof of identity may be for operations that need a fresh one. */
export const FRESH_MS = 5 * 60 * 1000;

/** The single things that a log-in may let others see or change after those minutes, until the next proof (rule 1.16). */
export const SINGLES_WITHOUT_PROOF = 20;

/** One log-in of a person: the API calls it a session. Its refresh tokens are one family (decisions 1.3). */
export interface LogIn {
  userId: string;
  id: string;
  createdAt: Date;
  /** When tokens were made for it last. */
  lastUsedAt: Date;
  /** When the person last proved who they are. */
  authenticatedAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  userAgent: string | null;
  /** Coarse: enough to recognise one's own, not to be found by. */
  network: string | null;
  /** Of the account, when it began: a new password raises the account's. */
  generation: number;
  /** Single things that it has let others see or change since the last proof of identity. */
  singlesGiven: number;
}

/** What an access token says of the log-in that it belongs to. */
export interface LogInClaims {
  id: string;
  generation: number;
  authenticatedAt: Date;
}

/** Where a request comes from, as far as it says. */
export interface Device {
  address: string;
  userAgent: string | null;
}

/** A caller of a log-in of whom the account knows neither the device nor the network. */
export const STRANGER = 'stranger';

export const logInNotice = ({ address }: Device): Notice => ({
  kind: 'log-in',
  ...(isIP(address) ? { detail: coarseNetworkOf(address) } : {}),
});

const MAX_USER_AGENT = 200;

/** What is stored about a device. */
export function traitsOf({ address, userAgent }: Device): Pick<LogIn, 'userAgent' | 'network'> {
  return { userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null, network: coarseNetworkOf(address) };
}

/** The /24 of an IPv4 address, the /48 of an IPv6 address. */
export function coarseNetworkOf(address: string): string {
  const network = networkOf(address);
  if (isIPv4(network)) return `${network.split('.').slice(0, 3).join('.')}.0/24`;
  const groups = network.split(':');
  return groups.length === 4 ? `${groups.slice(0, 3).join(':')}::/48` : network;
}

export const isFresh = ({ authenticatedAt }: Pick<LogIn, 'authenticatedAt'>, now: Date): boolean =>
  now.getTime() - authenticatedAt.getTime() <= FRESH_MS;
