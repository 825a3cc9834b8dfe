import { randomUUID } from 'node:crypto';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { carriesAnyOf } from '../../src/privacy/index.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

const everything = { tag_ids: [], allow_all: true };
const READING = {
  tag_permissions: { read: everything },
  schema_permissions: { read: { schema_ids: [], allow_all: true } },
};
const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

let world: World;
let alice: TestUser;

withAlice((met) => ({ world, alice } = met));

/** Stores rules beyond the bounds, as an earlier release did. */
const store = (profileId: string, field: string, value: unknown): Promise<void> =>
  world.nest.get(UnitOfWork).run(async () => {
    await world.nest.get(Database).write(sql`UPDATE exposure_profiles
      SET rules = jsonb_set(rules, ARRAY[${field}], ${JSON.stringify(value)}::jsonb) WHERE id = ${profileId}`);
    await world.nest
      .get(Database)
      .write(sql`UPDATE sequences SET policy = policy + 1 WHERE id = ${alice.id}`);
  });

describe('sizes', () => {
  it.each([
    ['transformations', Array.from({ length: 21 }, () => 'round_date'), 'at most 20 entries, not 21'],
    [
      'redactions',
      Array.from({ length: 5 }, () => 'pii_redaction'),
      'at most 4 of type pii_redaction, not 5',
    ],
    [
      'entries of a list in a config',
      [{ type: 'field_mask', config: { paths: Array.from({ length: 101 }, (_, i) => `metadata.k${i}`) } }],
      'paths must have at most 100 entries',
    ],
    [
      'entries of a list in apply_to',
      [{ type: 'round_date', apply_to: { node_types: Array.from({ length: 101 }, (_, i) => `type ${i}`) } }],
      'node_types must have at most 100 entries',
    ],
  ])('%s beyond them are refused with the number', async (_what, transformations, message) => {
    const { status, body } = await alice.post('/exposure-profiles', { name: 'Much', transformations });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'INVALID_TRANSFORMATION' });
    expect(body.error.message).toContain(message);
  });

  it.each([
    ['excluded_tag_ids', { excluded_tag_ids: ids(1_001) }],
    ['allowed_node_ids', { allowed_node_ids: ids(1_001) }],
    ['tag_permissions.read.tag_ids', { tag_permissions: { read: { tag_ids: ids(1_001) } } }],
  ])('a list of 1,001 entries in %s is refused with the number', async (field, rules) => {
    const { status, body } = await alice.post('/exposure-profiles', { name: 'Long', ...rules });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(body.error.details).toContainEqual({ field, message: 'must have at most 1000 entries' });
  });

  it('lists of more than 256 KiB in all are refused with the longest field, and longer ones of an earlier release may shrink', async () => {
    const types = Array.from({ length: 1_000 }, (_, number) => `${number}${'x'.repeat(190)}`);
    const made = await alice.post('/exposure-profiles', { name: 'Many', excluded_node_types: types });
    expect(made.status).toBe(201);
    const path = `/exposure-profiles/${made.body.id}`;
    const refused = await alice.put(path, { allowed_node_types: types.slice(0, 999) });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.error.details).toEqual([
      { field: 'excluded_node_types', message: expect.stringContaining('at most 262144') },
    ]);
    expect((await alice.get(path)).body.version).toBe(1);
    await store(made.body.id, 'allowed_node_types', types);
    expect((await alice.put(path, { name: 'Renamed' })).status).toBe(200);
    expect((await alice.put(path, { excluded_tag_ids: ids(1) })).status).toBe(400);
    const fewer = { allowed_node_types: types.slice(0, 900), max_detail_level: 'minimal' };
    expect((await alice.put(path, fewer)).status).toBe(200);
  });

  it('the bounds of a profile do not end what an earlier release stored: it works, and other fields can be changed', async () => {
    const app = await world.app({
      requested: { tags: { read: true }, schemas: { read: { schema_ids: [], allow_all: true } } },
    });
    const { profile } = await alice.authorizes(app, READING);
    const { body: secret } = await alice.post('/tags', { name: 'secret' });
    const made = [
      await alice.post('/nodes', {
        title: 'Shown',
        node_type: 'note',
        value: 'jane@example.com',
        tags: ['open'],
      }),
      await alice.post('/nodes', { title: 'Hidden', node_type: 'note', tags: ['secret'] }),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201]);
    await store(profile.id, 'excluded_tag_ids', [...ids(10_000), secret.id]);
    await store(
      profile.id,
      'transformations',
      Array.from({ length: 50 }, () => ({ type: 'pii_redaction' })),
    );

    const { body } = await app.as(alice).get('/nodes');
    expect(body.nodes).toMatchObject([{ title: 'Shown', value: '[REDACTED:email]' }]);
    expect(body.total).toBe(1);
    const renamed = await alice.put(`/exposure-profiles/${profile.id}`, { name: 'Renamed' });
    expect(renamed.status).toBe(200);
    expect(renamed.body.excluded_tag_ids).toHaveLength(10_001);
    const again = await alice.put(`/exposure-profiles/${profile.id}`, {
      transformations: renamed.body.transformations,
    });
    expect(again.status).toBe(400);
  });
});

describe('matching', () => {
  it.each(['force_generic_plan', 'force_custom_plan'])(
    'a long list in a rule is hashed once for a statement under %s',
    async (mode) => {
      const asked = sql`SELECT count(*) FROM nodes AS n WHERE NOT ${carriesAnyOf(sql.raw('n.tag_ids'), ids(1_000))}`;
      const plan = await world.nest.get(UnitOfWork).run(async () => {
        await world.nest.get(Database).write(sql`SET LOCAL plan_cache_mode = ${sql.raw(mode)}`);
        return world.nest.get(Database).read<{ 'QUERY PLAN': string }>(sql`EXPLAIN ${asked}`);
      });
      expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('hashed SubPlan');
    },
  );
});
