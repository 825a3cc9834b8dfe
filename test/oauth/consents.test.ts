import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Connected, OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

describe('consents (rule 14.6)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let app: { id: string; developer: TestUser };
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    person = await oauth.world.user();
    app = await oauth.app({ homepage_url: 'https://reading.example.org' });
  });
  afterAll(() => oauth.world.stop());

  const page = async (request: string) => (await person.get(`/oauth/consent?request=${request}`)).body;
  const decide = (request: string, more: object) =>
    person.post('/oauth/consent', { request, decision: 'allow', ...more });
  const details = (fields: object) => ({
    authorization_details: JSON.stringify([{ type: 'graph_access', ...fields }]),
  });

  it('a consent shows who asks, where the answer goes, for what and for how long', async () => {
    const asked = {
      ...details({ actions: ['read'], optional: ['edit'], purpose: 'Weekly review', expires_in_days: 30 }),
    };
    const { request } = await oauth.request(app.id, asked);
    expect(await page(request)).toMatchObject({
      client: { app_id: app.id, name: 'Reading list', kind: 'registered', host: null, verified: false },
      returns_to: { uri: REDIRECT_URI, host: '127.0.0.1:51234', kind: 'this_computer' },
      scopes: [
        { scope: 'graph:read', required: true },
        { scope: 'graph:edit', required: false },
      ],
      purpose: 'Weekly review',
      expires_in_days: 30,
      existing: null,
      user: { id: person.id, username: person.name },
    });
  });

  it('a client that names no scope is offered all that its app requests, and nothing is fixed', async () => {
    const { request } = await oauth.request(app.id);
    const { scopes } = await page(request);
    expect(scopes).toHaveLength(7);
    expect(scopes.every((one: { required: boolean }) => !one.required)).toBe(true);
    const narrow = await oauth.app({
      requested_permissions: { tags: { read: true }, schemas: { read: { allow_all: true } } },
    });
    const { request: small } = await oauth.request(narrow.id, { scope: 'openid profile' });
    expect((await page(small)).scopes).toEqual([{ scope: 'graph:read', required: false }]);
  });

  it('scopes beyond those of a registered app are left out', async () => {
    const narrow = await oauth.app({
      requested_permissions: { tags: { read: true }, schemas: { read: { allow_all: true } } },
    });
    const tokens = await oauth.connect(narrow.id, person, {
      parameters: { scope: 'graph:read graph:delete' },
    });
    expect(tokens.scope).toBe('graph:read');
  });

  it('profiles come narrowest first, with the scopes that each lacks', async () => {
    const tag = (await person.post('/tags', { name: 'books' })).body.id;
    const grant = { tag_ids: [tag], allow_all: false };
    const schemas = {
      read: { schema_ids: [], allow_all: true },
      write: { schema_ids: [], allow_all: false },
    };
    const narrow = await person.post('/exposure-profiles', {
      name: 'Books only',
      tag_permissions: { discover: grant, read: grant },
      schema_permissions: schemas,
    });
    expect(narrow.status).toBe(201);
    await oauth.transparent(person);
    const { request } = await oauth.request(app.id, { scope: 'graph:read' });
    const { profiles } = await page(request);
    expect(profiles[0]).toMatchObject({ id: narrow.body.id, name: 'Books only', lacks: [] });
    const { request: wider } = await oauth.request(app.id, { scope: 'graph:read graph:edit' });
    const lacks = (await page(wider)).profiles.find((one: { id: string }) => one.id === narrow.body.id).lacks;
    expect(lacks).toEqual(['graph:edit']);
    const refused = await decide(wider, {
      scopes: ['graph:read', 'graph:edit'],
      exposure_profile_id: narrow.body.id,
    });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'PROFILE_INSUFFICIENT']);
  });

  it('scopes that a person leaves out are not approved, and details are answered as granted', async () => {
    const asked = details({ actions: ['read'], optional: ['create', 'edit'], purpose: 'Review' });
    const { request, verifier } = await oauth.request(app.id, asked);
    const back = await oauth.allow(person, request, { scopes: ['graph:read', 'graph:create'] });
    const { body } = await oauth.redeem(app.id, back, verifier);
    expect(body.scope).toBe('graph:read graph:create');
    const authorization = (await person.get('/authorizations?status=active')).body.authorizations.find(
      (one: { app_id: string }) => one.app_id === app.id,
    );
    expect(authorization).toMatchObject({
      scopes: ['graph:read', 'graph:create'],
      purpose: 'Review',
      sessions: 1,
    });
    expect(body.authorization_details).toEqual([
      {
        type: 'graph_access',
        authorization_id: authorization.id,
        actions: ['read', 'create'],
        schemas: { read: { schema_ids: [], allow_all: true }, write: { schema_ids: [], allow_all: true } },
        purpose: 'Review',
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(authorization.profile.name);
    const { body: refreshed } = await oauth.refresh(app.id, body.refresh_token);
    expect(refreshed.authorization_details).toEqual(body.authorization_details);
  });

  it('a refresh repeats details as they are granted now, and only where the request had some', async () => {
    const asked = details({ actions: ['read', 'create'], purpose: 'Review' });
    const { refresh_token: token, authorization_details: first } = (await oauth.connect(app.id, person, {
      parameters: asked,
    })) as Connected & { authorization_details: [{ authorization_id: string }] };
    const none = { schema_ids: [], allow_all: false };
    const less = [
      { ...first[0], actions: ['read'], schemas: { read: { ...none, allow_all: true }, write: none } },
    ];
    const narrow = await oauth.refresh(app.id, token, { scope: 'graph:read' });
    expect(narrow.body.authorization_details).toEqual(less);
    const again = await oauth.refresh(app.id, token);
    expect(again.body.authorization_details).toEqual(first);
    await person.patch(`/authorizations/${first[0].authorization_id}`, { scopes: ['graph:read'] });
    expect((await oauth.refresh(app.id, token)).body.authorization_details).toEqual(less);
    const plain = await oauth.connect(app.id, person, { parameters: { scope: 'graph:read' } });
    const { body } = await oauth.refresh(app.id, plain.refresh_token);
    expect([body.scope, body.authorization_details]).toEqual(['graph:read', undefined]);
  });

  it.each([
    ['a required scope is missing', ['graph:propose']],
    ['another scope is added', ['graph:read', 'graph:propose', 'graph:delete']],
    ['no scope is left', []],
  ])('an approval is refused where %s, and writes nothing', async (_, scopes) => {
    const { request } = await oauth.request(app.id, details({ actions: ['read'], optional: ['propose'] }));
    const made = {
      name: `made for ${scopes.length} scopes`,
      tag_permissions: { read: { allow_all: true, tag_ids: [] } },
    };
    const refused = await decide(request, { scopes, new_profile: made });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const { exposure_profiles: profiles } = (await person.get('/exposure-profiles')).body;
    expect(profiles.map((one: { name: string }) => one.name)).not.toContain(made.name);
  });

  it('a profile is made on the spot, and not where it is too little', async () => {
    const all = { allow_all: true, tag_ids: [] };
    const read = { schema_ids: [], allow_all: true };
    const { request, verifier } = await oauth.request(app.id, { scope: 'graph:read' });
    const little = { name: 'Too little', tag_permissions: { discover: all } };
    expect((await decide(request, { scopes: ['graph:read'], new_profile: little })).status).toBe(409);
    const made = { name: 'Just enough', tag_permissions: { read: all }, schema_permissions: { read } };
    const { status, body } = await decide(request, { scopes: ['graph:read'], new_profile: made });
    expect(status).toBe(200);
    expect((await oauth.redeem(app.id, new URL(body.redirect_to), verifier)).status).toBe(200);
    const names = (await person.get('/exposure-profiles')).body.exposure_profiles.map(
      (one: { name: string }) => one.name,
    );
    expect([names.includes('Just enough'), names.includes('Too little')]).toEqual([true, false]);
  });

  it('a changed, foreign or empty text of a request is refused as expired', async () => {
    const { request } = await oauth.request(app.id);
    const changed = `${request.slice(0, -1)}${request.endsWith('A') ? 'B' : 'A'}`;
    for (const text of [changed, request.slice(1), 'x', `${request}.`]) {
      const answer = await person.get(`/oauth/consent?request=${text}`);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'CONSENT_EXPIRED']);
    }
  });

  it('an app that changes what it is between the page and the decision is refused', async () => {
    const { request } = await oauth.request(app.id);
    await app.developer.patch(`/apps/${app.id}`, { name: 'Your bank' });
    for (const answer of [
      await person.get(`/oauth/consent?request=${request}`),
      await decide(request, { scopes: ['graph:read'], exposure_profile_id: await oauth.transparent(person) }),
    ])
      expect([answer.status, answer.body.error.code]).toEqual([409, 'REQUEST_CHANGED']);
    await app.developer.patch(`/apps/${app.id}`, { name: 'Reading list' });
  });

  it('a profile of somebody else cannot be chosen', async () => {
    const other = await oauth.world.user();
    const { request } = await oauth.request(app.id);
    const answer = await decide(request, {
      scopes: ['graph:read'],
      exposure_profile_id: await oauth.transparent(other),
    });
    expect(answer.status).toBe(404);
  });
});
