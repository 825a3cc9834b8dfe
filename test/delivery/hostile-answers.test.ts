import { afterEach, expect, it } from '@jest/globals';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Config } from '../../src/config/config.js';
import { Receivers } from '../../src/delivery/infrastructure/receiver.js';

let server: Server;
afterEach(() => new Promise<void>((done) => void server.close(() => done())));

it.each([
  [
    'a switch of protocols',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    101,
  ],
  ['no HTTP', 'SSH-2.0-x\r\n', null],
  ['nothing at all', '', null],
  ['headers that are too long', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, null],
  ['a hint before the answer', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n', 204],
  ['a body that does not come', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n', 200],
])('a receiver that answers with %s does not block the worker', async (_, answer, status) => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const receivers = new Receivers(new Config({ WEBHOOK_ALLOW_PRIVATE: 'true' }));
  expect(
    await receivers.post(`http://127.0.0.1:${port}/`, () => Promise.resolve({ headers: {}, body: '{}' })),
  ).toBe(status);
});
