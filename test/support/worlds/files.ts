import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '../../../src/config/config.js';
import { type Client, type Download, exchangeBytes } from '../client.js';
import { type World } from '../world.js';

export const MB = 1_048_576;
export const RAW_FILE = '00000000-0000-7000-8000-000000000001';

export interface Part {
  name: string;
  /** Absent: a form field. */
  filename?: string;
  /** The file name in the header, if it is not `filename="…"` with percent-encoded quotes. */
  disposition?: string;
  type?: string;
  content: string | Buffer;
}

export const BOUNDARY = 'a-boundary-of-the-tests';

/** A multipart body as browsers write it (HTML, 4.10.21.8). */
export function multipartOf(parts: readonly Part[], { end = `--${BOUNDARY}--\r\n` } = {}): Buffer {
  const chunks = parts.flatMap(({ name, filename, disposition, type, content }) => {
    const escaped = filename?.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
    const file = disposition ?? (escaped === undefined ? '' : `; filename="${escaped}"`);
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n`;
    return [
      Buffer.from(head + (type ? `Content-Type: ${type}\r\n\r\n` : '\r\n')),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ];
  });
  return Buffer.concat([...chunks, Buffer.from(end)]);
}

export const MULTIPART = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

export interface Sent {
  filename?: string;
  type?: string;
  content?: string | Buffer;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
}

const partsOf = ({
  filename = 'letter.txt',
  type = 'text/plain',
  content = 'Dear all',
  fields = {},
}: Sent): Part[] => [
  ...Object.entries(fields).map(([name, value]) => ({ name, content: value })),
  { name: 'file', filename, type, content },
];

export const upload = (client: Client, path: string, sent: Sent = {}): Promise<Download> =>
  client.post(path, multipartOf(partsOf(sent)), { headers: { ...MULTIPART, ...sent.headers } });

/** A file by POST /raw-files; throws when it is refused. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function file(client: Client, sent: Sent = {}): Promise<any> {
  const made = await upload(client, '/raw-files', sent);
  if (made.status !== 201) throw new Error(`file: ${made.status} ${made.text}`);
  return made.body;
}

/** A file by POST /nodes/upload, with names of tags; throws when it is refused. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export async function fileNode(client: Client, tags: string[] = [], sent: Sent = {}): Promise<any> {
  const fields = { tags: JSON.stringify(tags), ...sent.fields };
  const made = await upload(client, '/nodes/upload', { ...sent, fields });
  if (made.status !== 201) throw new Error(`file: ${made.status} ${made.text}`);
  return made.body;
}

export const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');

/** Follows a link without any other credential. */
export const follow = (url: string, headers: Record<string, string> = {}) =>
  exchangeBytes('GET', url, headers);

/** Names of everything below the store's directory; only of a world whose files are on disk. */
export function storedIn(world: World): string[] {
  const root = join(world.nest.get(Config).dataDir, 'files');
  return filesBelow(root);
}

function filesBelow(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}
