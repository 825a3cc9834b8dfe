import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OAuthWorld, REDIRECT_URI, newVerifier } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

describe('connections by OAuth (rules 14)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let app: { id: string; secret: string; developer: TestUser };
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    person = await oauth.world.user();
    app = await oauth.app();
    await person.post('/nodes', { title: 'Tea', node_type: 'FACT', value: 'green' });
  });
  afterAll(() => oauth.world.stop());

  it('a client that a person allows reads with its token what the profile shows', async () => {
    const tokens = await oauth.connect(app.id, person, { parameters: { scope: 'graph:read' } });
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 86_400, scope: 'graph:read' });
    const read = await oauth.with(tokens.access_token).get('/nodes');
    expect([read.status, read.body.nodes.map((node: { title: string }) => node.title)]).toEqual([
      200,
      ['Tea'],
    ]);
    const written = await oauth.with(tokens.access_token).post('/nodes', { title: 'x', node_type: 'FACT' });
    expect(written.status).toBe(403);
  });

  it('the answer to a client has its state and the issuer', async () => {
    const { request } = await oauth.request(app.id, { scope: 'graph:read' });
    const back = await oauth.allow(person, request);
    expect(back.origin + back.pathname).toBe(REDIRECT_URI);
    expect([...back.searchParams.keys()]).toEqual(['code', 'state', 'iss']);
    expect(back.searchParams.get('state')).toBe('a state');
  });

  it('a denied request goes back with access_denied', async () => {
    const { request } = await oauth.request(app.id, { scope: 'graph:read' });
    const { body } = await person.post('/oauth/consent', { request, decision: 'deny' });
    const back = new URL(body.redirect_to);
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('a state');
  });

  it('the second use of a code is refused and ends the session of the first', async () => {
    const { request, verifier } = await oauth.request(app.id, { scope: 'graph:read' });
    const back = await oauth.allow(person, request);
    const first = await oauth.redeem(app.id, back, verifier);
    expect((await oauth.with(first.body.access_token).get('/nodes')).status).toBe(200);
    const second = await oauth.redeem(app.id, back, verifier);
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
    expect((await oauth.with(first.body.access_token).get('/nodes')).status).toBe(401);
  });

  it('a code is worth nothing with another verifier', async () => {
    const { request } = await oauth.request(app.id, { scope: 'graph:read' });
    const answer = await oauth.redeem(app.id, await oauth.allow(person, request), newVerifier());
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
  });

  it('a refresh token that is used again at once gets another pair, and all of them are valid', async () => {
    const tokens = await oauth.connect(app.id, person, { parameters: { scope: 'graph:read' } });
    const [one, two] = await Promise.all([
      oauth.refresh(app.id, tokens.refresh_token),
      oauth.refresh(app.id, tokens.refresh_token),
    ]);
    expect([one.status, two.status]).toEqual([200, 200]);
    for (const token of [tokens.access_token, one.body.access_token, two.body.access_token])
      expect((await oauth.with(token).get('/nodes')).status).toBe(200);
  });

  it('the end of an authorization ends its tokens with the next request', async () => {
    const tokens = await oauth.connect(app.id, person, { parameters: { scope: 'graph:read' } });
    const { body } = await person.get('/authorizations?status=active');
    await person.delete(`/authorizations/${body.authorizations[0].id}`);
    expect((await oauth.with(tokens.access_token).get('/nodes')).status).toBe(401);
    const refreshed = await oauth.refresh(app.id, tokens.refresh_token);
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_grant']);
  });

  it('a session that its person ends is refused with the next request, and others of the app go on', async () => {
    const [laptop, phone] = [
      await oauth.connect(app.id, person, { parameters: { scope: 'graph:read' } }),
      await oauth.connect(app.id, person, { parameters: { scope: 'graph:read' } }),
    ];
    const { id } = (await person.get('/authorizations?status=active')).body.authorizations[0];
    const { body } = await person.get(`/authorizations/${id}/sessions`);
    expect(body.total).toBe(2);
    await person.delete(`/authorizations/${id}/sessions/${body.sessions[0].id}`);
    const statuses = [
      (await oauth.with(laptop.access_token).get('/nodes')).status,
      (await oauth.with(phone.access_token).get('/nodes')).status,
    ];
    expect(statuses).toEqual([200, 401]);
  });

  it('a token names its user: another X-User-ID is refused, and a key beside it, too', async () => {
    const { access_token } = await oauth.connect(app.id, person, { parameters: { scope: 'graph:read' } });
    const other = await oauth.world.user();
    const client = oauth.with(access_token);
    expect((await client.with({ 'X-User-ID': other.id }).get('/nodes')).status).toBe(403);
    expect((await client.with({ 'X-API-Key': app.secret }).get('/nodes')).body.error.code).toBe(
      'AMBIGUOUS_CREDENTIALS',
    );
    expect((await client.with({ 'X-User-ID': person.id }).get('/nodes')).status).toBe(200);
    expect((await client.get('/authorizations')).status).toBe(403);
  });

  it('a narrowed authorization holds for all sessions with the next request, and is not widened', async () => {
    const scope = 'graph:read graph:create';
    const { access_token } = await oauth.connect(app.id, person, { parameters: { scope } });
    const write = () => oauth.with(access_token).post('/nodes', { title: 'x', node_type: 'FACT' });
    expect((await write()).status).toBe(201);
    const { id } = (await person.get('/authorizations?status=active')).body.authorizations[0];
    const narrowed = await person.patch(`/authorizations/${id}`, { scopes: ['graph:read'] });
    expect([narrowed.status, narrowed.body.scopes]).toEqual([200, ['graph:read']]);
    expect((await write()).status).toBe(403);
    const widened = await person.patch(`/authorizations/${id}`, { scopes: ['graph:read', 'graph:create'] });
    expect([widened.status, widened.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('a log-out of the person leaves apps connected, and the erasure of the account ends them', async () => {
    const guest = await oauth.world.user();
    const { access_token } = await oauth.connect(app.id, guest, { parameters: { scope: 'graph:read' } });
    await guest.delete('/auth/sessions');
    expect((await oauth.with(access_token).get('/nodes')).status).toBe(200);
    await guest.logsIn();
    const erased = await guest.delete('/auth/me', { password: 'correct horse battery' });
    expect(erased.status).toBe(204);
    expect((await oauth.with(access_token).get('/nodes')).status).toBe(401);
  });

  it('the end of its app ends a token', async () => {
    const other = await oauth.app();
    const { access_token } = await oauth.connect(other.id, person, { parameters: { scope: 'graph:read' } });
    expect((await oauth.with(access_token).get('/nodes')).status).toBe(200);
    await other.developer.delete(`/apps/${other.id}`);
    expect((await oauth.with(access_token).get('/nodes')).status).toBe(401);
  });

  it('a refreshed token may have fewer scopes than its session', async () => {
    const scope = 'graph:read graph:create';
    const tokens = await oauth.connect(app.id, person, { parameters: { scope } });
    const { body } = await oauth.refresh(app.id, tokens.refresh_token, { scope: 'graph:read' });
    expect(body.scope).toBe('graph:read');
    const node = { title: 'x', node_type: 'FACT' };
    expect((await oauth.with(body.access_token).post('/nodes', node)).status).toBe(403);
    expect((await oauth.with(tokens.access_token).post('/nodes', node)).status).toBe(201);
  });

  it('a token makes no subscriptions, which would outlive it', async () => {
    const { access_token } = await oauth.connect(app.id, person);
    const body = { webhook_url: 'https://example.org/hook', events: ['node.created'] };
    const made = await oauth.with(access_token).post('/webhooks/subscribe', body);
    expect([made.status, made.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
    const proposals = { webhook_url: 'https://example.org/hook', event_types: ['created'] };
    expect((await oauth.with(access_token).post('/proposals/subscribe', proposals)).status).toBe(403);
  });

  it('an app that requests more later has only what its person approved', async () => {
    const schema = (await person.post('/schemas', { name: 'Book', json_schema: { type: 'object' } })).body.id;
    const typed = await person.post('/nodes', { title: 'Typed', node_type: 'FACT', schema_id: schema });
    const freeform = { read: { schema_ids: ['__freeform__'], allow_all: false } };
    const narrow = await oauth.app({ requested_permissions: { tags: { read: true }, schemas: freeform } });
    const { access_token } = await oauth.connect(narrow.id, person, { parameters: { scope: 'graph:read' } });
    const read = () => oauth.with(access_token).get(`/nodes/${typed.body.id}`);
    expect((await read()).status).toBe(404);
    const wide = { tags: { read: true }, schemas: { read: { allow_all: true } } };
    await narrow.developer.patch(`/apps/${narrow.id}`, { requested_permissions: wide });
    expect((await read()).status).toBe(404);
  });

  it('an app that its person connected with fewer scopes than it requests waits for no approval', async () => {
    await oauth.connect(app.id, person, { parameters: { scope: 'graph:read' } });
    const { authorizations } = (await person.get('/authorizations?status=active')).body;
    const one = authorizations.find((each: { app_id: string }) => each.app_id === app.id);
    expect(one.upgrade_pending).toBe(false);
  });

  it('a refresh that names no granted scope is refused', async () => {
    const tokens = await oauth.connect(app.id, person, { parameters: { scope: 'graph:read' } });
    const answer = await oauth.refresh(app.id, tokens.refresh_token, { scope: 'files:read' });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_scope']);
  });

  it('a refresh after narrowing says what is left', async () => {
    const scope = 'graph:read graph:create';
    const tokens = await oauth.connect(app.id, person, { parameters: { scope } });
    const { authorizations } = (await person.get('/authorizations?status=active')).body;
    const { id } = authorizations.find((each: { app_id: string }) => each.app_id === app.id);
    await person.patch(`/authorizations/${id}`, { scopes: ['graph:read'] });
    expect((await oauth.refresh(app.id, tokens.refresh_token)).body.scope).toBe('graph:read');
  });
});
