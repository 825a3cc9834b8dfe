import { open } from 'node:fs/promises';

/**
 * Creates a file, for its owner only, and makes its bytes durable, but not its name, which is stored in the directory.
 */
export async function writeSynced(
  path: string,
  content: AsyncIterable<Buffer> | Iterable<string>,
): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the names in a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}
