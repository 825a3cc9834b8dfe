import { type Tier } from '../../config/config.js';
import { isIPv6 } from 'node:net';

/** A fixed window of UTC time with a limit on the number of requests (rule 9.7). */
export interface Window {
  /** The name of the counter: windows with one key share it. */
  key: string;
  limit: number;
  seconds: number;
}

/** The subject that is counted. */
export type Subject =
  | {
      kind: 'app';
      appId: string;
      developerId: string;
      userId: string | null;
      isUserKey: boolean;
      tier: Tier;
    }
  | { kind: 'user'; userId: string; tier: Tier }
  | { kind: 'address'; address: string };

/** A limit of one endpoint; endpoints with one name share it. The same for every tier. */
export interface EndpointLimit {
  name: string;
  perMinute: number;
}

/** The state that the headers report (specification, Rate limits). */
export interface WindowState {
  limit: number;
  remaining: number;
  /** Unix time in seconds. */
  reset: number;
}

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const PER_MINUTE: Record<Tier, number> = { free: 60, pro: 300, enterprise: 1_000 };
/**
 * An app's limit for all people together, as a multiple of its limit for one: made-up ids of people cost the
 * app nothing.
 */
const PEOPLE_A_MINUTE = 10;
/** The limit of all apps of one developer together, as a multiple of that of one app: apps cost nothing either. */
const APPS_A_MINUTE = 5;
/** Requests of one person from one network that end access, when the person's windows are used up. */
const ENDS_A_MINUTE = 10;
/** Requests with secrets of one person's log-ins from one network, when the network's window is used up. */
const WITH_SECRETS_A_MINUTE = 10;
const PER_DAY: Record<Tier, number | null> = { free: 10_000, pro: 100_000, enterprise: null };

/**
 * The windows in which a request counts.
 * @param firstParty how many times the figures of their tier people have who call with a token; apps have them once, and
 *   a limit of an endpoint is the same for all (rule 9.7b)
 */
export function windowsOf(subject: Subject, endpoint?: EndpointLimit, firstParty = 1): Window[] {
  if (subject.kind === 'address') {
    return [{ key: `address ${networkOf(subject.address)}`, limit: PER_MINUTE.free, seconds: MINUTE }];
  }
  const whose =
    subject.kind === 'app' ? `app ${subject.appId} ${subject.userId ?? '-'}` : `user ${subject.userId}`;
  // A user key is in its user's hands, who must not use up the windows of the app's other users.
  const isForAll = subject.kind === 'app' && !subject.isUserKey;
  const inAll = isForAll ? `app ${subject.appId}` : whose;
  const times = subject.kind === 'user' ? firstParty : 1;
  const windows = [{ key: whose, limit: times * PER_MINUTE[subject.tier], seconds: MINUTE }];
  if (isForAll) {
    const ofApp = PEOPLE_A_MINUTE * PER_MINUTE[subject.tier];
    windows.push({ key: inAll, limit: ofApp, seconds: MINUTE });
    windows.push({ key: `developer ${subject.developerId}`, limit: APPS_A_MINUTE * ofApp, seconds: MINUTE });
  }
  const daily = PER_DAY[subject.tier];
  if (daily !== null) windows.push({ key: `${inAll} day`, limit: times * daily, seconds: DAY });
  if (endpoint) {
    windows.push({ key: `${whose} ${endpoint.name}`, limit: endpoint.perMinute, seconds: MINUTE });
  }
  return windows;
}

/**
 * The window of a public endpoint with a limit of its own, for one network: many people may call from one, such as the
 * servers of an assistant (rule 14.8).
 */
export const windowsOfLimit = (address: string, { name, perMinute }: EndpointLimit): Window[] => [
  { key: `address ${networkOf(address)} ${name}`, limit: perMinute, seconds: MINUTE },
];

/**
 * The windows of a request that ends access, for a person whose windows are used up (rule 9.7f). They count by network:
 * a stolen token that is used elsewhere leaves its owner theirs.
 */
export const reservedWindows = (userId: string, address: string): Window[] => [
  { key: `user ${userId} ends ${networkOf(address)}`, limit: ENDS_A_MINUTE, seconds: MINUTE },
];

/**
 * The windows of a request with a secret of a log-in, from a network whose window is used up (rule 9.7g). A person's
 * log-ins share one: otherwise a caller could multiply the limit of a network by log-ins of their own.
 * @param holder the key of the person or challenge to which the secret belongs
 */
export const secretWindows = (holder: string, address: string): Window[] => [
  { key: `${holder} with secrets ${networkOf(address)}`, limit: WITH_SECRETS_A_MINUTE, seconds: MINUTE },
];

/**
 * The windows' state after a request: of those that apply the one with the least left, on a tie the smaller
 * one.
 */
export function scarcestWindow(
  windows: readonly Window[],
  counts: readonly number[],
  now: Date,
): WindowState {
  const states = windows.map(({ limit, seconds }, index) => ({
    limit,
    remaining: Math.max(0, limit - (counts[index] ?? 0)),
    reset: endOf(seconds, now),
  }));
  states.sort((a, b) => a.remaining - b.remaining || a.limit - b.limit);
  return states[0] as WindowState;
}

/** Seconds until none of the exhausted windows blocks the caller, at least one. */
export function retryAfter(windows: readonly Window[], counts: readonly number[], now: Date): number {
  const exhausted = windows.filter(({ limit }, index) => (counts[index] ?? 0) >= limit);
  const free = Math.max(...exhausted.map(({ seconds }) => endOf(seconds, now)));
  return Math.max(1, Math.ceil(free - now.getTime() / 1000));
}

/** Number of the window that this moment is in: windows begin on the UTC minute and day. */
export const windowAt = (seconds: number, now: Date): number => Math.floor(now.getTime() / 1000 / seconds);

const endOf = (seconds: number, now: Date): number => (windowAt(seconds, now) + 1) * seconds;

/**
 * The unit in which addresses are counted: the holder of an IPv6 address has 2^64 of them, which count as one
 * (RFC 6177).
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] as string;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('%')[0]!.toLowerCase().split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...right];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
