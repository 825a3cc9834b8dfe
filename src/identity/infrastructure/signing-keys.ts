import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import { type Config, ConfigurationError } from '../../config/config.js';
import { readOrMake } from '../../kernel/secrets/generated-file.js';

const FILE = 'jwt-private-key.pem';

/** The ES256 key pair of access tokens: JWT_PRIVATE_KEY, or made once and stored in DATA_DIR. */
export class SigningKeys {
  private constructor(
    readonly privateKey: KeyObject,
    readonly publicKey: KeyObject,
    /** The public key in the form of the key set, `kid` (RFC 7638 thumbprint), `use` and `alg` included. */
    readonly publicJwk: JWK & { kid: string },
  ) {}

  static async load(config: Pick<Config, 'jwtPrivateKey' | 'dataDir'>): Promise<SigningKeys> {
    if (config.jwtPrivateKey !== null) return SigningKeys.from(config.jwtPrivateKey, 'JWT_PRIVATE_KEY');
    return SigningKeys.from(await readOrMake(config.dataDir, FILE, newPem), join(config.dataDir, FILE));
  }

  private static async from(pem: string, source: string): Promise<SigningKeys> {
    const privateKey = parse(pem, source);
    const publicKey = createPublicKey(privateKey);
    const jwk = await exportJWK(publicKey);
    return new SigningKeys(privateKey, publicKey, {
      ...jwk,
      kid: await calculateJwkThumbprint(jwk),
      use: 'sig',
      alg: 'ES256',
    });
  }
}

function parse(pem: string, source: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // The library's message may contain parts of the text; the message below has all that the operator needs.
  }
  throw new ConfigurationError(`${source} must be a P-256 (prime256v1) private key in PEM`);
}

function newPem(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
