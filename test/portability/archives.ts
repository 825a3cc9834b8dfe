import { type Readable } from 'node:stream';
import { fromBufferPromise } from 'yauzl';
import { type Options, ZipFile } from 'yazl';
import { importedId } from '../../src/portability/domain/archived-ids.js';
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

/** The entries that have to be equal: rows and files, in the order of their names. */
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

/** The zip of some entries with one of them changed. */
export const withEntry = (
  entries: Entries,
  name: string,
  change: (text: string) => string | Buffer,
): Promise<Buffer> =>
  zipped(
    [...entries].map(([entry, bytes]): [string, string | Buffer] => [
      entry,
      entry === name ? change(bytes.toString('utf8')) : bytes,
    ]),
  );

/** The function that gives the zip of some entries with one row of a table changed: the first that fits. */
export const rowChangesOf =
  (entries: Entries) =>
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  (table: string, change: (row: any) => void, which: (row: any) => boolean = () => true): Promise<Buffer> => {
    const name = `data/${table}.ndjson`;
    const rows = rowsOf(entries, name);
    change(rows.find(which));
    return withEntry(entries, name, () => rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  };

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const IDENTIFIED = ['tags', 'schemas', 'exposure_profiles', 'nodes', 'relationships', 'sessions', 'imports'];

/** The ids of what an archive brings along. */
function idsOf(entries: Entries): Set<string> {
  const rows = IDENTIFIED.flatMap((table) => rowsOf(entries, `data/${table}.ndjson`));
  const changes = rowsOf(entries, 'data/changes.ndjson').filter(({ entity }) => entity !== 'omitted');
  const named = changes.flatMap(({ entity_id, proposal_id }) => [entity_id, proposal_id]);
  return new Set([...rows.map(({ id }) => id), ...named].filter((id) => id !== null));
}

/** The export of an account that has imported these entries: everything under the new ids, and in their order. */
export function importedBy(owner: { id: string }, entries: Entries): Entries {
  const ids = idsOf(entries);
  const renamed = (text: string) => text.replace(UUID, (id) => (ids.has(id) ? importedId(owner.id, id) : id));
  return new Map(
    [...entries].map(([name, bytes]) => {
      if (!name.startsWith('data/')) return [name, bytes];
      const lines = renamed(bytes.toString('utf8')).split('\n').filter(Boolean);
      const first = (line: string): string => UUID[Symbol.match](line)?.[0] ?? '';
      if (!name.endsWith('/changes.ndjson'))
        lines.sort((a, b) => (first(a) < first(b) ? -1 : Number(first(a) > first(b))));
      return [name, Buffer.from(lines.map((line) => `${line}\n`).join(''))];
    }),
  );
}
