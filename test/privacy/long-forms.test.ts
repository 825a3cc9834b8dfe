import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { type TestUser, type World } from '../support/world.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { withAlice } from '../support/worlds/with-world.js';

/** Six of these letters are 108 in their compatibility form (NFKC); five are 90. */
const LONG_LETTER = '\ufdfa';
const LONG = LONG_LETTER.repeat(6);
const SHORT = LONG_LETTER.repeat(5);
const REFUSED = [400, 'VALIDATION_ERROR'];
const saying = (most: number, field: string) => [
  { field, message: expect.stringContaining(`at most ${most} characters`) },
];

describe('names that are long in their compatibility form', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));

  /** A tag of a name that an earlier release accepted. */
  const former = async (name: string): Promise<string> => {
    const { body } = await alice.post('/tags', { name: `${name.slice(0, 5)}!` });
    await world.nest.get(UnitOfWork).run(async () => {
      const database = world.nest.get(Database);
      await database.write(sql`UPDATE tags SET name = ${name}, name_key = ${name} WHERE id = ${body.id}`);
      await database.write(sql`UPDATE sequences SET policy = policy + 1 WHERE id = ${alice.id}`);
    });
    return body.id as string;
  };

  it('a new tag of such a name is refused with the number, wherever it is named (rule 4.14a)', async () => {
    const made = await alice.post('/tags', { name: LONG });
    expect(codeOf(made)).toEqual(REFUSED);
    expect(made.body.error.details).toEqual(saying(100, 'name'));
    const { body: tag } = await alice.post('/tags', { name: SHORT });
    expect(codeOf(await alice.put(`/tags/${tag.id}`, { name: LONG }))).toEqual(REFUSED);
    const tagged = await alice.post('/nodes', { title: 'n', node_type: 'n', tags: [LONG] });
    expect(codeOf(tagged)).toEqual(REFUSED);
    expect(tagged.body.error.details).toEqual(saying(100, 'tags'));
  });

  it('a stored tag of such a name stays, on nodes and in rules', async () => {
    const id = await former(LONG);
    const renamed = await alice.put(`/tags/${id}`, { name: LONG, color: '#112233' });
    expect([renamed.status, renamed.body.name]).toEqual([200, LONG]);
    expect((await node(alice, { tags: [LONG] })).tags).toEqual([LONG]);
    const rules = { tag_filters: { include_all: [], include_any: [], exclude_any: [LONG] } };
    const { status, body } = await alice.post('/exposure-profiles', { name: 'Stored', ...rules });
    expect([status, body.tag_filters.exclude_any]).toEqual([201, [LONG]]);
  });

  it('a new node type of such a form is refused with the number (rule 4.13a)', async () => {
    const made = await alice.post('/nodes', { title: 'n', node_type: LONG_LETTER.repeat(15) });
    expect(codeOf(made)).toEqual(REFUSED);
    expect(made.body.error.details).toEqual(saying(255, 'node_type'));
    expect((await node(alice, { node_type: LONG_LETTER.repeat(14) })).node_type).toHaveLength(14);
  });

  it.each([
    ['tag_filters.include_any', 100, { tag_filters: { include_any: [LONG] } }],
    ['tag_filters.exclude_any', 100, { tag_filters: { exclude_any: [LONG] } }],
    ['tag_expression', 100, { tag_expression: { op: 'AND', conditions: [{ tag: LONG }] } }],
    ['allowed_node_types', 200, { allowed_node_types: [LONG_LETTER.repeat(12)] }],
    ['excluded_node_types', 200, { excluded_node_types: [LONG_LETTER.repeat(12)] }],
  ])('a rule with such a name in %s is refused with the number %i', async (field, most, rules) => {
    const { body, ...answer } = await alice.post('/exposure-profiles', { name: 'Long', ...rules });
    expect(codeOf({ body, ...answer })).toEqual(REFUSED);
    expect(body.error.details).toEqual(saying(most, field));
  });

  it.each([
    ['config', 500, { config: { paths: [`metadata.${LONG_LETTER.repeat(28)}`] } }],
    ['apply_to', 200, { config: { paths: ['title'] }, apply_to: { node_types: [LONG_LETTER.repeat(12)] } }],
    [
      'apply_to',
      500,
      { config: { paths: ['title'] }, apply_to: { fields: [`metadata.${LONG_LETTER.repeat(28)}`] } },
    ],
  ])(
    'a mask with such a name in its %s is refused with the number %i (rule 3.15d)',
    async (_, most, parts) => {
      const transformations = ['round_date', { type: 'field_mask', ...parts }];
      const refused = await alice.post('/exposure-profiles', { name: 'Mask', transformations });
      expect(codeOf(refused)).toEqual([400, 'INVALID_TRANSFORMATION']);
      expect(refused.body.error.details).toEqual(saying(most, 'transformations[1]'));
    },
  );

  it('stored rules with such names are saved again, and take no further ones', async () => {
    const { body: profile } = await alice.post('/exposure-profiles', { name: 'Former' });
    const types = JSON.stringify([LONG_LETTER.repeat(12)]);
    await world.nest.get(UnitOfWork).run(() =>
      world.nest.get(Database).write(sql`UPDATE exposure_profiles
        SET rules = jsonb_set(rules, '{excluded_node_types}', ${types}::jsonb) WHERE id = ${profile.id}`),
    );
    const path = `/exposure-profiles/${profile.id}`;
    const again = { excluded_node_types: [LONG_LETTER.repeat(12), 'more'], max_detail_level: 'minimal' };
    expect((await alice.put(path, again)).status).toBe(200);
    const further = { excluded_node_types: [LONG_LETTER.repeat(12), LONG_LETTER.repeat(13)] };
    expect(codeOf(await alice.put(path, further))).toEqual(REFUSED);
  });
});
