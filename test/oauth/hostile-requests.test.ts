import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authorizeParameters, newVerifier, OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

describe('hostile requests to the authorization server (rules 14)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let app: { id: string; secret: string };
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    person = await oauth.world.user();
    app = await oauth.app();
  });
  afterAll(() => oauth.world.stop());

  const open = (query: string) => oauth.world.api.get(`//oauth/authorize?${query}`);
  const good = (more: Record<string, string> = {}) =>
    new URLSearchParams({ ...authorizeParameters(app.id, newVerifier()), ...more }).toString();

  it.each([
    ['an unknown client', { client_id: '00000000-0000-4000-8000-000000000000' }],
    ['a client that is no id', { client_id: 'x' }],
    ['another host', { redirect_uri: 'https://evil.example/callback' }],
    ['another path', { redirect_uri: `${REDIRECT_URI}/x` }],
    ['a name before the host', { redirect_uri: 'http://127.0.0.1:51234@evil.example/callback' }],
    ['another spelling of the host', { redirect_uri: 'http://127.1:51234/callback' }],
    ['upper case', { redirect_uri: 'HTTP://127.0.0.1:51234/callback' }],
    ['a fragment', { redirect_uri: `${REDIRECT_URI}#x` }],
    ['https instead of http', { redirect_uri: 'https://127.0.0.1:51234/callback' }],
    ['a dot segment', { redirect_uri: 'http://127.0.0.1:51234/./callback' }],
    ['a pushed request that nobody pushed', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }],
  ])('a request with %s shows a page and never redirects', async (_, more) => {
    const answer = await open(good(more));
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
    expect(answer.headers['content-type']).toContain('text/html');
    expect(answer.text).not.toContain('evil.example');
  });

  it('an address on the person’s own machine may have any port', async () => {
    const answer = await open(good({ redirect_uri: 'http://127.0.0.1:9/callback' }));
    expect([answer.status, answer.headers.location?.startsWith(`${oauth.origin}/console/consent?`)]).toEqual([
      302,
      true,
    ]);
  });

  it.each([
    ['no response_type', { response_type: '' }, 'invalid_request'],
    ['an implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['a fragment as response mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['no challenge', { code_challenge: '' }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without its method', { code_challenge_method: '' }, 'invalid_request'],
    ['a challenge that is no hash', { code_challenge: 'x' }, 'invalid_request'],
    ['a foreign resource', { resource: 'https://evil.example' }, 'invalid_target'],
    ['a resource below the service', { resource: '/api/v1/nodes' }, 'invalid_target'],
    ['details that are no JSON', { authorization_details: '{' }, 'invalid_authorization_details'],
    ['a request object', { request: 'eyJ' }, 'invalid_request'],
    ['a long scope', { scope: 'x'.repeat(4_097) }, 'invalid_request'],
  ])('a request with %s goes back to the client with its error, state and iss', async (_, more, error) => {
    const answer = await open(good(more));
    expect(answer.status).toBe(302);
    const back = new URL(answer.headers.location as string);
    expect(back.origin + back.pathname).toBe(REDIRECT_URI);
    expect([
      back.searchParams.get('error'),
      back.searchParams.get('state'),
      back.searchParams.get('iss'),
    ]).toEqual([error, 'a state', oauth.origin]);
  });

  it('a parameter that is sent twice is refused without a redirect', async () => {
    for (const name of ['client_id', 'redirect_uri', 'state', 'code_challenge']) {
      const answer = await open(`${good()}&${name}=x`);
      expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
    }
    const twice = await oauth.world.api.post('//oauth/token', 'grant_type=a&grant_type=b', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['no grant', {}, 400, 'invalid_request'],
    ['an unknown grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no code', { grant_type: 'authorization_code' }, 400, 'invalid_request'],
    ['an unknown code', { grant_type: 'authorization_code', code: 'x' }, 400, 'invalid_grant'],
    ['no refresh token', { grant_type: 'refresh_token' }, 400, 'invalid_request'],
    ['an unknown refresh token', { grant_type: 'refresh_token', refresh_token: 'x' }, 400, 'invalid_grant'],
    [
      'a client that is gone',
      { grant_type: 'refresh_token', client_id: newVerifier() },
      401,
      'invalid_client',
    ],
    ['a wrong secret', { grant_type: 'refresh_token', client_secret: 'x' }, 401, 'invalid_client'],
    ['an oversized field', { grant_type: 'x'.repeat(4_097) }, 400, 'invalid_request'],
  ])('a token request with %s is refused in the form of OAuth', async (_, fields, status, error) => {
    const answer = await oauth.form('token', { client_id: app.id, ...(fields as Record<string, string>) });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it('a body that is JSON, too large, or not UTF-8 is a clear refusal', async () => {
    const json = await oauth.world.api.post('//oauth/token', { grant_type: 'refresh_token' });
    expect([json.status, json.body.error]).toEqual([415, 'invalid_request']);
    const large = await oauth.form('token', { grant_type: 'x'.repeat(17_000) });
    expect([large.status, large.body.error]).toEqual([413, 'invalid_request']);
    const bytes = await oauth.world.api.post('//oauth/token', Buffer.from([0x67, 0x3d, 0xff]), {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect([bytes.status, bytes.body.error]).toEqual([400, 'invalid_request']);
  });

  it('codes and tokens are worth nothing for another client, and remain valid for theirs', async () => {
    const other = await oauth.app();
    const { request, verifier } = await oauth.request(app.id, { scope: 'graph:read' });
    const back = await oauth.allow(person, request);
    expect((await oauth.redeem(other.id, back, verifier)).body.error).toBe('invalid_grant');
    const { body: tokens } = await oauth.redeem(app.id, back, verifier);
    expect((await oauth.refresh(other.id, tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await oauth.form('revoke', { client_id: other.id, token: tokens.refresh_token })).status).toBe(
      200,
    );
    const seen = await oauth.form('introspect', { client_id: other.id, token: tokens.access_token });
    expect(seen.body).toEqual({ active: false });
    expect((await oauth.refresh(app.id, tokens.refresh_token)).status).toBe(200);
  });

  it('a token of one resource opens nothing of another, and none can be widened', async () => {
    const mcp = { scope: 'graph:read', resource: `${oauth.origin}/mcp` };
    const tokens = await oauth.connect(app.id, person, { parameters: mcp });
    expect((await oauth.with(tokens.access_token).get('/nodes')).status).toBe(401);
    const wider = await oauth.refresh(app.id, tokens.refresh_token, { resource: oauth.origin });
    expect(wider.body.error).toBe('invalid_target');
    expect((await oauth.refresh(app.id, tokens.refresh_token)).status).toBe(200);
    const api = await oauth.connect(app.id, person, {
      parameters: { scope: 'graph:read', resource: `${oauth.origin}/api/v1` },
    });
    expect((await oauth.with(api.access_token).get('/nodes')).status).toBe(200);
  });

  it('a session that began with the secret is refreshed and looked up only with it', async () => {
    const { request, verifier } = await oauth.request(app.id, { scope: 'graph:read' });
    const back = await oauth.allow(person, request);
    const basic = `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString('base64')}`;
    const { body } = await oauth.redeem(app.id, back, verifier, { client_secret: app.secret });
    const public_ = await oauth.refresh(app.id, body.refresh_token);
    expect([public_.status, public_.body.error]).toEqual([401, 'invalid_client']);
    const fields = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    const proved = await oauth.form('token', fields, { Authorization: basic });
    expect(proved.status).toBe(200);
    const both = await oauth.form(
      'token',
      { ...fields, client_secret: app.secret },
      { Authorization: basic },
    );
    expect([both.status, both.body.error]).toEqual([400, 'invalid_request']);
    expect(
      (await oauth.form('introspect', { client_id: app.id, token: body.access_token })).body.active,
    ).toBe(false);
    const seen = await oauth.form('introspect', { token: body.access_token }, { Authorization: basic });
    expect(seen.body).toMatchObject({ active: true, scope: 'graph:read', sub: person.id, client_id: app.id });
  });

  it('the key of one user is no client secret', async () => {
    const other = await oauth.app();
    const { body } = await person.post('/authorizations', {
      app_id: other.id,
      exposure_profile_id: await oauth.transparent(person),
    });
    const answer = await oauth.form('token', {
      grant_type: 'refresh_token',
      client_id: other.id,
      client_secret: body.user_key,
    });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });

  it('a revoked access token ends alone, a revoked refresh token with its session', async () => {
    const tokens = await oauth.connect(app.id, person, { parameters: { scope: 'graph:read' } });
    const { body: second } = await oauth.refresh(app.id, tokens.refresh_token);
    await oauth.form('revoke', { client_id: app.id, token: tokens.access_token });
    const statuses = async () => [
      (await oauth.with(tokens.access_token).get('/nodes')).status,
      (await oauth.with(second.access_token).get('/nodes')).status,
    ];
    expect(await statuses()).toEqual([401, 200]);
    await oauth.form('revoke', { client_id: app.id, token: second.refresh_token });
    expect(await statuses()).toEqual([401, 401]);
  });

  it('pushed parameters are checked when they are pushed, and bound to their client', async () => {
    const pushed = { ...authorizeParameters(app.id, newVerifier()), scope: 'graph:read' };
    const wrong = await oauth.form('par', { ...pushed, code_challenge_method: 'plain' });
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_request']);
    const { status, body } = await oauth.form('par', pushed);
    expect(status).toBe(201);
    const opened = await open(
      new URLSearchParams({ client_id: app.id, request_uri: body.request_uri }).toString(),
    );
    expect(opened.status).toBe(302);
    const other = await oauth.app();
    const stolen = await open(
      new URLSearchParams({ client_id: other.id, request_uri: body.request_uri }).toString(),
    );
    expect(stolen.status).toBe(400);
  });
});

describe('limits of the authorization server (rule 14.8)', () => {
  it('token requests count by network in a window of their own, and a refusal has the form of OAuth', async () => {
    const oauth = await OAuthWorld.start({ RATE_LIMITS: 'on' });
    const first = await oauth.form('token', { grant_type: 'x' });
    expect(first.headers['x-ratelimit-limit']).toBe('3000');
    await oauth.world.stop();
  });
});
