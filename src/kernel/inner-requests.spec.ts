import { describe, expect, it } from '@jest/globals';
import { type AddressInfo } from 'node:net';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { InnerRequests, type OuterCounters, originOf, takeOuterCounters } from './inner-requests.js';

const COUNTERS = new Map([
  ['app', { changes: 1, policy: 2 }],
  ['owner', { changes: 3, policy: 4 }],
]);

describe('takeOuterCounters', () => {
  /** Sends inner requests one after the other. @returns what each of them took */
  async function taken(counters: OuterCounters, asked: string[][]): Promise<unknown[]> {
    const answers: unknown[] = [];
    const server = createServer((request: IncomingMessage, response) => {
      answers.push(takeOuterCounters(request, asked[answers.length] as string[]));
      response.end(originOf(request)?.tool);
    });
    const inner = new InnerRequests({ httpAdapter: { getHttpServer: () => server } } as never);
    for (let sent = 0; sent < asked.length; sent++) {
      const origin = { address: '127.0.0.1', tool: 'search', counters };
      const { signal } = new AbortController();
      const answer = await inner.send(origin, { method: 'GET', path: '/', headers: {}, signal });
      expect(await text(answer)).toBe('search');
    }
    return answers;
  }

  const known = (): OuterCounters => ({ values: COUNTERS, since: performance.now() });

  it('gives the counters of a message to the first of its requests alone', async () => {
    expect(
      await taken(known(), [
        ['app', 'owner'],
        ['app', 'owner'],
      ]),
    ).toEqual([COUNTERS, null]);
  });

  it('gives no counters where one is unknown, and none afterwards', async () => {
    expect(await taken(known(), [['app', 'other'], ['app']])).toEqual([null, null]);
  });

  it('gives no counters that a slow message has read long ago', async () => {
    const counters = { values: COUNTERS, since: performance.now() - 100 };
    expect(await taken(counters, [['app']])).toEqual([null]);
  });

  it('gives a request over a socket nothing', async () => {
    const server = createServer((request, response) =>
      response.end(JSON.stringify(takeOuterCounters(request, []))),
    );
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await answer.text()).toBe('null');
    await new Promise((closed) => server.close(closed));
  });
});
