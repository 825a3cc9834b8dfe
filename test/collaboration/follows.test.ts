import { codeOf, node, tagId, titlesOf } from '../support/worlds/nodes.js';
import { type TestUser } from '../support/world.js';
import { ABSENT, INVALID, UNKNOWN, withPeople } from '../support/worlds/people.js';

describe('follows', () => {
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  withPeople((people) => ({ alice, bob, carol } = people));

  const ask = async (follower: TestUser, target: TestUser, message?: string) =>
    (await follower.post('/follows', { target_user_id: target.id, message })).body;

  it('a follow of a public user begins at once, with a read-only share of everything', async () => {
    await alice.patch('/auth/me', { is_public: true });
    const made = await node(alice, { title: 'boat' });
    const follow = await ask(bob, alice, 'hello');
    expect(follow).toEqual({
      id: expect.any(String),
      follower_id: bob.id,
      target_user_id: alice.id,
      status: 'accepted',
      message: 'hello',
      share_id: expect.any(String),
      created_at: expect.any(String),
      responded_at: expect.any(String),
      follower: { id: bob.id, username: bob.name },
      target: { id: alice.id, username: alice.name },
    });
    expect(titlesOf(await bob.get('/nodes'))).toEqual(['boat']);
    expect(codeOf(await bob.put(`/nodes/${made.id}`, { value: 'x' }))).toEqual([403, 'PERMISSION_DENIED']);
    expect((await alice.get(`/sharing/${follow.share_id}`)).body).toMatchObject({
      source: 'follow',
      follow_id: follow.id,
      scope: 'all',
      can_read: true,
      can_write: false,
      can_delete: false,
      can_share: false,
    });
    await alice.patch('/auth/me', { is_public: false });
    expect(titlesOf(await bob.get('/nodes'))).toEqual(['boat']);
    expect((await bob.delete(`/follows/${follow.id}`)).body).toEqual({
      id: follow.id,
      status: 'revoked',
      message: expect.any(String),
    });
    expect(titlesOf(await bob.get('/nodes'))).toEqual([]);
    expect((await alice.get(`/sharing/${follow.share_id}`)).body.status).toBe('revoked');
    expect((await ask(bob, alice)).status).toBe('pending');
  });

  it('a follow of a private user waits for an answer that names a share', async () => {
    await node(alice, { title: 'boat', tags: ['sea'] });
    await node(alice, { title: 'house' });
    const { id } = await ask(bob, alice);
    const answer = (who: TestUser, body: object) => who.put(`/follows/${id}/respond`, body);
    const share = { scope: 'specific_tags', tag_ids: [await tagId(alice, 'sea')] };
    expect(titlesOf(await bob.get('/nodes'))).toEqual([]);
    expect(codeOf(await answer(bob, { action: 'accept', share }))).toEqual([403, 'PERMISSION_DENIED']);
    expect(codeOf(await answer(carol, { action: 'accept', share }))).toEqual(ABSENT);
    expect(codeOf(await answer(alice, { action: 'accept' }))).toEqual(INVALID);
    expect(codeOf(await answer(alice, { action: 'maybe' }))).toEqual(INVALID);
    expect(codeOf(await answer(alice, { action: 'accept', share: { scope: 'specific_tags' } }))).toEqual(
      INVALID,
    );
    expect((await answer(alice, { action: 'accept', share })).body).toMatchObject({ status: 'accepted' });
    expect(titlesOf(await bob.get('/nodes'))).toEqual(['boat']);
    for (const action of ['accept', 'decline'])
      expect(codeOf(await answer(alice, { action, share }))).toEqual([409, 'INVALID_STATE_TRANSITION']);
    expect(codeOf(await bob.post('/follows', { target_user_id: alice.id }))).toEqual([409, 'FOLLOW_EXISTS']);
    expect((await alice.delete(`/follows/${id}`)).status).toBe(200);
    expect(titlesOf(await bob.get('/nodes'))).toEqual([]);
  });

  it('a declined follow may be requested again', async () => {
    const { id } = await ask(bob, alice);
    expect(codeOf(await bob.post('/follows', { target_user_id: alice.id }))).toEqual([409, 'FOLLOW_EXISTS']);
    expect((await alice.put(`/follows/${id}/respond`, { action: 'decline' })).body.status).toBe('declined');
    expect((await ask(bob, alice)).status).toBe('pending');
    expect((await alice.get('/follows/incoming')).body).toMatchObject({ total: 2, limit: 20, offset: 0 });
    expect((await alice.get('/follows/incoming?status=declined')).body).toMatchObject({
      total: 1,
      follows: [{ id }],
    });
    expect((await bob.get('/follows/outgoing?status=pending')).body.total).toBe(1);
    expect((await bob.get('/follows/incoming')).body.total).toBe(0);
    expect(codeOf(await bob.get('/follows/incoming?status=other'))).toEqual(INVALID);
  });

  it('a follow ends with its share, which cannot be raised', async () => {
    await node(alice, { title: 'boat' });
    const { id } = await ask(bob, alice);
    const { share_id } = (
      await alice.put(`/follows/${id}/respond`, { action: 'accept', share: { scope: 'all' } })
    ).body;
    expect(codeOf(await alice.put(`/sharing/${share_id}`, { can_write: true }))).toEqual(INVALID);
    expect((await alice.put(`/sharing/${share_id}`, { scope: 'all' })).status).toBe(200);
    await bob.delete(`/sharing/${share_id}`);
    expect((await alice.get('/follows/incoming')).body.follows[0].status).toBe('revoked');
    expect(titlesOf(await bob.get('/nodes'))).toEqual([]);
  });

  it('a follow is refused for users who cannot be followed, and visible only to its two users', async () => {
    expect(codeOf(await bob.post('/follows', { target_user_id: bob.id }))).toEqual(INVALID);
    expect(codeOf(await bob.post('/follows', { target_user_id: UNKNOWN }))).toEqual(ABSENT);
    expect(codeOf(await bob.post('/follows', { target_user_id: 'x' }))).toEqual(ABSENT);
    expect(codeOf(await bob.post('/follows', {}))).toEqual(INVALID);
    const { id } = await ask(bob, alice);
    expect(codeOf(await carol.delete(`/follows/${id}`))).toEqual(ABSENT);
  });
});
