import { type Response } from 'express';
import { hasList, JsonChunks } from './json-chunks.js';

type WriteJson = (this: Response, body: unknown) => Response | Promise<Response>;
/**
 * Counts the bytes of an answer before it is sent.
 * @throws TOO_MUCH_UNDER_WAY
 */
type Hold = (response: Response, bytes: number) => void;

/**
 * Replaces Express's `response.json` in the plain case, which is nearly every answer: no replacer, no indentation, no
 * generated entity tag, a body that is sent. Express handles all others. A long answer is made in chunks between which
 * other requests are served; the returned promise makes Nest wait.
 * @param express the application, whose answers inherit from `express.response`
 */
export function patchJsonResponse(express: { response: Pick<Response, 'json' | 'send'> }, hold: Hold): void {
  countTexts(express, hold);
  const whole = express.response.json as WriteJson;
  const plain: WriteJson = function (body) {
    const { statusCode, req } = this;
    const isPlain =
      typeof body === 'object' && statusCode !== 204 && statusCode !== 205 && statusCode !== 304;
    if (!isPlain || req.method === 'HEAD' || this.hasHeader('Content-Type')) return whole.call(this, body);
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

function send(response: Response, parts: readonly (string | Buffer)[], hold: Hold): Response {
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  hold(response, bytes);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes);
  const last = parts.length - 1;
  for (const part of parts.slice(0, last)) response.write(part);
  response.end(parts[last]);
  return response;
}
