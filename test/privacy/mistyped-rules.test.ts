import { everything } from '../support/defaults.js';
import { type TestUser, World } from '../support/world.js';

const verb = { tag_ids: [], allow_all: true };
const filters = { include_any: ['work'] };

/** A rule with one key that means nothing, and the field that the refusal must name. */
const MISTYPED: [field: string, rules: object][] = [
  ['tag_filter', { tag_filter: filters }],
  ['max_detail', { max_detail: 'minimal' }],
  ['tag_filters.exclude_all', { tag_filters: { exclude_all: ['private'] } }],
  ['tag_permissions.reed', { tag_permissions: { reed: verb } }],
  ['tag_permissions.read.tags', { tag_permissions: { read: { ...verb, tags: ['x'] } } }],
  ['tag_permissions.create.new', { tag_permissions: { create: { ...verb, new: false } } }],
  ['schema_permissions.delete', { schema_permissions: { delete: { schema_ids: [] } } }],
  ['schema_permissions.read.schemas', { schema_permissions: { read: { schemas: [], allow_all: true } } }],
  ['tag_expression.condition', { tag_expression: { op: 'AND', conditions: [], condition: [] } }],
  [
    'tag_expression.conditions.0.not',
    { tag_expression: { op: 'AND', conditions: [{ tag: 'work', not: true }] } },
  ],
];
const READ_ONLY = {
  id: 'x',
  owner_id: 'x',
  version: 7,
  created_at: 'x',
  updated_at: 'x',
  yaml: 'x',
  tag_names: { x: 'x' },
};

describe('a mistyped rule is refused, never passed over', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
  });
  afterAll(() => world.stop());

  const refusal = (...fields: string[]) => ({
    status: 400,
    body: {
      error: {
        code: 'VALIDATION_ERROR',
        details: fields.map((field) => ({ field, message: expect.stringMatching(/^is not a known field/) })),
      },
    },
  });

  it.each(MISTYPED)('%s in a profile, made, changed or customized', async (field, rules) => {
    const { profile } = await alice.authorizes(await world.app());
    const name = `mistyped ${field}`;
    expect(await alice.post('/exposure-profiles', { name, ...rules })).toMatchObject(refusal(field));
    expect(await alice.put(`/exposure-profiles/${profile.id}`, rules)).toMatchObject(refusal(field));
    const { id: app_id } = await world.app();
    const approval = {
      app_id,
      exposure_profile_id: profile.id,
      save_mode: 'overwrite',
      customizations: rules,
    };
    const below = field.startsWith('tag_expression') ? field : `customizations.${field}`;
    expect(await alice.post('/authorizations', approval)).toMatchObject(refusal(below));
    const { body } = await alice.get(`/exposure-profiles/${profile.id}`);
    expect(body.updated_at).toBe(profile.updated_at);
  });

  it('every mistyped key is named', async () => {
    const body = { name: 'two', tag_filters: { any: [] }, tag_permissions: { write: verb } };
    expect(await alice.post('/exposure-profiles', body)).toMatchObject(
      refusal('tag_filters.any', 'tag_permissions.write'),
    );
  });

  it('a transformation with a key that is not known is refused', async () => {
    const rules = {
      name: 'masked',
      transformations: [{ type: 'truncate', config: { field: 'title', maximum: 3 } }],
    };
    const { status, body } = await alice.post('/exposure-profiles', rules);
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'INVALID_TRANSFORMATION' });
    expect(body.error.details).toContainEqual({
      field: 'transformations[0].config.maximum',
      message: 'is unknown for truncate',
    });
  });

  it('a profile is written back as it was read: what is not for the caller to set is ignored', async () => {
    const { body: made } = await alice.post('/exposure-profiles', { name: 'round trip', ...READ_ONLY });
    expect(made).toMatchObject({ name: 'round trip', owner_id: alice.id });
    const path = `/exposure-profiles/${made.id}`;
    const { body: read } = await alice.get(path);
    const { body: written } = await alice.put(path, read);
    expect(written).toEqual({ ...made, updated_at: expect.any(String) });
  });

  it.each([
    ['requested_permissions.tag', { tag: { read: true } }],
    ['requested_permissions.tags.reads', { tags: { reads: true } }],
    ['requested_permissions.schemas.read.all', { schemas: { read: { all: true } } }],
    ['requested_permissions.files.write', { files: { write: true } }],
  ])('%s in what an app asks for', async (field, requested_permissions) => {
    const asked = { name: 'app', requested_permissions };
    expect(await alice.post('/apps', asked)).toMatchObject(refusal(field));
    const { body } = await alice.post('/apps', { name: 'app', requested_permissions: everything });
    expect(await alice.patch(`/apps/${body.id}`, { requested_permissions })).toMatchObject(refusal(field));
  });
});
