import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigurationError } from '../../config/config.js';

const FILE = 'jwt-private-key.pem';

/** The ES256 key pair of access tokens: JWT_PRIVATE_KEY, or made once and kept in DATA_DIR. */
export class SigningKeys {
  private constructor(
    readonly privateKey: KeyObject,
    readonly publicKey: KeyObject,
    /** As the key set publishes it, `kid` (RFC 7638 thumbprint), `use` and `alg` included. */
    readonly publicJwk: JWK & { kid: string },
  ) {}

  static async load(config: Pick<Config, 'jwtPrivateKey' | 'dataDir'>): Promise<SigningKeys> {
    if (config.jwtPrivateKey !== null) return SigningKeys.from(config.jwtPrivateKey, 'JWT_PRIVATE_KEY');
    const file = join(config.dataDir, FILE);
    return SigningKeys.from((await readIfThere(file)) ?? (await makeOnce(config.dataDir, file)), file);
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
    // The library's message may hold parts of the text; what the operator needs to know is below.
  }
  throw new ConfigurationError(`${source} must be a P-256 (prime256v1) private key in PEM`);
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigurationError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Writes a new key beside its place, whole and synced, and links it there: the file is never seen half written, and
 * of several processes that start at once one wins and all use its key.
 */
async function makeOnce(directory: string, file: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeSynced(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  try {
    await link(draft, file);
    await sync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(file, 'utf8');
}

async function writeSynced(file: string, content: string | Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
