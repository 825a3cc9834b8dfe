import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { everything } from '../support/defaults.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

/** "What did this app see at that time" is a query: profiles and authorizations keep their revisions. */
interface Row {
  sequence: number;
  entity: string;
  entity_id: string;
  action: string;
  version: number;
  changed_fields: Record<string, { old: unknown; new: unknown }> | null;
  snapshot: Record<string, unknown>;
  changed_by_type: string;
  changed_by_user_id: string;
  changed_by_app_id: string | null;
  reason: string | null;
}

let world: World;
let alice: TestUser;

withAlice((met) => ({ world, alice } = met));

const history = () =>
  world.nest
    .get(Database)
    .read<Row>(sql`SELECT * FROM changes WHERE owner_id = ${alice.id} ORDER BY sequence`);

describe('changes of rules', () => {
  it('the change log keeps each state of a profile, with the tags that its names meant', async () => {
    const { body: tag } = await alice.post('/tags', { name: 'work' });
    const { body: made } = await alice.post('/exposure-profiles', {
      name: 'P',
      tag_filters: { include_any: ['Work', 'x'] },
    });
    await alice.put(
      `/exposure-profiles/${made.id}`,
      { max_detail_level: 'minimal' },
      { headers: { 'X-Change-Reason': 'too open' } },
    );
    await alice.put(`/exposure-profiles/${made.id}`, { max_detail_level: 'minimal' });
    await alice.delete(`/exposure-profiles/${made.id}`);
    const rows = (await history()).filter(({ entity }) => entity === 'exposure_profile');
    expect(rows.map(({ action, version, entity_id }) => [action, version, entity_id])).toEqual([
      ['created', 1, made.id],
      ['updated', 2, made.id],
      ['deleted', 2, made.id],
    ]);
    expect(rows[0]!.snapshot).toMatchObject({
      name: 'P',
      max_detail_level: 'full',
      tag_filters: {
        include_any: [
          { id: tag.id, name: 'work' },
          { id: null, name: 'x' },
        ],
      },
    });
    expect(rows[1]).toMatchObject({
      changed_fields: { max_detail_level: { old: 'full', new: 'minimal' } },
      snapshot: { max_detail_level: 'minimal' },
      changed_by_type: 'user',
      changed_by_user_id: alice.id,
      reason: 'too open',
    });
  });

  it('the change log keeps each state of an authorization, and who changed it', async () => {
    const app = await world.app({ requested: everything });
    const { profile, authorization } = await alice.authorizes(app);
    const { profile: other } = await alice.authorizes(app);
    await app.as(alice).delete('/authorizations/current');
    await alice.delete(`/exposure-profiles/${other.id}`);
    const rows = (await history()).filter(({ entity }) => entity === 'authorization');
    expect(rows.map(({ action, version, changed_by_type }) => [action, version, changed_by_type])).toEqual([
      ['created', 1, 'user'],
      ['updated', 2, 'user'],
      ['revoked', 3, 'app'],
      ['deleted', 3, 'user'],
    ]);
    expect(new Set(rows.map(({ entity_id }) => entity_id))).toEqual(new Set([authorization.id]));
    expect(rows[1]!.changed_fields).toEqual({ exposure_profile_id: { old: profile.id, new: other.id } });
    expect(rows[2]).toMatchObject({ changed_by_app_id: app.id, changed_by_user_id: alice.id });
    expect(rows[2]!.snapshot).toMatchObject({
      app_id: app.id,
      user_id: alice.id,
      revoked_at: expect.any(String),
    });
    expect(rows[0]!.snapshot.requested_permissions).toMatchObject({ tags: { edit: true } });
    expect(JSON.stringify(rows)).not.toContain('pig_user_');
  });

  it('the change log says which profile lost being the default', async () => {
    const { body: first } = await alice.get('/exposure-profiles/default');
    await alice.post('/exposure-profiles', { name: 'second', is_default: true });
    const rows = await history();
    expect(rows.map(({ action, snapshot }) => [action, snapshot.name, snapshot.is_default])).toEqual([
      ['created', first.name, true],
      ['updated', first.name, false],
      ['created', 'second', true],
    ]);
    expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  it('the change log has nothing of what was refused', async () => {
    const app = await world.app({ requested: everything });
    const { body: profile } = await alice.post('/exposure-profiles', { name: 'P' });
    const before = (await history()).length;
    await alice.post('/authorizations', {
      app_id: app.id,
      exposure_profile_id: profile.id,
      customizations: { max_detail_level: 'summary' },
      save_mode: 'overwrite',
    });
    expect(await history()).toHaveLength(before);
  });
});
