import { Chance, seedOf } from '../properties/random.js';
import { type Answer } from '../support/client.js';
import { someTags } from '../support/defaults.js';
import { codeOf, node, profile, tagId } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';

const ABSENT = '00000000-0000-4000-8000-000000000000';
const TAGS = ['work', 'private', 'team'];
const MASKS = [
  'pii_redaction',
  { type: 'field_mask', config: { paths: ['title'], strategy: 'last4' } },
  { type: 'field_mask', config: { paths: ['value'], strategy: 'hash' } },
  { type: 'truncate', config: { field: 'value', max: 5 } },
];

describe('POST /exposure-profiles/preview', () => {
  let world: World;
  let alice: TestUser;
  const tags: string[] = [];
  const nodes: string[] = [];

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user();
    for (const name of TAGS) tags.push(await tagId(alice, name));
    const chance = new Chance(seedOf('nodes of drafts'));
    for (let number = 0; number < 12; number++) {
      const made = await node(alice, {
        title: `node ${number}`,
        value: `jane${number}@example.org ${'long '.repeat(60)}`,
        node_type: chance.pick(['note', 'DIARY']),
        tags: chance.some(TAGS, 2),
      });
      nodes.push(made.id);
    }
  });
  afterAll(() => world.stop());

  const draft = (rules: object, body: object = {}): Promise<Answer> =>
    alice.post('/exposure-profiles/preview', { profile: rules, ...body });

  function anyRules(chance: Chance): Record<string, unknown> {
    const grant = () => (chance.once(3) ? 'all' : chance.some(tags, 2));
    return profile(
      { discover: grant(), read: grant(), edit: grant(), delete: grant() },
      {
        allowed_node_ids: chance.once(2) ? chance.some(nodes, 3) : [],
        excluded_tag_ids: chance.once(4) ? chance.some(tags, 1) : [],
        excluded_node_types: chance.once(4) ? ['DIARY'] : [],
        tag_filters: chance.once(3) ? { include_any: chance.some([...TAGS, 'gone'], 2) } : {},
        max_detail_level: chance.pick(['full', 'summary', 'minimal']),
        transformations: chance.some(MASKS, 2),
        is_active: !chance.once(8),
      },
    );
  }

  it('an unsaved profile and its saved twin have equal previews, byte for byte', async () => {
    const chance = new Chance(seedOf('drafts'));
    const app = await world.app();
    const other = (await alice.post('/exposure-profiles', { name: 'other', ...profile({ read: 'all' }) }))
      .body;
    let shown = 0;
    for (let round = 0; round < 25; round++) {
      const rules = anyRules(chance);
      const body = {
        limit: chance.pick([3, 100]),
        offset: chance.pick([0, 2]),
        ...(chance.once(2) ? { app_id: app.id } : {}),
        ...(chance.once(2) ? { compare_to: other.id } : {}),
        ...(chance.once(3) ? { fields: ['title', 'value'] } : {}),
        ...(chance.once(3) ? { value_limit: 300 } : {}),
      };
      const before = await draft(rules, body);
      const { id } = (await alice.post('/exposure-profiles', { name: `saved ${round}`, ...rules })).body;
      const after = await alice.post(`/exposure-profiles/${id}/preview`, body);
      expect([before.status, after.status]).toEqual([200, 200]);
      expect(before.text.replace('"exposure_profile_id":null', `"exposure_profile_id":"${id}"`)).toBe(
        after.text,
      );
      shown += before.body.sample.nodes.length;
    }
    expect(shown).toBeGreaterThan(25);
  });

  it('a preview of an unsaved profile stores nothing', async () => {
    const rules = { name: 'Default', is_default: true, ...profile({ read: 'all' }) };
    const [profiles, me] = [await alice.get('/exposure-profiles?limit=100'), await alice.get('/auth/me')];
    expect((await draft(rules)).body).toMatchObject({ is_edited: false, counts: { nodes: 12, read: 12 } });
    expect((await alice.get('/exposure-profiles?limit=100')).text).toBe(profiles.text);
    expect((await alice.get('/auth/me')).body.quotas).toEqual(me.body.quotas);
  });

  it('rules without any grant show an app nothing', async () => {
    const { body } = await draft({});
    expect(body).toMatchObject({
      permissions: [],
      counts: { read: 0 },
      sample: { total: 0 },
      comparison: null,
    });
  });

  it('refuses what creating the profile would refuse, and a body without a profile', async () => {
    expect(codeOf(await draft({ tag_permissions: { read: someTags(ABSENT) } }))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await draft({ allowed_node_ids: [ABSENT] }))).toEqual([404, 'NODE_NOT_FOUND']);
    expect(codeOf(await draft({ transformations: ['magic'] }))).toEqual([400, 'INVALID_TRANSFORMATION']);
    expect(codeOf(await draft({ max_detail_level: 'all' }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await draft({ tag_permission: {} }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(codeOf(await alice.post('/exposure-profiles/preview', {}))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
