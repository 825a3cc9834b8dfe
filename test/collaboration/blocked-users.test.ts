import { deliver, Receiver } from '../delivery/receiver.js';
import { codeOf, node, tagId, titlesOf } from '../support/worlds/nodes.js';
import { exported, rowsOf } from '../portability/archives.js';
import { type Answer, type Client } from '../support/client.js';
import { idOf } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';
import { ABSENT, group, INVALID, UNKNOWN, withPeople } from '../support/worlds/people.js';

const PASSWORD = 'correct horse battery';
const FILE = '--x\r\nContent-Disposition: form-data; name="file"; filename="sea.txt"\r\n\r\nsea\r\n--x--\r\n';

describe('blocked users (rule 10.7i)', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  withPeople(
    (people) => ({ world, alice, bob, carol } = people),
    () => World.startHere({ WEBHOOK_ALLOW_PRIVATE: 'true' }),
  );

  const block = async (by: TestUser, whom: TestUser): Promise<void> => {
    expect((await by.put(`/blocked-users/${whom.id}`)).status).toBe(200);
  };
  const unblock = async (by: TestUser, whom: TestUser): Promise<void> => {
    expect((await by.delete(`/blocked-users/${whom.id}`)).status).toBe(200);
  };
  const share = (from: TestUser, to: TestUser, body: object = { scope: 'all' }) =>
    idOf(from, '/sharing', { shared_with_user_id: to.id, ...body });
  /** An answer without what differs between any two requests. */
  const bytes = ({ status, text, body }: Answer): [number, string] => [
    status,
    text.replaceAll(body?.error?.request_id ?? '-', '-'),
  ];

  it('the list is the person’s own, in pages, newest first, and blocking again changes nothing', async () => {
    const first = await alice.put(`/blocked-users/${bob.id.toUpperCase()}`);
    expect(first.body).toEqual({ user_id: bob.id, username: bob.name, created_at: expect.any(String) });
    expect((await alice.put(`/blocked-users/${bob.id}`)).body).toEqual(first.body);
    await block(alice, carol);
    const page = await alice.get('/blocked-users?limit=1');
    expect(page.body).toMatchObject({
      total: 2,
      limit: 1,
      offset: 0,
      blocked_users: [{ user_id: carol.id }],
    });
    expect((await alice.get('/blocked-users?offset=1')).body.blocked_users).toEqual([first.body]);
    expect((await bob.get('/blocked-users')).body).toMatchObject({ total: 0, blocked_users: [] });
    const gone = await alice.delete(`/blocked-users/${bob.id}`);
    expect(gone.body).toEqual({ user_id: bob.id, message: expect.any(String) });
    for (const id of [bob.id, UNKNOWN, 'nobody'])
      expect(codeOf(await alice.delete(`/blocked-users/${id}`))).toEqual(ABSENT);
    for (const id of [UNKNOWN, 'nobody'])
      expect(codeOf(await alice.put(`/blocked-users/${id}`))).toEqual(ABSENT);
    expect(codeOf(await alice.put(`/blocked-users/${alice.id}`))).toEqual(INVALID);
    expect((await alice.get('/blocked-users')).body.total).toBe(1);
  });

  it('a blocked person’s shares are absent from every answer, as if they had never been made', async () => {
    const { id } = await node(alice, { title: 'boat', tags: ['sea'] });
    const other = await node(alice, { title: 'harbour', tags: ['sea'] });
    const sea = await tagId(alice, 'sea');
    const edge = await idOf(alice, '/relationships', {
      from_node_id: id,
      to_node_id: other.id,
      relationship_type: 'near',
    });
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const file = (await alice.post('/raw-files', FILE, { headers })).body.id as string;
    const app = await bob.lets(await world.app());
    await node(bob, { title: 'own' });
    let shareId = UNKNOWN;
    const requests: [string, string, object?][] = [
      ['GET', '/nodes'],
      ['GET', '/nodes?access=shared&include_tags=true&include_owner=true'],
      ['GET', '/nodes?access=owned'],
      ['GET', '/nodes?search=boat'],
      ['GET', '/nodes/count'],
      ['POST', '/nodes/search', { query: 'boat' }],
      ['GET', `/nodes/${id}`],
      ['GET', `/nodes/${id}/history`],
      ['GET', `/nodes/${id}/history/1`],
      ['GET', `/nodes/${id}/relationships`],
      ['GET', `/nodes/${id}/contributions`],
      ['PUT', `/nodes/${id}`, { value: 'x' }],
      ['POST', '/nodes/bulk-delete', { node_ids: [id] }],
      ['GET', '/tags'],
      ['GET', `/tags/${sea}`],
      ['GET', `/tags/${sea}/nodes`],
      ['GET', '/relationships'],
      ['GET', `/relationships/${edge}`],
      ['GET', `/raw-files/${file}`],
      ['GET', `/nodes/${file}/download`],
      ['GET', '/sharing/incoming'],
      ['GET', '/sharing/:share'],
      ['PUT', '/sharing/:share', {}],
      ['DELETE', '/sharing/:share'],
      ['POST', '/sharing', { shared_with_user_id: carol.id, scope: 'specific_nodes', node_ids: [id] }],
    ];
    const answers = async (client: Client): Promise<unknown[][]> => {
      const found: unknown[][] = [];
      for (const [method, path, body] of requests)
        found.push([
          method,
          path,
          ...bytes(await client.send(method, path.replace(':share', shareId), body)),
        ]);
      return found;
    };
    const everybody = async () => ({ bob: await answers(bob), app: await answers(app) });

    const before = await everybody();
    shareId = await share(alice, bob, { scope: 'all', can_share: true });
    // Requests that change something are sent only where they must be refused.
    const visible = requests.filter(([method]) => method === 'GET');
    const whole = await Promise.all(
      visible.map(async ([, path]) => bytes(await bob.get(path.replace(':share', shareId)))),
    );
    const same = visible.filter(([, path], index) =>
      before.bob.some(([, asked, ...answer]) => asked === path && String(answer) === String(whole[index])),
    );
    expect(same.map(([, path]) => path)).toEqual(['/nodes?access=owned']);
    await block(bob, alice);
    expect(await everybody()).toEqual(before);
    expect((await alice.get(`/nodes/${id}`)).body.value).toBeNull();
    await unblock(bob, alice);
    expect(titlesOf(await bob.get('/nodes?sort=title&order=asc'))).toEqual([
      'boat',
      'harbour',
      'own',
      'sea.txt',
    ]);
    expect((await bob.get(`/sharing/${shareId}`)).status).toBe(200);
  });

  it('a blocked person is answered in everything as one who is not blocked', async () => {
    const [dave, erin] = [await world.user(), await world.user()];
    const sailing = await group(alice);
    const { id: boat } = await node(alice, { title: 'boat' });
    for (const recipient of [dave, erin]) await share(alice, recipient);
    await block(dave, alice);
    const told = async (recipient: TestUser): Promise<unknown> => {
      const found: Answer[] = [];
      const asks = async (method: string, path: string, body?: object): Promise<Answer> => {
        const answer = await alice.send(method, path, body);
        found.push(answer);
        return answer;
      };
      const shared_with_user_id = recipient.id;
      const one = await asks('POST', '/sharing', { shared_with_user_id, scope: 'all' });
      await asks('PUT', `/sharing/${one.body.id}`, { can_write: true, can_share: true });
      await asks('POST', '/sharing', { shared_with_user_id, scope: 'specific_nodes', node_ids: [boat] });
      await asks('GET', `/sharing/${one.body.id}`);
      await asks('GET', '/sharing/outgoing');
      await asks('DELETE', `/sharing/${one.body.id}`);
      const follow = await asks('POST', '/follows', { target_user_id: recipient.id, message: 'hello' });
      await asks('POST', '/follows', { target_user_id: recipient.id });
      await asks('GET', '/follows/outgoing?status=pending');
      await asks('DELETE', `/follows/${follow.body.id}`);
      const invitation = await asks('POST', `/groups/${sailing}/invitations`, { user_id: recipient.id });
      await asks('POST', `/groups/${sailing}/invitations`, { user_id: recipient.id });
      await asks('GET', `/groups/${sailing}/invitations`);
      await asks('DELETE', `/groups/${sailing}/invitations/${invitation.body.id}`);
      await asks('GET', `/users/${recipient.id}`);
      await asks('GET', `/users?username=${recipient.name}`);
      await asks('DELETE', `/tags/${UNKNOWN}`);
      const outline = (value: unknown): unknown =>
        JSON.parse(
          JSON.stringify(value)
            .replaceAll(recipient.id, 'recipient')
            .replaceAll(recipient.name, 'name')
            .replace(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"id"')
            .replace(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"time"'),
        );
      // Lists hold what was given to the other recipient, too.
      return found.map(({ status, body }) => [
        status,
        outline(
          body.shares?.filter(
            (one: { shared_with_user_id: string }) => one.shared_with_user_id === recipient.id,
          ) ?? body,
        ),
      ]);
    };
    const blocked = await told(dave);
    expect(await told(erin)).toEqual(blocked);
    expect(codeOf(await alice.get(`/nodes/${boat}`))).toEqual([200, undefined]);
    expect((await dave.get('/sharing/incoming')).body.total).toBe(0);
    expect((await erin.get('/sharing/incoming')).body.total).toBe(2);
  });

  it('nodes of a blocked person do not come by re-shares of others either, and what was shared on goes on', async () => {
    const { id } = await node(alice, { title: 'boat' });
    const dave = await world.user();
    const only = { scope: 'specific_nodes', node_ids: [id], can_share: true };
    await share(alice, carol, only);
    await share(carol, bob, only);
    const onward = await share(bob, dave, only);
    expect(titlesOf(await bob.get('/nodes'))).toEqual(['boat']);
    await block(bob, alice);
    expect([titlesOf(await bob.get('/nodes')), titlesOf(await dave.get('/nodes'))]).toEqual([[], ['boat']]);
    expect((await bob.get('/sharing/incoming')).body.total).toBe(0);
    expect(codeOf(await bob.put(`/sharing/${onward}`, { node_ids: [id] }))).toEqual(INVALID);
    expect((await bob.delete(`/sharing/${onward}`)).status).toBe(200);
    expect(titlesOf(await dave.get('/nodes'))).toEqual([]);
    await unblock(bob, alice);
    await block(bob, carol);
    expect(titlesOf(await bob.get('/nodes'))).toEqual([]);
  });

  it('a blocked member’s share with a common group is absent for the one who blocked them, and there for others', async () => {
    const id = await group(alice, [bob, carol]);
    const shared = await node(bob, { title: 'Letter' });
    const exposure_profile_id = await idOf(bob, '/exposure-profiles/from-template', {
      template: 'transparent',
      name: 'for the group',
    });
    expect((await bob.post(`/groups/${id}/share`, { exposure_profile_id })).status).toBe(201);
    const seenBy = async (reader: TestUser) => [
      titlesOf(await reader.get(`/groups/${id}/nodes`)),
      (await reader.get(`/groups/${id}/nodes/${shared.id}`)).status,
    ];
    expect(await seenBy(alice)).toEqual([['Letter'], 200]);
    await block(alice, bob);
    expect([await seenBy(alice), await seenBy(carol)]).toEqual([
      [[], 404],
      [['Letter'], 200],
    ]);
    await unblock(alice, bob);
    expect(await seenBy(alice)).toEqual([['Letter'], 200]);
  });

  it('a share of a blocked sharer lets nothing be shared on, also of nodes that another sharer shares', async () => {
    const { id } = await node(alice, { title: 'boat' });
    const only = { scope: 'specific_nodes', node_ids: [id] };
    await share(alice, bob, only);
    await share(alice, carol, { ...only, can_share: true });
    await share(carol, bob, { ...only, can_share: true });
    const dave = await world.user();
    await share(bob, dave, only);
    await block(bob, carol);
    const again = await bob.post('/sharing', { shared_with_user_id: dave.id, ...only });
    expect([titlesOf(await bob.get('/nodes')), codeOf(again)]).toEqual([['boat'], INVALID]);
  });

  it('a blocked person’s requests to follow and invitations do not show, and cannot be answered', async () => {
    const sailing = await group(alice);
    const follow = await idOf(alice, '/follows', { target_user_id: bob.id, message: 'let me in' });
    const invitation = await idOf(alice, `/groups/${sailing}/invitations`, { user_id: bob.id });
    const seen = async () => [
      (await bob.get('/follows/incoming')).body.total,
      (await bob.get('/follows/incoming?status=pending')).body.total,
      (await bob.get('/groups/invitations/incoming')).body.total,
    ];
    expect(await seen()).toEqual([1, 1, 1]);
    await block(bob, alice);
    expect(await seen()).toEqual([0, 0, 0]);
    const accept = { action: 'accept', share: { scope: 'all' } };
    expect(codeOf(await bob.put(`/follows/${follow}/respond`, accept))).toEqual(ABSENT);
    expect(codeOf(await bob.delete(`/follows/${follow}`))).toEqual(ABSENT);
    expect(codeOf(await bob.put(`/groups/invitations/${invitation}`, { action: 'accept' }))).toEqual(ABSENT);
    await alice.delete(`/follows/${follow}`);
    expect(await seen()).toEqual([0, 0, 0]);
    expect((await alice.get(`/groups/${sailing}/invitations`)).body.total).toBe(1);
    await unblock(bob, alice);
    expect(await seen()).toEqual([1, 0, 1]);
    expect((await bob.put(`/groups/invitations/${invitation}`, { action: 'accept' })).status).toBe(200);
  });

  it('a blocked follower who was let in stays in the list, so that the follow can be ended', async () => {
    await node(bob, { title: 'boat' });
    await bob.patch('/auth/me', { is_public: true });
    await block(bob, alice);
    const follow = await idOf(alice, '/follows', { target_user_id: bob.id });
    expect(titlesOf(await alice.get('/nodes'))).toEqual(['boat']);
    expect((await bob.get('/follows/incoming')).body.follows).toMatchObject([
      { id: follow, status: 'accepted' },
    ]);
    expect((await bob.delete(`/follows/${follow}`)).status).toBe(200);
    expect(titlesOf(await alice.get('/nodes'))).toEqual([]);
    expect((await bob.get('/follows/incoming')).body.total).toBe(0);
  });

  it('a blocked person makes no events, adds nothing to the log, and shows in no archive', async () => {
    const receiver = await Receiver.start();
    const app = await world.app();
    await bob.lets(app);
    const hook = { webhook_url: receiver.url, events: ['share.created', 'share.revoked'], app_id: app.id };
    expect((await bob.post('/webhooks/subscribe', hook)).status).toBe(201);
    // In the log before the block, and delivered after it.
    await share(alice, bob);
    await block(bob, alice);
    const used = async (): Promise<number> => (await bob.get('/auth/me')).body.quotas.graph_bytes.used;
    const bytesBefore = await used();
    const { id } = await node(alice, { title: 'boat' });
    const only = { scope: 'specific_nodes', node_ids: [id], can_share: true };
    await alice.delete(`/sharing/${await share(alice, bob, only)}`);
    const root = await share(alice, carol, only);
    await share(carol, bob, { scope: 'specific_nodes', node_ids: [id] });
    await alice.delete(`/sharing/${root}`);
    const follow = await idOf(alice, '/follows', { target_user_id: bob.id, message: 'let me in' });
    const invitation = { user_id: bob.id, message: 'let me in' };
    await alice.post(`/groups/${await group(alice)}/invitations`, invitation);
    await deliver(world);
    expect(receiver.received).toEqual([]);
    expect(await used()).toBe(bytesBefore);
    const archive = await exported(bob);
    const rows = (name: string): unknown[] => rowsOf(archive, `listed/${name}.ndjson`);
    expect(rows('received_shares')).toEqual([]);
    expect(rows('follows')).toEqual([]);
    expect(rows('group_invitations')).toEqual([]);
    expect(rows('blocked_users')).toEqual([{ user_id: alice.id, created_at: expect.any(String) }]);
    await alice.delete(`/follows/${follow}`);
    await unblock(bob, alice);
    await share(alice, bob);
    await deliver(world);
    expect(receiver.told).toEqual(['share.created']);
    await receiver.stop();
  });

  it('erasure takes the list of the person, and the person from the lists of others', async () => {
    const dave = await world.user();
    await block(alice, bob);
    await block(bob, alice);
    await block(bob, dave);
    await block(carol, bob);
    expect((await bob.delete('/auth/me', { password: PASSWORD })).status).toBe(204);
    expect((await alice.get('/blocked-users')).body).toMatchObject({ total: 0, blocked_users: [] });
    expect((await carol.get('/blocked-users')).body.total).toBe(0);
    expect(codeOf(await carol.delete(`/blocked-users/${bob.id}`))).toEqual(ABSENT);
  });

  it('all shares of one sharer are removed by one request, with their follow and all re-shares', async () => {
    const { id } = await node(alice, { title: 'boat' });
    const dave = await world.user();
    const only = { scope: 'specific_nodes', node_ids: [id] };
    await alice.patch('/auth/me', { is_public: true });
    const follow = await idOf(bob, '/follows', { target_user_id: alice.id });
    for (let count = 0; count < 120; count++) await share(alice, bob, { ...only, can_share: true });
    await share(bob, dave, only);
    const kept = [await share(carol, bob), await share(alice, carol)];
    const remove = (sharer: string) => bob.delete(`/sharing/incoming/${sharer}`);
    expect((await remove(alice.id)).body).toEqual({ revoked: 121, message: expect.any(String) });
    expect((await remove(alice.id)).body.revoked).toBe(0);
    expect(codeOf(await remove(UNKNOWN))).toEqual(ABSENT);
    expect(codeOf(await remove('nobody'))).toEqual(ABSENT);
    expect((await bob.get('/sharing/incoming')).body.shares).toMatchObject([{ id: kept[0] }]);
    expect((await carol.get(`/sharing/${kept[1]}`)).body.status).toBe('active');
    expect(titlesOf(await dave.get('/nodes'))).toEqual([]);
    expect((await bob.get('/follows/outgoing')).body.follows).toMatchObject([
      { id: follow, status: 'revoked' },
    ]);
    const { shares } = (await alice.get('/sharing/outgoing?limit=100')).body;
    expect(shares.filter(({ status }: { status: string }) => status === 'active')).toMatchObject([
      { id: kept[1] },
    ]);
  });

  it('hidden shares of a blocked sharer are removed, too, so that they do not come back', async () => {
    await share(alice, bob);
    await block(bob, alice);
    expect((await bob.delete(`/sharing/incoming/${alice.id}`)).body.revoked).toBe(1);
    await unblock(bob, alice);
    expect((await bob.get('/sharing/incoming')).body.total).toBe(0);
    expect((await alice.get('/sharing/outgoing')).body.shares).toMatchObject([{ status: 'revoked' }]);
  });
});
