import { Injectable } from '@nestjs/common';
import { CHALLENGE_LIFETIME_MS } from '../domain/challenge.js';
import {
  type CreatedAnswer,
  type NewCredential,
  type Passkey,
  type UsedAnswer,
  userHandleOf,
} from '../domain/passkey.js';
import { type RelyingParty } from '../domain/relying-party.js';
import { type User } from '../domain/user.js';

/** The facts that an answer is verified against. */
interface Expected {
  party: RelyingParty;
  challenge: string;
}

/** EdDSA, ES256 and RS256: every supported version of Node can verify them. */
const ALGORITHMS = [-8, -7, -257];
const SERVICE_NAME = 'Personal Identity Graph';

/** Loaded with the first passkey: parsing certificates' syntax would slow every start. */
const library = () => import('@simplewebauthn/server');
const parts = () => import('@simplewebauthn/server/helpers');

/**
 * The ceremonies of WebAuthn, as @simplewebauthn/server carries them out. The device always verifies the
 * person.
 */
@Injectable()
export class WebAuthn {
  /** Options for `navigator.credentials.create`: a passkey that names its person by itself. */
  async creationOptions(
    { party, challenge }: Expected,
    user: Pick<User, 'id' | 'email' | 'username'>,
    present: readonly Passkey[],
  ): Promise<object> {
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      rpName: SERVICE_NAME,
      rpID: party.id,
      userID: new Uint8Array(Buffer.from(userHandleOf(user.id), 'base64url')),
      userName: user.email,
      userDisplayName: user.username,
      challenge: bytesOf(challenge),
      timeout: CHALLENGE_LIFETIME_MS,
      excludeCredentials: present.map(described),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
  }

  /** Options for `navigator.credentials.get`; without passkeys the person chooses on their device. */
  async requestOptions({ party, challenge }: Expected, allowed: readonly Passkey[] = []): Promise<object> {
    const { generateAuthenticationOptions } = await library();
    return generateAuthenticationOptions({
      rpID: party.id,
      challenge: bytesOf(challenge),
      timeout: CHALLENGE_LIFETIME_MS,
      userVerification: 'required',
      allowCredentials: allowed.map(described),
    });
  }

  /**
   * The credential that a device has made; null unless it was made for this challenge and service, by a
   * verified person.
   */
  async created(answer: CreatedAnswer, { party, challenge }: Expected): Promise<NewCredential | null> {
    const { verifyRegistrationResponse } = await library();
    try {
      const attestationObject = await withoutAttestation(answer.response.attestationObject);
      const { registrationInfo } = await verifyRegistrationResponse({
        response: {
          ...answer,
          type: answer.type as 'public-key',
          response: { clientDataJSON: answer.response.clientDataJSON, attestationObject },
          clientExtensionResults: {},
        },
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (!registrationInfo || registrationInfo.credential.id !== answer.id) return null;
      const { id, publicKey, counter } = registrationInfo.credential;
      return {
        credentialId: id,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: answer.response.transports ?? [],
      };
    } catch {
      // The library's errors are dropped: their messages contain what was sent.
      return null;
    }
  }

  /**
   * The counter of an answer; null unless this passkey has signed this challenge for this service, with its
   * person verified.
   */
  async counterOf(
    answer: UsedAnswer,
    passkey: Pick<Passkey, 'credentialId' | 'publicKey'>,
    { party, challenge }: Expected,
  ): Promise<number | null> {
    const { verifyAuthenticationResponse } = await library();
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...answer, type: answer.type as 'public-key', clientExtensionResults: {} },
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        // The counter is compared later, under the lock: here it would precede the signature.
        credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: 0 },
      });
      return verified ? authenticationInfo.newCounter : null;
    } catch {
      return null;
    }
  }
}

/**
 * Removes an attestation. The service requests none and trusts no maker of devices; no certificates are read.
 */
async function withoutAttestation(text: string): Promise<string> {
  const { decodeAttestationObject, isoCBOR } = await parts();
  const authData = decodeAttestationObject(bytesOf(text)).get('authData');
  const bytes = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ]),
  );
  return Buffer.from(bytes).toString('base64url');
}

const described = ({ credentialId: id, transports }: Passkey): { id: string; transports: string[] } => ({
  id,
  transports,
});

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64url'));
