import { type Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requireLeastRate } from '../bodies/least-rate.js';

/**
 * Sends a JSON text in pieces, no faster than the client reads. An error before the first rows is thrown with nothing
 * sent yet; a later one closes the connection, so that no client takes the part for the whole. So does a client that
 * reads too slowly.
 */
export async function sendJson(response: Response, pieces: AsyncGenerator<string>): Promise<void> {
  let head = '';
  for (let read = 0; read < 2; read++) {
    const { value, done } = await pieces.next();
    if (done !== true) head += value;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  requireLeastRate(response);
  try {
    await pipeline(Readable.from(after(head, pieces), { objectMode: false }), response);
  } catch (error) {
    response.destroy();
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** The items of several parts, as in one JSON array. */
export async function* commaSeparated(parts: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const part of parts) {
    if (part.length === 0) continue;
    const text = JSON.stringify(part).slice(1, -1);
    yield isFirst ? text : `,${text}`;
    isFirst = false;
  }
}

async function* after(head: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield head;
  yield* rest;
}
