import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { until } from '../support/until.js';
import { type TestUser, type World } from '../support/world.js';
import { node, profile } from '../support/worlds/nodes.js';
import { approved, EVERY_VERB } from '../support/worlds/proposals.js';
import { withAlice } from '../support/worlds/with-world.js';

describe('an application that waits for a lock in its unit of work', () => {
  let world: World;
  let alice: TestUser;
  let other: pg.Client;

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    other = new pg.Client(world.nest.get(Config).databaseUrl as string);
    await other.connect();
  });
  afterEach(() => other.end());

  it('an application shows no relationship that was written while it waited (rule 8.10d)', async () => {
    const tag = (await alice.post('/tags', { name: 'private' })).body.id;
    const mask = { type: 'field_mask', config: { paths: ['value'] }, apply_to: { tag_ids: [tag] } };
    const app = await alice.lets(await world.app(), profile(EVERY_VERB, { transformations: [mask] }));
    const { id: node_id } = await node(alice, { tags: ['private', 'x'] });
    const { id: to_node_id } = await node(alice, { tags: ['x'] });
    const untag = { type: 'REMOVE_TAGS', canonical_data: { node_id, tags: ['private'] } };
    const proposal = await approved(alice, app, untag);
    await other.query('BEGIN');
    await other.query('SELECT FROM proposals WHERE id = $1 FOR UPDATE', [proposal]);
    const applying = app.post(`/proposals/${proposal}/apply`);
    await until(async () => {
      const { rows } = await other.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows.length > 0;
    }, 'the application waits for the lock');
    const edge = { from_node_id: node_id, to_node_id, relationship_type: 'knows', context: 'HIV positive' };
    expect((await alice.post('/relationships', edge)).status).toBe(201);
    await other.query('COMMIT');
    expect((await applying).body).toMatchObject({ status: 'FAILED', errors: [{ code: 'NOT_APPLIED' }] });
    expect((await alice.get(`/nodes/${node_id}`)).body.tags).toContain('private');
  });
});
