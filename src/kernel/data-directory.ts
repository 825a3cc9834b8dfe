import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigurationError } from '../config/config.js';

/**
 * Creates a directory below DATA_DIR if it is missing, for its owner only, and checks that it is writable. It goes
 * level by level: Node's recursive mkdir never returns where the file system refuses to create a path, as /proc does.
 * @throws ConfigurationError, one line for the operator
 */
export async function ensureDirectory(directory: string): Promise<void> {
  try {
    await make(directory);
    await access(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigurationError(
      `DATA_DIR cannot be used, ${directory} cannot be made or written: ${message}`,
    );
  }
}

async function make(directory: string): Promise<void> {
  if (await isDirectory(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) await make(parent);
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    // Another process of ours may have created it in the meantime.
    if (!(await isDirectory(directory))) throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
