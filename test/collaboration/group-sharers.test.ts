import { jest } from '@jest/globals';
import { Database } from '../../src/kernel/database/database.js';
import { node, tagId, titlesOf } from '../support/worlds/nodes.js';
import { allTags, someTags } from '../support/defaults.js';
import { idOf } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';
import { group, withPeople } from '../support/worlds/people.js';

describe('a group whose members share with it', () => {
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  withPeople(
    (people) => ({ alice, bob, carol } = people),
    () => World.startHere(),
  );
  afterEach(() => jest.restoreAllMocks());

  /** The number of profiles whose rules are read while the work runs. */
  async function rulesRead(work: () => Promise<void>): Promise<number> {
    let count = 0;
    const read = Database.prototype.read;
    jest.spyOn(Database.prototype, 'read').mockImplementation(async function (this: Database, ...given) {
      const rows = await read.apply(this, given);
      count += rows.filter((row) => 'rules' in Object(row)).length;
      return rows;
    });
    await work();
    jest.restoreAllMocks();
    return count;
  }

  it('reads the rules of each sharer once for all readers, until they change', async () => {
    const id = await group(alice, [bob, carol]);
    await node(bob, { title: 'shown', tags: ['open'] });
    await node(bob, { title: 'other' });
    const all = { allow_all: true };
    const rules = {
      tag_permissions: { discover: allTags, read: allTags },
      schema_permissions: { read: all },
    };
    const profileId = await idOf(bob, '/exposure-profiles', { name: 'shared', ...rules });
    const shared = await bob.post(`/groups/${id}/share`, { exposure_profile_id: profileId });
    expect(shared.status).toBe(201);
    const list = async (who: TestUser) => titlesOf(await who.get(`/groups/${id}/nodes`)).sort();
    const count = await rulesRead(async () => {
      for (const who of [alice, carol, alice, carol]) expect(await list(who)).toEqual(['other', 'shown']);
    });
    expect(count).toBe(1);
    const some = { tag_permissions: { ...rules.tag_permissions, read: someTags(await tagId(bob, 'open')) } };
    expect((await bob.put(`/exposure-profiles/${profileId}`, some)).status).toBe(200);
    const after = await rulesRead(async () => {
      for (const who of [alice, carol, alice]) expect(await list(who)).toEqual(['shown']);
    });
    expect(after).toBe(1);
    expect((await bob.delete(`/groups/${id}/share`)).status).toBe(200);
    expect(await list(carol)).toEqual([]);
  });
});
