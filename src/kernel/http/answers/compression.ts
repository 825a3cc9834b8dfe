import { type Response } from 'express';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Shorter answers are sent as they are: they fit into two packets, and compression would only add its time. */
export const LEAST_COMPRESSED = 2 * 1024;

/**
 * The most answers that are compressed at a time, of the four threads that Node has for this, files and passwords.
 * Further ones do not wait for a thread but are sent as they are.
 */
const MOST_AT_ONCE = 2;
const CHUNK_BYTES = 64 * 1024;
/** A window of 256 KiB, so that a compressor holds less than 2 MiB. */
const WINDOW_BITS = 18;
const QUALITY = 4;

export type Coding = 'br' | 'gzip';

const gzipped = promisify(gzip);
const brotlied = promisify(brotliCompress);
let running = 0;

/**
 * The content coding that a request weighs highest, and of equal ones the first that it names; null for none, and where
 * it names none at all.
 */
export function acceptedCoding({ req }: Response): Coding | null {
  if (req.headers['accept-encoding'] === undefined) return null;
  const best = req.acceptsEncodings('gzip', 'br', 'identity');
  return best === 'gzip' || best === 'br' ? best : null;
}

/**
 * The compressed bytes of an answer, made on another thread; null where enough answers are being compressed.
 * @param whole makes its bytes; called only if they are compressed
 */
export async function compressed(whole: () => Buffer, coding: Coding): Promise<Buffer | null> {
  if (running >= MOST_AT_ONCE) return null;
  running++;
  try {
    const bytes = whole();
    return coding === 'gzip'
      ? await gzipped(bytes, { chunkSize: CHUNK_BYTES })
      : await brotlied(bytes, { chunkSize: CHUNK_BYTES, params: brotliParameters(bytes.length) });
  } finally {
    running--;
  }
}

const brotliParameters = (bytes: number): Record<number, number> => ({
  [constants.BROTLI_PARAM_QUALITY]: QUALITY,
  [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
});
