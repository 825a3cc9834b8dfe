import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type Config, ConfigurationError } from '../../config/config.js';
import { readOrMake } from './generated-file.js';

const FILE = 'encryption-key';
const BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The service's own secret: ENCRYPTION_KEY, or 32 random bytes generated once and stored in DATA_DIR. */
export class EncryptionKey {
  private constructor(readonly bytes: Buffer) {}

  static async load(config: Pick<Config, 'encryptionKey' | 'dataDir'>): Promise<EncryptionKey> {
    if (config.encryptionKey !== null) return new EncryptionKey(config.encryptionKey);
    const make = () => `${randomBytes(BYTES).toString('base64')}\n`;
    const bytes = Buffer.from(await readOrMake(config.dataDir, FILE, make), 'base64');
    if (bytes.length !== BYTES)
      throw new ConfigurationError(`${FILE} in DATA_DIR must hold ${BYTES} bytes in base64`);
    return new EncryptionKey(bytes);
  }

  /** HMAC-SHA256 for one purpose; guesses cannot be checked against it with the database alone. */
  digest(purpose: string, text: string): string {
    return createHmac('sha256', this.bytes).update(`${purpose}\0`).update(text).digest('base64url');
  }

  /** Encrypts a secret for storage: AES-256-GCM with a key for that purpose alone. */
  seal(purpose: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyOf(purpose), nonce);
    const sealed = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
  }

  /** @throws when the text was not sealed with this key for this purpose */
  unseal(purpose: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.keyOf(purpose), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }

  private keyOf(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.bytes, '', purpose, BYTES));
  }
}
