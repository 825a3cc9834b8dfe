import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The directory cannot be made or written. The message names it and the reason, in one line. */
export class DirectoryUnusable extends Error {
  constructor(directory: string, reason: string) {
    super(`${directory} cannot be made or written: ${reason}`);
    this.name = 'DirectoryUnusable';
  }
}

/**
 * Makes a directory where it is missing, readable by its owner only, and checks that it can be written. It is made level by
 * level: `mkdir` with `recursive` never answers where the file system has no such place, as /proc does.
 * @throws DirectoryUnusable
 */
export async function ensurePrivateDirectory(directory: string): Promise<void> {
  try {
    await make(directory);
    await access(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DirectoryUnusable(directory, (error as Error).message);
  }
}

async function make(directory: string): Promise<void> {
  if (await isDirectory(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) await make(parent);
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it in the meantime.
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
