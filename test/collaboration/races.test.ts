import { Clock } from '../../src/kernel/clock.js';
import { codeOf, node, tagId, titlesOf } from '../support/worlds/nodes.js';
import { onPostgres } from '../support/database.js';
import { type TestUser, World } from '../support/world.js';
import { group, joins } from '../support/worlds/people.js';

/**
 * The number of concurrent attempts. The embedded database has one connection, so that there they run one
 * after the other.
 */
const ROUNDS = onPostgres ? 6 : 2;
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

describe('concurrent changes of groups, follows and shares', () => {
  let world: World;
  let users: TestUser[];
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
    users = [await world.user(), await world.user(), await world.user(), await world.user()];
    [alice, bob, carol] = users as [TestUser, TestUser, TestUser];
  });
  afterAll(() => world.stop());

  /** Sends a read again whose rights changed while it was in progress, as its answer asks (rule 2.8). */
  const untilDecided = async (send: () => ReturnType<TestUser['get']>): ReturnType<TestUser['get']> => {
    const answer = await send();
    if (answer.status !== 503) return answer;
    expect(answer.body.error.message).toContain('Permissions changed');
    return untilDecided(send);
  };
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();
  const admins = async (who: TestUser, id: string): Promise<string[]> => {
    const { body } = await who.get(`/groups/${id}/members`);
    return (body.members as { role: string; user_id: string }[])
      .filter(({ role }) => role === 'admin')
      .map(({ user_id }) => user_id);
  };

  it.each(rounds)('two admins leave: the second is refused as the last one (%#)', async () => {
    const id = await group(alice, [carol], { deletion_policy: 'transfer' });
    await joins(bob, alice, id, 'admin');
    const leave = (who: TestUser) => who.delete(`/groups/${id}/members/${who.id}`);
    const answers = await Promise.all([leave(alice), leave(bob)]);
    expect(statuses(answers)).toEqual([200, 200]);
    expect(answers.map(({ body }) => body.new_admin_id).filter((one) => one !== null)).toEqual([carol.id]);
    expect(await admins(carol, id)).toEqual([carol.id]);
  });

  it.each(rounds)('two admins leave a group that ends with its last admin: it ends once (%#)', async () => {
    const id = await group(alice, [carol]);
    await joins(bob, alice, id, 'admin');
    const leave = (who: TestUser) => who.delete(`/groups/${id}/members/${who.id}`);
    const answers = await Promise.all([leave(alice), leave(bob)]);
    expect(answers.map(({ body }) => body.group_active).sort()).toEqual([false, true]);
    expect(codeOf(await carol.get(`/groups/${id}`))).toEqual([404, 'NOT_FOUND']);
  });

  it.each(rounds)('two admins demote each other: one remains (%#)', async () => {
    const id = await group(alice);
    await joins(bob, alice, id, 'admin');
    const demote = (who: TestUser, whom: TestUser) =>
      who.put(`/groups/${id}/members/${whom.id}`, { role: 'member' });
    const answers = await Promise.all([demote(alice, bob), demote(bob, alice)]);
    expect(statuses(answers)).toEqual([200, 403]);
    expect(await admins(alice, id)).toHaveLength(1);
  });

  it.each(rounds)('an admin is demoted while disbanding: one of the two comes too late (%#)', async () => {
    const id = await group(alice);
    await joins(bob, alice, id, 'admin');
    const answers = await Promise.all([
      alice.put(`/groups/${id}/members/${bob.id}`, { role: 'member' }),
      bob.delete(`/groups/${id}`),
    ]);
    expect([
      [200, 403],
      [200, 404],
    ]).toContainEqual(statuses(answers));
  });

  it.each(rounds)(
    'the last admin leaves while another is promoted: there is an admin, or no group (%#)',
    async () => {
      const id = await group(alice, [bob]);
      const [promoted, left] = await Promise.all([
        alice.post(`/groups/${id}/members/${bob.id}/promote`),
        alice.delete(`/groups/${id}/members/${alice.id}`),
      ]);
      expect(left.status).toBe(200);
      if (left.body.group_active) expect(await admins(bob, id)).toEqual([bob.id]);
      else expect(codeOf(await bob.get(`/groups/${id}`))).toEqual([404, 'NOT_FOUND']);
      expect([200, 404]).toContain(promoted.status);
      expect(promoted.status === 200).toBe(left.body.group_active);
    },
  );

  it.each(rounds)(
    'an invitation is accepted, cancelled and accepted again: exactly one succeeds (%#)',
    async () => {
      const id = await group(alice);
      const invited = (await alice.post(`/groups/${id}/invitations`, { user_id: bob.id })).body.id;
      const accept = () => bob.put(`/groups/invitations/${invited}`, { action: 'accept' });
      const answers = await Promise.all([
        accept(),
        alice.delete(`/groups/${id}/invitations/${invited}`),
        accept(),
      ]);
      expect(statuses(answers)).toEqual([200, 409, 409]);
      const cancelled = answers[1]?.status === 200;
      expect((await bob.get(`/groups/${id}`)).status).toBe(cancelled ? 403 : 200);
      expect((await alice.get(`/groups/${id}`)).body.member_count).toBe(cancelled ? 1 : 2);
    },
  );

  it.each(rounds)(
    'an admin is demoted while their invitation is accepted: one of the two comes first (%#)',
    async () => {
      const id = await group(alice);
      await joins(bob, alice, id, 'admin');
      const invited = (await bob.post(`/groups/${id}/invitations`, { user_id: carol.id, role: 'admin' })).body
        .id;
      const [joined, demoted] = await Promise.all([
        carol.put(`/groups/invitations/${invited}`, { action: 'accept' }),
        alice.put(`/groups/${id}/members/${bob.id}`, { role: 'member' }),
      ]);
      expect(demoted.status).toBe(200);
      expect([200, 409]).toContain(joined.status);
      expect((await admins(alice, id)).includes(carol.id)).toBe(joined.status === 200);
      expect((await carol.get('/groups/invitations/incoming')).body.total).toBe(0);
    },
  );

  it.each(rounds)('a group ends while a user joins: the user is in no group (%#)', async () => {
    const id = await group(alice);
    const invited = (await alice.post(`/groups/${id}/invitations`, { user_id: bob.id })).body.id;
    const [joined, ended] = await Promise.all([
      bob.put(`/groups/invitations/${invited}`, { action: 'accept' }),
      alice.delete(`/groups/${id}`),
    ]);
    expect(ended.status).toBe(200);
    expect([200, 404]).toContain(joined.status);
    expect(codeOf(await bob.get(`/groups/${id}`))).toEqual([404, 'NOT_FOUND']);
    expect((await bob.get('/groups')).body.groups.map((one: { id: string }) => one.id)).not.toContain(id);
  });

  it.each(rounds)('a create is repeated many times: one entity exists (%#)', async () => {
    const [one, other] = [await world.user(), await world.user()];
    const follow = () => one.post('/follows', { target_user_id: other.id });
    expect(statuses(await Promise.all([follow(), follow(), follow()]))).toEqual([201, 409, 409]);
    const id = await group(alice);
    const theirs = await group(bob);
    const invite = () => alice.post(`/groups/${id}/invitations`, { user_id: carol.id });
    expect(statuses(await Promise.all([invite(), invite(), invite()]))).toEqual([201, 409, 409]);
    const connect = () => alice.post(`/groups/${id}/connections`, { target_group_id: theirs });
    const back = () => bob.post(`/groups/${theirs}/connections`, { target_group_id: id });
    expect(statuses(await Promise.all([connect(), back(), connect(), back()]))).toEqual([201, 409, 409, 409]);
    const { id: exposure_profile_id } = (await alice.get('/exposure-profiles/default')).body;
    const share = () => alice.post(`/groups/${id}/share`, { exposure_profile_id });
    expect(statuses(await Promise.all([share(), share(), share()]))).toEqual([201, 409, 409]);
  });

  it.each(rounds)('a profile is assigned to a member and deleted: never both (%#)', async () => {
    const id = await group(alice, [bob]);
    const made = (await alice.post(`/groups/${id}/exposure-profiles`, { name: 'readers' })).body.id;
    const [given, deleted] = await Promise.all([
      alice.put(`/groups/${id}/members/${bob.id}`, { exposure_profile_id: made }),
      alice.delete(`/groups/${id}/exposure-profiles/${made}`),
    ]);
    expect([
      [200, 409],
      [400, 200],
    ]).toContainEqual([given.status, deleted.status]);
    expect((await bob.get(`/groups/${id}/nodes`)).status).toBe(200);
  });

  it.each(rounds)('a follow is accepted, declined and ended: share and follow agree (%#)', async () => {
    const [target, follower] = [await world.user(), await world.user()];
    await node(target, { title: 'seen' });
    const { id } = (await follower.post('/follows', { target_user_id: target.id })).body;
    const answers = await Promise.all([
      target.put(`/follows/${id}/respond`, { action: 'accept', share: { scope: 'all' } }),
      target.put(`/follows/${id}/respond`, { action: 'decline' }),
      follower.delete(`/follows/${id}`),
    ]);
    expect(answers[2]?.status).toBe(200);
    expect((await follower.get('/follows/outgoing')).body.follows[0].status).toBe('revoked');
    expect(titlesOf(await follower.get('/nodes'))).toEqual([]);
    expect((await follower.get('/sharing/incoming')).body.total).toBe(0);
  });

  it.each(rounds)(
    'a share is revoked by both users and with its follow: once, without a deadlock (%#)',
    async () => {
      const [target, follower] = [
        await world.user('', { is_public: true, ...named(world) }),
        await world.user(),
      ];
      const { id, share_id } = (await follower.post('/follows', { target_user_id: target.id })).body;
      const answers = await Promise.all([
        target.delete(`/sharing/${share_id}`),
        follower.delete(`/follows/${id}`),
        target.delete(`/follows/${id}`),
      ]);
      expect(statuses(answers)).toEqual([200, 200, 200]);
      expect((await target.get(`/sharing/${share_id}`)).body.status).toBe('revoked');
      expect((await target.get('/follows/incoming')).body.follows[0].status).toBe('revoked');
    },
  );

  it.each(rounds)('a node is re-shared while its share ends: no one keeps access (%#)', async () => {
    const [owner, friend, stranger] = [await world.user(), await world.user(), await world.user()];
    const made = await node(owner, { title: 'seen' });
    const parent = await owner.post('/sharing', {
      shared_with_user_id: friend.id,
      scope: 'all',
      can_share: true,
    });
    const [, revoked] = await Promise.all([
      friend.post('/sharing', {
        shared_with_user_id: stranger.id,
        scope: 'specific_nodes',
        node_ids: [made.id],
      }),
      owner.delete(`/sharing/${parent.body.id}`),
      stranger.get('/nodes'),
      stranger.get('/nodes'),
      stranger.get(`/nodes/${made.id}`),
    ]);
    expect(revoked.status).toBe(200);
    expect((await stranger.get('/nodes')).body.total).toBe(0);
    expect(codeOf(await stranger.get(`/nodes/${made.id}`))).toEqual([404, 'NODE_NOT_FOUND']);
    expect((await stranger.get('/sharing/incoming')).body.total).toBe(0);
  });

  it('a share expires between two pages: the second page neither has nor counts its nodes', async () => {
    const [owner, friend] = [await world.user(), await world.user()];
    for (const title of ['a', 'c', 'e']) await node(owner, { title });
    for (const title of ['b', 'd', 'f']) await node(friend, { title });
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    await owner.post('/sharing', { shared_with_user_id: friend.id, scope: 'all', expires_at });
    const page = (offset: number) => friend.get(`/nodes?sort=title&order=asc&limit=3&offset=${offset}`);
    expect((await page(0)).body.total).toBe(6);
    const clock = world.nest.get(Clock);
    const later = new Date(Date.now() + 60_001);
    clock.now = () => later;
    const second = await page(3).finally(() => delete (clock as { now?: unknown }).now);
    expect(second.body).toMatchObject({ total: 3, nodes: [] });
  });

  it('many users change and read shared nodes: every list agrees with the last change', async () => {
    const [owner, friend] = [await world.user(), await world.user()];
    const made = await node(owner, { title: 'seen' });
    for (const round of rounds) {
      const given = await owner.post('/sharing', {
        shared_with_user_id: friend.id,
        scope: 'specific_nodes',
        node_ids: [made.id],
        can_write: true,
      });
      await Promise.all([
        friend.put(`/nodes/${made.id}`, { value: `written ${round}` }),
        owner.put(`/nodes/${made.id}`, { importance_score: round / 10 }),
        friend.get('/nodes'),
      ]);
      expect((await friend.get('/nodes')).body).toMatchObject({
        total: 1,
        nodes: [{ value: `written ${round}` }],
      });
      await owner.delete(`/sharing/${given.body.id}`);
      expect((await friend.get('/nodes')).body.total).toBe(0);
      expect(codeOf(await friend.put(`/nodes/${made.id}`, { value: 'late' }))).toEqual([
        404,
        'NODE_NOT_FOUND',
      ]);
    }
    expect((await owner.get(`/nodes/${made.id}`)).body).toMatchObject({
      value: `written ${ROUNDS - 1}`,
      version: 1 + 2 * ROUNDS,
    });
  });

  it.each(rounds)(
    'a chain of four shares is cut at its top while the last recipient reads: no one keeps access (%#)',
    async () => {
      const chain = await Promise.all(Array.from({ length: 5 }, () => world.user()));
      const [owner, last] = [chain[0] as TestUser, chain[4] as TestUser];
      const made = await node(owner, { title: 'handed on' });
      const about = { scope: 'specific_nodes', node_ids: [made.id], can_share: true };
      let top = '';
      for (let i = 0; i < 4; i++) {
        const [sharer, recipient] = [chain[i] as TestUser, chain[i + 1] as TestUser];
        const given = await sharer.post('/sharing', { shared_with_user_id: recipient.id, ...about });
        expect(given.status).toBe(201);
        if (i === 0) top = given.body.id as string;
      }
      expect(titlesOf(await last.get('/nodes'))).toEqual(['handed on']);
      const get = (path: string) => untilDecided(() => last.get(path));
      const read = () => Promise.all([get(`/nodes/${made.id}`), get('/nodes'), get('/nodes')]);
      const [, ...answers] = await Promise.all([owner.delete(`/sharing/${top}`), read(), read()]);
      for (const [single, ...lists] of answers) {
        expect([200, 404]).toContain(single.status);
        for (const list of lists) expect([list.status, list.body.total <= 1]).toEqual([200, true]);
      }
      for (const user of chain.slice(1)) {
        expect(codeOf(await user.get(`/nodes/${made.id}`))).toEqual([404, 'NODE_NOT_FOUND']);
        expect((await user.get('/nodes')).body).toMatchObject({ nodes: [], total: 0 });
      }
    },
  );

  it.each(rounds)(
    'a tag is deleted under its share while the recipient reads: then the share shows nothing (%#)',
    async () => {
      const [owner, friend] = [await world.user(), await world.user()];
      const made = await node(owner, { title: 'under way', tags: ['sea'] });
      const tag = await tagId(owner, 'sea');
      await owner.post('/sharing', {
        shared_with_user_id: friend.id,
        scope: 'specific_tags',
        tag_ids: [tag],
      });
      expect(titlesOf(await friend.get('/nodes'))).toEqual(['under way']);
      const get = (path: string) => untilDecided(() => friend.get(path));
      const read = () => Promise.all([get('/nodes'), get('/tags'), get(`/nodes/${made.id}`)]);
      const [deleted, ...answers] = await Promise.all([owner.delete(`/tags/${tag}`), read(), read(), read()]);
      expect(deleted.status).toBe(200);
      for (const [nodes, tags, single] of answers) {
        expect([nodes.status, tags.status]).toEqual([200, 200]);
        expect([200, 404]).toContain(single.status);
      }
      expect((await friend.get('/nodes')).body).toMatchObject({ nodes: [], total: 0 });
      expect((await friend.get('/tags')).body).toMatchObject({ tags: [], total: 0 });
      expect(codeOf(await friend.get(`/nodes/${made.id}`))).toEqual([404, 'NODE_NOT_FOUND']);
    },
  );

  it('a node leaves and re-enters a tag scope while the recipient reads: each list after a change agrees with it', async () => {
    const [owner, friend] = [await world.user(), await world.user()];
    const made = await node(owner, { title: 'coming', tags: ['sea', 'land'] });
    const tag = await tagId(owner, 'sea');
    await owner.post('/sharing', { shared_with_user_id: friend.id, scope: 'specific_tags', tag_ids: [tag] });
    for (const round of rounds) {
      const isIn = round % 2 === 1;
      const tags = isIn ? ['sea', 'land'] : ['land'];
      const read = () => Promise.all([friend.get('/nodes'), friend.get(`/nodes/${made.id}`)]);
      const [put, ...answers] = await Promise.all([owner.put(`/nodes/${made.id}`, { tags }), read(), read()]);
      expect(put.status).toBe(200);
      for (const [list] of answers) expect([list.status, list.body.total <= 1]).toEqual([200, true]);
      const { body } = await friend.get('/nodes');
      expect([body.total, body.nodes.length]).toEqual(isIn ? [1, 1] : [0, 0]);
      expect((await friend.get('/nodes/count')).body.count).toBe(isIn ? 1 : 0);
      expect((await friend.get('/tags?access=shared')).body.total).toBe(isIn ? 2 : 0);
      expect((await friend.get(`/nodes/${made.id}`)).status).toBe(isIn ? 200 : 404);
    }
  });

  it.each(rounds)(
    'a group with open invitations ends while they are answered: no one is in it (%#)',
    async () => {
      const id = await group(alice);
      const invited = [];
      for (const user of [bob, carol]) {
        const { body } = await alice.post(`/groups/${id}/invitations`, { user_id: user.id });
        invited.push(body.id as string);
      }
      const answer = (user: TestUser, invitation: string | undefined) =>
        user.put(`/groups/invitations/${invitation}`, { action: 'accept' });
      await Promise.all([alice.delete(`/groups/${id}`), answer(bob, invited[0])]);
      for (const user of [alice, bob, carol])
        expect(codeOf(await user.get(`/groups/${id}`))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await answer(carol, invited[1]))).toEqual([404, 'NOT_FOUND']);
      const { body } = await carol.get('/groups/invitations/incoming');
      expect(body.invitations.filter(({ group_id }: { group_id: string }) => group_id === id)).toEqual([]);
    },
  );
});

function named(world: World): { email: string; username: string } {
  const name = `public${world.number()}`;
  return { email: `${name}@example.org`, username: name };
}
