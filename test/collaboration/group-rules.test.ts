import { jest } from '@jest/globals';
import { Database } from '../../src/kernel/database/database.js';
import { someTags } from '../support/defaults.js';
import { type TestUser, World } from '../support/world.js';
import { assigns, group, withPeople } from '../support/worlds/people.js';

describe('rules of a group', () => {
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  let id: string;
  let staff: string;
  let open: string;

  withPeople(
    (people) => ({ alice, bob, carol } = people),
    () => World.startHere(),
  );
  beforeEach(async () => {
    id = await group(alice, [bob, carol]);
    const tag = async (name: string): Promise<string> =>
      (await alice.post(`/groups/${id}/tags`, { name })).body.id;
    open = await tag('canteen');
    const hidden = await tag('layoffs');
    const listed = await alice.post(`/groups/${id}/nodes`, {
      title: 'list',
      node_type: 'NOTE',
      tags: ['layoffs'],
    });
    staff = await assigns(alice, id, {
      to: bob,
      body: {
        name: 'staff',
        description: 'No layoffs',
        tag_permissions: { discover: someTags(open), read: someTags(open) },
        tag_filters: { exclude_any: ['layoffs'] },
        excluded_tag_ids: [hidden],
        allowed_node_ids: [listed.body.id],
        transformations: [{ type: 'field_mask', config: { paths: ['metadata.salary'] } }],
      },
    });
    await assigns(alice, id, {
      to: carol,
      body: { name: 'works council', tag_permissions: { read: someTags(hidden) } },
    });
  });

  /** Runs work once, just before the service reads the profile of a member. */
  function beforeTheProfile(work: () => Promise<unknown>): void {
    const read = Database.prototype.read;
    let isDone = false;
    jest.spyOn(Database.prototype, 'read').mockImplementation(async function (this: Database, ...given) {
      if (given[1] === 'group-member-profile' && !isDone) {
        isDone = true;
        await work();
      }
      return read.apply(this, given);
    });
  }
  afterEach(() => jest.restoreAllMocks());

  it('a request of a member has the new profile, if theirs is replaced and deleted meanwhile (rule 10.5b)', async () => {
    await alice.post(`/groups/${id}/nodes`, { title: 'soup', node_type: 'NOTE', tags: ['canteen'] });
    beforeTheProfile(async () => {
      await assigns(alice, id, { to: bob, body: { name: 'new', tag_permissions: { read: someTags(open) } } });
      expect((await alice.delete(`/groups/${id}/exposure-profiles/${staff}`)).status).toBe(200);
    });
    const { status, body } = await bob.get(`/groups/${id}/nodes`);
    expect([status, body.nodes?.map(({ title }: { title: string }) => title)]).toEqual([200, ['soup']]);
  });

  it('a request of a member who leaves meanwhile is 403 NOT_A_MEMBER', async () => {
    beforeTheProfile(async () => {
      expect((await alice.delete(`/groups/${id}/members/${bob.id}`)).status).toBe(200);
    });
    const { status, body } = await bob.get(`/groups/${id}/nodes`);
    expect([status, body.error?.code]).toEqual([403, 'NOT_A_MEMBER']);
  });

  it('a member who is no admin is shown the permissions of their own profile, and nothing that it hides', async () => {
    const { status, body, text } = await bob.get(`/groups/${id}/exposure-profiles`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      total: 1,
      exposure_profiles: [
        {
          id: staff,
          name: 'staff',
          description: null,
          tag_permissions: { discover: { tag_ids: [open] }, read: { tag_ids: [open] } },
          tag_filters: { exclude_any: [] },
          excluded_tag_ids: [],
          allowed_node_ids: [],
          transformations: [],
        },
      ],
    });
    expect(text).not.toMatch(/layoffs|salary|council/);
  });

  it('all profiles are shown to admins, and none to members who have none', async () => {
    const { body } = await alice.get(`/groups/${id}/exposure-profiles`);
    expect(body.exposure_profiles.map(({ name }: { name: string }) => name)).toEqual([
      'staff',
      'works council',
    ]);
    expect(body.exposure_profiles[0].tag_filters.exclude_any).toEqual(['layoffs']);
    await alice.put(`/groups/${id}/members/${bob.id}`, { exposure_profile_id: null });
    expect((await bob.get(`/groups/${id}/exposure-profiles`)).body).toMatchObject({
      exposure_profiles: [],
      total: 0,
    });
  });

  it('the profiles of other members are shown to admins alone', async () => {
    const assigned = async (who: TestUser): Promise<(string | null)[]> =>
      (await who.get(`/groups/${id}/members`)).body.members.map(
        (member: { exposure_profile_id: string | null }) => member.exposure_profile_id,
      );
    expect((await assigned(alice)).filter((profile) => profile !== null)).toHaveLength(2);
    expect((await assigned(bob)).filter((profile) => profile !== null)).toEqual([staff]);
  });
});
