import { open } from 'node:fs/promises';

/** Makes a file, for its owner only, whose bytes are durable; not its name, which stands in the directory. */
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
