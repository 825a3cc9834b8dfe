import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { importedId } from '../../src/portability/domain/archived-ids.js';
import { OWNED_TABLES } from '../../src/portability/domain/owned-tables.js';
import { node, profile } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';
import { exported, imports, zipped } from './archives.js';
import { fullAccount } from './full-account.js';

/** Tables whose rows have an owner. */
const OWNED = [...new Set(OWNED_TABLES.filter(({ erased }) => erased === 'own').map(({ table }) => table))];

describe('new ids (rule 12.3a)', () => {
  let world: World;
  let first: TestUser;
  let second: TestUser;
  let app: string;
  let linking: string;
  let session: string;

  beforeAll(async () => {
    world = await World.startHere();
    const { user, nodes, tag, app: agent } = await fullAccount(world, 'first');
    [first, app] = [user, agent.id];
    session = (await user.post('/sessions', {})).body.id;
    const schema = (await user.post('/schemas', { name: 'of rules', json_schema: {} })).body;
    const rules = profile({ read: [tag], edit: [tag] });
    const schemas = { schema_permissions: { read: { schema_ids: [schema.id], allow_all: false } } };
    for (const name of ['with ids', 'to be deleted']) {
      const made = await user.post('/exposure-profiles', { name, ...rules, ...schemas });
      expect([made.status, made.body.error]).toEqual([201, undefined]);
      if (name === 'to be deleted') await user.delete(`/exposure-profiles/${made.body.id}`);
    }
    const made = await node(user, {
      title: `about ${nodes[0]}`,
      value: `see /nodes/${nodes[0]}?tag=${tag.toUpperCase()}`,
      metadata: { properties: { [nodes[1] as string]: { linked: nodes[0], app } } },
      agent_metadata: { session_id: session, agent_name: 'robot' },
    });
    linking = made.id;
    await user.put(`/nodes/${linking}`, { value: `see ${linking}`, change_reason: `as ${nodes[0]}` });
    second = await world.user();
    const answer = await imports(second, await zipped(await exported(user)));
    expect([answer.status, answer.body.error]).toEqual([201, undefined]);
  });
  afterAll(() => world.stop());

  const read = <T extends object>(table: string, what: string, owner: TestUser): Promise<T[]> =>
    world.nest
      .get(Database)
      .read<T>(sql`SELECT ${sql.raw(what)} FROM ${sql.raw(table)} AS t WHERE t.owner_id = ${owner.id}`);
  const textsOf = async (owner: TestUser): Promise<Map<string, string>> => {
    const texts = new Map<string, string>();
    for (const table of OWNED) {
      const rows = await read<{ text: string }>(table, 't::text AS text', owner);
      texts.set(table, rows.map(({ text }) => text.toLowerCase()).join('\n'));
    }
    return texts;
  };

  it('an account that has imported an archive has no id of the other account anywhere in its rows', async () => {
    const ids = new Set([first.id]);
    for (const table of [
      'tags',
      'schemas',
      'exposure_profiles',
      'nodes',
      'relationships',
      'sessions',
      'proposals',
    ])
      for (const { id } of await read<{ id: string }>(table, 't.id', first)) ids.add(id);
    for (const { id } of await read<{ id: string }>('changes', 't.entity_id AS id', first)) ids.add(id);
    expect(ids.size).toBeGreaterThan(25);
    const texts = await textsOf(second);
    const found = [...texts].flatMap(([table, text]) =>
      [...ids].filter((id) => text.includes(id)).map((id) => `${table} has ${id}`),
    );
    expect(found).toEqual([]);
  });

  it('an account that has imported an archive has the new ids in texts, keys, reasons, rules and the log, and keeps the ids of apps', async () => {
    const texts = await textsOf(second);
    const places = (id: string) =>
      [...texts].filter(([, text]) => text.includes(importedId(second.id, id))).map(([table]) => table);
    const { nodes } = (await first.get('/nodes?limit=100')).body;
    const linked = nodes.find(({ title }: { title: string }) => title === 'first new title').id;
    expect(places(linked)).toEqual(
      expect.arrayContaining(['nodes', 'relationships', 'changes', 'contributions']),
    );
    const { body } = await second.get(`/nodes/${importedId(second.id, linking)}/history`);
    const own = importedId(second.id, linked);
    expect(JSON.stringify(body)).toContain(`as ${own}`);
    expect(JSON.stringify(body)).toContain(`see /nodes/${own}?tag=`);
    const { exposure_profiles } = (await second.get('/exposure-profiles')).body;
    const rules = exposure_profiles.find(({ name }: { name: string }) => name === 'with ids');
    const { tags } = (await second.get('/tags')).body;
    const tag = tags.find(({ name }: { name: string }) => name === 'first').id;
    expect(rules.tag_permissions.read.tag_ids).toEqual([tag]);
    expect(texts.get('nodes')).toContain(app);
  });

  it('an account that has imported an archive finds a session without a word by its new id when a write names it', async () => {
    const own = importedId(second.id, session);
    const { total } = (await second.get('/sessions')).body;
    expect(total).toBeGreaterThan(0);
    await node(second, { title: 'goes on', agent_metadata: { session_id: own } });
    expect((await second.get('/sessions')).body.total).toBe(total);
  });
});
