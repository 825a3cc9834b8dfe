import { describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { nodeTypeKey, typeFault } from '../../../src/privacy/domain/node-type.js';
import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile, titlesOf } from '../../support/worlds/nodes.js';

const ALIKE = ['DIARY', 'Diary', 'ｄｉａｒｙ', '𝐝𝐢𝐚𝐫𝐲', ' diary ', 'dıary', 'DİARY'];
const READS = { read: 'all', discover: 'all', edit: 'all' } as const;

describe('letter case (rule 3.5)', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));

  /** A node whose type is no longer accepted from writers. */
  const former = async (type: string) => {
    const made = await node(alice, { title: 'former', node_type: 'plain', tags: ['t'] });
    const database = world.nest.get(Database);
    await world.nest.get(UnitOfWork).run(async () => {
      await database.write(sql`UPDATE nodes SET node_type = ${type} WHERE id = ${made.id}`);
      await database.write(
        sql`UPDATE changes SET node_type = ${type}, snapshot = jsonb_set(snapshot, '{node_type}', to_jsonb(${type}::text))
          WHERE entity_id = ${made.id}`,
      );
    });
    // A change moves the counter under which totals are cached.
    await node(alice, { title: 'newest', node_type: 'plain', tags: ['t'] });
    return made.id as string;
  };
  const isHidden = async (app: Client, id: string) => {
    for (const path of ['', '/history', '/relationships'])
      expect((await app.get(`/nodes/${id}${path}`)).status).toBe(404);
    for (const path of ['/nodes?limit=100', '/nodes?search=secret', '/sync']) {
      const { status, text } = await app.get(path);
      expect(status).toBe(200);
      expect(text).not.toContain(id);
    }
  };

  it.each(ALIKE)('an exclusion of diary hides the alike type %j, too', async (type) => {
    const app = await letsIn(world, alice, profile(READS, { excluded_node_types: ['diary'] }));
    await node(alice, { title: 'open' });
    expect((await app.get('/nodes')).body.total).toBe(1);
    const { id } = await node(alice, { title: 'secret', node_type: type });
    await node(alice, { title: 'open too' });
    await isHidden(app, id);
    expect((await app.get('/nodes')).body.total).toBe(2);
    expect((await app.get('/nodes/count')).body.count).toBe(2);
    const reversed = await letsIn(world, alice, profile(READS, { excluded_node_types: [type] }));
    const { id: plain } = await node(alice, { title: 'secret', node_type: 'diary' });
    await isHidden(reversed, plain);
  });

  it.each(ALIKE)('a mask for diary applies to the alike type %j, too', async (type) => {
    const mask = { type: 'field_mask', config: { paths: ['value'] }, apply_to: { node_types: ['diary'] } };
    const app = await letsIn(world, alice, profile(READS, { transformations: [mask] }));
    const { id } = await node(alice, { value: 'secret', node_type: type });
    expect((await app.get(`/nodes/${id}`)).text).not.toContain('secret');
    expect((await app.get('/nodes?search=secret')).body.total).toBe(0);
    expect((await app.get(`/nodes/${id}/history?include_snapshots=true`)).text).not.toContain('secret');
  });

  it('a mask stays when an app spells the type in another way', async () => {
    const mask = { type: 'field_mask', config: { paths: ['value'] }, apply_to: { node_types: ['diary'] } };
    const app = await letsIn(world, alice, profile(READS, { transformations: [mask] }));
    const { id } = await node(alice, { value: 'secret', node_type: 'diary' });
    expect((await app.patch(`/nodes/${id}`, { node_type: 'DIARY' })).body.node_type).toBe('DIARY');
    expect((await app.get(`/nodes/${id}`)).text).not.toContain('secret');
    expect(codeOf(await app.patch(`/nodes/${id}`, { node_type: 'open' }))).toEqual([
      403,
      'PERMISSION_DENIED',
    ]);
  });

  it('alike types are allowed together, and a list for one finds the other', async () => {
    for (const type of ['diary', ...ALIKE]) await node(alice, { title: type, node_type: type });
    await node(alice, { title: 'open' });
    const app = await letsIn(world, alice, profile(READS, { allowed_node_types: ['Diary'] }));
    const titles = ['diary', ...ALIKE].sort();
    for (const caller of [alice, app]) {
      expect(titlesOf(await caller.get('/nodes?limit=100&node_type=dIaRy')).sort()).toEqual(titles);
      expect((await caller.get('/nodes?node_type=dIaRy')).body.total).toBe(titles.length);
    }
    expect((await app.get('/nodes')).body.total).toBe(titles.length);
    await node(alice, { title: 'one more', node_type: 'DiarY' });
    expect((await alice.get('/nodes?node_type=dIaRy')).body.total).toBe(titles.length + 1);
  });

  it('types are stored in the spelling in which they were written', async () => {
    const { id } = await node(alice, { node_type: 'ｄｉａｒｙ' });
    expect((await alice.get(`/nodes/${id}`)).body.node_type).toBe('ｄｉａｒｙ');
  });

  it.each(['di\u200bary', 'diary\u202e', '\ufeffdiary', 'dia\u00adry', 'di\u0007ary', 'diary\u3164'])(
    'types with invisible characters that an earlier release accepted are excluded, too: %j',
    async (type) => {
      const app = await letsIn(world, alice, profile(READS, { excluded_node_types: ['diary'] }));
      const id = await former(type);
      await isHidden(app, id);
      const whole = (await alice.get(`/nodes/${id}`)).body;
      expect((await alice.put(`/nodes/${id}`, { ...whole, title: 'renamed' })).body.node_type).toBe(type);
    },
  );

  it.each([
    ['a zero-width space', 'di\u200bary'],
    ['a right-to-left override', '\u202eyraid'],
    ['a control character', 'diary\u0001'],
    ['a Cyrillic letter in a Latin word', 'd\u0456ary'],
    ['a Greek letter in a Latin word', 'di\u03b1ry'],
    ['an estimated sign in a Latin word', 'not\u212e'],
    [
      'outlined letters, which an older database does not fold',
      '\u{1ccd9}\u{1ccde}\u{1ccd6}\u{1cce7}\u{1ccee}',
    ],
    ['a modifier letter, which an older database does not fold', '\ua7f1ecret'],
  ])('new writes of a type with %s are refused (rule 1.17)', async (_, node_type) => {
    const body = { title: 'new', node_type };
    const REFUSED = [400, 'VALIDATION_ERROR'];
    const made = await alice.post('/nodes', body);
    expect(codeOf(made)).toEqual(REFUSED);
    expect(made.body.error.details).toMatchObject([{ field: 'node_type' }]);
    const { id } = await node(alice);
    expect(codeOf(await alice.patch(`/nodes/${id}`, { node_type }))).toEqual(REFUSED);
    const batch = await alice.post('/nodes/batch', { nodes: [body, { title: 'fits', node_type: 'n' }] });
    expect(batch.body.summary).toMatchObject({ created: 1, errors: 1 });
  });

  it.each(['дневник', 'Ημερολόγιο', 'β-version', 'naïve café', '日記', '❤️', '👩‍👧'])(
    'a type in any single alphabet is accepted: %j',
    async (node_type) => {
      expect((await node(alice, { node_type })).node_type).toBe(node_type);
    },
  );

  it('the database and the service fold types equally, for every character that new types may have', async () => {
    const texts = Array.from({ length: 0x20000 }, (_, code) => code + 1)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => `a${String.fromCodePoint(code)}b`)
      .concat('ΟΔΟΣ ΣΑΣ', ' Straße ẞ', 'ΌΣ.', '\u{e0061}x', '\u{e01ef}');
    const folded = await world.nest.get(Database).read<{ key: string }>(
      sql`SELECT node_type_key(given.text) AS key FROM jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb)
        WITH ORDINALITY AS given (text, place) ORDER BY place`,
    );
    const others = texts.filter(
      (text, i) => folded[i]!.key !== nodeTypeKey(text) && typeFault(text) === null,
    );
    expect(others).toEqual([]);
  });

  it('each table that rules filter by type has statistics for the keys of types', async () => {
    const rows = await world.nest
      .get(Database)
      .read<{ table: string }>(
        sql`SELECT tablename AS table FROM pg_stats_ext_exprs WHERE expr = 'node_type_key(node_type)' ORDER BY 1`,
      );
    expect(rows.map(({ table }) => table)).toEqual(['changes', 'contributions', 'embeddings', 'nodes']);
  });
});
