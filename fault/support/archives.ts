import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { type Client } from '../../test/support/client.js';

/** `GET /export` into a file. */
export async function exportTo(origin: string, { credentials }: Client, file: string): Promise<void> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    request(`${origin}/api/v1/export`, { headers: credentials, agent: false }, resolve)
      .on('error', reject)
      .end(),
  );
  if (answer.statusCode !== 200) throw new Error(`export: ${answer.statusCode}`);
  await pipeline(answer, createWriteStream(file));
}

/** `POST /import` of a file. @returns the counts that were answered */
export async function importFrom(
  origin: string,
  { credentials }: Client,
  file: string,
): Promise<Record<string, number>> {
  const headers = {
    ...credentials,
    'Content-Type': 'application/zip',
    'Content-Length': statSync(file).size,
  };
  const { statusCode, text } = await new Promise<{ statusCode: number; text: string }>((resolve, reject) => {
    const sent = request(`${origin}/api/v1/import`, { method: 'POST', headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('error', reject);
      answer.on('end', () => resolve({ statusCode: answer.statusCode as number, text }));
    }).on('error', reject);
    pipeline(createReadStream(file), sent).catch(reject);
  });
  if (statusCode !== 201) throw new Error(`import: ${statusCode} ${text}`);
  return (JSON.parse(text) as { imported: Record<string, number> }).imported;
}

/** What must be equal in two archives of one graph: entries by their names, each with its SHA-256. */
export async function digestsOf(file: string): Promise<Map<string, string>> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  const digests = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    if (!/^(data|files)\//.test(entry.fileName)) continue;
    const hash = createHash('sha256');
    for await (const chunk of await zip.openReadStreamPromise(entry)) hash.update(chunk as Buffer);
    digests.set(entry.fileName, hash.digest('hex'));
  }
  zip.close();
  return digests;
}
