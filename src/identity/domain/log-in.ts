import { isIP, isIPv4 } from 'node:net';
import { type Notice } from './notice.js';
import { networkOf } from './rate-limits.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The time after which a log-in ends, no matter how often it is refreshed. */
export const LOG_IN_LIFETIME_MS = 90 * DAY_MS;

/** The time without use after which a log-in ends. */
export const IDLE_LIFETIME_MS = 30 * DAY_MS;

/** The number of living log-ins of a person: a further one ends the one that was not used for the longest time. */
export const MOST_LOG_INS = 100;

/** The number of ended log-ins of a person that are kept, the newest ones. */
export const KEPT_ENDED = 100;

/** The age of the last proof of identity up to which operations that need a recent one accept it. */
export const FRESH_MS = 5 * 60 * 1000;

/**
 * The number of single things that a log-in may show others or let them change after those minutes, until the
 * next proof (rule 1.16).
 */
export const SINGLES_WITHOUT_PROOF = 20;

/** One log-in of a person: the API calls it a session. Its refresh tokens are one family (rule 1.3). */
export interface LogIn {
  userId: string;
  id: string;
  createdAt: Date;
  /** The last time at which tokens were made for it. */
  lastUsedAt: Date;
  /** The last time at which the person proved their identity. */
  authenticatedAt: Date;
  expiresAt: Date;
  endedAt: Date | null;
  userAgent: string | null;
  /** Coarse: enough to recognize one's own log-in, too little to locate a person. */
  network: string | null;
  /** The account's generation when the log-in began: a new password raises the account's. */
  generation: number;
  /**
   * The number of single things that it has shown others or let them change since the last proof of identity.
   */
  singlesGiven: number;
}

/** The claims of an access token about its log-in. */
export interface LogInClaims {
  id: string;
  generation: number;
  authenticatedAt: Date;
}

/** The origin of a request, as far as the request tells. */
export interface Device {
  address: string;
  userAgent: string | null;
}

/** The mark of a log-in from a device and a network that the account does not know. */
export const STRANGER = 'stranger';

export const logInNotice = ({ address }: Device): Notice => ({
  kind: 'log-in',
  ...(isIP(address) ? { detail: coarseNetworkOf(address) } : {}),
});

const MAX_USER_AGENT = 200;

/** The stored traits of a device. */
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
