import { jest } from '@jest/globals';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type Answer, type Client } from '../support/client.js';
import { freshDatabase, onPostgres } from '../support/database.js';
import { ACCOUNT, type Server, Workshop } from '../support/server.js';

// Processes start within two seconds; the limit is for machines with other work.
jest.setTimeout(300_000);
const workshop = new Workshop();
const database = onPostgres ? await freshDatabase() : null;
afterAll(async () => {
  await workshop.clear();
  await database?.drop();
});

const environment = await workshop.settings(database);

beforeAll(async () => {
  const server = await workshop.serve(environment);
  expect((await server.client().post('/auth/register', ACCOUNT)).status).toBe(201);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

const note = (title: string) => ({ title, node_type: 'NOTE', tags: ['stop'] });
const titles = async (client: Client): Promise<string[]> => {
  const found: string[] = [];
  for (;;) {
    const { body } = await client.get(`/nodes?limit=100&offset=${found.length}`);
    found.push(...body.nodes.map(({ title }: { title: string }) => title));
    if (found.length >= body.total) return found;
  }
};

/** A connection whose bytes are counted and collected. */
async function open(
  server: Server,
): Promise<{ socket: Socket; heard: () => string; closed: Promise<unknown> }> {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (text) => (heard += String(text)));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  return { socket, heard: () => heard, closed };
}

/** A whole request as bytes. */
function bytes(client: Client, title: string): string {
  const body = JSON.stringify(note(title));
  const headers = {
    Host: 'x',
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    ...client.credentials,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /api/v1/nodes HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

it('answers whatever was sent before SIGTERM, refuses what comes later, and ends with code 0', async () => {
  const server = await workshop.serve({ ...environment, LOG_LEVEL: 'info' });
  const client = await server.logIn();
  // Clients that hold connections: one that was used before, one that never sent anything.
  const agent = new Agent({ keepAlive: true });
  await new Promise<void>((answered) =>
    request(`${server.origin}/health/live`, { agent }, (response) =>
      response.resume().on('end', answered),
    ).end(),
  );
  const silent = await open(server);
  // A request whose body is still being sent when the signal comes.
  const slow = await open(server);
  const text = bytes(client, 'slow');
  slow.socket.write(text.slice(0, -5));
  // Many requests are in flight: the signal comes when the first of them is answered.
  const sent = Array.from({ length: 60 }, (_, number) => client.post('/nodes', note(`in flight ${number}`)));
  const batch = client.post('/nodes/batch', {
    nodes: Array.from({ length: 100 }, (_, n) => note(`batch ${n}`)),
  });
  await Promise.any(sent);
  server.signal('SIGTERM');

  const refused = refusesConnections(server);
  const answers: Answer[] = await Promise.all([...sent, batch]);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 61 }, () => 201));
  await refused;
  slow.socket.write(text.slice(-5));
  await slow.closed;
  expect(slow.heard()).toMatch(/^HTTP\/1\.1 201 [^]*"title":"slow"/);
  expect(slow.heard()).toMatch(/\r\nconnection: close\r\n/i);
  await silent.closed;
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.stderr).toBe('');
  expect(server.stdout).toMatch(/"msg":"stopping"[^]*"msg":"no longer serving"/);
  agent.destroy();

  const again = await workshop.serve(environment);
  const wanted = ['slow', ...sent.map((_, n) => `in flight ${n}`), ...sent.map((_, n) => `batch ${n}`)];
  expect(await titles(await again.logIn())).toEqual(expect.arrayContaining(wanted));
  await again.kill('SIGTERM');
});

it('fails nobody who keeps writing until there is nobody to connect to', async () => {
  const server = await workshop.serve(environment);
  const client = await server.logIn();
  const acknowledged: string[] = [];
  const failures: string[] = [];
  let isTold = false;
  let enough: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (enough = resolve));
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const agent = writer % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
    for (let number = 0; ; number++) {
      const title = `writer ${writer} ${number}`;
      const isLate = isTold;
      const outcome = await post(server, client, { title, agent });
      // A connection that is made while the server stops listening may be reset instead: it was not accepted.
      if (outcome === 'refused' || (isLate && outcome === 'reset')) return agent?.destroy();
      if (outcome !== '201') failures.push(`${title}: ${outcome}`);
      else if (acknowledged.push(title) > 50) enough();
    }
  });
  await begun;
  isTold = true;
  server.signal('SIGTERM');
  await Promise.all(writers);
  expect(failures).toEqual([]);
  expect(await server.ended).toEqual({ code: 0, signal: null });
  const again = await workshop.serve(environment);
  expect(await titles(await again.logIn())).toEqual(expect.arrayContaining(acknowledged));
  await again.kill('SIGTERM');
});

it('keeps the count of what an app was answered last', async () => {
  const server = await workshop.serve(environment);
  const { body: app } = await (
    await server.logIn()
  ).post('/apps', { name: 'counted', requested_permissions: {} });
  const credentials = { 'X-API-Key': app.api_key as string };
  const sent = Array.from({ length: 20 }, () => server.client(credentials).get('/apps/current'));
  await Promise.any(sent);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(
    Array.from({ length: 20 }, () => 200),
  );
  const again = await workshop.serve(environment);
  const { body } = await again.client(credentials).get(`/third-party/${app.id}/metrics`);
  expect(body).toMatchObject({ total_requests: 20 });
  await again.kill('SIGTERM');
});

it('gives up a request that never becomes complete', async () => {
  const server = await workshop.serve(environment);
  const client = await server.logIn();
  const { socket, closed } = await open(server);
  socket.write(bytes(client, 'never').slice(0, -5));
  await client.get('/nodes');
  server.signal('SIGTERM');
  await closed;
  expect(await server.ended).toEqual({ code: 0, signal: null });
});

/** The status; 'refused' when no process listens any longer; 'reset' when the connection broke. */
function post(
  server: Server,
  client: Client,
  { title, agent }: { title: string; agent?: Agent | undefined },
): Promise<string> {
  const headers = { 'Content-Type': 'application/json', ...client.credentials };
  const options = { method: 'POST', headers, agent: agent ?? false };
  return new Promise((outcome) => {
    const sent = request(`${server.origin}/api/v1/nodes`, options, (response) => {
      response.resume().on('end', () => outcome(String(response.statusCode)));
      response.on('error', (error) => outcome(`broken answer: ${error.message}`));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') outcome('refused');
      else outcome(error.code === 'ECONNRESET' && !sent.reusedSocket ? 'reset' : String(error));
    });
    sent.end(JSON.stringify(note(title)));
  });
}

/** Resolves when no process listens any longer. */
async function refusesConnections(server: Server): Promise<void> {
  for (;;) {
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    const refused = await new Promise<boolean>((outcome) => {
      socket.once('connect', () => outcome(false));
      socket.once('error', () => outcome(true));
    });
    socket.destroy();
    if (refused) return;
  }
}
