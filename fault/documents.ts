import { existsSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Server } from '../test/support/server.js';
import { hostileAddresses, hostileUrls } from './support/hostile-addresses.js';
import { each, Rig, run } from './support/rig.js';
import { preload, Stack } from './support/stack.js';

/**
 * `npm run fault:documents`: documents of clients (rule 14.3c), whose addresses anybody may name: private ones, a DNS
 * answer that changes between two look-ups, and redirects to such addresses, half of them by a slow or a large answer. A
 * witness in the server process records every connection that it tries. The planted fault is a server that may call this
 * machine.
 */
const rig = new Rig('documents', { each: 300 });
const PUBLIC = '93.184.216.34';
const stack = new Stack();
const hex = (text: string): string => Buffer.from(text).toString('hex');
/** A valid challenge: the only thing wrong with each request is its client. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const REDIRECT_URI = 'http://127.0.0.1:51234/callback';

async function listen(listener: RequestListener): Promise<{ port: number; stop: () => void }> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

/** @returns the status and the page of a request of a client */
async function ask(origin: string, clientId: string): Promise<{ status: number; page: string }> {
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    scope: 'graph:read',
  });
  const answer = await fetch(`${origin}/oauth/authorize?${parameters.toString()}`, { redirect: 'manual' });
  return { status: answer.status, page: await answer.text() };
}

await run(rig, stack, async () => {
  await stack.startPostgres();
  let visits = 0;
  const inside = await listen((_, response) => {
    visits += 1;
    response.end();
  });
  const log = join(stack.folder, 'connections.log');
  const database = `127.0.0.1 ${new URL(stack.databaseUrl).port}`;
  const tried = (): string[] =>
    (existsSync(log) ? readFileSync(log, 'utf8') : '')
      .split('\n')
      .filter((line) => line !== '' && line !== database);
  const serve = (mayCallLoopback: boolean): Promise<Server> =>
    stack.serve({
      FAULT_CONNECTIONS: log,
      FAULT_UNREACHABLE: PUBLIC,
      NODE_OPTIONS: preload('watched-network'),
      PUBLIC_URL: 'https://graph.example.org',
      RATE_LIMITS: 'off',
      WEBHOOK_ALLOW_PRIVATE: String(mayCallLoopback),
    });
  const count = rig.option('each');
  const strict = await serve(rig.isPlanted);
  const pages = new Set<string>();
  const askAll = (clientIds: readonly string[], origin: string): Promise<unknown> =>
    each(clientIds, 8, async (clientId) => {
      const { status, page } = await ask(origin, clientId);
      pages.add(`${status} ${page}`);
    });

  const literal = hostileUrls(rig, count, inside.port).map((url) => new URL('client.json', url).href);
  // Addresses as the URL standard writes them, so that their spelling is not the reason; the others are tried as they are.
  await askAll(
    [...literal, ...hostileUrls(rig, count, inside.port).map((url) => `${url}client.json`)],
    strict.origin,
  );
  rig.expectNone('connections tried for private addresses', new Set(tried()));
  rig.say(`private addresses: ${2 * literal.length}`);

  const changing = hostileAddresses(rig, count).map((address, index) => {
    // The address is sent beside a public one as often as alone.
    const later = index % 2 === 0 ? address : `${PUBLIC},${address}`;
    return `https://${hex(PUBLIC)}--${hex(later)}--${index}.example.org:${inside.port}`;
  });
  await askAll(
    changing.map((site) => `${site}/first.json`),
    strict.origin,
  );
  const publicOnes = tried().length;
  rig.expect('the witness saw no connection at all', publicOnes >= changing.length);
  await askAll(
    changing.map((site) => `${site}/second.json`),
    strict.origin,
  );
  rig.say(`changed DNS answers: ${changing.length} names, ${publicOnes} connections to the public address`);
  rig.expectNone(
    'connections tried to addresses that are not public',
    new Set(tried().filter((line) => line !== `${PUBLIC} ${inside.port}`)),
  );
  rig.expectNone('connections after the answer has changed', tried().slice(publicOnes));
  const before = tried().length;
  await strict.kill('SIGTERM');

  // Redirects need a site that may be called: one on this machine, as in development.
  const targets = hostileUrls(rig, count, inside.port);
  const site = await listen(({ url = '' }, response) => {
    const index = Number(/\d+/.exec(url)?.[0]);
    const status = [301, 302, 303, 307, 308][index % 5] as number;
    response.writeHead(status, { Location: targets[index], 'Content-Type': 'application/json' });
    if (index % 4 === 0) response.end('x'.repeat(100_000));
    else if (index % 4 === 1) void sleep(50).then(() => response.end('{}'));
    else response.end();
  });
  const loose = await serve(true);
  await askAll(
    targets.map((_, index) => `http://127.0.0.1:${site.port}/${index}.json`),
    loose.origin,
  );
  const redirected = tried().slice(before);
  rig.say(`redirects: ${targets.length}, ${redirected.length} connections to the site`);
  rig.expect('not each redirecting site was called', redirected.length >= targets.length);
  const itself = [strict, loose].map(({ origin }) => `127.0.0.1 ${new URL(origin).port}`);
  rig.expectNone(
    'connections tried after a redirect',
    new Set(redirected.filter((line) => line !== `127.0.0.1 ${site.port}` && !itself.includes(line))),
  );
  rig.expect(`${visits} visits to a listener inside`, visits === 0);
  rig.expect(`${pages.size} different answers to strangers`, pages.size === 1);
  site.stop();
  inside.stop();
});
