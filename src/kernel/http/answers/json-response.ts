import { type Response } from 'express';
import { requestContext } from '../../request-context.js';
import { acceptedCoding, type Coding, compressed, LEAST_COMPRESSED } from './compression.js';
import { isHeld } from './entity-tag.js';
import { hasList, JsonChunks } from './json-chunks.js';

type WriteJson = (this: Response, body: unknown) => Response | Promise<Response>;
/**
 * Counts the bytes of an answer before it is sent.
 * @returns a function that releases them before the answer is sent
 * @throws TOO_MUCH_UNDER_WAY
 */
type Hold = (response: Response, bytes: number) => () => void;
type Parts = readonly (string | Buffer)[];

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Replaces Express's `response.json` in the plain case, which is nearly every answer: no replacer, no indentation, no
 * generated entity tag. Express handles all others. A long answer is made in chunks between which other requests are
 * served; the returned promise makes Nest wait.
 * @param express the application, whose answers inherit from `express.response`
 */
export function patchJsonResponse(express: { response: Pick<Response, 'json' | 'send'> }, hold: Hold): void {
  countTexts(express, hold);
  const whole = express.response.json as WriteJson;
  const plain: WriteJson = function (body) {
    const { statusCode } = this;
    const isPlain =
      typeof body === 'object' && statusCode !== 204 && statusCode !== 205 && statusCode !== 304;
    if (!isPlain || this.hasHeader('Content-Type')) return whole.call(this, body);
    if (body === null || !hasList(body)) return send(this, [JSON.stringify(body)], hold);
    const chunks = new JsonChunks(body);
    const { text, isLast } = chunks.next();
    return isLast ? send(this, [text], hold) : sendLong(this, { begin: text, chunks }, hold);
  };
  express.response.json = plain as Response['json'];
}

/** Counts texts that are no JSON, too. */
function countTexts(express: { response: Pick<Response, 'send'> }, hold: Hold): void {
  const { send: sendWhole } = express.response;
  express.response.send = function (this: Response, body?: unknown) {
    if (typeof body === 'string' && this.req.method !== 'HEAD') hold(this, Buffer.byteLength(body));
    return sendWhole.call(this, body);
  };
}

async function sendLong(
  response: Response,
  { begin, chunks }: { begin: string; chunks: JsonChunks },
  hold: Hold,
): Promise<Response> {
  const parts: Buffer[] = [Buffer.from(begin)];
  for await (const part of chunks.remaining()) {
    if (response.destroyed) return response;
    parts.push(part);
  }
  return send(response, parts, hold);
}

/**
 * Sends the text of an answer: not at all if its caller holds it already (rule 11.14), and compressed where they accept
 * that and the operation allows it (rule 11.11).
 */
function send(response: Response, parts: Parts, hold: Hold): Response | Promise<Response> {
  const bytes = lengthOf(parts);
  if (isHeld(response, parts)) return sendUnchanged(response, bytes, hold);
  if (response.req.method === 'HEAD') return writeHead(response, bytes);
  const release = hold(response, bytes);
  const coding = codingOf(response, bytes);
  return coding === null
    ? write(response, parts, bytes)
    : sendCompressed(response, parts, { bytes, coding, release, hold });
}

function sendUnchanged(response: Response, bytes: number, hold: Hold): Response {
  hold(response, 0);
  codingOf(response, bytes);
  return response.status(304).end();
}

async function sendCompressed(
  response: Response,
  parts: Parts,
  { bytes, coding, release, hold }: { bytes: number; coding: Coding; release: () => void; hold: Hold },
): Promise<Response> {
  let made: Buffer | null;
  try {
    made = await compressed(() => Buffer.concat(parts.map(bytesOf)), coding);
    // Others may have compressed meanwhile for a long time (rule 2.8).
    await requestContext.current().rights?.confirm();
  } catch (error) {
    // The refusal is sent instead.
    release();
    throw error;
  }
  if (response.destroyed) return response;
  if (made === null) return write(response, parts, bytes);
  // In one step, so that no other answer takes the room between.
  release();
  hold(response, made.length);
  response.setHeader('Content-Encoding', coding);
  return write(response, [made], made.length);
}

/** The coding of an answer of some length; null where it is sent as it is. Says in `Vary` if another caller has another. */
function codingOf(response: Response, bytes: number): Coding | null {
  if (response.statusCode >= 300 || requestContext.current().holdsNoSecret !== true) return null;
  response.vary('Accept-Encoding');
  return bytes < LEAST_COMPRESSED ? null : acceptedCoding(response);
}

/** Ends the answer to a HEAD. The length of a compressed answer is not known without the work (RFC 9110, 9.3.2). */
function writeHead(response: Response, bytes: number): Response {
  response.setHeader('Content-Type', JSON_TYPE);
  if (codingOf(response, bytes) === null) response.setHeader('Content-Length', bytes);
  return response.end();
}

function write(response: Response, parts: Parts, bytes: number): Response {
  response.setHeader('Content-Type', JSON_TYPE);
  response.setHeader('Content-Length', bytes);
  const last = parts.length - 1;
  for (const part of parts.slice(0, last)) response.write(part);
  response.end(parts[last]);
  return response;
}

const lengthOf = (parts: Parts): number => parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
const bytesOf = (part: string | Buffer): Buffer => (typeof part === 'string' ? Buffer.from(part) : part);
