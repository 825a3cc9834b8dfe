import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:net';
import { type AddressInfo } from 'node:net';
import { Receivers } from '../../src/delivery/infrastructure/receiver.js';
import { type Client } from '../support/client.js';
import { World } from '../support/world.js';
import { deliver } from './receiver.js';

const PUBLIC = '93.184.216.34';
const addresses = (...given: string[]): LookupAddress[] =>
  given.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('addresses of webhook receivers (rule 9.6)', () => {
  let world: World;
  let inside: Server;
  let port: number;
  let connections = 0;
  let client: Client;
  /** The answer of the DNS; null: the name does not exist. */
  let answer: LookupAddress[] | null;
  beforeAll(async () => {
    world = await World.startHere({ WEBHOOK_ALLOW_PRIVATE: 'false' });
    world.nest.get(Receivers).resolve = () =>
      answer === null ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(answer);
    inside = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => inside.listen(0, '127.0.0.1', done));
    ({ port } = inside.address() as AddressInfo);
  });
  afterAll(async () => {
    await world.stop();
    await new Promise((done) => inside.close(done));
  });
  beforeEach(async () => {
    connections = 0;
    answer = addresses(PUBLIC);
    client = await (await world.user()).lets(await world.app());
  });
  const subscribe = (webhook_url: string) =>
    client.post('/webhooks/subscribe', { webhook_url, events: ['node.created'] });

  it.each([
    ['http://hooks.example.org/', addresses(PUBLIC)],
    ['https://hooks.example.org/', addresses('10.0.0.1')],
    ['https://hooks.example.org/', addresses(PUBLIC, '127.0.0.1')],
    ['https://hooks.example.org/', addresses(PUBLIC, '::ffff:169.254.169.254')],
    ['https://hooks.example.org/', addresses('::7f00:1')],
    ['https://127.0.0.1/', null],
    ['https://[::127.0.0.1]/', null],
    ['https://localhost/', null],
  ])('a subscription to %s is refused if the name resolves to %j', async (url, stands) => {
    answer = stands;
    const refusals = [
      await subscribe(url),
      await client.post('/proposals/subscribe', { webhook_url: url, event_types: ['created'] }),
    ];
    for (const { status, body } of refusals)
      expect([status, body.error.code]).toEqual([400, 'INVALID_WEBHOOK_URL']);
  });

  it('a subscription may name a host that does not resolve yet', async () => {
    answer = null;
    expect((await subscribe('https://soon.example.org/')).status).toBe(201);
  });

  it.each([
    [addresses('127.0.0.1')],
    [addresses('127.0.0.1', PUBLIC)],
    [addresses('::ffff:127.0.0.1')],
    [addresses('::1')],
    [addresses('localhost')],
    [[]],
  ])('a name that resolves to %j at the time of sending is not called', async (changed) => {
    expect((await subscribe(`https://hooks.example.org:${port}/`)).status).toBe(201);
    answer = changed;
    await client.post('/nodes', { title: 'not for the inside', node_type: 'NOTE' });
    await deliver(world);
    expect(connections).toBe(0);
    const { body } = await client.get('/webhooks/deliveries');
    expect(body.deliveries).toMatchObject([{ status: 'pending', attempts: 1, response_status: null }]);
    expect((await client.get('/webhooks/subscription')).body.consecutive_failures).toBe(1);
  });
});
