import { until } from '../support/until.js';
import { idOf } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { assigns, group, withPeople } from '../support/worlds/people.js';
import { proposed } from '../support/worlds/proposals.js';

const GOAL = { title: 'Learn to sail', node_type: 'GOAL' };

describe('names beside ids (rule 11.13)', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;
  withPeople(
    (met) => ({ world, alice, bob, carol } = met),
    () => World.startHere(),
  );

  const person = ({ id, name }: TestUser) => ({ id, username: name });
  const sharesOf = async (user: TestUser, which: string) => (await user.get(`/sharing/${which}`)).body.shares;

  describe('authorizations', () => {
    it('a person is shown the names of app, profile and themselves, and the last use', async () => {
      const app = await world.app();
      const { profile } = await alice.authorizes(app);
      const read = async () => (await alice.get('/authorizations')).body.authorizations[0];
      const unused = await read();
      expect(unused).toMatchObject({
        app: { id: app.id, name: unused.app_name },
        user: person(alice),
        profile: { id: profile.id, name: profile.name },
        last_used_at: null,
      });
      await app.as(alice).get('/nodes');
      await until(async () => (await read()).last_used_at !== null, 'the use is logged');
      const used = await read();
      expect(Date.parse(used.last_used_at)).toBeGreaterThanOrEqual(Date.parse(used.created_at));
      expect((await alice.get(`/authorizations/${used.id}`)).body).toEqual(used);
    });

    it('a page of apps has the numbers of nodes that each may reach, if asked for', async () => {
      const tag = await tagId(alice, 'sailing');
      await letsIn(world, alice, profile({ read: [tag], edit: [tag], delete: [] }));
      const { authorization } = await alice.authorizes(await world.app());
      for (const tags of [['sailing'], ['sailing'], ['cooking']]) await node(alice, { tags });
      const counts = async () => {
        const { authorizations } = (await alice.get('/authorizations?include_node_counts=true')).body;
        return (authorizations as { node_counts: unknown }[]).map(({ node_counts }) => node_counts);
      };
      const all = { read: 3, propose: 3, edit: 3, delete: 3 };
      expect(await counts()).toEqual([all, { read: 2, propose: 0, edit: 2, delete: 0 }]);
      await node(alice, { tags: ['sailing'] });
      await alice.delete(`/authorizations/${authorization.id}`);
      expect(await counts()).toEqual([null, { read: 3, propose: 0, edit: 3, delete: 0 }]);
      const [plain] = (await alice.get('/authorizations')).body.authorizations;
      expect(plain).not.toHaveProperty('node_counts');
    });

    it('a refused request is no use, and a use belongs to the authorization of its time', async () => {
      const app = await world.app();
      const first = (await alice.authorizes(app)).authorization;
      await app.as(alice).get('/nodes');
      await alice.delete(`/authorizations/${first.id}`);
      expect((await app.as(alice).get('/nodes')).status).toBe(403);
      await alice.authorizes(app);
      const read = async () => (await alice.get('/authorizations')).body.authorizations;
      await until(async () => (await read())[1].last_used_at !== null, 'the use is logged');
      const [second, earlier] = await read();
      expect(second.last_used_at).toBeNull();
      expect(earlier.id).toBe(first.id);
      expect(Date.parse(earlier.last_used_at)).toBeLessThanOrEqual(Date.parse(earlier.revoked_at));
    });

    it('an app is shown neither the name of its user nor that of the profile', async () => {
      const app = await world.app();
      const client = await alice.lets(app);
      const hidden = { user: null, profile: null, last_used_at: null };
      const { authorization } = (await client.get('/authorizations/current')).body;
      expect(authorization).toMatchObject({ app: { id: app.id, name: authorization.app_name }, ...hidden });
      const listed = await app.alone.get('/apps/current/authorizations');
      expect(listed.body.authorizations).toMatchObject([hidden]);
      expect(listed.text).not.toContain(alice.name);
    });
  });

  describe('shares', () => {
    it('both people are shown each other and the nodes by title, and the sharer the tags by name', async () => {
      const tag = await tagId(alice, 'sailing');
      const { id } = await node(alice, { title: 'Boat', tags: ['sailing'] });
      const share = { shared_with_user_id: bob.id, can_read: true };
      await alice.post('/sharing', { ...share, scope: 'specific_tags', tag_ids: [tag] });
      await alice.post('/sharing', { ...share, scope: 'specific_nodes', node_ids: [id] });
      const people = { owner: person(alice), shared_with: person(bob) };
      expect(await sharesOf(alice, 'outgoing')).toMatchObject([
        { ...people, tags: [], nodes: [{ id, title: 'Boat' }] },
        { ...people, tags: [{ id: tag, name: 'sailing' }], nodes: [] },
      ]);
      expect(await sharesOf(bob, 'incoming')).toMatchObject([
        { ...people, tags: null, nodes: [{ id, title: 'Boat' }] },
        { ...people, tags: null, nodes: [] },
      ]);
    });

    it('a list of shares with titles of nodes is no entry in the log of their sharer', async () => {
      const { id } = await node(alice, { title: 'Boat' });
      const body = { shared_with_user_id: bob.id, scope: 'specific_nodes', node_ids: [id] };
      await alice.post('/sharing', body);
      await alice.get('/sharing/outgoing');
      expect((await sharesOf(bob, 'incoming'))[0].nodes).toEqual([{ id, title: 'Boat' }]);
      expect((await alice.get('/access-log')).body.entries).toEqual([]);
    });

    it('a deleted node has no title in a share', async () => {
      const [gone, kept] = [await node(alice), await node(alice, { title: 'Boat' })];
      const body = { shared_with_user_id: bob.id, scope: 'specific_nodes', node_ids: [gone.id, kept.id] };
      const { id } = (await alice.post('/sharing', body)).body;
      await alice.delete(`/nodes/${gone.id}`);
      expect((await sharesOf(bob, 'incoming'))[0].nodes).toEqual([{ id: kept.id, title: 'Boat' }]);
      expect((await alice.get(`/sharing/${id}`)).body.nodes).toEqual([{ id: kept.id, title: 'Boat' }]);
    });

    it('an answer to a share of nodes of others names none of them, because it may be repeated', async () => {
      const { id } = await node(alice, { title: 'Boat' });
      const single = { scope: 'specific_nodes', node_ids: [id] };
      await alice.post('/sharing', { ...single, shared_with_user_id: bob.id, can_share: true });
      const again = await bob.post('/sharing', { ...single, shared_with_user_id: carol.id });
      expect([again.status, again.body.nodes]).toEqual([201, []]);
      expect((await bob.get(`/sharing/${again.body.id}`)).body.nodes).toEqual([{ id, title: 'Boat' }]);
    });

    it('a share names at most 20 of its nodes', async () => {
      const ids: string[] = [];
      for (let number = 0; number < 22; number++) ids.push((await node(alice)).id);
      const body = { shared_with_user_id: bob.id, scope: 'specific_nodes', node_ids: ids };
      const made = await alice.post('/sharing', body);
      expect([made.body.node_ids.length, made.body.nodes.length]).toEqual([22, 20]);
    });
  });

  it('an invitation names group and people, and its profile to admins alone', async () => {
    const crew = await group(alice, [], { name: 'Crew' });
    const made = await alice.post(`/groups/${crew}/exposure-profiles`, { name: 'Deck' });
    const exposure_profile_id = made.body.id as string;
    const sent = await alice.post(`/groups/${crew}/invitations`, { user_id: bob.id, exposure_profile_id });
    const named = { group: { id: crew, name: 'Crew' }, invited_user: person(bob), inviter: person(alice) };
    const exposure_profile = { id: exposure_profile_id, name: 'Deck' };
    expect(sent.body).toMatchObject({ ...named, exposure_profile });
    const pending = await alice.get(`/groups/${crew}/invitations`);
    expect(pending.body.invitations).toEqual([sent.body]);
    const [incoming] = (await bob.get('/groups/invitations/incoming')).body.invitations;
    expect(incoming).toMatchObject(named);
    expect(incoming).not.toHaveProperty('exposure_profile');
    expect(incoming).not.toHaveProperty('exposure_profile_id');
  });

  it('a group that is asked for a connection is named once it accepts, and the one that asks at once', async () => {
    const [crew, club] = [await group(alice, [], { name: 'Crew' }), await group(bob, [], { name: 'Club' })];
    const asked = await alice.post(`/groups/${crew}/connections`, { target_group_id: club });
    const known = { group: { id: crew, name: 'Crew' }, requester: person(alice), responder: null };
    expect(asked.body).toMatchObject({ ...known, target_group: null });
    const pending = await alice.get(`/groups/${crew}/connections`);
    expect(pending.body.connections).toEqual([asked.body]);
    const target_group = { id: club, name: 'Club' };
    const [incoming] = (await bob.get(`/groups/${club}/connections/incoming`)).body.connections;
    expect(incoming).toMatchObject({ ...known, target_group });
    const answered = await bob.put(`/groups/${club}/connections/${asked.body.id}`, { action: 'accept' });
    expect(answered.body).toMatchObject({ ...known, target_group, responder: person(bob) });
    const listed = (await alice.get(`/groups/${crew}/connections`)).body.connections;
    expect(listed).toEqual([answered.body]);
    const ended = await alice.delete(`/groups/${crew}/connections/${asked.body.id}`);
    expect(ended.body).toMatchObject({ status: 'revoked', target_group: null, responder: null });
    const endedForBob = await bob.get(`/groups/${club}/connections`);
    expect(endedForBob.body.connections).toEqual([]);
  });

  it('a share with a group names group, sharer and profile, and profiles of members are named to admins', async () => {
    const crew = await group(alice, [bob], { name: 'Crew' });
    const mine = await idOf(bob, '/exposure-profiles', { name: 'Mine' });
    const shared = await bob.post(`/groups/${crew}/share`, { exposure_profile_id: mine });
    const named = { group: { id: crew, name: 'Crew' }, user: person(bob) };
    expect(shared.body).toMatchObject({ ...named, exposure_profile: { id: mine, name: 'Mine' } });
    expect((await bob.get(`/groups/${crew}/share`)).body).toEqual(shared.body);
    const assigned = await assigns(alice, crew, { to: bob, body: { name: 'Deck' } });
    const profilesFor = async (user: TestUser) =>
      ((await user.get(`/groups/${crew}/members`)).body.members as { exposure_profile: unknown }[]).map(
        (member) => member.exposure_profile,
      );
    expect(await profilesFor(alice)).toEqual([null, { id: assigned, name: 'Deck' }]);
    expect(await profilesFor(bob)).toEqual([null, null]);
  });

  it('a proposal names its app to both, and its user to the user alone', async () => {
    const app = await world.app();
    const client = await alice.lets(app);
    const { id } = await proposed(client, { canonical_data: GOAL });
    const shown = (await alice.get(`/proposals/${id}`)).body;
    expect(shown).toMatchObject({ app: { id: app.id }, user: person(alice) });
    expect((await alice.get('/proposals')).body.proposals).toEqual([shown]);
    const own = await client.get(`/proposals/${id}`);
    expect(own.body).toEqual({ ...shown, user: null });
    expect(own.text).not.toContain(alice.name);
  });

  it('the access log names nodes by their present titles, and leaves deleted ones out', async () => {
    const client = await alice.lets(await world.app());
    const [gone, kept] = [await node(alice), await node(alice, { title: 'Boat' })];
    await client.get('/nodes');
    await alice.put(`/nodes/${kept.id}`, { title: 'Ship' });
    await alice.delete(`/nodes/${gone.id}`);
    const [entry] = (await alice.get('/access-log')).body.entries;
    expect([...entry.node_ids].sort()).toEqual([gone.id, kept.id].sort());
    expect(entry.nodes).toEqual([{ id: kept.id, title: 'Ship' }]);
  });
});
