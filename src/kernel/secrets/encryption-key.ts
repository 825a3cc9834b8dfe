import { createHmac, randomBytes } from 'node:crypto';
import { type Config, ConfigurationError } from '../../config/config.js';
import { readOrMake } from './generated-file.js';

const FILE = 'encryption-key';
const BYTES = 32;

/** The service's own secret: ENCRYPTION_KEY, or 32 bytes made once and kept in DATA_DIR. */
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

  /** HMAC-SHA256 for one purpose; who has the database alone cannot try values out against it. */
  digest(purpose: string, text: string): string {
    return createHmac('sha256', this.bytes).update(`${purpose}\0`).update(text).digest('base64url');
  }
}
