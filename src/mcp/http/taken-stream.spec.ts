import { describe, expect, it } from '@jest/globals';
import { type Response } from 'express';
import { PassThrough } from 'node:stream';
import { TakenStream } from './taken-stream.js';

async function* chunks(count: number): AsyncIterable<Uint8Array> {
  for (let made = 0; made < count; made++) yield Buffer.alloc(100);
}

function sending(highWaterMark: number) {
  const client = new PassThrough({ highWaterMark, readableHighWaterMark: 0 });
  const over = new AbortController();
  const stream = new TakenStream(client as unknown as Response, over.signal);
  return { client, over, stream };
}

describe('TakenStream', () => {
  it('ready chunks count as taken only when a slow client has read them', async () => {
    const { client, stream } = sending(150);
    const sent = stream.send(chunks(5));
    let isTaken = false;
    const taken = stream.taken().then(() => (isTaken = true));
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(isTaken).toBe(false);
    client.resume();
    await Promise.all([sent, taken]);
    expect(isTaken).toBe(true);
  });

  it('ready chunks are taken at once by a client that reads', async () => {
    const { client, stream } = sending(10_000);
    client.resume();
    await stream.send(chunks(5));
    await expect(stream.taken()).resolves.toBeUndefined();
  });

  it('a client that has gone ends the sending, and nobody waits for it', async () => {
    const { over, stream } = sending(150);
    const sent = stream.send(chunks(5));
    const taken = stream.taken();
    await new Promise(setImmediate);
    over.abort();
    await expect(sent).rejects.toThrow('aborted');
    await expect(taken).resolves.toBeUndefined();
  });
});
