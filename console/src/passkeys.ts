import { authorized, hold, open } from './session.js';
import { type components } from '../../clients/typescript/src/schema.js';

type Options = components['schemas']['PasskeyRequestDto'];
type Creation = components['schemas']['PasskeyCreationDto'];
type Created = components['schemas']['AddPasskeyBody']['credential'];
type Used = components['schemas']['UsePasskeyBody']['credential'];

/** True where the browser can use passkeys at this address. */
export const canUsePasskeys = (): boolean =>
  isSecureContext && 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

async function answer({ public_key }: Options): Promise<Used> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    public_key as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  return credential.toJSON() as unknown as Used;
}

/** Makes a passkey on this device for the person who is logged in. The service asks for a fresh log-in first. */
export async function addPasskey(name: string): Promise<void> {
  const { data: options } = await authorized().POST('/api/v1/auth/passkeys/options');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    (options as Creation).public_key as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const credential = made.toJSON() as unknown as Created;
  await authorized().POST('/api/v1/auth/passkeys', { body: { name, credential } });
}

/** @returns the answer to a log-in */
export async function logInByPasskey(): Promise<components['schemas']['SignedInDto']> {
  const { data: options } = await open.POST('/api/v1/auth/login/passkey/options');
  const credential = await answer(options as Options);
  const { data } = await open.POST('/api/v1/auth/login/passkey', { body: { credential, session: 'cookie' } });
  return data as components['schemas']['SignedInDto'];
}

/** Proves the identity of the person who is logged in. */
export async function proveByPasskey(): Promise<void> {
  const { data: options } = await authorized().POST('/api/v1/auth/reauthenticate/passkey/options');
  const credential = await answer(options as Options);
  const { data } = await authorized().POST('/api/v1/auth/reauthenticate/passkey', { body: { credential } });
  if (data !== undefined) hold(data);
}
