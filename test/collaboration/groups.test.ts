import { codeOf, node } from '../support/worlds/nodes.js';
import { type Answer } from '../support/client.js';
import { type TestUser, type World } from '../support/world.js';
import {
  ABSENT,
  INVALID,
  STATE,
  UNKNOWN,
  assigns,
  group,
  joins,
  withPeople,
} from '../support/worlds/people.js';

const OUTSIDE = [403, 'NOT_A_MEMBER'];
const ADMIN = [403, 'ADMIN_REQUIRED'];

describe('/groups', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  withPeople((people) => ({ world, alice, bob, carol } = people));

  it('groups are created by any user, who becomes admin', async () => {
    const made = await alice.post('/groups', { name: ' Crew ', description: 'of the boat' });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      name: 'Crew',
      description: 'of the boat',
      deletion_policy: 'disband',
      created_by: alice.id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      is_active: true,
      member_count: 1,
      my_role: 'admin',
    });
    expect((await alice.get(`/groups/${made.body.id}`)).body).toEqual(made.body);
    expect((await alice.get('/groups')).body).toEqual({ groups: [made.body], total: 1 });
    expect((await bob.get('/groups')).body).toEqual({ groups: [], total: 0 });
    const changed = await alice.put(`/groups/${made.body.id}`, {
      description: null,
      deletion_policy: 'transfer',
    });
    expect(changed.body).toMatchObject({ name: 'Crew', description: null, deletion_policy: 'transfer' });
    for (const body of [{}, { name: '' }, { name: 'x', deletion_policy: 'keep' }])
      expect(codeOf(await alice.post('/groups', body))).toEqual(INVALID);
  });

  it('groups refuse outsiders with NOT_A_MEMBER and members with ADMIN_REQUIRED, and are absent for all if they do not exist', async () => {
    const id = await group(alice, [bob]);
    const admins: [string, string][] = [
      ['PUT', ''],
      ['DELETE', ''],
      ['PUT', `/members/${alice.id}`],
      ['POST', `/members/${bob.id}/promote`],
      ['DELETE', `/members/${alice.id}`],
      ['POST', '/invitations'],
      ['GET', '/invitations'],
      ['DELETE', `/invitations/${UNKNOWN}`],
      ['POST', '/connections'],
      ['GET', '/connections/incoming'],
      ['PUT', `/connections/${UNKNOWN}`],
      ['DELETE', `/connections/${UNKNOWN}`],
      ['POST', '/exposure-profiles'],
      ['PUT', `/exposure-profiles/${UNKNOWN}`],
      ['DELETE', `/exposure-profiles/${UNKNOWN}`],
    ];
    const members: [string, string][] = [
      ['GET', ''],
      ['GET', '/members'],
      ['GET', '/connections'],
      ['GET', '/exposure-profiles'],
      ['GET', '/share'],
      ['GET', '/nodes'],
      ['GET', `/nodes/${UNKNOWN}`],
      ['GET', '/tags'],
      ['POST', '/nodes'],
      ['POST', '/tags'],
      ['POST', '/share'],
      ['PUT', '/share'],
      ['DELETE', '/share'],
      ['PUT', `/nodes/${UNKNOWN}`],
      ['DELETE', `/nodes/${UNKNOWN}`],
    ];
    const send = (who: TestUser, method: string, path: string) =>
      who.send(method, path, method === 'GET' || method === 'DELETE' ? undefined : {});
    for (const [method, path] of admins) {
      expect([path, codeOf(await send(bob, method, `/groups/${id}${path}`))]).toEqual([path, ADMIN]);
    }
    for (const [method, path] of [...admins, ...members]) {
      expect([path, codeOf(await send(carol, method, `/groups/${id}${path}`))]).toEqual([path, OUTSIDE]);
      expect([path, codeOf(await send(carol, method, `/groups/${UNKNOWN}${path}`))]).toEqual([path, ABSENT]);
      expect([path, codeOf(await send(carol, method, `/groups/no-id${path}`))]).toEqual([path, ABSENT]);
    }
    await alice.delete(`/groups/${id}`);
    for (const who of [alice, bob, carol]) {
      for (const [method, path] of [...admins, ...members])
        expect([path, codeOf(await send(who, method, `/groups/${id}${path}`))]).toEqual([path, ABSENT]);
      expect((await who.get('/groups')).body.total).toBe(0);
    }
  });

  describe('membership', () => {
    it('members of a group are listed with their names', async () => {
      const id = await group(alice, [bob]);
      expect((await bob.get(`/groups/${id}/members`)).body).toEqual({
        members: [
          {
            user_id: alice.id,
            username: alice.name,
            role: 'admin',
            exposure_profile_id: null,
            joined_at: expect.any(String),
            exposure_profile: null,
          },
          {
            user_id: bob.id,
            username: bob.name,
            role: 'member',
            exposure_profile_id: null,
            joined_at: expect.any(String),
            exposure_profile: null,
          },
        ],
        total: 2,
      });
      expect((await bob.get(`/groups/${id}`)).body).toMatchObject({ member_count: 2, my_role: 'member' });
    });

    it('members of a group change role and profile by an admin, and one admin remains', async () => {
      const id = await group(alice, [bob]);
      const path = `/groups/${id}/members`;
      expect(codeOf(await alice.put(`${path}/${alice.id}`, { role: 'member' }))).toEqual([409, 'LAST_ADMIN']);
      expect((await alice.post(`${path}/${bob.id}/promote`)).body).toMatchObject({
        user_id: bob.id,
        role: 'admin',
      });
      expect((await bob.put(`${path}/${alice.id}`, { role: 'member' })).body.role).toBe('member');
      expect(codeOf(await alice.put(`${path}/${bob.id}`, { role: 'member' }))).toEqual(ADMIN);
      expect(codeOf(await bob.put(`${path}/${carol.id}`, { role: 'admin' }))).toEqual(ABSENT);
      expect(codeOf(await bob.post(`${path}/no-id/promote`))).toEqual(ABSENT);
      const personal = (await bob.post('/exposure-profiles', { name: 'mine' })).body.id;
      const made = (await bob.post(`/groups/${id}/exposure-profiles`, { name: 'readers' })).body;
      expect(made.owner_id).toBe(id);
      expect(codeOf(await bob.put(`${path}/${alice.id}`, { exposure_profile_id: personal }))).toEqual(
        INVALID,
      );
      expect(
        (await bob.put(`${path}/${alice.id}`, { exposure_profile_id: made.id })).body.exposure_profile_id,
      ).toBe(made.id);
      expect(codeOf(await bob.delete(`/groups/${id}/exposure-profiles/${made.id}`))).toEqual([
        409,
        'PROFILE_IN_USE',
      ]);
      expect(
        (await bob.put(`${path}/${alice.id}`, { exposure_profile_id: null })).body.exposure_profile_id,
      ).toBeNull();
      expect((await bob.delete(`/groups/${id}/exposure-profiles/${made.id}`)).status).toBe(200);
    });

    it('members of a group are absent before the body is read if they do not exist', async () => {
      const path = `/groups/${await group(alice, [bob])}/members`;
      for (const id of [carol.id, UNKNOWN, 'no-id']) {
        expect(codeOf(await alice.put(`${path}/${id}`, { role: 5 }))).toEqual(ABSENT);
        expect(codeOf(await alice.put(`${path}/${id}`, '{'))).toEqual(ABSENT);
        expect(codeOf(await alice.post(`${path}/${id}/promote`, '{'))).toEqual(ABSENT);
        expect(codeOf(await bob.put(`${path}/${id}`, { role: 5 }))).toEqual(ADMIN);
        expect(codeOf(await bob.delete(`${path}/${id}`))).toEqual(ABSENT);
      }
      expect(codeOf(await alice.put(`${path}/${bob.id}`, { role: 5 }))).toEqual(INVALID);
      expect((await alice.put(`${path}/${bob.id.toUpperCase()}`, { role: 'admin' })).status).toBe(200);
    });

    it('members of a group leave, or are removed by an admin', async () => {
      const id = await group(alice, [bob, carol]);
      expect(codeOf(await bob.delete(`/groups/${id}/members/${carol.id}`))).toEqual(ADMIN);
      expect((await carol.delete(`/groups/${id}/members/${carol.id}`)).body).toEqual({
        message: expect.any(String),
        group_active: true,
        new_admin_id: null,
      });
      expect(codeOf(await carol.get(`/groups/${id}`))).toEqual(OUTSIDE);
      expect((await alice.delete(`/groups/${id}/members/${bob.id}`)).status).toBe(200);
      expect(codeOf(await alice.delete(`/groups/${id}/members/${bob.id}`))).toEqual(ABSENT);
      expect(codeOf(await bob.get(`/groups/${id}/members`))).toEqual(OUTSIDE);
    });

    it('members of a group who are the last admin take the group along, or hand it to the longest-standing member', async () => {
      const disbands = await group(alice, [bob]);
      expect((await alice.delete(`/groups/${disbands}/members/${alice.id}`)).body).toMatchObject({
        group_active: false,
        new_admin_id: null,
      });
      expect(codeOf(await bob.get(`/groups/${disbands}`))).toEqual(ABSENT);
      const passes = await group(alice, [bob, carol], { deletion_policy: 'transfer' });
      expect((await alice.delete(`/groups/${passes}/members/${alice.id}`)).body).toMatchObject({
        group_active: true,
        new_admin_id: bob.id,
      });
      expect((await bob.get(`/groups/${passes}`)).body).toMatchObject({ my_role: 'admin', member_count: 2 });
      const alone = await group(alice, [], { deletion_policy: 'transfer' });
      expect((await alice.delete(`/groups/${alone}/members/${alice.id}`)).body.group_active).toBe(false);
    });
  });

  describe('invited with a profile', () => {
    const member = async (id: string, user: TestUser) =>
      (await alice.get(`/groups/${id}/members`)).body.members.find(
        ({ user_id }: { user_id: string }) => user_id === user.id,
      );
    const invite = (id: string, body: object = {}) =>
      alice.post(`/groups/${id}/invitations`, { user_id: bob.id, ...body });
    const accept = ({ body }: Answer) => bob.put(`/groups/invitations/${body.id}`, { action: 'accept' });

    it('profiles of invitations become those of the new members, and must belong to the group (rule 10.3)', async () => {
      const id = await group(alice);
      const { body: granted } = await alice.post(`/groups/${id}/exposure-profiles`, { name: 'nothing' });
      const { body: own } = await alice.post('/exposure-profiles', { name: 'own' });
      expect(codeOf(await invite(id, { exposure_profile_id: own.id }))).toEqual(INVALID);
      expect(codeOf(await invite(id, { exposure_profile_id: UNKNOWN }))).toEqual(INVALID);
      const invited = await invite(id, { exposure_profile_id: granted.id });
      expect(invited.body.exposure_profile_id).toBe(granted.id);
      const [incoming] = (await bob.get('/groups/invitations/incoming')).body.invitations;
      expect(incoming).not.toHaveProperty('exposure_profile_id');
      expect((await accept(invited)).status).toBe(200);
      expect(await member(id, bob)).toMatchObject({ exposure_profile_id: granted.id });
    });

    it('profiles of invitations become those of former members, unless an admin names another or none (rule 10.3)', async () => {
      const id = await group(alice, [bob]);
      const profileId = await assigns(alice, id, { to: bob, body: {} });
      await alice.post(`/groups/${id}/nodes`, { node_type: 'note', title: 'hidden' });
      await alice.delete(`/groups/${id}/members/${bob.id}`);
      expect((await accept(await invite(id))).status).toBe(200);
      expect(await member(id, bob)).toMatchObject({ exposure_profile_id: profileId });
      expect((await bob.get(`/groups/${id}/nodes`)).body.total).toBe(0);
      await alice.delete(`/groups/${id}/members/${bob.id}`);
      expect((await accept(await invite(id, { exposure_profile_id: null }))).status).toBe(200);
      expect(await member(id, bob)).toMatchObject({ exposure_profile_id: null });
      expect((await bob.get(`/groups/${id}/nodes`)).body.total).toBe(1);
    });

    it('a deleted profile of an invitation prevents joining (rule 10.3)', async () => {
      const id = await group(alice, [bob]);
      const profileId = await assigns(alice, id, { to: bob, body: {} });
      await alice.delete(`/groups/${id}/members/${bob.id}`);
      const invited = await invite(id);
      expect((await alice.delete(`/groups/${id}/exposure-profiles/${profileId}`)).status).toBe(200);
      expect(codeOf(await accept(invited))).toEqual(STATE);
      expect(await member(id, bob)).toBeUndefined();
      expect((await alice.delete(`/groups/${id}/invitations/${invited.body.id}`)).status).toBe(200);
      expect(codeOf(await invite(id))).toEqual(INVALID);
      expect((await accept(await invite(id, { exposure_profile_id: null }))).status).toBe(200);
    });
  });

  describe('inviting', () => {
    it('invitations to a group are created by admins and answered by the invited user, once', async () => {
      const id = await group(alice);
      const invite = (user_id: string, body = {}) =>
        alice.post(`/groups/${id}/invitations`, { user_id, ...body });
      const made = await invite(bob.id, { role: 'admin', message: 'come' });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        group_id: id,
        invited_user_id: bob.id,
        invited_by: alice.id,
        role: 'admin',
        message: 'come',
        status: 'pending',
      });
      expect(codeOf(await invite(bob.id))).toEqual([409, 'INVITATION_EXISTS']);
      expect(codeOf(await invite(alice.id))).toEqual([409, 'ALREADY_MEMBER']);
      expect(codeOf(await invite(UNKNOWN))).toEqual(ABSENT);
      expect(codeOf(await invite('x'))).toEqual(ABSENT);
      expect((await bob.get('/groups/invitations/incoming')).body).toMatchObject({
        total: 1,
        invitations: [{ id: made.body.id, group_name: (await alice.get(`/groups/${id}`)).body.name }],
      });
      expect((await alice.get(`/groups/${id}/invitations`)).body.total).toBe(1);
      const path = `/groups/invitations/${made.body.id}`;
      expect(codeOf(await carol.put(path, { action: 'accept' }))).toEqual(ABSENT);
      expect(codeOf(await bob.put(path, { action: 'maybe' }))).toEqual(INVALID);
      expect((await bob.put(path, { action: 'accept' })).body).toMatchObject({
        status: 'accepted',
        group_name: made.body.group_name,
      });
      expect(codeOf(await bob.put(path, { action: 'accept' }))).toEqual(STATE);
      expect(codeOf(await invite(bob.id))).toEqual([409, 'ALREADY_MEMBER']);
      expect((await bob.get(`/groups/${id}`)).body.my_role).toBe('admin');
      expect((await bob.get('/groups/invitations/incoming')).body.total).toBe(0);
    });

    it('invitations to a group may be declined and cancelled', async () => {
      const id = await group(alice);
      const invite = async () =>
        (await alice.post(`/groups/${id}/invitations`, { user_id: bob.id })).body.id as string;
      const declined = await invite();
      expect((await bob.put(`/groups/invitations/${declined}`, { action: 'decline' })).body.status).toBe(
        'declined',
      );
      expect(codeOf(await alice.delete(`/groups/${id}/invitations/${declined}`))).toEqual(STATE);
      const cancelled = await invite();
      expect((await alice.delete(`/groups/${id}/invitations/${cancelled}`)).body.status).toBe('cancelled');
      expect(codeOf(await bob.put(`/groups/invitations/${cancelled}`, { action: 'accept' }))).toEqual(STATE);
      expect(codeOf(await alice.delete(`/groups/${id}/invitations/${UNKNOWN}`))).toEqual(ABSENT);
    });

    it('an invitation to a disbanded group is gone', async () => {
      const id = await group(alice);
      const invited = (await alice.post(`/groups/${id}/invitations`, { user_id: bob.id })).body.id;
      await alice.delete(`/groups/${id}`);
      expect(codeOf(await bob.put(`/groups/invitations/${invited}`, { action: 'accept' }))).toEqual(ABSENT);
      expect((await bob.get('/groups/invitations/incoming')).body.total).toBe(0);
    });

    it.each([
      [
        'is demoted',
        (maker: TestUser, id: string) => alice.put(`/groups/${id}/members/${maker.id}`, { role: 'member' }),
      ],
      ['is removed', (maker: TestUser, id: string) => alice.delete(`/groups/${id}/members/${maker.id}`)],
      ['leaves', (maker: TestUser, id: string) => maker.delete(`/groups/${id}/members/${maker.id}`)],
      [
        'erases the account',
        (maker: TestUser) => maker.delete('/auth/me', { password: 'correct horse battery' }),
      ],
    ])(
      'invitations to a group end when the admin who created them %s, and not those of others (rule 10.3)',
      async (_, end) => {
        const id = await group(alice);
        const maker = await world.user();
        await joins(maker, alice, id, 'admin');
        const invite = async (by: TestUser, user: TestUser): Promise<string> =>
          (await by.post(`/groups/${id}/invitations`, { user_id: user.id, role: 'admin' })).body.id;
        const [theirs, ours] = [await invite(maker, bob), await invite(alice, carol)];
        expect((await end(maker, id)).status).toBeLessThan(300);
        const listed = (await alice.get(`/groups/${id}/invitations`)).body.invitations;
        expect(listed.map((one: { id: string }) => one.id)).toEqual([ours]);
        expect((await bob.get('/groups/invitations/incoming')).body.total).toBe(0);
        const accept = (by: TestUser, one: string) =>
          by.put(`/groups/invitations/${one}`, { action: 'accept' });
        expect(codeOf(await accept(bob, theirs))).toEqual(STATE);
        expect((await bob.get(`/groups/${id}`)).status).toBe(403);
        expect((await accept(carol, ours)).status).toBe(200);
      },
    );
  });

  it('groups connect to other groups, which alone gives no access', async () => {
    const [ours, theirs] = [await group(alice), await group(bob)];
    const connect = (target_group_id: string) =>
      alice.post(`/groups/${ours}/connections`, { target_group_id, message: 'hi' });
    expect(codeOf(await connect(ours))).toEqual(INVALID);
    expect(codeOf(await connect(UNKNOWN))).toEqual(ABSENT);
    const made = await connect(theirs);
    expect(made.body).toMatchObject({
      group_id: ours,
      target_group_id: theirs,
      status: 'pending',
      message: 'hi',
      requested_by: alice.id,
      responded_by: null,
      responded_at: null,
    });
    expect(codeOf(await connect(theirs))).toEqual([409, 'CONNECTION_EXISTS']);
    const back = () => bob.post(`/groups/${theirs}/connections`, { target_group_id: ours });
    expect(codeOf(await back())).toEqual([409, 'CONNECTION_EXISTS']);
    expect((await bob.get(`/groups/${theirs}/connections/incoming`)).body).toMatchObject({ total: 1 });
    expect((await bob.get(`/groups/${theirs}/connections`)).body.total).toBe(0);
    const { id } = made.body;
    expect(codeOf(await alice.put(`/groups/${ours}/connections/${id}`, { action: 'accept' }))).toEqual(
      ABSENT,
    );
    for (const [who, path] of [
      [bob, `${theirs}/connections/${UNKNOWN}`],
      [bob, `${theirs}/connections/no-id`],
      [alice, `${ours}/connections/${id}`],
    ] as const)
      expect(codeOf(await who.put(`/groups/${path}`, { action: 5 }))).toEqual(ABSENT);
    expect(codeOf(await bob.put(`/groups/${theirs}/connections/${id}`, { action: 5 }))).toEqual(INVALID);
    expect((await bob.put(`/groups/${theirs}/connections/${id}`, { action: 'accept' })).body).toMatchObject({
      status: 'accepted',
      responded_by: bob.id,
    });
    expect(codeOf(await bob.put(`/groups/${theirs}/connections/${id}`, { action: 'decline' }))).toEqual(
      STATE,
    );
    expect(codeOf(await connect(theirs))).toEqual([409, 'CONNECTION_EXISTS']);
    expect(codeOf(await back())).toEqual([409, 'CONNECTION_EXISTS']);
    expect(codeOf(await alice.get(`/groups/${theirs}/nodes`))).toEqual(OUTSIDE);
    expect((await bob.delete(`/groups/${theirs}/connections/${id}`)).body.status).toBe('revoked');
    expect(codeOf(await alice.delete(`/groups/${ours}/connections/${id}`))).toEqual(STATE);
    const again = await connect(theirs);
    expect(again.status).toBe(201);
    const { body } = await alice.get(`/groups/${ours}/connections`);
    expect(body.connections.map((one: { id: string }) => one.id)).toEqual([again.body.id]);
  });

  it('groups keep a request to connect when its maker leaves, and every admin can end it (rule 10.4)', async () => {
    const [ours, theirs, gone] = [await group(alice), await group(bob), await group(bob)];
    await joins(carol, alice, ours, 'admin');
    const connect = (target_group_id: string) =>
      alice.post(`/groups/${ours}/connections`, { target_group_id });
    await bob.delete(`/groups/${gone}`);
    expect(codeOf(await connect(gone))).toEqual(ABSENT);
    const { id } = (await connect(theirs)).body;
    expect((await alice.delete(`/groups/${ours}/members/${alice.id}`)).status).toBe(200);
    expect((await bob.get(`/groups/${theirs}/connections/incoming`)).body.total).toBe(1);
    expect((await carol.delete(`/groups/${ours}/connections/${id}`)).body.status).toBe('revoked');
  });

  it('groups list their connections in pages', async () => {
    const ours = await group(alice);
    const made: string[] = [];
    for (const target_group_id of [await group(bob), await group(bob), await group(bob)])
      made.unshift((await alice.post(`/groups/${ours}/connections`, { target_group_id })).body.id);
    const pages = await Promise.all(
      [0, 2, 4].map((offset) => alice.get(`/groups/${ours}/connections?limit=2&offset=${offset}`)),
    );
    expect(pages.map(({ body }) => [body.total, body.limit])).toEqual([
      [3, 2],
      [3, 2],
      [3, 2],
    ]);
    expect(pages.flatMap(({ body }) => body.connections.map(({ id }: { id: string }) => id))).toEqual(made);
  });

  it('groups are for users: keys are refused', async () => {
    const app = await alice.lets(await world.app());
    expect(codeOf(await app.get('/groups'))).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('groups protect a personal profile in use from deletion until the member stops sharing or leaves', async () => {
    await node(bob);
    const id = await group(alice, [bob]);
    const profile = (
      await bob.post('/exposure-profiles/from-template', { template: 'transparent', name: 'all' })
    ).body.id;
    const shared = await bob.post(`/groups/${id}/share`, { exposure_profile_id: profile });
    expect(shared.status).toBe(201);
    expect(shared.body).toEqual({
      group: { id, name: 'crew' },
      user: { id: bob.id, username: bob.name },
      exposure_profile: { id: profile, name: 'all' },
      group_id: id,
      user_id: bob.id,
      exposure_profile_id: profile,
      is_active: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(codeOf(await bob.post(`/groups/${id}/share`, { exposure_profile_id: profile }))).toEqual([
      409,
      'SHARE_EXISTS',
    ]);
    expect((await bob.get(`/groups/${id}/share`)).body).toEqual(shared.body);
    expect(codeOf(await alice.get(`/groups/${id}/share`))).toEqual(ABSENT);
    expect(codeOf(await alice.post(`/groups/${id}/share`, { exposure_profile_id: profile }))).toEqual(ABSENT);
    expect(codeOf(await bob.delete(`/exposure-profiles/${profile}`))).toEqual([409, 'PROFILE_IN_USE']);
    const other = (await bob.post('/exposure-profiles', { name: 'other' })).body.id;
    expect(
      (await bob.put(`/groups/${id}/share`, { exposure_profile_id: other })).body.exposure_profile_id,
    ).toBe(other);
    expect((await bob.delete(`/exposure-profiles/${profile}`)).status).toBe(200);
    await bob.delete(`/groups/${id}/members/${bob.id}`);
    expect((await bob.delete(`/exposure-profiles/${other}`)).status).toBe(200);
    await joins(bob, alice, id);
    expect(codeOf(await bob.get(`/groups/${id}/share`))).toEqual(ABSENT);
    expect(codeOf(await bob.delete(`/groups/${id}/share`))).toEqual(ABSENT);
  });
});
