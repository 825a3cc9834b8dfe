import { LOOPBACK } from '../../identity/index.js';

/** The place that an answer goes to: a site, a program on the person's own machine, or an app with a scheme of its own. */
export type RedirectKind = 'web' | 'this_computer' | 'app';

/** True for an address on the machine of the browser, where native programs listen on any port (RFC 8252, 7.3). */
const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && LOOPBACK.has(hostname);

/**
 * True if a redirect URI is one of the registered ones: equal character by character, but for the port of an address on
 * the person's own machine, which a program chooses when it starts (rule 14.3b).
 */
export function isRegistered(registered: readonly string[], sent: string): boolean {
  return registered.includes(sent) || registered.some((known) => isSameButForPort(known, sent));
}

function isSameButForPort(known: string, sent: string): boolean {
  if (!URL.canParse(known) || !URL.canParse(sent)) return false;
  const [one, other] = [new URL(known), new URL(sent)];
  if (!isLoopback(one) || !isLoopback(other)) return false;
  // The spelling is compared, too: the parser makes other texts the same address.
  return withoutPort(known) !== null && withoutPort(known) === withoutPort(sent);
}

const AUTHORITY = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/;

function withoutPort(uri: string): string | null {
  const [, before, after] = AUTHORITY.exec(uri) ?? [];
  return before === undefined ? null : `${before}${after}`;
}

/** The place of a redirect URI, and its host as people read it. */
export function placeOf(uri: string): { kind: RedirectKind; host: string } {
  const url = new URL(uri);
  if (isLoopback(url)) return { kind: 'this_computer', host: url.host };
  return url.protocol === 'https:' || url.protocol === 'http:'
    ? { kind: 'web', host: url.host }
    : { kind: 'app', host: url.protocol.slice(0, -1) };
}

/** The address with further parameters in its query (RFC 6749, 4.1.2); those that it has stay as they are. */
export function withParameters(uri: string, parameters: Record<string, string | null | undefined>): string {
  const sent = Object.entries(parameters).filter(
    (pair): pair is [string, string] => typeof pair[1] === 'string',
  );
  const text = new URLSearchParams(sent).toString();
  return `${uri}${uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'}${text}`;
}
