import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';
import { type Client } from '../../test/support/client.js';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Writes `GET /export` into a file. */
export async function exportTo(origin: string, { credentials }: Client, file: string): Promise<void> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    request(`${origin}/api/v1/export`, { headers: credentials, agent: false }, resolve)
      .on('error', reject)
      .end(),
  );
  if (answer.statusCode !== 200) throw new Error(`export: ${answer.statusCode}`);
  await pipeline(answer, createWriteStream(file));
}

/** Sends a file to `POST /import`. @returns the counts of the answer */
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

/**
 * The parts that must be equal in two archives of one graph: entries by their names, each with a digest of its rows or
 * its bytes.
 */
export async function digestsOf(file: string): Promise<Map<string, string>> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  const digests = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry;
    if (!/^(data|files)\//.test(fileName)) continue;
    const content = await zip.openReadStreamPromise(entry);
    digests.set(fileName, await (fileName.startsWith('data/') ? digestOfRows(content) : digestOf(content)));
  }
  zip.close();
  return digests;
}

async function digestOf(content: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** The sum of the rows without their ids, in any order: an import gives everything a new id. */
async function digestOfRows(content: Readable): Promise<string> {
  let sum = 0n;
  for await (const line of createInterface({ input: content })) {
    const hash = createHash('sha256').update(line.replace(UUID, 'id'));
    sum += hash.digest().readBigUInt64BE();
  }
  return String(sum);
}
