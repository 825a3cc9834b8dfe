import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createSocket, type Socket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Config } from '../../src/config/config.js';
import { Receivers, send } from '../../src/delivery/infrastructure/receiver.js';
import { ReceiverNames } from '../../src/kernel/outgoing/receiver-names.js';

const A = 1;
const AAAA = 28;
const HEADER = 12;
const SILENT = 30;

/** The name and type of a DNS question, and its end. */
function questionIn(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = message[at] as number; length > 0; length = message[at] as number) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** An answer with these bytes of an address; without bytes: no record of that type (RFC 1035, 4.1). */
function answerTo(message: Buffer, bytes: number[]): Buffer {
  const { type, end } = questionIn(message);
  const header = Buffer.from(message.subarray(0, HEADER));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(bytes.length > 0 ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const record = [0xc0, HEADER, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes];
  return Buffer.concat([header, message.subarray(HEADER, end), Buffer.from(bytes.length > 0 ? record : [])]);
}

/** A name server that answers for one name, and is silent about all others. */
describe('DNS (rules 9.5, 9.6)', () => {
  const addresses = new Map([
    [A, [93, 184, 216, 34]],
    [AAAA, [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
  ]);
  let server: Socket;
  let names: ReceiverNames;
  beforeAll(async () => {
    server = createSocket('udp4');
    server.on('message', (message, { port, address }) => {
      const { name, type } = questionIn(message);
      if (name.startsWith('silent') || (name.startsWith('half') && type === AAAA)) return;
      const isOfFour = name.startsWith('four');
      const known = name.startsWith('none') || (isOfFour && type === AAAA) ? [] : (addresses.get(type) ?? []);
      server.send(answerTo(message, known), port, address);
    });
    await new Promise<void>((done) => server.bind(0, '127.0.0.1', done));
    names = new ReceiverNames([`127.0.0.1:${server.address().port}`]);
  });
  afterAll(() => new Promise<void>((done) => void server.close(done)));

  it('resolution of receiver names finds all addresses of both families', async () => {
    expect(await names.addressesOf('both.example.org')).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
    expect(await names.addressesOf('four.example.org')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it('resolves localhost to this machine without a query', async () => {
    const stand = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
    for (const name of ['localhost', 'LOCALHOST.', 'hooks.localhost'])
      expect(await names.addressesOf(name)).toEqual(stand);
  });

  it('resolution of receiver names returns one family if the name server is silent about the other', async () => {
    const begun = performance.now();
    expect(await names.addressesOf('half.example.org')).toEqual([{ address: '93.184.216.34', family: 4 }]);
    // Far less than the timeouts of the resolver, one and two seconds.
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it('resolution of receiver names uses the same resolver until it gets no answer', async () => {
    let made = 0;
    class Counted extends dns.Resolver {
      constructor(options?: ConstructorParameters<typeof dns.Resolver>[0]) {
        super(options);
        made += 1;
      }
    }
    const { Resolver } = dns;
    dns.Resolver = Counted;
    const answered = new ReceiverNames([`127.0.0.1:${server.address().port}`]);
    await expect(answered.addressesOf('none.example.org')).rejects.toThrow('ENODATA');
    expect(made).toBe(1);
    await expect(new ReceiverNames(['127.0.0.1:1']).addressesOf('any.example.org')).rejects.toThrow();
    expect(made).toBe(3);
    dns.Resolver = Resolver;
  });

  it('resolution of receiver names answers while the name servers of many other names are silent', async () => {
    const silent = Array.from({ length: SILENT }, (_, i) => names.addressesOf(`silent${i}.example.org`));
    let hasGivenUp = false;
    const ended = Promise.allSettled(silent).finally(() => (hasGivenUp = true));
    expect(await names.addressesOf('both.example.org')).toHaveLength(2);
    expect(hasGivenUp).toBe(false);
    for (const { status } of await ended) expect(status).toBe('rejected');
  });

  it('resolution of receiver names never uses the look-up of the system, which handles only few names at a time', async () => {
    const system = jest.spyOn(dns, 'lookup').mockResolvedValue([] as never);
    await new Receivers(new Config({})).resolve('localhost');
    expect(system).not.toHaveBeenCalled();
    system.mockRestore();
  });
});

describe('the request to a receiver', () => {
  it.each([
    ['https://hooks.example.com/in', 'hooks.example.com'],
    ['http://hooks.example.com/in', 'hooks.example.com'],
    ['https://hooks.example.com:8443/in', 'hooks.example.com:8443'],
  ])('names its host in the usual form: %s', async (url, host) => {
    const hosts: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    expect(await send(new URL(url), socket, { headers: {}, body: '{}' })).toBe(200);
    expect(hosts).toEqual([host]);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
});
