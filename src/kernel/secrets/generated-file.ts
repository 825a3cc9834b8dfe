import { randomUUID } from 'node:crypto';
import { link, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../../config/config.js';
import { ensureDirectory } from '../data-directory.js';
import { syncDirectory, writeSynced } from '../synced-files.js';

/**
 * The content of a file that is generated once: readable by its owner only, written beside its path, synced, and linked
 * there, so that it is never read half written, and several processes that start at once all use the same content.
 * @throws ConfigurationError when it cannot be read
 */
export async function readOrMake(directory: string, name: string, make: () => string): Promise<string> {
  const file = join(directory, name);
  return (await readIfThere(file)) ?? (await makeOnce(directory, file, make()));
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    // ENOTDIR: creating the directory will report the obstacle.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw new ConfigurationError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

async function makeOnce(directory: string, file: string, content: string): Promise<string> {
  await ensureDirectory(directory);
  const draft = `${file}.${randomUUID()}`;
  await writeSynced(draft, [content]);
  try {
    await link(draft, file);
    await syncDirectory(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(file, 'utf8');
}
