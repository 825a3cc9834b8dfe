import { ApiError, createClient } from '../../clients/typescript/src/client.js';
import { type components } from '../../clients/typescript/src/schema.js';
import { SERVICE } from './address.js';

export type Account = components['schemas']['AccountDto'];
type SignedIn = components['schemas']['SignedInDto'];

/** The state of this page: `unknown` until the cookie has been tried. */
export type SessionState =
  { kind: 'unknown' } | { kind: 'outside'; notice: string | null } | { kind: 'inside'; user: Account };

/** Requests without a token. */
export const open = createClient({ baseUrl: SERVICE });

/** The name of the word that says that the browser may hold a session; the session is in a cookie that no script can read. */
const FLAG = 'pig.session';
/** The storage of the browser; a browser that allows none asks for the password after each reload. */
const flag = {
  isSet: (): boolean => attempt(() => localStorage.getItem(FLAG) !== null) ?? false,
  set: (): void => void attempt(() => localStorage.setItem(FLAG, '1')),
  remove: (): void => void attempt(() => localStorage.removeItem(FLAG)),
};
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
/** A token is renewed so long before its end that no request arrives too late. */
const EARLY_MS = 30_000;

let state: SessionState = { kind: 'unknown' };
let access: { token: string; until: number } | null = null;
let renewing: Promise<string | null> | null = null;
const listeners = new Set<(state: SessionState) => void>();

export const currentSession = (): SessionState => state;

export function onSession(listener: (state: SessionState) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function become(next: SessionState): void {
  state = next;
  listeners.forEach((listener) => listener(next));
}

/** Begins a session with the answer to a log-in. */
export function enter({ user, ...tokens }: SignedIn): void {
  hold(tokens);
  flag.set();
  become({ kind: 'inside', user });
}

/** Takes a new access token of the same session, after another proof of identity. */
export function hold(tokens: { access_token: string; expires_in: number }): void {
  access = { token: tokens.access_token, until: Date.now() + tokens.expires_in * 1000 - EARLY_MS };
}

/** Ends the session in this page alone; the cookie is of no use any longer, or another page's. */
function leave(notice: string | null): void {
  access = null;
  become({ kind: 'outside', notice });
}

export async function logOut(): Promise<void> {
  await open.POST('/api/v1/auth/logout', { body: { session: 'cookie' } }).catch(() => undefined);
  flag.remove();
  leave('You are logged out.');
}

/** Tries the session of the cookie, where there may be one. What a page needs can be fetched beside its person. */
export async function resume(beside: () => void = () => undefined): Promise<void> {
  if (!flag.isSet()) return leave(null);
  try {
    if ((await token()) === null) return;
    beside();
    const { data } = await authorized().GET('/api/v1/auth/me');
    if (data !== undefined) become({ kind: 'inside', user: data });
  } catch {
    leave('The service cannot be reached. Try again in a moment.');
  }
}

/** A living access token; null when the session has ended. */
async function token(): Promise<string | null> {
  if (access !== null && Date.now() < access.until) return access.token;
  renewing ??= renew().finally(() => (renewing = null));
  return renewing;
}

/** Pages refresh one after the other where browsers can arrange it; the service forgives the rest. */
const oneAtATime = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request(FLAG, work) : work();

async function renew(): Promise<string | null> {
  try {
    const { data } = await oneAtATime(() =>
      open.POST('/api/v1/auth/refresh', { body: { session: 'cookie' } }),
    );
    if (data === undefined) return null;
    // Another person has logged in, in another tab: nothing of this page is theirs.
    if (state.kind === 'inside' && subjectOf(data.access_token) !== state.user.id) location.reload();
    hold(data);
    return data.access_token;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    flag.remove();
    leave(state.kind === 'inside' ? 'Your session has ended. Log in again to go on.' : null);
    return null;
  }
}

function subjectOf(jwt: string): unknown {
  const payload = (jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(payload)) as { sub?: unknown }).sub;
}

/** A client that sends the token of this session. */
export const authorized = (): ReturnType<typeof createClient> => client;

const client = createClient({
  baseUrl: SERVICE,
  credentials: async () => {
    const accessToken = await token();
    return accessToken === null ? null : { accessToken };
  },
  fetch: async (request) => {
    const response = await fetch(request);
    if (response.status === 401 && (await isEnded(response))) {
      flag.remove();
      leave('Your session has ended. Log in again to go on.');
    }
    return response;
  },
});

/** A refused password or code is 401, too, but says nothing of the token. */
const isEnded = async (response: Response): Promise<boolean> => {
  if (!response.headers.get('WWW-Authenticate')?.includes('invalid_token')) return false;
  const body = (await response.clone().json()) as { error?: { code?: string } };
  return body.error?.code === 'UNAUTHORIZED';
};

/** Follows log-ins and log-outs in other tabs. */
addEventListener('storage', ({ key, newValue }) => {
  if (key !== FLAG) return;
  if (newValue === null) leave('You are logged out.');
  else if (state.kind === 'outside') void resume();
});
