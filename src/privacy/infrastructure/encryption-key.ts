import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, ConfigurationError } from '../../config/config.js';

const FILE = 'encryption-key';
const BYTES = 32;

/** ENCRYPTION_KEY, or 32 bytes made once and kept in DATA_DIR. Here it keys the pseudonyms (decisions 3.15). */
export class EncryptionKey {
  private constructor(readonly bytes: Buffer) {}

  static async load(config: Pick<Config, 'encryptionKey' | 'dataDir'>): Promise<EncryptionKey> {
    if (config.encryptionKey !== null) return new EncryptionKey(config.encryptionKey);
    const file = join(config.dataDir, FILE);
    const text = (await readIfThere(file)) ?? (await makeOnce(config.dataDir, file));
    const bytes = Buffer.from(text, 'base64');
    if (bytes.length !== BYTES) throw new ConfigurationError(`${file} must hold ${BYTES} bytes in base64`);
    return new EncryptionKey(bytes);
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new ConfigurationError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Written beside its place and linked there: of several processes that start at once one wins and all use its key. */
async function makeOnce(directory: string, file: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  await writeSynced(draft, `${randomBytes(BYTES).toString('base64')}\n`);
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  const directoryHandle = await open(directory, 'r');
  await directoryHandle.sync().finally(() => directoryHandle.close());
  return readFile(file, 'utf8');
}

async function writeSynced(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
