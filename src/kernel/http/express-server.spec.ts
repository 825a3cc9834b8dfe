import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExpressServer } from './express-server.js';

const ask = (path: string | number, more = ''): string => `GET /${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

describe('ExpressServer', () => {
  let server: Server;
  let client: Socket;
  let heard: string;
  let isOver: boolean;
  /** The requests that reached Express, with their answers. */
  let served: { path: string; response: ServerResponse }[];

  beforeEach(async () => {
    const adapter = new ExpressServer();
    adapter.initHttpServer();
    served = [];
    isOver = false;
    adapter.use((request: IncomingMessage, response: ServerResponse) => {
      served.push({ path: request.url ?? '', response });
    });
    server = adapter.getHttpServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = await open();
  });
  afterEach(async () => {
    isOver = true;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  async function open(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    heard = '';
    socket.on('data', (bytes) => (heard += String(bytes)));
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  async function until(isSo: () => boolean): Promise<void> {
    while (!isOver && !isSo()) await nextTurn();
  }

  const asked = (from: number, count: number): string =>
    Array.from({ length: count }, (_, index) => ask(from + index)).join('');
  const answers = (): number => heard.split('HTTP/1.1 200').length - 1;

  it('a connection with 16 unanswered requests has all of them answered, in their order (rule 11.9l)', async () => {
    client.write(asked(0, 16));
    await until(() => served.length === 16);
    for (const { path, response } of served.toReversed()) response.end(path);
    await until(() => answers() === 16);
    expect(heard.match(/^\/\d+/gm)).toEqual(Array.from({ length: 16 }, (_, index) => `/${index}`));
  });

  it('a connection with 17 unanswered requests is destroyed, and Express receives 16 of a thousand (rule 11.9l)', async () => {
    client.write(asked(0, 1_000));
    await once(client, 'close');
    expect(served.map(({ path }) => path)).toEqual(Array.from({ length: 16 }, (_, index) => `/${index}`));
    expect(heard).toBe('');
    await until(() => served.every(({ response }) => response.closed));
  });

  it('a connection counts no request that is answered (rule 11.9l)', async () => {
    for (let round = 0; round < 5; round++) {
      client.write(asked(16 * round, 16));
      await until(() => served.length === 16 * (round + 1));
      for (const { path, response } of served.slice(16 * round)) response.end(path);
      await until(() => served.every(({ response }) => response.closed));
    }
    await until(() => answers() === 80);
    client.write(asked(80, 17));
    await once(client, 'close');
    expect(served).toHaveLength(96);
  });

  it('a connection counts a request that asks for another protocol like any other (rule 11.9l)', async () => {
    client.write(ask('upgrade', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'));
    // Node reads nothing behind such a request in its packet.
    await until(() => served.length === 1);
    client.write(asked(1, 16));
    await once(client, 'close');
    expect(served.map(({ path }) => path)).toEqual([
      '/upgrade',
      ...Array.from({ length: 15 }, (_, n) => `/${n + 1}`),
    ]);
  });

  it('a connection whose client leaves ends all its answers, and the next one begins with none (rule 11.9l)', async () => {
    client.write(asked(0, 16));
    await until(() => served.length === 16);
    client.destroy();
    await until(() => served.every(({ response }) => response.closed));
    client = await open();
    client.write(asked(16, 16));
    await until(() => served.length === 32);
    for (const { response } of served.slice(16)) response.end();
    await until(() => answers() === 16);
  });

  it('a connection whose client reads nothing of an answer for a minute ends (rule 11.9l)', async () => {
    client.pause();
    client.write(asked(0, 2));
    await until(() => served.length === 2);
    const [first, second] = served.map(({ response }) => response) as [ServerResponse, ServerResponse];
    const socket = first.socket as Socket;
    expect(server.emit('timeout', socket)).toBe(true);
    expect(socket.destroyed).toBe(false);
    first.end(Buffer.alloc(64 * 1024 * 1024));
    expect(server.timeout).toBe(60_000);
    server.emit('timeout', socket);
    await until(() => second.closed);
    expect(socket.destroyed).toBe(true);
  });

  it('a connection without an unanswered request ends when Node has waited for the next one', async () => {
    client.write(asked(0, 1));
    await until(() => served.length === 1);
    const { response } = served[0] as { response: ServerResponse };
    const socket = response.socket as Socket;
    response.end();
    await until(() => response.closed && answers() === 1);
    server.emit('timeout', socket);
    await once(client, 'close');
  });
});
