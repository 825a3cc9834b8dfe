import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Apps, CONFIRMED, Users } from '../../src/identity/index.js';
import { type TestUser, World } from '../support/world.js';

const UUID = /^[0-9a-f-]{36}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const NOTHING = {
  tags: { discover: false, read: false, propose: false, create: false, edit: false, write: false },
  files: { read: false },
  schemas: { read: { schema_ids: [], allow_all: false }, write: { schema_ids: [], allow_all: false } },
};

describe('/apps (rule 1.5)', () => {
  let world: World;
  let dev: TestUser;
  let other: TestUser;
  beforeAll(async () => {
    world = await World.startHere();
    [dev, other] = [await world.user(), await world.user()];
  });
  afterAll(() => world.stop());
  const create = (body: Record<string, unknown> = {}) =>
    dev.post('/apps', { name: 'App', requested_permissions: {}, ...body });

  it('apps are registered by a user, with a key that is shown only then', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    const { api_key, ...app } = answer.body;
    expect(api_key).toMatch(/^pig_live_[0-9A-Za-z]{36}$/);
    expect(app).toEqual({
      id: expect.stringMatching(UUID),
      name: 'App',
      description: null,
      homepage_url: null,
      redirect_uris: [],
      client_level: 'L2',
      requested_permissions: NOTHING,
      owner_id: dev.id,
      tier: 'free',
      is_active: true,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    });
    expect((await dev.get(`/apps/${app.id}`)).body).toEqual(app);
    const current = await world.api.get('/apps/current', { headers: { 'X-API-Key': api_key } });
    expect([current.status, current.body]).toEqual([200, app]);
  });

  it('apps keep all of their fields', async () => {
    const said = {
      name: 'Full',
      description: 'All fields.',
      homepage_url: 'https://full.example.org/a?b=c#d',
      redirect_uris: [
        'https://full.example.org/callback',
        'org.example.full:/callback',
        'http://127.0.0.1:8080/',
      ],
      client_level: 'L1',
    };
    const { body } = await create(said);
    expect(body).toMatchObject(said);
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['homepage_url', { homepage_url: 'javascript:alert(1)' }],
    ['homepage_url', { homepage_url: 'example.org' }],
    ['homepage_url', { homepage_url: 'https://accounts.example.com@evil.example/' }],
    ['homepage_url', { homepage_url: 'https://example.org/\u202Egpj.exe' }],
    ['redirect_uris', { redirect_uris: 'https://example.org' }],
    ['redirect_uris', { redirect_uris: ['/relative'] }],
    ['redirect_uris', { redirect_uris: ['javascript:alert(1)'] }],
    ['redirect_uris', { redirect_uris: ['https://example.org/#fragment'] }],
    ['redirect_uris', { redirect_uris: ['http://example.org/callback'] }],
    ['redirect_uris', { redirect_uris: ['http://localhost.example.org/'] }],
    ['client_level', { client_level: 'L0' }],
    ['requested_permissions', { requested_permissions: undefined }],
    ['requested_permissions', { requested_permissions: null }],
    ['requested_permissions', { requested_permissions: 'all' }],
    ['requested_permissions.tags.read', { requested_permissions: { tags: { read: 'true' } } }],
    ['requested_permissions.files.read', { requested_permissions: { files: { read: 1 } } }],
    [
      'requested_permissions.schemas.read.allow_all',
      { requested_permissions: { schemas: { read: { allow_all: 'yes' } } } },
    ],
    [
      'requested_permissions.schemas.write.schema_ids',
      { requested_permissions: { schemas: { write: { schema_ids: [1] } } } },
    ],
    [
      'requested_permissions.schemas.write.schema_ids',
      { requested_permissions: { schemas: { write: { schema_ids: 'a' } } } },
    ],
  ])('apps are refused with %s as the invalid field of %j', async (field, wrong) => {
    const answer = await create(wrong);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
  });

  it('apps keep their requested permissions as declared, where absent is false', async () => {
    const schema = '0197A3C2-6F0E-7C11-9D53-1A2B3C4D5E6F';
    const { body } = await create({
      requested_permissions: {
        tags: { read: true, write: true, delete: false },
        files: {},
        schemas: { read: { schema_ids: [schema, '__freeform__'] } },
      },
    });
    expect(body.requested_permissions).toEqual({
      tags: { ...NOTHING.tags, read: true, write: true, delete: false },
      files: { read: false },
      schemas: {
        ...NOTHING.schemas,
        read: { schema_ids: [schema.toLowerCase(), '__freeform__'], allow_all: false },
      },
    });
  });

  it('apps are listed to their developer, oldest first, in pages', async () => {
    const developer = await world.user();
    const names = ['one', 'two', 'three'];
    for (const name of names) await developer.post('/apps', { name, requested_permissions: {} });
    const all = await developer.get('/apps');
    expect(all.body).toMatchObject({ total: 3, limit: 20, offset: 0 });
    expect(all.body.apps.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(all.text).not.toContain('api_key');
    const page = await developer.get('/apps?limit=1&offset=1');
    expect(page.body).toMatchObject({ total: 3, limit: 1, offset: 1, apps: [{ name: 'two' }] });
    expect((await developer.get('/apps?limit=1000')).body.limit).toBe(100);
    expect((await developer.get('/apps?limit=0')).status).toBe(400);
    expect((await other.get('/apps')).body).toMatchObject({ apps: [], total: 0 });
  });

  it('apps are changed by their developer, where null clears and absent keeps', async () => {
    const { body: created } = await create({
      description: 'old',
      homepage_url: 'https://old.example.org',
      redirect_uris: ['https://a.example.org/'],
    });
    const app = { ...created, api_key: undefined };
    const answer = await dev.patch(`/apps/${app.id}`, {
      name: 'New',
      description: null,
      requested_permissions: { tags: { read: true } },
      tier: 'enterprise',
      owner_id: other.id,
      id: other.id,
    });
    const expected = {
      ...app,
      name: 'New',
      description: null,
      requested_permissions: { ...NOTHING, tags: { ...NOTHING.tags, read: true } },
      updated_at: expect.stringMatching(ISO),
    };
    expect([answer.status, answer.body]).toEqual([200, expected]);
    expect((await dev.get(`/apps/${app.id}`)).body).toEqual(answer.body);
    expect((await dev.patch(`/apps/${app.id}`, {})).body).toEqual(answer.body);
    expect((await dev.patch(`/apps/${app.id}`, { name: null })).status).toBe(400);
  });

  it('apps see a change of themselves at the next request', async () => {
    const app = await world.app({ requested: {} });
    expect((await app.alone.get('/apps/current')).body.requested_permissions.tags.read).toBe(false);
    const owner = (await app.alone.get('/apps/current')).body.owner_id;
    const requestedPermissions = { ...NOTHING, tags: { ...NOTHING.tags, read: true } };
    await world.nest.get(Apps).update(app.id, { requestedPermissions }, CONFIRMED);
    const after = await app.alone.get('/apps/current');
    expect(after.body.requested_permissions.tags.read).toBe(true);
    expect(after.body.owner_id).toBe(owner);
  });

  it('apps are deactivated and activated by is_active: 403 for their keys meanwhile', async () => {
    const { body } = await create();
    const current = () => world.api.get('/apps/current', { headers: { 'X-API-Key': body.api_key } });
    expect((await current()).status).toBe(200);
    await dev.patch(`/apps/${body.id}`, { is_active: false });
    const off = await current();
    expect([off.status, off.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
    await dev.patch(`/apps/${body.id}`, { is_active: true });
    expect((await current()).status).toBe(200);
  });

  it('apps are deleted permanently, with their keys', async () => {
    const { body } = await create();
    const current = () => world.api.get('/apps/current', { headers: { 'X-API-Key': body.api_key } });
    expect((await current()).status).toBe(200);
    const deleted = await dev.delete(`/apps/${body.id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { message: expect.any(String), id: body.id }]);
    expect((await current()).status).toBe(401);
    expect((await dev.get(`/apps/${body.id}`)).status).toBe(404);
    expect((await dev.delete(`/apps/${body.id}`)).status).toBe(404);
    expect((await dev.post(`/apps/${body.id}/keys`, {})).status).toBe(404);
    expect((await dev.get('/apps?limit=100')).text).not.toContain(body.id);
  });

  it('apps are deleted once, also by many concurrent requests', async () => {
    const { body } = await create();
    const answers = await Promise.all(Array.from({ length: 5 }, () => dev.delete(`/apps/${body.id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it('apps are 404 to other developers, byte for byte as if absent, before the body is read', async () => {
    const { body } = await create();
    const shape = ({
      status,
      body: { error },
    }: {
      status: number;
      body: { error: Record<string, unknown> };
    }) => ({
      status,
      ...error,
      request_id: '',
    });
    for (const [method, tail] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/keys'],
      ['POST', '/keys'],
    ] as const) {
      const sent = method === 'GET' || method === 'DELETE' ? undefined : '{not json';
      const foreign = await other.send(method, `/apps/${body.id}${tail}`, sent);
      const absent = await other.send(method, `/apps/0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f${tail}`, sent);
      const malformed = await other.send(method, `/apps/nonsense${tail}`, sent);
      expect(foreign.body.error.code).toBe('NOT_FOUND');
      expect([shape(foreign), shape(malformed)]).toEqual([shape(absent), shape(absent)]);
    }
    expect((await dev.get(`/apps/${body.id}`)).body.name).toBe('App');
  });

  it('apps are managed by users only', async () => {
    const app = await world.app();
    for (const [method, path] of [
      ['GET', '/apps'],
      ['POST', '/apps'],
      ['GET', `/apps/${app.id}`],
      ['DELETE', `/apps/${app.id}`],
    ] as const) {
      const byKey = await app.alone.send(method, path);
      expect([byKey.status, byKey.body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
      expect((await world.api.send(method, path)).status).toBe(401);
    }
  });
});

describe('tiers (rule 1.13)', () => {
  it('the tier of an app is DEFAULT_TIER until it is changed by the operator', async () => {
    const world = await World.startHere({ DEFAULT_TIER: 'pro' });
    try {
      const user = await world.user();
      const app = await world.app();
      expect((await user.get('/auth/me')).body.tier).toBe('pro');
      expect((await app.alone.get('/apps/current')).body.tier).toBe('pro');
      await world.nest.get(Users).setTier(user.id, 'enterprise');
      await world.nest.get(Apps).setTier(app.id, 'free');
      expect((await user.get('/auth/me')).body.tier).toBe('enterprise');
      expect((await app.alone.get('/apps/current')).body.tier).toBe('free');
      for (const nobody of ['nonsense', '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f']) {
        await expect(world.nest.get(Users).setTier(nobody, 'free')).rejects.toMatchObject({
          code: 'NOT_FOUND',
        });
        await expect(world.nest.get(Apps).setTier(nobody, 'free')).rejects.toMatchObject({
          code: 'NOT_FOUND',
        });
      }
    } finally {
      await world.stop();
    }
  });
});
