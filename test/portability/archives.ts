import { type Readable } from 'node:stream';
import { fromBufferPromise } from 'yauzl';
import { type Options, ZipFile } from 'yazl';
import { type Client } from '../support/client.js';

/** Entries of a zip file by their names. */
export type Entries = Map<string, Buffer>;

export async function unzipped(bytes: Buffer): Promise<Entries> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const entries: Entries = new Map();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await all(await zip.openReadStreamPromise(entry)));
  return entries;
}

export async function zipped(
  entries: Iterable<[name: string, content: Buffer | string]>,
  options: { fileComment?: string } = {},
): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of entries)
    zip.addBuffer(Buffer.from(content), name, options as Partial<Options>);
  zip.end();
  return all(zip.outputStream as Readable);
}

async function all(source: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function exported(user: Client): Promise<Entries> {
  const { status, text, bytes } = await user.get('/export');
  if (status !== 200) throw new Error(`export: ${status} ${text}`);
  return unzipped(bytes);
}

export const imports = (user: Client, archive: Buffer) =>
  user.post('/import', archive, { headers: { 'Content-Type': 'application/zip' } });

/** What has to be equal: rows and files, in the order of their names. */
export const compared = (entries: Entries): [string, string][] =>
  [...entries]
    .filter(([name]) => /^(data|files)\//.test(name))
    .map(([name, bytes]): [string, string] => [name, bytes.toString('utf8')])
    .sort(([a], [b]) => (a < b ? -1 : 1));

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const rowsOf = (entries: Entries, table: string): any[] =>
  (entries.get(table) ?? Buffer.alloc(0))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
