import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Syncs a directory with all of its contents to the disk. */
export async function syncTree(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    await (entry.isDirectory() ? syncTree(child) : syncPath(child));
  }
  await syncPath(path);
}

/** Syncs one file, or the list of names in a directory. Windows cannot sync the latter. */
export async function syncPath(path: string): Promise<void> {
  try {
    const file = await open(path, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (process.platform !== 'win32') throw error;
  }
}
