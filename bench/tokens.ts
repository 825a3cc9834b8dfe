import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestBytes } from './load/connection.js';
import { drive, median, type Sample } from './load/drive.js';
import { type Json, startEmbedded } from './targets/embedded.js';

// npm run bench:tokens: GET /nodes/:id by an access token against the same by an app key and by a user key, in rounds
// A B C, C B A, … on one process with an embedded database. Ratios are computed within a round.

const ROUNDS = Number(process.env['ROUNDS'] ?? 15);
const SECONDS = 2;
const REDIRECT_URI = 'http://127.0.0.1:51234/callback';

const folder = mkdtempSync(join(tmpdir(), 'pig-bench-'));
const service = await startEmbedded(folder);
const { call, origin } = service;

/** The tokens of the app, by the way that a client goes. */
async function accessToken(appId: string, profileId: string, person: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: appId,
    redirect_uri: REDIRECT_URI,
    scope: 'graph:read',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const page = await fetch(`${origin}/oauth/authorize?${asked.toString()}`, { redirect: 'manual' });
  const request = new URL(page.headers.get('location') as string).searchParams.get('request') as string;
  const decision = {
    request,
    decision: 'allow',
    scopes: ['graph:read'],
    exposure_profile_id: profileId,
  };
  const { redirect_to: back } = await call('/oauth/consent', decision, person);
  const answer = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: appId,
      code: new URL(back as string).searchParams.get('code') as string,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    }),
  });
  return ((await answer.json()) as Json)['access_token'] as string;
}

/** One person with a hundred nodes, and three ways of one kind of app to read them. */
async function callers(): Promise<{ ids: string[]; headers: Record<string, Record<string, string>> }> {
  const account = { email: 'a@example.org', username: 'alice', password: 'correct horse battery' };
  const registered = (await call('/auth/register', account)) as unknown as {
    access_token: string;
    user: Json;
  };
  const person = registered.access_token;
  const profile = await call(
    '/exposure-profiles/from-template',
    { template: 'transparent', name: 'all' },
    person,
  );
  const app = () =>
    call(
      '/apps',
      {
        name: 'bench',
        client_level: 'L2',
        redirect_uris: [REDIRECT_URI],
        requested_permissions: {
          tags: { discover: true, read: true },
          schemas: { read: { allow_all: true } },
        },
      },
      person,
    );
  const [keyed, tokened] = [await app(), await app()];
  const approval = { app_id: keyed['id'], exposure_profile_id: profile['id'] };
  const { user_key: userKey } = await call('/authorizations', approval, person);
  const token = await accessToken(tokened['id'] as string, profile['id'] as string, person);
  const ids: string[] = [];
  for (let index = 0; index < 100; index++) {
    const node = { title: `note ${index}`, node_type: 'FACT', value: 'a few words about it' };
    ids.push((await call('/nodes', node, person))['id'] as string);
  }
  const headers = {
    token: { Authorization: `Bearer ${token}` },
    'app key': { 'X-API-Key': keyed['api_key'] as string, 'X-User-ID': registered.user['id'] as string },
    'user key': { 'X-API-Key': userKey as string },
  };
  return { ids, headers };
}

try {
  const { ids, headers } = await callers();
  const names = Object.keys(headers);
  const samples: Record<string, Sample[]> = Object.fromEntries(names.map((name) => [name, []]));
  const load = loadavg()[0] ?? NaN;
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      let turn = 0;
      const next = () =>
        requestBytes('GET', `/api/v1/nodes/${ids[turn++ % ids.length]}`, headers[name] ?? {});
      const sample = await drive({ port: service.port, connections: 8, seconds: SECONDS, status: 200, next });
      // The first round warms up.
      if (round > 0) samples[name]?.push(sample);
    }
  console.log(`${ROUNDS} rounds of ${SECONDS} s, load before ${load.toFixed(1)}`);
  for (const name of names) {
    const own = samples[name] ?? [];
    const ratios = own.map(({ rate }, round) => (samples['token']?.[round]?.rate ?? NaN) / rate);
    console.log(
      `${name}: ${median(own.map(({ rate }) => rate)).toFixed(0)}/s, p50 ${median(own.map(({ p50 }) => p50)).toFixed(2)} ms; ` +
        `token against it ${median(ratios).toFixed(3)} (${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)})`,
    );
  }
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
