// npm run demo:oauth: starts a service of its own, with its database in memory, connects a client to it by OAuth, and
// prints each step. The client is oauth4webapi, which somebody else wrote; the rest goes over HTTP, as for the console.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as oauth from 'oauth4webapi';

const SERVICE = fileURLToPath(new URL('../dist/main.js', import.meta.url));
/** Nothing listens there: this script takes the place of the browser and reads the address itself. */
const REDIRECT_URI = 'http://127.0.0.1:4001/';
const SCOPE = 'graph:read graph:create';
/** The service's address is plain http, as it is on one's own machine alone. */
const HTTP = { [oauth.allowInsecureRequests]: true };

let steps = 0;
const step = (title) => console.log(`\n${(steps += 1)}. ${title}`);
const say = (line) => console.log(`   ${line}`);
const shortened = (text) => (text.length > 96 ? `${text.slice(0, 95)}…` : text);

/** The service generates its keys there. */
const folder = mkdtempSync(join(tmpdir(), 'pig-demo-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
try {
  const { service, origin } = await start();
  await perform(origin).finally(() => service.kill());
} catch (error) {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}

async function perform(origin) {
  const person = await newPerson(origin);
  const server = await discovered(origin);
  const client = await registered(server);
  const { back, authorizationId } = await connected(server, client, person);
  const tokens = await redeemed(server, client, back);
  await used({ origin, server, client, tokens, person, authorizationId });
}

/** The service as a process of its own, and its address. */
async function start() {
  const port = await freePort();
  const { PATH, TMPDIR, TEMP, SystemRoot } = process.env;
  const place = { DATABASE_URL: 'memory://', DATA_DIR: folder, HOST: '127.0.0.1', PORT: String(port) };
  const service = spawn(process.execPath, [SERVICE], {
    env: { PATH, TMPDIR, TEMP, SystemRoot, LOG_LEVEL: 'error', ...place },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => service.kill());
  await new Promise((resolve, reject) => {
    let printed = '';
    service.stdout.on('data', (text) => (printed += text).includes('/docs\n') && resolve());
    service.once('error', reject);
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  return { service, origin: `http://127.0.0.1:${port}` };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Calls the API as a person or without credentials. @returns the body of a successful answer; any other ends the demo */
async function call(origin, method, path, { body, token } = {}) {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** A person with two notes, one of them private. @returns calls of the API as them */
async function newPerson(origin) {
  const account = { email: 'demo@example.org', username: 'demo' };
  const password = randomBytes(15).toString('base64url');
  const { access_token: token } = await call(origin, 'POST', '/auth/register', {
    body: { ...account, password },
  });
  const as = (method, path, body) => call(origin, method, path, { body, token });
  await as('POST', '/nodes', { title: 'Run a marathon', node_type: 'GOAL', tags: ['sport'] });
  await as('POST', '/nodes', { title: 'Could not sleep, again', node_type: 'NOTE', tags: ['private'] });
  console.log(`A service runs on ${origin}. Its user "demo" has two notes, one of them tagged "private".`);
  return as;
}

async function discovered(origin) {
  step('Discovery: a request without a token is refused, and the refusal says where to ask for one.');
  const refusal = await fetch(`${origin}/api/v1/nodes`);
  const challenge = refusal.headers.get('www-authenticate');
  say(`GET /api/v1/nodes: ${refusal.status}, WWW-Authenticate: ${challenge}`);
  const resource = new URL(`${origin}/api/v1`);
  const about = await oauth.resourceDiscoveryRequest(resource, HTTP);
  const { authorization_servers: servers } = await oauth.processResourceDiscoveryResponse(resource, about);
  const issuer = new URL(servers[0]);
  const found = await oauth.discoveryRequest(issuer, { ...HTTP, algorithm: 'oauth2' });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  say(`authorization server: ${server.issuer}, its scopes: ${server.scopes_supported.join(' ')}`);
  return server;
}

async function registered(server) {
  step('Registration: the client describes itself and gets an id. Nobody vouches for its name.');
  const metadata = { client_name: 'My tool', redirect_uris: [REDIRECT_URI] };
  const answer = await oauth.dynamicClientRegistrationRequest(server, metadata, HTTP);
  const client = await oauth.processDynamicClientRegistrationResponse(answer);
  say(`client_id: ${client.client_id}`);
  return client;
}

/** The way through the person's browser. @returns the address that it comes back to, with the client's own memory of it */
async function connected(server, client, person) {
  step('Authorize URL: the client opens it in the browser of the person.');
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(server.authorization_endpoint);
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  say(shortened(address.href));
  const opened = await fetch(address, { redirect: 'manual' });
  const page = new URL(opened.headers.get('location'));
  say(`${opened.status}, to the consent page: ${shortened(page.href)}`);

  step('Consent: the person sees who asks, and for what, and chooses the notes that it may see.');
  const { redirect, authorizationId } = await allowed(person, page.searchParams.get('request'));
  say(shortened(redirect.href));
  return { back: { address: redirect, verifier, state }, authorizationId };
}

/** Allows a request by the calls that the console makes for its consent page. */
async function allowed(person, request) {
  const asked = await person('GET', `/oauth/consent?request=${encodeURIComponent(request)}`);
  const { client, returns_to: place, scopes } = asked;
  say(`asks: "${client.name}", ${client.verified ? `of ${client.host}` : 'not verified'}`);
  say(`the answer goes to: ${place.host} (${place.kind})`);
  say(`it may: ${scopes.map(({ scope }) => scope).join(' ')}`);
  const everything = { tag_ids: [], allow_all: true };
  const decided = await person('POST', '/oauth/consent', {
    request,
    decision: 'allow',
    scopes: scopes.map(({ scope }) => scope),
    new_profile: {
      name: 'For My tool',
      tag_permissions: { discover: everything, read: everything, create: { ...everything, allow_new: true } },
      schema_permissions: { read: { allow_all: true }, write: { allow_all: true } },
      tag_filters: { exclude_any: ['private'] },
    },
  });
  say('allowed, by a new profile that hides what is tagged "private"; the browser goes back:');
  const { authorizations } = await person('GET', '/authorizations?status=active');
  return { redirect: new URL(decided.redirect_to), authorizationId: authorizations[0].id };
}

async function redeemed(server, client, { address, state, verifier }) {
  step('Code: the client checks state and issuer of the answer, and exchanges its code for tokens.');
  const answer = oauth.validateAuthResponse(server, client, address, state);
  const sent = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    answer,
    REDIRECT_URI,
    verifier,
    HTTP,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, sent);
  say(`access token ${tokens.access_token.slice(0, 12)}… for ${tokens.expires_in / 3_600} hours`);
  say(`scope: ${tokens.scope}`);
  return tokens;
}

async function used({ origin, server, client, tokens, person, authorizationId }) {
  step('Read: the token opens the notes that the profile shows, and no others.');
  const { body } = await requested(origin, tokens.access_token, 'GET');
  say(`GET /api/v1/nodes: ${body.nodes.map(({ title }) => `"${title}"`).join(', ')}, total ${body.total}`);

  step('Refresh: the client exchanges its refresh token for a new pair.');
  const renewal = tokens.refresh_token;
  const sent = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), renewal, HTTP);
  const { access_token: token } = await oauth.processRefreshTokenResponse(server, client, sent);
  say(`access token ${token.slice(0, 12)}…`);
  await tried(origin, token, 'POST');

  step('Narrowing: the person leaves it reading alone. The next request that writes is refused.');
  await person('PATCH', `/authorizations/${authorizationId}`, { scopes: ['graph:read'] });
  await tried(origin, token, 'POST');
  await tried(origin, token, 'GET');

  step('Revocation: the person ends it. The next request is refused, and so is a refresh.');
  await person('DELETE', `/authorizations/${authorizationId}`);
  await tried(origin, token, 'GET');
  const refused = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), renewal, HTTP);
  say(`POST /oauth/token: ${refused.status}, ${(await refused.json()).error}`);
}

/** Asks for the notes, or adds one. */
async function requested(origin, token, method) {
  const answer = await fetch(`${origin}/api/v1/nodes`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(method === 'GET'
      ? {}
      : { body: '{"title":"Buy running shoes","node_type":"GOAL","tags":["sport"]}' }),
  });
  return { answer, body: await answer.json() };
}

/** Prints the status of the same, and the fault of its token. */
async function tried(origin, token, method) {
  const { answer } = await requested(origin, token, method);
  const fault = /error="(\w+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1];
  say(`${method} /api/v1/nodes: ${answer.status}${fault === undefined ? '' : `, ${fault}`}`);
}
