import { type components } from '../../clients/typescript/src/schema.js';
import { authorized } from './session.js';

type Schemas = components['schemas'];

export type OwnAccount = Schemas['OwnAccountDto'];
export type Passkey = Schemas['PasskeyDto'];
/** A log-in of the person that can still be used. */
export type LogIn = Schemas['LogInDto'];

export async function ownAccount(): Promise<OwnAccount> {
  return (await authorized().GET('/api/v1/auth/me')).data as OwnAccount;
}

export async function passkeys(): Promise<Passkey[]> {
  return (await authorized().GET('/api/v1/auth/passkeys')).data?.passkeys ?? [];
}

export async function removePasskey(passkey_id: string): Promise<void> {
  await authorized().DELETE('/api/v1/auth/passkeys/{passkey_id}', { params: { path: { passkey_id } } });
}

export async function logIns(): Promise<LogIn[]> {
  return (await authorized().GET('/api/v1/auth/sessions')).data?.sessions ?? [];
}

export async function endLogIn(auth_session_id: string): Promise<void> {
  await authorized().DELETE('/api/v1/auth/sessions/{auth_session_id}', {
    params: { path: { auth_session_id } },
  });
}

const BROWSERS = [
  [/Edg/, 'Edge'],
  [/Firefox/, 'Firefox'],
  [/Chrome/, 'Chrome'],
  [/Safari/, 'Safari'],
] as const;
const SYSTEMS = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** The program and system of a log-in in words, as far as it names a known one. */
export function deviceOf({ user_agent }: LogIn): string {
  const named = (names: typeof BROWSERS | typeof SYSTEMS): string | undefined =>
    names.find(([pattern]) => pattern.test(user_agent ?? ''))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser === undefined) return user_agent?.slice(0, 60) || 'A program without a name';
  return system === undefined ? browser : `${browser} on ${system}`;
}
