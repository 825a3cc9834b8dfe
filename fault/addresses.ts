import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server as NetServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client } from '../test/support/client.js';
import { type Server } from '../test/support/server.js';
import { hostileAddresses, hostileUrls } from './support/hostile-addresses.js';
import { ok, Person } from './support/people.js';
import { Receivers } from './support/receivers.js';
import { each, Rig, run, times } from './support/rig.js';
import { preload, Stack } from './support/stack.js';

/**
 * `npm run fault:addresses`: addresses that are not public, at registration, by a DNS answer that changes
 * after it, and as the target of a redirect. A witness in the server process records every connection that it
 * tries, and listeners on this machine count incoming ones. The planted fault is a server that may call this
 * machine.
 */
const rig = new Rig('addresses', { each: 100 });
const PUBLIC = '93.184.216.34';
const EVENTS = ['node.created'];
const stack = new Stack();
const hex = (text: string): string => Buffer.from(text).toString('hex');

/** Listeners on the loopback address of every available family. */
async function listen(): Promise<{ port: number; visits: () => number; stop: () => void }> {
  let visits = 0;
  const count = (): NetServer =>
    createServer((socket) => {
      visits += 1;
      socket.destroy();
    });
  const four = count();
  await new Promise<void>((done) => four.listen(0, '0.0.0.0', done));
  const { port } = four.address() as AddressInfo;
  const six = count();
  await new Promise<void>((done) =>
    six.once('error', () => done()).listen({ port, host: '::', ipv6Only: true }, done),
  );
  const stop = (): void => [four, six].forEach((server) => server.close());
  return { port, visits: () => visits, stop };
}

await run(rig, stack, async () => {
  await stack.startPostgres();
  const inside = await listen();
  const log = join(stack.folder, 'connections.log');
  const database = `127.0.0.1 ${new URL(stack.databaseUrl).port}`;
  /** The connections that the server has tried, except to its database. */
  const tried = (): string[] =>
    (existsSync(log) ? readFileSync(log, 'utf8') : '')
      .split('\n')
      .filter((line) => line !== '' && line !== database);
  const serve = (mayCallLoopback: boolean): Promise<Server> =>
    stack.serve({
      FAULT_CONNECTIONS: log,
      NODE_OPTIONS: preload('watched-network'),
      WEBHOOK_ALLOW_PRIVATE: String(mayCallLoopback),
      WEBHOOK_RETRY_SECONDS: '600',
    });
  const strict = await serve(rig.isPlanted);
  const { origin } = strict;
  // A server that is stopped calls itself, to learn which connections were made before.
  const itself = `127.0.0.1 ${new URL(origin).port}`;
  const person = await Person.register(origin);
  const caller = async (at: string): Promise<Client> => {
    const app = await person.makesApp(at);
    await person.lets(at, app);
    return app.as(person, at);
  };
  const change = async (at: string): Promise<void> =>
    void ok(await person.at(at).post('/nodes', { title: 'not for the inside', node_type: 'NOTE' }));
  /** Resolves when each delivery has been tried. */
  const settled = async (count: number): Promise<void> => {
    for (;;) {
      const [row] = await stack.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM webhook_deliveries WHERE attempts > 0',
      );
      if ((row?.count ?? 0) >= count) return;
      await sleep(50);
    }
  };

  const registering = await caller(origin);
  const accepted: string[] = [];
  const urls = hostileUrls(rig, rig.option('each'), inside.port);
  for (const webhook_url of urls) {
    const { status, body } = await registering.post('/webhooks/subscribe', { webhook_url, events: EVENTS });
    if (status !== 400 || body.error.code !== 'INVALID_WEBHOOK_URL')
      accepted.push(`${webhook_url} ${status}`);
  }
  const resolving = hostileAddresses(rig, rig.option('each'));
  for (const address of resolving) {
    const webhook_url = `https://${hex(address)}--${hex(address)}--0.example.org:${inside.port}/`;
    const { status } = await registering.post('/webhooks/subscribe', { webhook_url, events: EVENTS });
    if (status !== 400) accepted.push(`a name for ${address} ${status}`);
  }
  rig.say(`registration: ${urls.length} texts and ${resolving.length} names`);
  rig.expectNone('registrations accepted', accepted);
  await registering.delete('/webhooks/subscription');

  const changing = hostileAddresses(rig, rig.option('each'));
  await each(changing, 4, async (address, index) => {
    // The address is sent beside a public one as often as alone.
    const later = index % 2 === 0 ? address : `${PUBLIC},${address}`;
    const webhook_url = `https://${hex(PUBLIC)}--${hex(later)}--${index}.example.org:${inside.port}/`;
    ok(await (await caller(origin)).post('/webhooks/subscribe', { webhook_url, events: EVENTS }));
  });
  await change(origin);
  await settled(changing.length);
  rig.say(`changed DNS answer: ${changing.length} names`);
  const before = tried();
  rig.expectNone('connections tried', new Set(before));
  await strict.kill('SIGTERM');
  await stack.query('DELETE FROM webhook_subscriptions');

  // Redirects need a receiver that may be called: this machine's own receivers, as in development.
  const targets = hostileUrls(rig, rig.option('each'), inside.port);
  const receivers = await Receivers.start(({ receiver }) => ({
    status: [301, 302, 303, 307, 308][receiver % 5] as number,
    location: targets[receiver] as string,
  }));
  const loose = await serve(true);
  await each(times(targets.length, Number), 4, async (index) => {
    const wish = { webhook_url: receivers.url(index), events: EVENTS };
    ok(await (await caller(loose.origin)).post('/webhooks/subscribe', wish));
  });
  await change(loose.origin);
  await settled(targets.length);
  const redirected = tried().slice(before.length);
  rig.say(`redirects: ${targets.length}, ${redirected.length} connections to receivers`);
  rig.expect('the witness saw no connection at all', redirected.length >= targets.length);
  rig.expectNone(
    'connections tried after a redirect',
    new Set(redirected.filter((line) => ![itself, `127.0.0.1 ${receivers.port}`].includes(line))),
  );
  rig.expect(`${inside.visits()} visits to listeners inside`, inside.visits() === 0);
  await receivers.stop();
  inside.stop();
});
