import { readFile } from 'node:fs/promises';
import { Database } from '../../../src/kernel/database/database.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { exported, imports, rowChangesOf } from '../../portability/archives.js';
import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';
import { GONE } from '../../support/worlds/people.js';
import { withAlice } from '../../support/worlds/with-world.js';

const MIGRATION = new URL('../../../migrations/1764651100000-tags-of-deleted-nodes.sql', import.meta.url);
const SECRET = 'HIV positive';
const ALL = { discover: 'all', read: 'all', delete: 'all' } as const;

/** The removal of the last tag deletes a node, which keeps that tag and what rules say of it. */
describe('nodes deleted with their last tag (rule 4.5c)', () => {
  let world: World;
  let alice: TestUser;
  let health: string;

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    health = await tagId(alice, 'health');
  });

  const masked = () => ({
    transformations: [{ type: 'field_mask', config: { paths: ['value'] }, apply_to: { tag_ids: [health] } }],
  });
  const lets = (rules: object): Promise<Client> => letsIn(world, alice, profile(ALL, { ...rules }));
  const untagged = async (): Promise<string> => {
    const { id } = await node(alice, { value: SECRET, tags: ['health'] });
    expect((await alice.delete(`/nodes/${id}/tags/${health}`)).body.node_deleted).toBe(true);
    return id;
  };

  it('an app restores a node masked as it was', async () => {
    const app = await lets(masked());
    const id = await untagged();
    const restored = await app.post(`/nodes/${id}/restore`);
    expect([restored.status, restored.body.tags]).toEqual([200, ['health']]);
    expect(restored.text).not.toContain(SECRET);
    for (const path of [`/nodes/${id}`, `/nodes/${id}/history?include_snapshots=true`, '/nodes'])
      expect((await app.get(path)).text).not.toContain(SECRET);
  });

  it('an app cannot restore a node that an exclusion by the last tag hides, nor read it when its owner does', async () => {
    const app = await lets({ excluded_tag_ids: [health] });
    const id = await untagged();
    expect(codeOf(await app.post(`/nodes/${id}/restore`))).toEqual(GONE);
    expect((await alice.post(`/nodes/${id}/restore`)).body.tags).toEqual(['health']);
    expect(codeOf(await app.get(`/nodes/${id}`))).toEqual(GONE);
  });

  it('the tags of a node deleted by 0.1.0 come back with a migration and with an archive', async () => {
    const app = await lets(masked());
    const id = await untagged();
    const archive = await rowChangesOf(await exported(alice))('nodes', (row) => (row.tag_ids = []));
    const database = world.nest.get(Database);
    await world.nest
      .get(UnitOfWork)
      .run(() => database.write(sql`UPDATE nodes SET tag_ids = '{}' WHERE owner_id = ${alice.id}`));
    await database.dataSource.query(await readFile(MIGRATION, 'utf8'));
    expect((await app.post(`/nodes/${id}/restore`)).body.tags).toEqual(['health']);
    const heir = await world.user();
    expect((await imports(heir, archive)).status).toBe(201);
    const [gone] = (await heir.get('/nodes?deleted=true')).body.nodes;
    expect((await heir.post(`/nodes/${gone.id}/restore`)).body.tags).toEqual(['health']);
  });
});
