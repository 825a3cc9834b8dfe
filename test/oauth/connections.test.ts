import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OAuthWorld, REDIRECT_URI, newVerifier } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

describe('connections by OAuth (rules 13)', () => {
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
});
