import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { authorizeParameters, newVerifier, OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { type Answer } from '../support/client.js';
import { type Issued, ours, REDIRECT_URIS, type Side, theirs } from './oracle.js';

type Fields = Record<string, string>;
/** A change of a good request; what a pair of sides needs is filled in. */
type Change = (side: Side) => Fields;
/** The reason for which one side accepts what the other refuses. */
interface Difference {
  accepts: 'ours' | 'oidc-provider';
  because: string;
}
type AuthorizeCase = [title: string, change: Change, more?: { twice?: string; but?: Difference }];

const LONG = 'x'.repeat(5_000);

const AUTHORIZE: AuthorizeCase[] = [
  ['an unknown client', () => ({ client_id: 'nobody' })],
  ['no client', () => ({ client_id: '' })],
  ['a client with a line break', ({ clientId }) => ({ client_id: `${clientId}\n` })],
  ['no redirect URI where the client has several', () => ({ redirect_uri: '' })],
  ['no response type', () => ({ response_type: '' })],
  ['an implicit grant', () => ({ response_type: 'token' })],
  ['a hybrid grant', () => ({ response_type: 'code token' })],
  ['an id token', () => ({ response_type: 'id_token' })],
  ['no answer at all', () => ({ response_type: 'none' })],
  ['an unknown response mode', () => ({ response_mode: 'smoke' })],
  [
    'a fragment as response mode',
    () => ({ response_mode: 'fragment' }),
    {
      but: {
        accepts: 'oidc-provider',
        because: 'a code in a fragment is left to scripts; we answer by query',
      },
    },
  ],
  ['no challenge', () => ({ code_challenge: '', code_challenge_method: '' })],
  ['a challenge without its method', () => ({ code_challenge_method: '' })],
  ['a plain challenge', () => ({ code_challenge_method: 'plain' })],
  ['a method in lower case', () => ({ code_challenge_method: 's256' })],
  ['a short challenge', () => ({ code_challenge: 'x'.repeat(42) })],
  ['a challenge with padding', () => ({ code_challenge: `${'x'.repeat(43)}=` })],
  ['a long challenge', () => ({ code_challenge: LONG })],
  ['a foreign resource', () => ({ resource: 'https://evil.example/mcp' })],
  ['a resource that is no address', () => ({ resource: 'mcp' })],
  ['a resource with a fragment', ({ resource }) => ({ resource: `${resource}#x` })],
  ['a resource below a resource', ({ resource }) => ({ resource: `${resource}/x` })],
  ['a request object', () => ({ request: 'eyJhbGciOiJub25lIn0.e30.' })],
  ['a pushed request that nobody pushed', () => ({ request_uri: 'urn:ietf:params:oauth:request_uri:x' })],
  ['a request behind an address', () => ({ request_uri: 'https://evil.example/request' })],
  ['details that are no JSON', () => ({ authorization_details: '{' }), DETAILS()],
  ['two clients', () => ({}), { twice: 'client_id' }],
  ['two redirect URIs', () => ({}), { twice: 'redirect_uri' }],
  ['two states', () => ({}), { twice: 'state' }],
  ['two challenges', () => ({}), { twice: 'code_challenge' }],
  ['two methods', () => ({}), { twice: 'code_challenge_method' }],
  ['two response types', () => ({}), { twice: 'response_type' }],
  ['two scopes', () => ({}), { twice: 'scope' }],
  [
    'a scope with quotation marks',
    () => ({ scope: 'graph:read "' }),
    {
      but: {
        accepts: 'ours',
        because: 'unknown scopes are ignored (rule 14.2a), also those of no valid form',
      },
    },
  ],
  [
    'a demand to show no page',
    () => ({ prompt: 'none' }),
    { but: { accepts: 'ours', because: 'prompt is of OpenID Connect; we show the page, and never skip it' } },
  ],
  [
    'a state of five thousand characters',
    () => ({ state: LONG }),
    { but: { accepts: 'oidc-provider', because: 'it stores the state; we send it along, and limit it' } },
  ],
  [
    'a scope of five thousand characters',
    () => ({ scope: LONG }),
    { but: { accepts: 'oidc-provider', because: 'it ignores unknown scopes of any length; we limit it' } },
  ],
];

function DETAILS(): { but: Difference } {
  return {
    but: { accepts: 'oidc-provider', because: 'it knows no authorization_details, and ignores them' },
  };
}

/** Requests to the token endpoint with a code of the first client that is still good. */
const CODES: [title: string, change: (side: Side, issued: Issued) => Fields, but?: Difference][] = [
  ['another verifier', () => ({ code_verifier: newVerifier() })],
  ['no verifier', () => ({ code_verifier: '' })],
  ['a short verifier', () => ({ code_verifier: 'x' })],
  ['the challenge as verifier', (_, { verifier }) => ({ code_verifier: `${verifier}=` })],
  ['another client', ({ otherId }) => ({ client_id: otherId })],
  ['an unknown client', () => ({ client_id: 'nobody' })],
  ['no client', () => ({ client_id: '' })],
  ['a made-up secret', () => ({ client_secret: 'x' })],
  ['another redirect URI', () => ({ redirect_uri: 'https://client.example/callback' })],
  ['another port of the redirect URI', () => ({ redirect_uri: 'http://127.0.0.1:9/callback' })],
  [
    'no redirect URI',
    () => ({ redirect_uri: '' }),
    {
      accepts: 'ours',
      because: 'OAuth 2.1 no longer asks for it: the verifier binds the code to its request',
    },
  ],
  ['a foreign resource', () => ({ resource: 'https://evil.example/mcp' })],
  ['the grant of passwords', () => ({ grant_type: 'password', username: 'x', password: 'x' })],
  ['the grant of clients', () => ({ grant_type: 'client_credentials' })],
  ['an unknown grant', () => ({ grant_type: 'x' })],
  ['no grant', () => ({ grant_type: '' })],
  [
    'a code in the place of a refresh token',
    (_, { code }) => ({ grant_type: 'refresh_token', refresh_token: code }),
  ],
  ['a code that is cut', (_, { code }) => ({ code: code.slice(0, -1) })],
  ['a code that is longer', (_, { code }) => ({ code: `${code}x` })],
  ['a code of five thousand characters', () => ({ code: LONG })],
  ['no code', () => ({ code: '' })],
];

const RUNS = Number(process.env.ROUNDS ?? 300);
const HOSTS = [
  '127.0.0.1',
  'localhost',
  '[::1]',
  '127.1',
  '2130706433',
  '0x7f.1',
  'LOCALHOST',
  'localhost.',
  '127.0.0.1.evil.example',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  'client.example',
  'evil.example',
  '127。0。0。1',
];
const PIECES = [
  '',
  ' ',
  '\t',
  '\n',
  '\0',
  '/',
  '\\',
  '@',
  ':',
  '#',
  '?',
  '%',
  '%2f',
  '%00',
  '..',
  '/../',
  '.evil.example',
  '@evil.example',
  ':9',
  ':80',
  ':0',
  'é',
  '＠',
  '。',
];
/** The same hostile requests to our service and to a certified server: neither accepts what the other refuses. */
describe('oidc-provider as an oracle of hostile requests (rules 14)', () => {
  let sides: Side[];
  beforeAll(async () => {
    // It says that this configuration is not for production.
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    jest.spyOn(console, 'info').mockImplementation(() => undefined);
    const oauth = await OAuthWorld.start();
    sides = [await ours(oauth, await oauth.world.user()), await theirs()];
  }, 120_000);
  afterAll(async () => {
    for (const side of sides) await side.stop();
    jest.restoreAllMocks();
  });

  const queryOf = (side: Side, fields: Fields, twice?: string): string => {
    const good = { ...authorizeParameters(side.clientId, newVerifier()), scope: 'graph:read' };
    const all = Object.entries({ ...good, resource: side.resource, ...fields });
    const query = new URLSearchParams(all.filter(([, value]) => value !== ''));
    if (twice !== undefined) query.append(twice, query.get(twice) as string);
    return query.toString();
  };
  /** 'consent', 'page', or the error with which the browser goes back. */
  const verdictOf = (side: Side, { status, headers: { location } }: Answer): string => {
    if (location === undefined) return status >= 400 && status < 500 ? 'page' : `status ${status}`;
    const to = new URL(location, side.origin);
    if (to.origin === side.origin && to.pathname === '/console/consent') return 'consent';
    return `error ${to.searchParams.get('error')} to ${to.origin === 'null' ? to.protocol : to.origin}`;
  };
  const asked = async (side: Side, fields: Fields, twice?: string) =>
    verdictOf(side, await side.send('GET', `${side.authorizePath}?${queryOf(side, fields, twice)}`));
  const token = (side: Side, fields: Fields, more = '') => {
    const sent = Object.entries(fields).filter(([, value]) => value !== '');
    return side.send('POST', '/oauth/token', new URLSearchParams(sent).toString() + more);
  };
  const exchange = (side: Side, { code, verifier }: Issued): Fields => ({
    grant_type: 'authorization_code',
    client_id: side.clientId,
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
    resource: side.resource,
  });
  const connected = async (side: Side) => {
    const { status, body, text } = await token(side, exchange(side, await side.code()));
    if (status !== 200) throw new Error(`${side.name}: ${status} ${text}`);
    return body as { access_token: string; refresh_token: string };
  };
  const refresh = (side: Side, refreshToken: string): Fields => ({
    grant_type: 'refresh_token',
    client_id: side.clientId,
    refresh_token: refreshToken,
  });
  const isLiving = async (side: Side, text: string) => {
    const form = new URLSearchParams({ client_id: side.clientId, token: text }).toString();
    return (await side.send('POST', '/oauth/introspect', form)).body.active as boolean;
  };

  it('both accept the same redirect URIs, of any form', async () => {
    const seen = new Set<boolean>();
    const pieces = fc.constantFrom(...PIECES);
    const changed = fc
      .tuple(
        fc.constantFrom(...REDIRECT_URIS),
        fc.nat(40),
        fc.nat(4),
        fc.oneof(pieces, fc.string({ maxLength: 3 })),
      )
      .map(([uri, at, length, text]) => uri.slice(0, at) + text + uri.slice(at + length));
    const made = fc
      .tuple(
        fc.constantFrom('http://', 'https://', 'HTTP://', 'http:', '//', 'http:///', 'com.example.app:'),
        fc.constantFrom('', 'x@', 'x:y@', '@'),
        fc.constantFrom(...HOSTS),
        fc.constantFrom('', ':', ':0', ':80', ':51234', ':051234', ':65536', ':-1', ':x'),
        fc.constantFrom(
          '/callback',
          '/callback/',
          '/Callback',
          '/x/../callback',
          '/callback?x',
          '/callback#',
          '',
          '/',
        ),
      )
      .map((parts) => parts.join(''));
    const property = fc.asyncProperty(fc.oneof(changed, made), async (uri) => {
      fc.pre(uri !== '');
      const verdicts: boolean[] = [];
      for (const side of sides) verdicts.push((await asked(side, { redirect_uri: uri })) === 'consent');
      expect([uri, verdicts[0]]).toEqual([uri, verdicts[1]]);
      seen.add(verdicts[0] as boolean);
    });
    await fc.assert(property, { numRuns: RUNS });
    expect(seen.size).toBe(2);
  });

  it('both accept a good request, a code and a refresh token', async () => {
    for (const side of sides) {
      expect(await asked(side, {})).toBe('consent');
      const tokens = await connected(side);
      const { status, body } = await token(side, refresh(side, tokens.refresh_token));
      expect([side.name, status, await isLiving(side, body.access_token)]).toEqual([side.name, 200, true]);
    }
  });

  it.each(AUTHORIZE)(
    'both refuse a request with %s, or the reason is named',
    async (_, change, more = {}) => {
      const verdicts: string[] = [];
      for (const side of sides) {
        const verdict = await asked(side, change(side), more.twice);
        verdicts.push(verdict);
        const isAccepted = more.but?.accepts === side.name;
        expect([side.name, verdict === 'consent', verdict]).toEqual([side.name, isAccepted, verdict]);
        expect(verdict).toMatch(/^(consent|page|error \w+ to http:\/\/127\.0\.0\.1:51234)$/);
      }
    },
  );

  it.each(CODES)('both refuse an exchange with %s, or the reason is named', async (...[, change, but]) => {
    for (const side of sides) {
      const issued = await side.code();
      const good = exchange(side, issued);
      const refused = await token(side, { ...good, ...change(side, issued) });
      const status = but?.accepts === side.name ? 200 : refused.status;
      expect([side.name, refused.status, refused.text]).toEqual([side.name, status, refused.text]);
      if (but?.accepts === side.name) continue;
      expect([400, 401]).toContain(status);
      expect(refused.body.error).toMatch(/^(invalid|unsupported|unauthorized)_\w+$/);
      // A wrong attempt takes nothing from the right client; oidc-provider spends some before it checks the resource.
      if (side.name === 'ours') expect((await token(side, good)).status).toBe(200);
    }
  });

  it('both refuse parameters of an exchange that are sent twice', async () => {
    for (const side of sides)
      for (const name of ['grant_type', 'client_id', 'code', 'code_verifier', 'redirect_uri']) {
        const good = exchange(side, await side.code());
        const twice = await token(side, good, `&${name}=${encodeURIComponent(good[name] as string)}`);
        expect([side.name, name, twice.status]).toEqual([side.name, name, 400]);
      }
  });

  it('both refuse a code that is used twice, and end the tokens of its first use', async () => {
    for (const side of sides) {
      const good = exchange(side, await side.code());
      const { body: first } = await token(side, good);
      const { body: further } = await token(side, refresh(side, first.refresh_token));
      const second = await token(side, good);
      expect([side.name, second.status, second.body.error]).toEqual([side.name, 400, 'invalid_grant']);
      for (const text of [first.access_token, further.access_token, further.refresh_token])
        expect([side.name, await isLiving(side, text)]).toEqual([side.name, false]);
    }
  });

  it.each<[string, (side: Side, tokens: { access_token: string; refresh_token: string }) => Fields]>([
    ['another client', ({ otherId }) => ({ client_id: otherId })],
    ['an unknown client', () => ({ client_id: 'nobody' })],
    ['an access token in its place', (_, { access_token: text }) => ({ refresh_token: text })],
    ['a foreign resource', () => ({ resource: 'https://evil.example/mcp' })],
    ['a token that is cut', (_, { refresh_token: text }) => ({ refresh_token: text.slice(0, -1) })],
    ['no token', () => ({ refresh_token: '' })],
    [
      'a token in the place of a code',
      (_, tokens) => ({
        grant_type: 'authorization_code',
        code: tokens.refresh_token,
        code_verifier: newVerifier(),
        redirect_uri: REDIRECT_URI,
      }),
    ],
  ])('both refuse a refresh with %s, and ours remains good for its client', async (_, change) => {
    for (const side of sides) {
      const tokens = await connected(side);
      const good = refresh(side, tokens.refresh_token);
      const refused = await token(side, { ...good, ...change(side, tokens) });
      expect([side.name, [400, 401].includes(refused.status), refused.text]).toEqual([
        side.name,
        true,
        refused.text,
      ]);
      if (side.name === 'ours') expect((await token(side, good)).status).toBe(200);
    }
  });

  it('both servers give a refresh no more scopes than were allowed', async () => {
    for (const side of sides) {
      const tokens = await connected(side);
      const wider = { ...refresh(side, tokens.refresh_token), scope: 'graph:read graph:delete' };
      const { status, body } = await token(side, wider);
      // It refuses; we ignore scopes that were not allowed, as unknown ones (rule 14.2a), and answer with the rest.
      if (side.name === 'ours') expect([status, body.scope]).toEqual([200, 'graph:read']);
      else expect([status, body.access_token]).toEqual([400, undefined]);
    }
  });

  it('both servers leave tokens of another client alone', async () => {
    for (const side of sides) {
      const { access_token: text } = await connected(side);
      const form = new URLSearchParams({ client_id: side.otherId, token: text }).toString();
      const seen = await side.send('POST', '/oauth/introspect', form);
      expect([side.name, seen.body.active ?? false]).toEqual([side.name, false]);
      await side.send('POST', '/oauth/revoke', form);
      expect([side.name, await isLiving(side, text)]).toEqual([side.name, true]);
    }
  });

  it('both bind a pushed request to its client and refuse to push what they would refuse', async () => {
    for (const side of sides) {
      const push = async (fields: Fields) =>
        (await side.send('POST', '/oauth/par', queryOf(side, fields))).body as Fields;
      expect((await push({ code_challenge_method: 'plain' })).error).toBe('invalid_request');
      expect((await push({ redirect_uri: 'https://evil.example/' })).error).toMatch(/^invalid_re/);
      const { request_uri: uri } = await push({});
      const open = async (client: string) => {
        const query = new URLSearchParams({ client_id: client, request_uri: uri as string }).toString();
        return verdictOf(side, await side.send('GET', `${side.authorizePath}?${query}`));
      };
      expect([side.name, await open(side.otherId)]).toEqual([side.name, 'page']);
    }
  });
});
