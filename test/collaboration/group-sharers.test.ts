import { jest } from '@jest/globals';
import { AccessibleNodes } from '../../src/graph/index.js';
import { Database } from '../../src/kernel/database/database.js';
import { node, tagId, titlesOf } from '../support/worlds/nodes.js';
import { allTags, someTags } from '../support/defaults.js';
import { passTime } from '../support/passed-time.js';
import { idOf } from '../support/plausible.js';
import { mostInOneRound } from '../support/rounds.js';
import { type TestUser, World } from '../support/world.js';
import { group, withPeople } from '../support/worlds/people.js';

describe('a group whose members share with it', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  withPeople(
    (people) => ({ world, alice, bob, carol } = people),
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

  const rules = {
    tag_permissions: { discover: allTags, read: allTags },
    schema_permissions: { read: { allow_all: true } },
  };
  async function shares(who: TestUser, groupId: string): Promise<string> {
    const profile = await idOf(who, '/exposure-profiles', { name: 'shared', ...rules });
    const shared = await who.post(`/groups/${groupId}/share`, { exposure_profile_id: profile });
    expect(shared.status).toBe(201);
    return profile;
  }

  it.each([
    ['ends the share', (groupId: string) => bob.delete(`/groups/${groupId}/share`)],
    [
      'narrows the profile',
      (_: string, profile: string) =>
        bob.put(`/exposure-profiles/${profile}`, { max_detail_level: 'summary' }),
    ],
    ['leaves the group', (groupId: string) => bob.delete(`/groups/${groupId}/members/${bob.id}`)],
  ])('a list that takes long shows nothing of a sharer who %s meanwhile (rule 2.8)', async (_, narrow) => {
    const id = await group(alice, [bob, carol]);
    await node(bob, { title: 'taken back' });
    const profile = await shares(bob, id);
    const list = AccessibleNodes.prototype.listWithin;
    jest.spyOn(AccessibleNodes.prototype, 'listWithin').mockImplementationOnce(async function (
      this: AccessibleNodes,
      ...given
    ) {
      const found = await list.apply(this, given);
      expect((await narrow(id, profile)).status).toBe(200);
      passTime(2_000);
      return found;
    });
    const late = await carol.get(`/groups/${id}/nodes`);
    expect([late.status, late.text.includes('taken back')]).toEqual([503, false]);
  });

  it('a list that takes long is answered where no sharer has narrowed anything meanwhile', async () => {
    const id = await group(alice, [bob, carol]);
    await node(bob, { title: 'still there' });
    await shares(bob, id);
    const list = AccessibleNodes.prototype.listWithin;
    jest.spyOn(AccessibleNodes.prototype, 'listWithin').mockImplementationOnce(async function (
      this: AccessibleNodes,
      ...given
    ) {
      const found = await list.apply(this, given);
      await node(bob, { title: 'new', tags: ['never seen'] });
      passTime(2_000);
      return found;
    });
    expect(titlesOf(await carol.get(`/groups/${id}/nodes`))).toEqual(['still there']);
  });

  it('the rules of many sharers are prepared with turns of others in between (rule 3.15e)', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => world.user()));
    const id = await group(alice, people);
    for (const person of people) await shares(person, id);
    const { most, total } = await mostInOneRound(() => alice.get(`/groups/${id}/nodes`));
    expect(total).toBeGreaterThanOrEqual(6);
    expect(most).toBeLessThanOrEqual(2);
  });
});
