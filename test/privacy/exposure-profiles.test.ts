import { parse } from 'yaml';
import { type Client } from '../support/client.js';
import { World, type TestUser } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

const UNKNOWN = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const ENTITY_SCHEMA = '00000000-0000-7000-8000-000000000004';
const none = { tag_ids: [], allow_all: false };
const noSchemas = { schema_ids: [], allow_all: false };

let world: World;
let alice: TestUser;

withAlice(
  (met) => ({ world, alice } = met),
  () => World.start(),
);

const tagOf = async (user: Client, name: string): Promise<string> => {
  const { status, body } = await user.post('/tags', { name });
  expect(status).toBe(201);
  return body.id;
};
const nodeOf = async (user: Client, title: string, tags: string[] = []): Promise<string> => {
  const { status, body } = await user.post('/nodes', { title, node_type: 'note', tags });
  expect(status).toBe(201);
  return body.id;
};
const profileOf = async (user: Client, body: object) => {
  const answer = await user.post('/exposure-profiles', { name: `p${world.number()}`, ...body });
  expect(answer.status).toBe(201);
  return answer.body;
};

describe('creating an exposure profile', () => {
  it('a profile with a name only exposes nothing (rule 3.13)', async () => {
    const { status, body } = await alice.post('/exposure-profiles', { name: ' Work ' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Work',
      description: null,
      owner_id: alice.id,
      is_default: false,
      is_active: true,
      tag_permissions: { discover: none, read: none, propose: none, edit: none, create: none },
      schema_permissions: { read: noSchemas, write: noSchemas },
      tag_filters: { include_all: [], include_any: [], exclude_any: [] },
      tag_expression: null,
      allowed_tag_ids: [],
      excluded_tag_ids: [],
      allowed_tags_logic: 'OR',
      allowed_node_ids: [],
      allowed_node_types: [],
      excluded_node_types: [],
      date_range_start: null,
      date_range_end: null,
      transformations: [],
      max_detail_level: 'full',
      version: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it('keeps every field as it was written', async () => {
    const [work, home] = [await tagOf(alice, 'work'), await tagOf(alice, 'home')];
    const node = await nodeOf(alice, 'plan');
    const written = {
      name: 'Everything at once',
      description: 'all fields',
      is_active: false,
      tag_permissions: {
        discover: { tag_ids: [], allow_all: true },
        read: { tag_ids: [work, home], allow_all: false },
        propose: { tag_ids: [work], allow_all: false, allow_new: true },
        edit: { tag_ids: [work], allow_all: false, allow_new: false },
        create: { tag_ids: [home], allow_all: false, allow_new: true },
        delete: { tag_ids: [home], allow_all: false },
      },
      schema_permissions: {
        read: { schema_ids: ['__freeform__', ENTITY_SCHEMA], allow_all: false },
        write: { schema_ids: [], allow_all: true },
      },
      tag_filters: { include_all: ['work'], include_any: ['Home', 'nowhere'], exclude_any: ['secret'] },
      tag_expression: {
        op: 'AND',
        conditions: [{ tag: 'work' }, { op: 'OR', conditions: [{ tag: 'other' }] }],
      },
      allowed_tag_ids: [work],
      excluded_tag_ids: [home],
      allowed_tags_logic: 'AND',
      allowed_node_ids: [node],
      allowed_node_types: ['note'],
      excluded_node_types: ['GOAL'],
      date_range_start: '2024-01-01T00:00:00.000Z',
      date_range_end: '2025-01-01T00:00:00.000Z',
      transformations: [{ type: 'pii_redaction', config: { entities: ['email'] } }],
      max_detail_level: 'summary',
    };
    const { status, body } = await alice.post('/exposure-profiles', written);
    expect(status).toBe(201);
    // Names are shown as the tags bear them now.
    const shown = { ...written, tag_filters: { ...written.tag_filters, include_any: ['home', 'nowhere'] } };
    expect(body).toMatchObject(shown);
    expect((await alice.get(`/exposure-profiles/${body.id}`)).body).toMatchObject(shown);
  });

  it('takes a bare string for a transformation, operators in any case, and ids in upper case', async () => {
    const work = await tagOf(alice, 'work');
    const body = await profileOf(alice, {
      transformations: ['pii_redaction'],
      tag_expression: { op: 'or', conditions: [] },
      allowed_tag_ids: [work.toUpperCase(), work],
    });
    expect(body.transformations).toEqual([{ type: 'pii_redaction' }]);
    expect(body.tag_expression).toEqual({ op: 'OR', conditions: [] });
    expect(body.allowed_tag_ids).toEqual([work]);
  });

  it.each([
    ['no name', { name: undefined }],
    ['an empty name', { name: '  ' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
    ['a name that is null', { name: null }],
    ['permissions that are null', { tag_permissions: null }],
    ['permissions that are a list', { tag_permissions: [] }],
    ['a permission that is true', { tag_permissions: { read: true } }],
    ['allow_all that is a text', { tag_permissions: { read: { allow_all: 'true' } } }],
    ['tag_ids that are no list', { tag_permissions: { read: { tag_ids: 'all' } } }],
    ['schema ids that are numbers', { schema_permissions: { read: { schema_ids: [1] } } }],
    ['an empty tag name', { tag_filters: { exclude_any: [''] } }],
    ['a blank tag name', { tag_filters: { exclude_any: [' '] } }],
    ['a tag name of 101 characters', { tag_filters: { include_any: ['x'.repeat(101)] } }],
    [
      'NUL in a transformation',
      { transformations: [{ type: 'pii_redaction', config: { replacement: 'a\0' } }] },
    ],
    ['an unknown logic', { allowed_tags_logic: 'XOR' }],
    ['an unknown detail level', { max_detail_level: 'everything' }],
    ['a date that is none', { date_range_start: '2024-02-30' }],
    ['a range that ends first', { date_range_start: '2024-02-02', date_range_end: '2024-02-01' }],
    ['an expression that is a list', { tag_expression: [] }],
    ['an expression that is a leaf', { tag_expression: { tag: 'x' } }],
    ['an unknown operator', { tag_expression: { op: 'NOT', conditions: [] } }],
    ['no conditions', { tag_expression: { op: 'AND' } }],
    ['a condition that is a text', { tag_expression: { op: 'AND', conditions: ['work'] } }],
    ['a leaf that is a number', { tag_expression: { op: 'AND', conditions: [{ tag: 1 }] } }],
    ['a key that nobody knows', { tag_expression: { op: 'AND', conditions: [{ tag: 'x', not: true }] } }],
  ])('a new exposure profile is refused with %s: 400', async (_, fields) => {
    const { status, body } = await alice.post('/exposure-profiles', { name: 'Name', ...fields });
    expect(status).toBe(400);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    expect((await alice.get('/exposure-profiles')).body.total).toBe(0);
  });

  it('refuses an unknown transformation: 400 INVALID_TRANSFORMATION (rule 3.15)', async () => {
    const { status, body } = await alice.post('/exposure-profiles', {
      name: 'x',
      transformations: ['encrypt'],
    });
    expect([status, body.error.code]).toEqual([400, 'INVALID_TRANSFORMATION']);
  });

  it('takes expressions of 10 operators and 200 leaves, and no more (rule 3.12)', async () => {
    const deep = (operators: number): object => ({
      op: 'AND',
      conditions: operators > 1 ? [deep(operators - 1)] : [{ tag: 'x' }],
    });
    const wide = (leaves: number) => ({
      op: 'OR',
      conditions: Array.from({ length: leaves }, (_, i) => ({ tag: `t${i}` })),
    });
    const write = async (tag_expression: object) =>
      (await alice.post('/exposure-profiles', { name: `e${world.number()}`, tag_expression })).status;
    expect([await write(deep(10)), await write(deep(11))]).toEqual([201, 400]);
    expect([await write(wide(200)), await write(wide(201))]).toEqual([201, 400]);
  });

  it('answers 404 for unknown, foreign and malformed ids alike (rule 3.18)', async () => {
    const bob = await world.user();
    const foreign = await tagOf(bob, 'work');
    const foreignNode = await nodeOf(bob, 'plan');
    const refusals = async (field: (id: string) => object, ids: string[]) => {
      const answers = await Promise.all(
        ids.map((id) => alice.post('/exposure-profiles', { name: 'x', ...field(id) })),
      );
      return new Set(answers.map(({ status, body }) => `${status} ${body.error.code} ${body.error.message}`));
    };
    const read = (id: string) => ({ tag_permissions: { read: { tag_ids: [id] } } });
    const LONG = 'x'.repeat(1000);
    const tags = [UNKNOWN, foreign, 'no-id', LONG];
    expect([...(await refusals(read, tags))]).toEqual(['404 NOT_FOUND Tag not found']);
    expect([...(await refusals((id) => ({ allowed_tag_ids: [id] }), tags))]).toEqual([
      '404 NOT_FOUND Tag not found',
    ]);
    expect([...(await refusals((id) => ({ excluded_tag_ids: [id] }), tags))]).toEqual([
      '404 NOT_FOUND Tag not found',
    ]);
    const transforming = (id: string) => ({
      transformations: [{ type: 'pii_redaction', apply_to: { tag_ids: [id] } }],
    });
    expect([...(await refusals(transforming, tags))]).toEqual(['404 NOT_FOUND Tag not found']);
    const nodes = [UNKNOWN, foreignNode, 'no-id', LONG];
    expect([...(await refusals((id) => ({ allowed_node_ids: [id] }), nodes))]).toEqual([
      '404 NODE_NOT_FOUND Node not found',
    ]);
    const schema = (id: string) => ({ schema_permissions: { read: { schema_ids: [id] } } });
    expect([...(await refusals(schema, [UNKNOWN, foreign, 'no-id', LONG, 'system:Entity']))]).toEqual([
      '404 NOT_FOUND Schema not found',
    ]);
  });

  it('refuses a name that is taken, whatever its case: 409; other owners have their own', async () => {
    await profileOf(alice, { name: 'Straße' });
    const again = await alice.post('/exposure-profiles', { name: ' STRASSE ' });
    expect([again.status, again.body.error.code]).toEqual([409, 'PROFILE_NAME_EXISTS']);
    await profileOf(await world.user(), { name: 'Straße' });
  });

  it('lets one of many win who create the same name at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => alice.post('/exposure-profiles', { name: 'same' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect((await alice.get('/exposure-profiles')).body.total).toBe(1);
  });
});

describe('templates', () => {
  it('transparent grants everything, schemas and new tags included', async () => {
    const { status, body } = await alice.post('/exposure-profiles/from-template', {
      template: 'transparent',
      name: 'T',
    });
    expect(status).toBe(201);
    const { tag_permissions, schema_permissions, max_detail_level, is_default } = body;
    expect(Object.values(tag_permissions).every((one) => (one as { allow_all: boolean }).allow_all)).toBe(
      true,
    );
    expect(Object.keys(tag_permissions).sort()).toEqual([
      'create',
      'delete',
      'discover',
      'edit',
      'propose',
      'read',
    ]);
    expect(tag_permissions.create.allow_new && tag_permissions.propose.allow_new).toBe(true);
    expect(schema_permissions.read.allow_all && schema_permissions.write.allow_all).toBe(true);
    expect([max_detail_level, is_default]).toEqual(['full', false]);
  });

  it('restrictive lets tags be discovered and nothing else, at minimal detail', async () => {
    const { body } = await alice.post('/exposure-profiles/from-template', {
      template: 'restrictive',
      name: 'R',
    });
    expect(body).toMatchObject({
      tag_permissions: { discover: { allow_all: true }, read: none, propose: none, edit: none, create: none },
      schema_permissions: { read: noSchemas, write: noSchemas },
      max_detail_level: 'minimal',
      is_default: false,
    });
  });

  it.each([
    [400, 'VALIDATION_ERROR', { template: 'open', name: 'x' }],
    [400, 'VALIDATION_ERROR', { template: 'transparent' }],
    [400, 'VALIDATION_ERROR', { name: 'x' }],
  ])('an answer to a template is %d %s for %j', async (status, code, body) => {
    const answer = await alice.post('/exposure-profiles/from-template', body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
  });
});

describe('defaults', () => {
  it('the default profile is made from the transparent template when it is first asked for, once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => alice.get('/exposure-profiles/default')),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(answers[0]!.body).toMatchObject({
      is_default: true,
      tag_permissions: { read: { allow_all: true } },
    });
    expect((await alice.get('/exposure-profiles')).body.total).toBe(1);
  });

  it('the default profile finds a free name where the usual one is taken', async () => {
    await profileOf(alice, { name: 'default' });
    const { status, body } = await alice.get('/exposure-profiles/default');
    expect([status, body.is_default]).toEqual([200, true]);
  });

  it('the default profile is one: another that is made it takes its place', async () => {
    const first = (await alice.get('/exposure-profiles/default')).body;
    const second = await profileOf(alice, { is_default: true });
    expect((await alice.get('/exposure-profiles/default')).body.id).toBe(second.id);
    expect((await alice.get(`/exposure-profiles/${first.id}`)).body.is_default).toBe(false);
    await alice.put(`/exposure-profiles/${first.id}`, { is_default: true });
    expect((await alice.get('/exposure-profiles/default')).body.id).toBe(first.id);
    expect((await alice.get(`/exposure-profiles/${second.id}`)).body.is_default).toBe(false);
  });

  it('the default profile stays one when several are made it at once', async () => {
    const profiles = await Promise.all(Array.from({ length: 4 }, () => profileOf(alice, {})));
    const answers = await Promise.all(
      profiles.map(({ id }) => alice.put(`/exposure-profiles/${id}`, { is_default: true })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { exposure_profiles } = (await alice.get('/exposure-profiles')).body;
    expect(exposure_profiles.filter((profile: { is_default: boolean }) => profile.is_default)).toHaveLength(
      1,
    );
  });
});

describe('GET /exposure-profiles', () => {
  it('lists own profiles, oldest first, in pages', async () => {
    const made = [
      await profileOf(alice, {}),
      await profileOf(alice, { is_active: false }),
      await profileOf(alice, {}),
    ];
    await profileOf(await world.user(), {});
    const { status, body } = await alice.get('/exposure-profiles?limit=2');
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 3, limit: 2, offset: 0 });
    expect(body.exposure_profiles.map(({ id }: { id: string }) => id)).toEqual([made[0].id, made[1].id]);
    expect(body.exposure_profiles[0]).toEqual(made[0]);
    const rest = await alice.get('/exposure-profiles?limit=200&offset=2');
    expect(rest.body).toMatchObject({
      total: 3,
      limit: 100,
      offset: 2,
      exposure_profiles: [{ id: made[2].id }],
    });
    expect((await alice.get('/exposure-profiles?is_active=true')).body.total).toBe(2);
    expect((await alice.get('/exposure-profiles?is_active=false')).body.total).toBe(1);
  });

  it.each(['limit=0', 'limit=x', 'offset=-1', 'is_active=maybe', 'limit=1&limit=2'])(
    'reading refuses ?%s: 400',
    async (query) => {
      expect((await alice.get(`/exposure-profiles?${query}`)).status).toBe(400);
    },
  );

  it('adds yaml and tag names unless told otherwise', async () => {
    const work = await tagOf(alice, 'work');
    const { id } = await profileOf(alice, { description: "it's: #1\n- two", allowed_tag_ids: [work] });
    const { body } = await alice.get(`/exposure-profiles/${id}`);
    expect(body.tag_names).toEqual({ [work]: 'work' });
    const { yaml, ...fields } = body;
    delete fields.tag_names;
    expect(parse(yaml)).toEqual(fields);
    const bare = (await alice.get(`/exposure-profiles/${id}?include_yaml=false&resolve_tag_names=false`))
      .body;
    expect(bare).toEqual(fields);
    const file = await alice.get(`/exposure-profiles/${id}/yaml`);
    expect(file.headers['content-type']).toMatch(/^application\/yaml/);
    expect(file.text).toBe(yaml);
  });

  it('answers 404 for unknown, malformed and foreign ids alike, before the body is looked at', async () => {
    const { id } = await profileOf(await world.user(), {});
    for (const wrong of [id, UNKNOWN, 'no-id']) {
      const answers = await Promise.all([
        alice.get(`/exposure-profiles/${wrong}`),
        alice.get(`/exposure-profiles/${wrong}?include_yaml=maybe`),
        alice.get(`/exposure-profiles/${wrong}/yaml`),
        alice.put(`/exposure-profiles/${wrong}`, { name: 7 }),
        alice.put(`/exposure-profiles/${wrong}`, '{'),
        alice.delete(`/exposure-profiles/${wrong}`),
      ]);
      for (const { status, body } of answers) {
        expect([status, body.error.code, body.error.message]).toEqual([
          404,
          'NOT_FOUND',
          'Exposure profile not found',
        ]);
      }
    }
  });
});

describe('changing', () => {
  it('replaces the fields that are present as a whole and leaves the others', async () => {
    const { id, created_at } = await profileOf(alice, {
      description: 'old',
      tag_permissions: { discover: { allow_all: true }, read: { allow_all: true } },
      tag_filters: { include_any: ['a'], exclude_any: ['b'] },
      date_range_start: '2024-01-01',
      tag_expression: { op: 'AND', conditions: [] },
    });
    const { status, body } = await alice.put(`/exposure-profiles/${id}`, {
      tag_permissions: { read: { allow_all: true } },
      tag_filters: { exclude_any: ['c'] },
      tag_expression: null,
      date_range_start: null,
      is_active: false,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      description: 'old',
      created_at,
      is_active: false,
      tag_permissions: { discover: none, read: { tag_ids: [], allow_all: true } },
      tag_filters: { include_all: [], include_any: [], exclude_any: ['c'] },
      tag_expression: null,
      date_range_start: null,
    });
    expect((await alice.put(`/exposure-profiles/${id}`, { description: null })).body.description).toBeNull();
  });

  it('keeps its name against another profile, and may change the case of its own', async () => {
    const { id } = await profileOf(alice, { name: 'One' });
    await profileOf(alice, { name: 'Two' });
    const taken = await alice.put(`/exposure-profiles/${id}`, { name: 'TWO' });
    expect([taken.status, taken.body.error.code]).toEqual([409, 'PROFILE_NAME_EXISTS']);
    expect((await alice.put(`/exposure-profiles/${id}`, { name: 'ONE' })).body.name).toBe('ONE');
  });

  it('checks the whole range of dates when only one end is sent', async () => {
    const { id } = await profileOf(alice, { date_range_start: '2024-01-01' });
    expect((await alice.put(`/exposure-profiles/${id}`, { date_range_end: '2023-01-01' })).status).toBe(400);
    expect((await alice.put(`/exposure-profiles/${id}`, { date_range_end: '2024-01-01' })).status).toBe(200);
  });

  it('takes back what it has shown, also when a tag or node in it is deleted meanwhile', async () => {
    const work = await tagOf(alice, 'work');
    const node = await nodeOf(alice, 'plan');
    const { id } = await profileOf(alice, {
      tag_permissions: { read: { tag_ids: [work] } },
      excluded_tag_ids: [work],
      allowed_node_ids: [node],
    });
    await alice.delete(`/tags/${work}`);
    await alice.delete(`/nodes/${node}`);
    const shown = (await alice.get(`/exposure-profiles/${id}`)).body;
    const { status, body } = await alice.put(`/exposure-profiles/${id}`, shown);
    expect(status).toBe(200);
    expect(body.tag_permissions.read.tag_ids).toEqual([work]);
    const other = await alice.post('/exposure-profiles', { name: 'other', allowed_node_ids: [node] });
    expect([other.status, other.body.error.code]).toEqual([404, 'NODE_NOT_FOUND']);
  });

  it('a change of a profile that changes nothing leaves no trace', async () => {
    const { id, updated_at } = await profileOf(alice, { description: 'same' });
    const { body } = await alice.put(`/exposure-profiles/${id}`, { description: 'same' });
    expect(body.updated_at).toBe(updated_at);
  });
});

describe('deleting', () => {
  it('answers with the id, and the profile is gone', async () => {
    const { id } = await profileOf(alice, {});
    const { status, body } = await alice.delete(`/exposure-profiles/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ message: expect.any(String), id });
    expect((await alice.get(`/exposure-profiles/${id}`)).status).toBe(404);
  });

  it('the deletion of the default profile is refused: 409', async () => {
    const { id } = (await alice.get('/exposure-profiles/default')).body;
    const { status, body } = await alice.delete(`/exposure-profiles/${id}`);
    expect([status, body.error.code]).toEqual([409, 'DEFAULT_PROFILE']);
  });

  it('waits for its active authorizations to end; ended ones go with it', async () => {
    const app = await world.app();
    const { profile, authorization } = await alice.authorizes(app);
    const refused = await alice.delete(`/exposure-profiles/${profile.id}`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'ACTIVE_AUTHORIZATIONS']);
    await alice.delete(`/authorizations/${authorization.id}`);
    expect((await alice.delete(`/exposure-profiles/${profile.id}`)).status).toBe(200);
    expect((await alice.get(`/authorizations/${authorization.id}`)).status).toBe(404);
    expect((await alice.get('/authorizations')).body.total).toBe(0);
  });
});

describe('callers with keys', () => {
  it('apps cannot call these endpoints: 403 PERMISSION_DENIED (rule 1.11)', async () => {
    const { id } = await profileOf(alice, {});
    const app = await alice.lets(await world.app());
    const answers = await Promise.all([
      app.get('/exposure-profiles'),
      app.post('/exposure-profiles', { name: 'x' }),
      app.get('/exposure-profiles/default'),
      app.get(`/exposure-profiles/${id}`),
      app.get(`/exposure-profiles/${id}/yaml`),
      app.put(`/exposure-profiles/${id}`, { name: 'x' }),
      app.delete(`/exposure-profiles/${id}`),
      app.post('/exposure-profiles/from-template', { template: 'transparent', name: 'x' }),
    ]);
    for (const { status, body } of answers)
      expect([status, body.error.code]).toEqual([403, 'PERMISSION_DENIED']);
    expect((await world.api.get('/exposure-profiles')).status).toBe(401);
  });
});
