import { Clock } from '../../src/kernel/clock.js';
import { type Client } from '../support/client.js';
import { allSchemas, everything, readOnly } from '../support/defaults.js';
import { type TestApp, type TestUser, World } from '../support/world.js';

const UNKNOWN = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const UNKNOWN_SCHEMA = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e70';
const SCHEMA = '00000000-0000-7000-8000-000000000004';
// Access tokens live for 15 of them.
const MINUTE = 60_000;
const soon = () => new Date(world.nest.get(Clock).now().getTime() + 3 * MINUTE).toISOString();

let world: World;
let alice: TestUser;
let ahead = 0;

beforeAll(async () => {
  world = await World.startHere();
  const clock = world.nest.get(Clock);
  clock.now = () => new Date(Date.now() + ahead);
});
beforeEach(async () => {
  ahead = 0;
  alice = await world.user();
});
afterAll(() => world.stop());

const profileOf = async (user: Client, body: object = {}) => {
  const answer = await user.post('/exposure-profiles', { name: `p${world.number()}`, ...body });
  expect(answer.status).toBe(201);
  return answer.body;
};
const transparent = async (user: Client) =>
  (
    await user.post('/exposure-profiles/from-template', {
      template: 'transparent',
      name: `p${world.number()}`,
    })
  ).body;
const grant = (allow_all = true) => ({ tag_ids: [], allow_all });
const reading = { tag_permissions: { discover: grant(), read: grant() }, schema_permissions: allSchemas };
const developerOf = async (requested: object) => {
  const developer = await world.user();
  const { body } = await developer.post('/apps', {
    name: `app ${world.number()}`,
    description: 'what it does',
    homepage_url: 'https://app.example.org',
    requested_permissions: requested,
  });
  const app: TestApp = {
    id: body.id,
    apiKey: body.api_key,
    as: (user) => world.api.with({ 'X-API-Key': body.api_key, 'X-User-ID': user.id }),
    alone: world.api.with({ 'X-API-Key': body.api_key }),
  };
  return { developer, app };
};
const approve = (user: Client, app: TestApp, profile: { id: string }, more: object = {}) =>
  user.post('/authorizations', { app_id: app.id, exposure_profile_id: profile.id, ...more });

