import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Deviations from an honest browser and device. */
export interface Faults {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  /** False: the device has not verified its person. */
  isVerified?: boolean;
  isPresent?: boolean;
  crossOrigin?: boolean;
  counter?: number;
  userHandle?: string | undefined;
  credentialId?: string;
  /** An attestation that was not requested. */
  attestation?: { fmt: string; attStmt: Map<string, Cbor> };
  /** The key of another device. */
  key?: KeyObject;
}

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

interface RequestOptions {
  challenge: string;
  rpId: string;
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** A browser at one origin and a device with one passkey: real CBOR, COSE and ES256, without the service's code. */
export class Authenticator {
  credentialId = randomBytes(32).toString('base64url');
  counter = 0;
  userHandle: string | undefined;
  readonly privateKey: KeyObject;
  private readonly point: { x: string; y: string };

  constructor(
    private readonly origin: string,
    /** Devices whose passkeys are synced always send 0. */
    private readonly counts = true,
  ) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKey = privateKey;
    this.point = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  }

  /** The result of `navigator.credentials.create`, by toJSON(). */
  create({ challenge, rp, user }: CreationOptions, faults: Faults = {}) {
    this.userHandle = user.id;
    const clientDataJSON = this.clientData('webauthn.create', challenge, faults);
    const id = Buffer.from(faults.credentialId ?? this.credentialId, 'base64url');
    const length = Buffer.from([id.length >> 8, id.length & 0xff]);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, cbor(this.coseKey())]);
    const authData = this.authenticatorData(rp.id, { ...faults, credential });
    const { fmt, attStmt } = faults.attestation ?? { fmt: 'none', attStmt: new Map<string, Cbor>() };
    const attestation = new Map<string, Cbor>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', authData],
    ]);
    const attestationObject = cbor(attestation).toString('base64url');
    const response = { clientDataJSON, attestationObject, transports: ['internal', 'hybrid'] };
    return { ...this.named(faults), response };
  }

  /** The result of `navigator.credentials.get`, by toJSON(). */
  get({ challenge, rpId }: RequestOptions, faults: Faults = {}) {
    const clientDataJSON = this.clientData('webauthn.get', challenge, faults);
    const authData = this.authenticatorData(rpId, faults);
    const clientDataHash = sha256(Buffer.from(clientDataJSON, 'base64url'));
    const signed = Buffer.concat([authData, clientDataHash]);
    const response = {
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, faults.key ?? this.privateKey).toString('base64url'),
      userHandle: 'userHandle' in faults ? faults.userHandle : this.userHandle,
    };
    return { ...this.named(faults), response };
  }

  private named({ credentialId }: Faults) {
    const id = credentialId ?? this.credentialId;
    const authenticatorAttachment = 'platform';
    return { id, rawId: id, type: 'public-key', authenticatorAttachment, clientExtensionResults: {} };
  }

  private clientData(type: string, challenge: string, faults: Faults): string {
    const data = {
      type: faults.type ?? type,
      challenge: faults.challenge ?? challenge,
      origin: faults.origin ?? this.origin,
      crossOrigin: faults.crossOrigin ?? false,
    };
    return Buffer.from(JSON.stringify(data)).toString('base64url');
  }

  private authenticatorData(rpId: string, faults: Faults & { credential?: Buffer }): Buffer {
    const { credential = Buffer.alloc(0), isPresent = true, isVerified = true } = faults;
    if (this.counts) this.counter++;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(faults.counter ?? this.counter);
    const flags =
      (isPresent ? PRESENT : 0) | (isVerified ? VERIFIED : 0) | (credential.length > 0 ? HAS_CREDENTIAL : 0);
    return Buffer.concat([sha256(Buffer.from(faults.rpId ?? rpId)), Buffer.from([flags]), count, credential]);
  }

  /** An EC2 key of ES256 on P-256 (RFC 9053). */
  private coseKey(): Map<number, Cbor> {
    return new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(this.point.x, 'base64url')],
      [-3, Buffer.from(this.point.y, 'base64url')],
    ]);
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** The part of CBOR (RFC 8949) that devices need: integers, texts, bytes and maps, in definite lengths. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 0xff]);
}