describe('GET /authorizations/preview (rule 2.1)', () => {
  it('the preview says what a consent page needs', async () => {
    const { app } = await developerOf({ tags: { read: true, propose: true } });
    const [none, full] = [await profileOf(alice), await transparent(alice)];
    const standard = (await alice.get('/exposure-profiles/default')).body;
    const { status, body } = await alice.get(`/authorizations/preview?app_id=${app.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      app: {
        id: app.id,
        name: expect.stringMatching(/^app /),
        description: 'what it does',
        homepage_url: 'https://app.example.org',
        client_level: 'L2',
      },
      request_version: expect.any(String),
      requested_permissions: expect.objectContaining({
        tags: expect.objectContaining({ read: true, propose: true }),
      }),
      profiles: [
        {
          id: none.id,
          name: none.name,
          is_default: false,
          satisfies: false,
          missing: ['tags.read', 'tags.propose'],
        },
        { id: full.id, name: full.name, is_default: false, satisfies: true, missing: [] },
        { id: standard.id, name: standard.name, is_default: true, satisfies: true, missing: [] },
      ],
    });
  });

  it.each([
    ['', 400, 'VALIDATION_ERROR'],
    [`?app_id=${UNKNOWN}`, 404, 'NOT_FOUND'],
    ['?app_id=no-id', 404, 'NOT_FOUND'],
    [`?app_id=${'x'.repeat(1000)}`, 404, 'NOT_FOUND'],
  ])('the preview for %j is %d %s', async (query, status, code) => {
    const answer = await alice.get(`/authorizations/preview${query}`);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it('the preview shows invisible characters of a description as such', async () => {
    const { developer, app } = await developerOf({});
    await developer.patch(`/apps/${app.id}`, { description: 'reads\nno\u202Eton' });
    const { body } = await alice.get(`/authorizations/preview?app_id=${app.id}`);
    expect(body.app.description).toBe('reads\nno[U+202E]ton');
  });

  it('the preview is for users only', async () => {
    const app = await world.app();
    const client = await alice.lets(app);
    expect((await client.get(`/authorizations/preview?app_id=${app.id}`)).status).toBe(403);
  });
});

describe('approving (rules 2.2-2.4)', () => {
  it('an approval under an Idempotency-Key shows the key once: a replay has the authorization only', async () => {
    const app = await world.app({ requested: readOnly });
    const profile = await profileOf(alice, reading);
    const body = { app_id: app.id, exposure_profile_id: profile.id };
    const once = () => alice.post('/authorizations', body, { headers: { 'Idempotency-Key': 'once' } });
    const [first, again] = [await once(), await once()];
    const { user_key, ...authorization } = first.body;
    expect(user_key).toMatch(/^pig_user_/);
    expect([again.status, again.body]).toEqual([201, authorization]);
  });

  it('gives the authorization and, once, a key bound to it', async () => {
    const app = await world.app({ requested: readOnly });
    const profile = await profileOf(alice, reading);
    const { status, body, headers } = await approve(alice, app, profile);
    expect(status).toBe(201);
    expect(headers['cache-control']).toBe('no-store');
    const { user_key, ...authorization } = body;
    expect(authorization).toEqual({
      id: expect.any(String),
      app_id: app.id,
      app_name: expect.stringMatching(/^app /),
      app_name_at_approval: authorization.app_name,
      user_id: alice.id,
      exposure_profile_id: profile.id,
      status: 'active',
      requested_permissions: {
        tags: { discover: true, read: true, propose: false, create: false, edit: false, write: false },
        files: { read: true },
        schemas: { read: { schema_ids: [], allow_all: true }, write: { schema_ids: [], allow_all: false } },
      },
      upgrade_pending: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      expires_at: null,
      revoked_at: null,
      app: { id: app.id, name: authorization.app_name },
      user: { id: alice.id, username: alice.name },
      profile: { id: profile.id, name: profile.name },
      last_used_at: null,
      purpose: null,
      scopes: ['graph:discover', 'graph:read', 'files:read'],
      client: { name: authorization.app_name, host: null, verified: false, kind: 'registered' },
      sessions: 0,
    });
    expect(user_key).toMatch(/^pig_user_/);
    expect((await alice.get(`/authorizations/${authorization.id}`)).body).toEqual(authorization);
    const bound = world.api.with({ 'X-API-Key': user_key });
    expect((await bound.get('/nodes')).status).toBe(200);
    expect((await bound.with({ 'X-User-ID': alice.id }).get('/nodes')).status).toBe(200);
    const other = await world.user();
    expect((await bound.with({ 'X-User-ID': other.id }).get('/nodes')).status).toBe(403);
  });

  it('another approval replaces profile and ceiling of the active one, and its end if one is named: 200, same id', async () => {
    const { developer, app } = await developerOf(readOnly);
    const [first, second] = [await transparent(alice), await transparent(alice)];
    const { body: before } = await approve(alice, app, first, { expires_at: soon() });
    await developer.patch(`/apps/${app.id}`, { requested_permissions: everything });
    const { status, body } = await approve(alice, app, second);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: before.id,
      exposure_profile_id: second.id,
      expires_at: before.expires_at,
    });
    expect(before.expires_at).not.toBeNull();
    const endless = await approve(alice, app, second, { expires_at: null });
    expect([endless.body.id, endless.body.expires_at]).toEqual([before.id, null]);
    expect(body.requested_permissions.tags.edit).toBe(true);
    expect(body).not.toHaveProperty('user_key');
    expect((await alice.get('/authorizations')).body.total).toBe(1);
    expect((await world.api.with({ 'X-API-Key': before.user_key }).get('/nodes')).status).toBe(200);
  });

  it('many concurrent approvals make one authorization', async () => {
    const app = await world.app({ requested: readOnly });
    const profile = await transparent(alice);
    const answers = await Promise.all(Array.from({ length: 8 }, () => approve(alice, app, profile)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(7).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  it.each<[string, object, object, string[]]>([
    ['nothing granted', { tags: { read: true } }, {}, ['tags.read']],
    [
      'write, of which edit is missing',
      { tags: { write: true } },
      { tag_permissions: { create: grant() } },
      ['tags.edit'],
    ],
    [
      'allow_new is a grant where every tag may be discovered',
      { tags: { create: true, discover: true } },
      { tag_permissions: { discover: grant(), create: { allow_new: true } } },
      [],
    ],
    [
      'allow_new is none where tags are hidden',
      { tags: { create: true } },
      { tag_permissions: { create: { allow_new: true } } },
      ['tags.create'],
    ],
    [
      'allow_new is none for an app that does not request to discover',
      { tags: { create: true } },
      { tag_permissions: { discover: grant(), create: { allow_new: true } } },
      ['tags.create'],
    ],
    ['delete, by edit', { tags: { delete: true } }, { tag_permissions: { edit: grant() } }, []],
    [
      'delete, which the profile refuses',
      { tags: { delete: true } },
      { tag_permissions: { edit: grant(), delete: grant(false) } },
      ['tags.delete'],
    ],
    [
      'edit, deleting not asked for in words',
      { tags: { edit: true } },
      { tag_permissions: { edit: grant(), delete: grant(false) } },
      [],
    ],
    ['files, with read', { files: { read: true } }, { tag_permissions: { read: grant() } }, []],
    ['files, without read', { files: { read: true } }, {}, ['files.read']],
    [
      'all schemas, of which some',
      { schemas: { write: { allow_all: true } } },
      { schema_permissions: { write: { schema_ids: [SCHEMA] } } },
      ['schemas.write'],
    ],
    [
      'schemas beyond',
      { schemas: { read: { schema_ids: ['__freeform__', SCHEMA] } } },
      { schema_permissions: { read: { schema_ids: ['__freeform__'] } } },
      [`schemas.read:${SCHEMA}`],
    ],
    [
      'a schema that the user does not have',
      { schemas: { read: { schema_ids: [UNKNOWN_SCHEMA] } } },
      { schema_permissions: { read: { schema_ids: ['__freeform__'] } } },
      [`schemas.read:${UNKNOWN_SCHEMA}`],
    ],
    [
      'schemas within',
      { schemas: { read: { schema_ids: [SCHEMA] } } },
      { schema_permissions: { read: { allow_all: true } } },
      [],
    ],
    [
      'an inactive profile grants nothing',
      { tags: { read: true } },
      { ...reading, is_active: false },
      ['tags.read'],
    ],
    ['nothing requested', {}, {}, []],
  ])('needs a profile that grants what is requested: %s', async (_, requested, granted, missing) => {
    const app = await world.app({ requested: requested as never });
    const profile = await profileOf(alice, granted);
    const { status, body } = await approve(alice, app, profile);
    expect(status).toBe(missing.length === 0 ? 201 : 409);
    if (missing.length > 0)
      expect(body.error).toMatchObject({ code: 'PROFILE_INSUFFICIENT', details: { missing } });
    expect((await alice.get('/authorizations')).body.total).toBe(missing.length === 0 ? 1 : 0);
  });

  it('an approval does not count a deleted tag as a grant', async () => {
    const { body: tag } = await alice.post('/tags', { name: 'work' });
    const app = await world.app({ requested: { tags: { read: true } } });
    const profile = await profileOf(alice, { tag_permissions: { read: { tag_ids: [tag.id] } } });
    expect((await approve(alice, app, profile)).status).toBe(201);
    await alice.delete(`/tags/${tag.id}`);
    const { body } = await approve(alice, app, profile);
    expect(body.error.details.missing).toEqual(['tags.read']);
  });

  it.each<[string, number, string, object]>([
    ['no app', 400, 'VALIDATION_ERROR', { app_id: undefined }],
    ['no profile', 400, 'VALIDATION_ERROR', { exposure_profile_id: undefined }],
    ['an unknown app', 404, 'NOT_FOUND', { app_id: UNKNOWN }],
    ['a malformed app', 404, 'NOT_FOUND', { app_id: 'x' }],
    ['a long malformed app', 404, 'NOT_FOUND', { app_id: 'x'.repeat(1000) }],
    ['an unknown profile', 404, 'NOT_FOUND', { exposure_profile_id: UNKNOWN }],
    ['a malformed profile', 404, 'NOT_FOUND', { exposure_profile_id: 'x' }],
    ['a long malformed profile', 404, 'NOT_FOUND', { exposure_profile_id: 'x'.repeat(1000) }],
    ['an end in the past', 400, 'VALIDATION_ERROR', { expires_at: '2020-01-01T00:00:00Z' }],
    ['customizations without save_mode', 400, 'VALIDATION_ERROR', { customizations: {} }],
    ['a save_mode that is none', 400, 'VALIDATION_ERROR', { customizations: {}, save_mode: 'keep' }],
    ['save_as_new without a name', 400, 'VALIDATION_ERROR', { customizations: {}, save_mode: 'save_as_new' }],
    [
      'customizations that are wrong',
      400,
      'VALIDATION_ERROR',
      { customizations: { max_detail_level: 1 }, save_mode: 'overwrite' },
    ],
    [
      'customizations with unknown tags',
      404,
      'NOT_FOUND',
      { customizations: { allowed_tag_ids: [UNKNOWN] }, save_mode: 'overwrite' },
    ],
  ])('refuses %s: %d %s', async (_, status, code, body) => {
    const app = await world.app({ requested: {} });
    const profile = await profileOf(alice);
    const answer = await approve(alice, app, profile, body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });

  it('an approval with a foreign profile answers as for an unknown one', async () => {
    const profile = await transparent(await world.user());
    const app = await world.app({ requested: {} });
    const { status, body } = await approve(alice, app, profile);
    expect([status, body.error.message]).toEqual([
      404,
      (await approve(alice, app, { id: UNKNOWN })).body.error.message,
    ]);
  });

  it('an approval is not for apps', async () => {
    const client = await alice.lets(await world.app());
    expect((await client.post('/authorizations', {})).status).toBe(403);
    expect((await client.get('/authorizations')).status).toBe(403);
  });
});

describe('customizations', () => {
  it('customizing while approving overwrites the profile', async () => {
    const app = await world.app({ requested: { tags: { read: true } } });
    const profile = await profileOf(alice, { description: 'kept' });
    const customizations = { tag_permissions: { read: grant() }, max_detail_level: 'summary' };
    const { status, body } = await approve(alice, app, profile, { customizations, save_mode: 'overwrite' });
    expect([status, body.exposure_profile_id]).toEqual([201, profile.id]);
    const after = (await alice.get(`/exposure-profiles/${profile.id}`)).body;
    expect(after).toMatchObject({
      description: 'kept',
      max_detail_level: 'summary',
      tag_permissions: { read: grant() },
    });
  });

  it('customizing while approving saves a copy of another name and leaves the profile', async () => {
    const app = await world.app({ requested: { tags: { read: true } } });
    const profile = await profileOf(alice, { excluded_node_types: ['GOAL'] });
    const more = {
      customizations: { tag_permissions: { read: grant() } },
      save_mode: 'save_as_new',
      new_profile_name: 'Copy',
    };
    const { status, body } = await approve(alice, app, profile, more);
    expect(status).toBe(201);
    expect(body.exposure_profile_id).not.toBe(profile.id);
    const copy = (await alice.get(`/exposure-profiles/${body.exposure_profile_id}`)).body;
    expect(copy).toMatchObject({
      name: 'Copy',
      excluded_node_types: ['GOAL'],
      tag_permissions: { read: grant() },
    });
    const untouched = (await alice.get(`/exposure-profiles/${profile.id}`)).body;
    expect(untouched.tag_permissions.read).toEqual(grant(false));
    const taken = await approve(alice, app, profile, more);
    expect([taken.status, taken.body.error.code]).toEqual([409, 'PROFILE_NAME_EXISTS']);
  });

  it('customizing while approving keeps nothing of it when the result is not enough', async () => {
    const app = await world.app({ requested: { tags: { read: true, propose: true } } });
    const profile = await profileOf(alice);
    const customizations = { tag_permissions: { read: grant() } };
    const modes = [{ save_mode: 'overwrite' }, { save_mode: 'save_as_new', new_profile_name: 'Copy' }];
    for (const mode of modes) {
      const { status, body } = await approve(alice, app, profile, { customizations, ...mode });
      expect([status, body.error.details]).toEqual([409, { missing: ['tags.propose'] }]);
    }
    const { exposure_profiles } = (await alice.get('/exposure-profiles')).body;
    expect(exposure_profiles).toHaveLength(1);
    expect(exposure_profiles[0].tag_permissions.read).toEqual(grant(false));
  });
});

describe('looking after authorizations (rule 2.5)', () => {
  it('lists own ones, newest first, in pages and by status', async () => {
    const apps = await Promise.all([world.app(), world.app(), world.app()]);
    const ids: string[] = [];
    for (const app of apps) ids.unshift((await alice.authorizes(app)).authorization.id);
    await (await world.user()).authorizes(apps[0]);
    await alice.delete(`/authorizations/${ids[0]}`);
    await alice.patch(`/authorizations/${ids[1]}`, { expires_at: soon() });
    ahead = 4 * MINUTE;
    const { body } = await alice.get('/authorizations?limit=2');
    expect(body).toMatchObject({ total: 3, limit: 2, offset: 0 });
    expect(body.authorizations.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual(
      [
        [ids[0], 'revoked'],
        [ids[1], 'expired'],
      ],
    );
    const of = async (query: string) =>
      (await alice.get(`/authorizations?${query}`)).body.authorizations.map(({ id }: { id: string }) => id);
    expect(await of('limit=100&offset=2')).toEqual([ids[2]]);
    expect([await of('status=active'), await of('status=expired'), await of('status=revoked')]).toEqual([
      [ids[2]],
      [ids[1]],
      [ids[0]],
    ]);
    expect((await alice.get('/authorizations?status=suspended')).status).toBe(400);
  });

  it('lists of authorizations and of apps end at 4 MiB, and their limit is then the number of entries (rule 4.7b)', async () => {
    const ids = (verb: string) => Array.from({ length: 1_000 }, (_, i) => `${verb}${i}`.padEnd(100, 'x'));
    const schemas = Object.fromEntries(['read', 'write'].map((verb) => [verb, { schema_ids: ids(verb) }]));
    const developer = await world.user();
    const requested_permissions = { ...everything, schemas };
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        developer.post('/apps', { name: `app ${i}`, requested_permissions }),
      ),
    );
    const [app] = made.map(({ body }) => body);
    for (let i = 0; i < 24; i++) {
      const owner = await world.user();
      const exposure_profile_id = (await transparent(owner)).id;
      expect((await owner.post('/authorizations', { app_id: app.id, exposure_profile_id })).status).toBe(201);
    }
    const key = world.api.with({ 'X-API-Key': app.api_key });
    for (const [client, path, list] of [
      [developer, '/apps', 'apps'],
      [key, '/apps/current/authorizations', 'authorizations'],
    ] as const) {
      const { body, text } = await client.get(`${path}?limit=24`);
      expect([path, body.total, body.limit]).toEqual([path, 24, body[list].length]);
      expect(body.limit).toBeLessThan(24);
      expect(text.length).toBeGreaterThan(3.5 * 1024 ** 2);
      expect(text.length).toBeLessThan(4.5 * 1024 ** 2);
      const rest = (await client.get(`${path}?limit=24&offset=${body.limit}`)).body;
      expect(rest[list]).toHaveLength(24 - body.limit);
    }
  });

  it('answers 404 for unknown, malformed and foreign ids alike, before the body is looked at', async () => {
    const { authorization } = await (await world.user()).authorizes(await world.app());
    for (const id of [authorization.id, UNKNOWN, 'no-id']) {
      const path = `/authorizations/${id}`;
      const answers = [
        await alice.get(path),
        await alice.patch(path, { expires_at: 1 }),
        await alice.delete(path),
      ];
      for (const { status, body } of answers) {
        expect([status, body.error.code, body.error.message]).toEqual([
          404,
          'NOT_FOUND',
          'Authorization not found',
        ]);
      }
    }
  });

  it('changes profile and end', async () => {
    const { authorization } = await alice.authorizes(await world.app({ requested: readOnly }));
    const other = await profileOf(alice, reading);
    const path = `/authorizations/${authorization.id}`;
    const expires_at = soon();
    expect((await alice.patch(path, { exposure_profile_id: other.id })).body.exposure_profile_id).toBe(
      other.id,
    );
    expect((await alice.patch(path, { expires_at })).body).toMatchObject({
      expires_at,
      exposure_profile_id: other.id,
    });
    const { status, body } = await alice.patch(path, { expires_at: null });
    expect([status, body.expires_at, body.status]).toEqual([200, null, 'active']);
    expect((await alice.patch(path, { expires_at: '2020-01-01' })).status).toBe(400);
    expect((await alice.patch(path, { exposure_profile_id: UNKNOWN })).status).toBe(404);
    expect((await alice.patch(path, { exposure_profile_id: null })).status).toBe(400);
  });

  it('refuses a profile that grants too little: 409', async () => {
    const { authorization } = await alice.authorizes(await world.app({ requested: readOnly }));
    const little = await profileOf(alice, { tag_permissions: { discover: grant() } });
    const { status, body } = await alice.patch(`/authorizations/${authorization.id}`, {
      exposure_profile_id: little.id,
    });
    expect(status).toBe(409);
    expect(body.error).toMatchObject({
      code: 'PROFILE_INSUFFICIENT',
      details: { missing: ['tags.read', 'files.read', 'schemas.read'] },
    });
  });

  it('renews an expired one, by a change or by a new approval', async () => {
    const app = await world.app({ requested: readOnly });
    const profile = await transparent(alice);
    const { body: first } = await approve(alice, app, profile, { expires_at: soon() });
    ahead = 4 * MINUTE;
    expect((await app.as(alice).get('/nodes')).status).toBe(403);
    const renewed = await alice.patch(`/authorizations/${first.id}`, { expires_at: soon() });
    expect(renewed.body.status).toBe('active');
    expect((await app.as(alice).get('/nodes')).status).toBe(200);
    ahead = 8 * MINUTE;
    const { status, body: second } = await approve(alice, app, profile);
    expect(status).toBe(201);
    expect(second.id).not.toBe(first.id);
    expect((await app.as(alice).get('/nodes')).status).toBe(200);
    expect((await world.api.with({ 'X-API-Key': first.user_key }).get('/nodes')).status).toBe(401);
    expect((await world.api.with({ 'X-API-Key': second.user_key }).get('/nodes')).status).toBe(200);
  });

  it('a revocation of an authorization is for good', async () => {
    const app = await world.app();
    const { authorization } = await alice.authorizes(app);
    const path = `/authorizations/${authorization.id}`;
    const { status, body } = await alice.delete(path);
    expect(status).toBe(200);
    expect(body).toEqual({ message: expect.any(String), id: authorization.id, status: 'revoked' });
    expect((await alice.delete(path)).status).toBe(200);
    expect((await alice.get(path)).body).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) });
    const again = await alice.patch(path, { expires_at: null });
    expect([again.status, again.body.error.code]).toEqual([409, 'INVALID_STATE_TRANSITION']);
    expect((await world.api.with({ 'X-API-Key': authorization.user_key }).get('/nodes')).status).toBe(401);
    expect((await app.as(alice).get('/nodes')).status).toBe(403);
    expect((await alice.authorizes(app)).authorization.id).not.toBe(authorization.id);
  });

  it('counts as revoked when the app is deleted (rule 1.5)', async () => {
    const { developer, app } = await developerOf(readOnly);
    const { profile, authorization } = await alice.authorizes(app);
    await developer.delete(`/apps/${app.id}`);
    expect((await alice.get(`/authorizations/${authorization.id}`)).body.status).toBe('revoked');
    expect((await alice.get('/authorizations?status=active')).body.total).toBe(0);
    expect((await alice.delete(`/exposure-profiles/${profile.id}`)).status).toBe(200);
  });
});

describe('apps (rule 2.6)', () => {
  const allow = { schema_ids: [], allow_all: true };

  it('an authorization shows its app the three layers and what is missing', async () => {
    const { developer, app } = await developerOf({ tags: { read: true }, schemas: { read: allow } });
    const { authorization } = await alice.authorizes(app, {
      ...reading,
      tag_permissions: { read: grant(), edit: grant() },
    });
    await developer.patch(`/apps/${app.id}`, {
      requested_permissions: { tags: { read: true, edit: true, propose: true }, schemas: { read: allow } },
    });
    const { status, body } = await app.as(alice).get('/authorizations/current');
    expect(status).toBe(200);
    const shown = { ...authorization };
    delete shown.user_key;
    expect(body.authorization).toEqual({
      ...shown,
      user: null,
      profile: null,
      sessions: null,
      upgrade_pending: true,
    });
    expect(body.requested_permissions.tags).toMatchObject({ read: true, edit: true, propose: true });
    expect(body.granted_permissions).toEqual({
      tags: {
        discover: false,
        read: true,
        propose: false,
        create: false,
        edit: true,
        write: false,
        delete: true,
      },
      files: { read: true },
      schemas: { read: allow, write: allow },
    });
    expect(body.effective_permissions).toEqual({
      tags: {
        discover: true,
        read: true,
        propose: false,
        create: false,
        edit: false,
        write: false,
        delete: false,
      },
      files: { read: true },
      schemas: { read: allow, write: { schema_ids: [], allow_all: false } },
    });
    expect(body.missing).toEqual(['tags.propose', 'tags.edit']);
  });

  it('an authorization lets its app give up access', async () => {
    const app = await world.app();
    const { authorization } = await alice.authorizes(app);
    const client = app.as(alice);
    expect((await client.delete('/authorizations/current')).body).toEqual({
      message: expect.any(String),
      id: authorization.id,
      status: 'revoked',
    });
    expect((await client.get('/authorizations/current')).status).toBe(403);
    expect((await alice.get(`/authorizations/${authorization.id}`)).body.status).toBe('revoked');
  });

  it('a list has the authorizations of the app whatever user is named, of a user key its own', async () => {
    const app = await world.app();
    const [bob, carol] = [await world.user(), await world.user()];
    const first = (await alice.authorizes(app)).authorization;
    const second = (await bob.authorizes(app)).authorization;
    await carol.authorizes(await world.app());
    const path = '/apps/current/authorizations';
    for (const client of [app.alone, app.as(carol), app.alone.with({ 'X-User-ID': 'nobody' })]) {
      const { status, body } = await client.get(path);
      expect([status, body.total, body.limit, body.offset]).toEqual([200, 2, 20, 0]);
      expect(body.authorizations.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    }
    const bound = await world.api.with({ 'X-API-Key': first.user_key }).get(path);
    expect(bound.body.authorizations.map(({ id }: { id: string }) => id)).toEqual([first.id]);
    await alice.delete(`/authorizations/${first.id}`);
    expect((await app.alone.get(`${path}?status=active&limit=1`)).body).toMatchObject({ total: 1, limit: 1 });
  });

  it('the authorizations of an app are not for users', async () => {
    for (const path of ['/authorizations/current', '/apps/current/authorizations']) {
      expect((await alice.get(path)).status).toBe(403);
    }
    expect((await alice.delete('/authorizations/current')).status).toBe(403);
  });
});

describe('the ceiling (rule 2.7)', () => {
  it('stays when the app asks for more, until the user approves again', async () => {
    const { developer, app } = await developerOf(readOnly);
    const { profile, authorization } = await alice.authorizes(app);
    await developer.patch(`/apps/${app.id}`, { requested_permissions: everything });
    const create = () => app.as(alice).post('/nodes', { title: 'x', node_type: 'note' });
    expect((await create()).status).toBe(403);
    expect((await alice.get(`/authorizations/${authorization.id}`)).body.upgrade_pending).toBe(true);
    await approve(alice, app, profile);
    expect((await create()).status).toBe(201);
    expect((await alice.get(`/authorizations/${authorization.id}`)).body.upgrade_pending).toBe(false);
  });

  it('sinks at once when the app asks for less, and comes back without a new approval', async () => {
    const { developer, app } = await developerOf(everything);
    await alice.authorizes(app);
    const create = () => app.as(alice).post('/nodes', { title: 'x', node_type: 'note' });
    expect((await create()).status).toBe(201);
    await developer.patch(`/apps/${app.id}`, { requested_permissions: readOnly });
    expect((await create()).status).toBe(403);
    await developer.patch(`/apps/${app.id}`, { requested_permissions: everything });
    expect((await create()).status).toBe(201);
  });

  it('lets what is effective shrink with the profile while the authorization stays active', async () => {
    const app = await world.app();
    const { profile, authorization } = await alice.authorizes(app);
    await alice.put(`/exposure-profiles/${profile.id}`, { tag_permissions: { read: grant() } });
    expect((await app.as(alice).post('/nodes', { title: 'x', node_type: 'note' })).status).toBe(403);
    expect((await app.as(alice).get('/nodes')).status).toBe(200);
    expect((await alice.get(`/authorizations/${authorization.id}`)).body.status).toBe('active');
  });
});
