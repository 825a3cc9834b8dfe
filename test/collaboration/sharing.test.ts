import { Clock } from '../../src/kernel/clock.js';
import { type Client } from '../support/client.js';
import { callTool } from '../support/mcp.js';
import { deliver, Receiver } from '../delivery/receiver.js';
import { codeOf, letsIn, node, profile, tagId, titlesOf } from '../support/worlds/nodes.js';
import { type TestUser, World } from '../support/world.js';
import { DENIED, GONE, INVALID, UNKNOWN, withPeople } from '../support/worlds/people.js';

describe('/sharing', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  withPeople(
    (people) => ({ world, alice, bob, carol } = people),
    () => World.startHere(),
  );

  const share = async (from: TestUser, to: TestUser, body: object) => {
    const made = await from.post('/sharing', { shared_with_user_id: to.id, ...body });
    if (made.status !== 201) throw new Error(`share: ${made.status} ${made.text}`);
    return made.body;
  };
  const list = async (user: TestUser, query = '') =>
    titlesOf(await user.get(`/nodes?limit=100&sort=title&order=asc${query}`));

  it('sharing shows past versions of a node only if they are in the share (rule 3.20a)', async () => {
    const { id } = await node(alice, { title: 'secret', tags: ['private'] });
    await alice.put(`/nodes/${id}`, { title: 'open', tags: ['sea'] });
    await alice.put(`/nodes/${id}`, { title: 'open too' });
    await share(alice, bob, { scope: 'specific_tags', tag_ids: [await tagId(alice, 'sea')] });
    const history = await bob.get(`/nodes/${id}/history?include_snapshots=true`);
    expect([history.body.history.length, history.body.total]).toEqual([2, 2]);
    const versions = await Promise.all([1, 2, 3].map((v) => bob.get(`/nodes/${id}/history/${v}`)));
    for (const { text } of [history, ...versions]) expect(text).not.toMatch(/secret|private/);
    const { id: left } = await node(alice, { title: 'was shared', tags: ['sea'] });
    await alice.put(`/nodes/${left}`, { tags: ['private'] });
    expect(codeOf(await bob.get(`/nodes/${left}/history`))).toEqual(GONE);
  });

  it('sharing lets the recipient read everything, the nodes of a tag, or single nodes', async () => {
    const boat = await node(alice, { title: 'boat', tags: ['sea'] });
    const house = await node(alice, { title: 'house', tags: ['land'] });
    await node(alice, { title: 'bare' });
    expect(await list(bob)).toEqual([]);

    const one = await share(alice, bob, { scope: 'specific_nodes', node_ids: [house.id] });
    expect(one).toMatchObject({
      owner_id: alice.id,
      shared_with_user_id: bob.id,
      scope: 'specific_nodes',
      tag_ids: [],
      node_ids: [house.id],
      can_read: true,
      can_write: false,
      can_delete: false,
      can_share: false,
      status: 'active',
      expires_at: null,
      source: 'manual',
      follow_id: null,
      parent_share_id: null,
      revoked_at: null,
    });
    expect(await list(bob)).toEqual(['house']);
    const tags = await share(alice, bob, { scope: 'specific_tags', tag_ids: [await tagId(alice, 'sea')] });
    expect(await list(bob)).toEqual(['boat', 'house']);
    const all = await share(alice, bob, { scope: 'all' });
    expect(await list(bob)).toEqual(['bare', 'boat', 'house']);

    await alice.delete(`/sharing/${all.id}`);
    expect(await list(bob)).toEqual(['boat', 'house']);
    await alice.delete(`/sharing/${tags.id}`);
    expect(codeOf(await bob.get(`/nodes/${boat.id}`))).toEqual(GONE);
    expect((await bob.get(`/nodes/${house.id}`)).status).toBe(200);
    await bob.delete(`/sharing/${one.id}`);
    expect(await list(bob)).toEqual([]);
  });

  it('sharing joins own and received nodes in one list: access, is_shared, owner, order, pages, total', async () => {
    for (const title of ['b', 'd', 'f']) await node(alice, { title, tags: ['t'] });
    for (const title of ['a', 'c', 'e']) await node(bob, { title, tags: ['mine'] });
    await share(alice, bob, { scope: 'all' });
    expect(await list(bob)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(await list(bob, '&access=owned')).toEqual(['a', 'c', 'e']);
    expect(await list(bob, '&access=shared')).toEqual(['b', 'd', 'f']);
    const page = await bob.get(
      '/nodes?sort=title&order=desc&limit=2&offset=1&include_tags=true&include_owner=true',
    );
    expect(page.body).toMatchObject({
      total: 6,
      limit: 2,
      offset: 1,
      nodes: [
        { title: 'e', is_shared: false, tags: ['mine'], owner: { id: bob.id, username: bob.name } },
        { title: 'd', is_shared: true, tags: ['t'], owner: { id: alice.id, username: alice.name } },
      ],
    });
    expect((await bob.get('/nodes?limit=1&sort=updated_at')).body.nodes[0].title).toBe('e');
    expect((await bob.get('/nodes?limit=1&sort=created_at&order=asc')).body.nodes[0].title).toBe('b');
    expect((await bob.get('/nodes?search=D')).body).toMatchObject({ total: 1, nodes: [{ title: 'd' }] });
    expect((await bob.get('/nodes/count')).body.count).toBe(6);
    expect((await bob.get(`/nodes/count?tag_ids=${await tagId(alice, 't')}`)).body.count).toBe(3);
    expect((await bob.get(`/nodes?tag_id=${await tagId(alice, 't')}`)).body.total).toBe(3);
    expect((await bob.get('/nodes?deleted=true')).body.total).toBe(0);
    await node(alice, { title: 'g' });
    expect((await bob.get('/nodes?limit=1')).body.total).toBe(7);
  });

  it('sharing adds up the rights of all shares, each of which includes reading', async () => {
    const made = await node(alice, { title: 'plan', value: 'old', tags: ['t'] });
    const path = `/nodes/${made.id}`;
    expect(codeOf(await bob.put(path, { value: 'x' }))).toEqual(GONE);
    const reading = await share(alice, bob, { scope: 'all' });
    expect(codeOf(await bob.put(path, { value: 'x' }))).toEqual(DENIED);
    expect(codeOf(await bob.delete(path))).toEqual(DENIED);
    const writing = await share(alice, bob, {
      scope: 'specific_nodes',
      node_ids: [made.id],
      can_read: false,
      can_write: true,
    });
    expect(writing.can_read).toBe(true);
    await alice.delete(`/sharing/${reading.id}`);
    expect((await bob.put(path, { value: 'new' })).body).toMatchObject({
      value: 'new',
      owner_id: alice.id,
      tags: ['t'],
    });
    expect((await bob.patch(path, { value: 'newer', tags: ['t'] })).body.value).toBe('newer');
    expect((await alice.get(path)).body).toMatchObject({ value: 'newer', version: 3 });
    expect(codeOf(await bob.put(path, { tags: ['t', 'more'] }))).toEqual(DENIED);
    expect(codeOf(await bob.delete(path))).toEqual(DENIED);
    expect(
      codeOf(
        await bob
          .put(path, { value: 'x' })
          .then(() => bob.with({ 'If-Match': '"1"' }).put(path, { value: 'y' })),
      ),
    ).toEqual([412, 'PRECONDITION_FAILED']);
    await share(alice, bob, { scope: 'all', can_delete: true });
    expect((await bob.delete(path)).status).toBe(204);
    expect(codeOf(await bob.get(path))).toEqual(GONE);
    expect(codeOf(await bob.post(`${path}/restore`))).toEqual(GONE);
    expect((await alice.post(`${path}/restore`)).status).toBe(200);
  });

  it('sharing leaves the tags to the owner of a node', async () => {
    const made = await node(alice, { title: 'plan', tags: ['t', 'u'] });
    const other = await tagId(alice, 'other');
    await share(alice, bob, { scope: 'all', can_write: true, can_delete: true });
    const [t] = [await tagId(alice, 't')];
    expect(codeOf(await bob.delete(`/nodes/${made.id}/tags/${t}`))).toEqual(DENIED);
    expect(codeOf(await bob.post(`/nodes/${made.id}/tags`, { tag_id: t }))).toEqual(DENIED);
    const unknown = await bob.post(`/nodes/${made.id}/tags`, { tag_id: UNKNOWN });
    const hidden = await bob.post(`/nodes/${made.id}/tags`, { tag_id: other });
    expect(codeOf(unknown)).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(hidden)).toEqual(codeOf(unknown));
    expect(codeOf(await bob.put(`/tags/${t}`, { name: 'x' }))).toEqual(DENIED);
    expect((await alice.get('/tags?search=more')).body.total).toBe(0);
  });

  it('sharing leaves type and schema, by which rules select, to the owner (rule 10.7f)', async () => {
    const { id } = await node(alice, { title: 'plan', value: 'old', node_type: 'DIARY' });
    const schema = await alice.post('/schemas', { name: 'plans', json_schema: { type: 'object' } });
    expect(schema.status).toBe(201);
    const schema_id = schema.body.id as string;
    const app = await letsIn(world, alice, profile({ read: 'all' }, { excluded_node_types: ['DIARY'] }));
    await share(alice, bob, { scope: 'specific_nodes', node_ids: [id], can_write: true });
    const path = `/nodes/${id}`;
    for (const change of [
      { node_type: 'NOTE' },
      { node_type: 'diary' },
      { schema_id },
      { value: 'new', node_type: 'NOTE' },
    ])
      for (const write of [bob.put, bob.patch])
        expect([change, codeOf(await write.call(bob, path, change))]).toEqual([change, DENIED]);
    expect((await alice.get(path)).body).toMatchObject({ version: 1, value: 'old', node_type: 'DIARY' });
    expect(codeOf(await app.get(path))).toEqual(GONE);
    const same = { value: 'new', node_type: 'DIARY', schema_id: null };
    expect((await bob.put(path, same)).body).toMatchObject({ version: 2, ...same });
    await alice.put(path, { schema_id });
    expect(codeOf(await bob.put(path, { schema_id: null }))).toEqual(DENIED);
    expect((await bob.put(path, { value: 'newer', schema_id })).body).toMatchObject({ value: 'newer' });
    expect((await alice.put(path, { node_type: 'NOTE' })).status).toBe(200);
    expect((await app.get(path)).status).toBe(200);
  });

  it('sharing lists tags on received nodes by name, and edges between nodes of one owner', async () => {
    const [boat, sail, house] = [
      await node(alice, { title: 'boat', tags: ['sea', 'wood'] }),
      await node(alice, { title: 'sail', tags: ['sea'] }),
      await node(alice, { title: 'house', tags: ['land'] }),
    ];
    const own = await node(bob, { title: 'own', tags: ['mine'] });
    const edge = (from: { id: string }, to: { id: string }, by = alice) =>
      by.post('/relationships', { from_node_id: from.id, to_node_id: to.id, relationship_type: 'near' });
    const near = (await edge(boat, sail)).body;
    await edge(boat, house);
    await share(alice, bob, { scope: 'specific_tags', tag_ids: [await tagId(alice, 'sea')] });
    const tags = await bob.get('/tags?access=shared');
    expect(tags.body).toMatchObject({ total: 2 });
    expect(tags.body.tags).toEqual([
      { id: await tagId(alice, 'sea'), name: 'sea' },
      { id: await tagId(alice, 'wood'), name: 'wood' },
    ]);
    expect((await bob.get('/tags')).body.tags.map(({ name }: { name: string }) => name)).toEqual([
      'mine',
      'sea',
      'wood',
    ]);
    expect((await bob.get('/tags?access=owned')).body.total).toBe(1);
    const sea = await tagId(alice, 'sea');
    expect((await bob.get(`/tags/${sea}`)).body).toEqual({ id: sea, name: 'sea' });
    expect((await bob.get(`/tags/${sea}/nodes?include_tags=true`)).body).toMatchObject({ total: 2 });
    expect(codeOf(await bob.get(`/tags/${await tagId(alice, 'land')}`))).toEqual([404, 'NOT_FOUND']);
    const counted = await bob.get('/tags?access=shared&include_nodes=true');
    expect(counted.body.tags[0]).toMatchObject({ name: 'sea', node_count: 2 });

    for (const query of ['access=shared', 'access=all', 'access=shared&include_nodes=true'])
      expect((await bob.get(`/relationships?${query}`)).body).toMatchObject({
        total: 1,
        relationships: [{ id: near.id }],
      });
    expect((await bob.get('/relationships?access=owned')).body.total).toBe(0);
    expect((await bob.get(`/nodes/${boat.id}/relationships`)).body).toMatchObject({ total_outgoing: 1 });
    expect((await bob.get(`/relationships/${near.id}`)).status).toBe(200);
    expect(codeOf(await bob.put(`/relationships/${near.id}`, { strength: 1 }))).toEqual(DENIED);
    expect(codeOf(await edge(boat, sail, bob))).toEqual(DENIED);
    expect(codeOf(await edge(own, boat, bob))).toEqual(INVALID);
    expect(codeOf(await edge(own, house, bob))).toEqual(GONE);
    await share(alice, bob, { scope: 'specific_nodes', node_ids: [boat.id], can_write: true });
    expect((await bob.put(`/relationships/${near.id}`, { strength: 1 })).body.strength).toBe(1);
    const made = await edge(boat, sail, bob);
    expect(made.body).toMatchObject({ owner_id: alice.id });
    expect(
      (await bob.get('/relationships?access=shared&include_nodes=true')).body.relationships[0].from_node,
    ).toMatchObject({
      title: 'boat',
      tags: ['sea', 'wood'],
    });
    expect((await bob.delete(`/relationships/${made.body.id}`)).status).toBe(200);
  });

  it('sharing deletes many nodes, own and received', async () => {
    const [own, received, readable, foreign] = [
      await node(bob),
      await node(alice),
      await node(alice),
      await node(carol),
    ];
    await share(alice, bob, { scope: 'specific_nodes', node_ids: [received.id], can_delete: true });
    await share(alice, bob, { scope: 'specific_nodes', node_ids: [readable.id] });
    const ids = [own.id, received.id, readable.id, foreign.id, UNKNOWN];
    const answer = await bob.post('/nodes/bulk-delete', { node_ids: ids });
    expect(answer.body.deleted).toBe(2);
    expect(answer.body.errors.map(({ code }: { code: string }) => code)).toEqual([
      'PERMISSION_DENIED',
      'NODE_NOT_FOUND',
      'NODE_NOT_FOUND',
    ]);
    expect(codeOf(await alice.get(`/nodes/${received.id}`))).toEqual(GONE);
  });

  it('sharing ends at its expiry, without any write', async () => {
    const made = await node(alice);
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const given = await share(alice, bob, { scope: 'all', expires_at });
    expect((await bob.get(`/nodes/${made.id}`)).status).toBe(200);
    expect((await bob.get('/nodes')).body.total).toBe(1);
    const clock = world.nest.get(Clock);
    const later = new Date(Date.now() + 3_600_001);
    clock.now = () => later;
    try {
      const again = (
        await world.api.post('/auth/login', {
          email: `${bob.name}@example.org`,
          password: 'correct horse battery',
        })
      ).body.access_token as string;
      const renewed = world.api.with({ Authorization: `Bearer ${again}` });
      expect(codeOf(await renewed.get(`/nodes/${made.id}`))).toEqual(GONE);
      expect((await renewed.get('/nodes')).body.total).toBe(0);
      expect((await renewed.get('/sharing/incoming')).body.shares[0]).toMatchObject({
        id: given.id,
        status: 'expired',
      });
    } finally {
      delete (clock as { now?: unknown }).now;
    }
  });

  it('sharing ends with the tag that it names, and follows a new name of the tag', async () => {
    const made = await node(alice, { title: 'boat', tags: ['sea'] });
    const sea = await tagId(alice, 'sea');
    await share(alice, bob, { scope: 'specific_tags', tag_ids: [sea] });
    await alice.put(`/tags/${sea}`, { name: 'ocean' });
    expect((await bob.get(`/nodes/${made.id}`)).body.tags).toEqual(['ocean']);
    await alice.delete(`/tags/${sea}`);
    expect(codeOf(await bob.get(`/nodes/${made.id}`))).toEqual(GONE);
    expect(await list(bob)).toEqual([]);
  });

  it('sharing follows a node that leaves a tag scope and comes back', async () => {
    const made = await node(alice, { title: 'boat', tags: ['sea', 'wood'] });
    const sea = await tagId(alice, 'sea');
    await share(alice, bob, { scope: 'specific_tags', tag_ids: [sea] });
    expect(await list(bob)).toEqual(['boat']);
    await alice.delete(`/nodes/${made.id}/tags/${sea}`);
    expect(await list(bob)).toEqual([]);
    await alice.post(`/nodes/${made.id}/tags`, { tag_id: sea });
    expect(await list(bob)).toEqual(['boat']);
  });

  describe('records', () => {
    it('the record of a share is visible only to its two users: changed by the sharer, ended by both', async () => {
      await node(alice);
      const given = await share(alice, bob, { scope: 'all' });
      const path = `/sharing/${given.id}`;
      expect((await alice.get(path)).body).toEqual(given);
      expect((await bob.get(path)).body).toEqual({ ...given, tags: null });
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect(codeOf(await carol.send(method, path, method === 'PUT' ? {} : undefined))).toEqual([
          404,
          'NOT_FOUND',
        ]);
      expect(codeOf(await bob.put(path, { can_write: true }))).toEqual(DENIED);
      expect((await alice.put(path, { can_write: true })).body).toMatchObject({
        can_write: true,
        can_read: true,
      });
      expect((await alice.get('/sharing/outgoing')).body).toMatchObject({ total: 1, limit: 20, offset: 0 });
      expect((await bob.get('/sharing/incoming?limit=500')).body).toMatchObject({ total: 1, limit: 100 });
      expect((await bob.delete(path)).body).toMatchObject({ id: given.id });
      expect(codeOf(await bob.get(path))).toEqual([404, 'NOT_FOUND']);
      expect((await bob.get('/sharing/incoming')).body.total).toBe(0);
      expect((await alice.get(path)).body).toMatchObject({
        status: 'revoked',
        revoked_at: expect.any(String),
      });
      expect((await alice.get('/sharing/outgoing')).body.shares[0].status).toBe('revoked');
      expect(codeOf(await alice.put(path, { can_write: true }))).toEqual([409, 'INVALID_STATE_TRANSITION']);
      expect((await alice.delete(path)).status).toBe(200);
    });

    it('the record of a share is refused for an invalid share', async () => {
      const foreign = await node(carol, { tags: ['t'] });
      const refused = async (body: object) =>
        codeOf(await alice.post('/sharing', { shared_with_user_id: bob.id, scope: 'all', ...body }));
      expect(await refused({ shared_with_user_id: alice.id })).toEqual(INVALID);
      expect(await refused({ shared_with_user_id: UNKNOWN })).toEqual([404, 'NOT_FOUND']);
      expect(await refused({ shared_with_user_id: 'nobody' })).toEqual([404, 'NOT_FOUND']);
      const { body } = await alice.post('/sharing', { shared_with_user_id: UNKNOWN, scope: 'all' });
      expect(body.error.details).toMatchObject([{ field: 'shared_with_user_id' }]);
      expect(await refused({ scope: 'graph' })).toEqual(INVALID);
      expect(await refused({ can_read: false })).toEqual(INVALID);
      expect(await refused({ expires_at: '2020-01-01T00:00:00Z' })).toEqual(INVALID);
      expect(await refused({ scope: 'specific_tags' })).toEqual(INVALID);
      expect(await refused({ scope: 'specific_tags', tag_ids: [await tagId(carol, 't')] })).toEqual(INVALID);
      expect(await refused({ scope: 'specific_nodes' })).toEqual(INVALID);
      expect(await refused({ scope: 'specific_nodes', node_ids: [foreign.id] })).toEqual(INVALID);
      expect(await refused({ scope: 'specific_nodes', node_ids: [UNKNOWN] })).toEqual(INVALID);
      expect(await refused({ scope: 'specific_nodes', node_ids: ['x'] })).toEqual(INVALID);
    });
  });

  describe('chains', () => {
    it('a re-share is cut to its parent, and ends with it', async () => {
      const [one, two] = [await node(alice, { title: 'one' }), await node(alice, { title: 'two' })];
      const parent = await share(alice, bob, { scope: 'all', can_share: true });
      const child = await share(bob, carol, {
        scope: 'specific_nodes',
        node_ids: [one.id],
        can_write: true,
        can_share: true,
      });
      expect(child).toMatchObject({
        owner_id: bob.id,
        parent_share_id: parent.id,
        can_write: false,
        can_share: true,
      });
      const dave = await world.user();
      const erin = await world.user();
      await share(carol, dave, { scope: 'specific_nodes', node_ids: [one.id], can_share: true });
      const last = await share(dave, erin, { scope: 'specific_nodes', node_ids: [one.id] });
      const seen = () => Promise.all([bob, carol, dave, erin].map((user) => list(user)));
      const whole = [['one', 'two'], ['one'], ['one'], ['one']];
      expect(await seen()).toEqual(whole);
      expect(codeOf(await carol.put(`/nodes/${one.id}`, { value: 'x' }))).toEqual(DENIED);
      await alice.put(`/sharing/${parent.id}`, { can_write: true });
      expect((await carol.get(`/sharing/${child.id}`)).body.can_write).toBe(true);
      expect((await carol.put(`/nodes/${one.id}`, { value: 'x' })).status).toBe(200);
      await alice.put(`/sharing/${parent.id}`, { can_share: false });
      expect(await seen()).toEqual([['one', 'two'], [], [], []]);
      expect((await bob.get(`/sharing/${child.id}`)).body.status).toBe('revoked');
      expect(codeOf(await carol.get(`/sharing/${child.id}`))).toEqual([404, 'NOT_FOUND']);
      expect((await erin.get('/sharing/incoming')).body.total).toBe(0);
      await alice.put(`/sharing/${parent.id}`, { can_share: true });
      expect(await seen()).toEqual(whole);
      await alice.put(`/sharing/${parent.id}`, { scope: 'specific_nodes', node_ids: [two.id] });
      expect(await seen()).toEqual([['two'], [], [], []]);
      await alice.put(`/sharing/${parent.id}`, { scope: 'all' });
      await alice.delete(`/sharing/${parent.id}`);
      expect(await seen()).toEqual([[], [], [], []]);
      expect(codeOf(await erin.get(`/sharing/${last.id}`))).toEqual([404, 'NOT_FOUND']);
    });

    it('a re-share goes as far as 16 shares in a chain, and no further (rule 10.8c)', async () => {
      const { id } = await node(alice, { title: 'far' });
      const only = { scope: 'specific_nodes', node_ids: [id], can_share: true };
      let sharer = alice;
      for (let length = 1; length <= 16; length++) {
        const recipient = await world.user();
        await share(sharer, recipient, only);
        sharer = recipient;
      }
      expect(await list(sharer)).toEqual(['far']);
      const onward = await sharer.post('/sharing', { shared_with_user_id: bob.id, ...only });
      expect(codeOf(onward)).toEqual(INVALID);
      expect(onward.body.error.details).toEqual([{ field: 'node_ids', message: expect.any(String) }]);
      expect(await list(bob)).toEqual([]);
    });

    it.each(['loses can_share', 'is revoked'])(
      'a re-share ends with events to both if its parent %s',
      async (end) => {
        const [mine, carols] = [await Receiver.start(), await Receiver.start()];
        const app = await world.app();
        for (const [user, { url }] of [[bob, mine] as const, [carol, carols] as const]) {
          await user.lets(app);
          const hook = { webhook_url: url, events: ['share.revoked'], app_id: app.id };
          expect((await user.post('/webhooks/subscribe', hook)).status).toBe(201);
        }
        const { id } = await node(alice);
        const parent = await share(alice, bob, { scope: 'all', can_share: true });
        const child = await share(bob, carol, { scope: 'specific_nodes', node_ids: [id] });
        if (end === 'is revoked') await alice.delete(`/sharing/${parent.id}`);
        else {
          await alice.put(`/sharing/${parent.id}`, { can_write: true });
          await alice.put(`/sharing/${parent.id}`, { can_share: false });
          await alice.put(`/sharing/${parent.id}`, { can_write: false });
        }
        await deliver(world);
        // Compared as a set, because events of different shares have no fixed order.
        const told = ({ received }: Receiver) => new Set(received.map(({ body }) => body.data.share_id));
        expect(told(carols)).toEqual(new Set([child.id]));
        expect(told(mine)).toEqual(new Set(end === 'is revoked' ? [parent.id, child.id] : [child.id]));
        expect([mine.received.length, carols.received.length]).toEqual([end === 'is revoked' ? 2 : 1, 1]);
        await Promise.all([mine.stop(), carols.stop()]);
      },
    );

    it('a re-share needs received nodes that may be re-shared, of one share', async () => {
      const [one, two] = [await node(alice, { title: 'one' }), await node(alice, { title: 'two' })];
      const own = await node(bob);
      const on = async (node_ids: string[], to = carol) =>
        codeOf(await bob.post('/sharing', { shared_with_user_id: to.id, scope: 'specific_nodes', node_ids }));
      await share(alice, bob, { scope: 'all' });
      expect(await on([one.id])).toEqual(INVALID);
      await share(alice, bob, { scope: 'specific_nodes', node_ids: [one.id], can_share: true });
      await share(alice, bob, { scope: 'specific_nodes', node_ids: [two.id], can_share: true });
      expect(await on([one.id])).toEqual([201, undefined]);
      expect(await on([one.id, two.id])).toEqual(INVALID);
      expect(await on([one.id, own.id])).toEqual(INVALID);
      expect(await on([one.id], alice)).toEqual(INVALID);
      const everything = await bob.post('/sharing', { shared_with_user_id: carol.id, scope: 'all' });
      expect(everything.body.parent_share_id).toBeNull();
      expect(await list(carol)).toEqual(['a node', 'one']);
    });

    it('a re-share cannot be its own parent', async () => {
      const made = await node(alice, { title: 'one' });
      await share(alice, bob, { scope: 'all', can_share: true });
      const only = { scope: 'specific_nodes', node_ids: [made.id], can_share: true };
      const first = await share(bob, carol, only);
      await share(carol, bob, only);
      const again = await bob.put(`/sharing/${first.id}`, { node_ids: [made.id] });
      expect(again.body.parent_share_id).toBe(first.parent_share_id);
      expect(await list(carol)).toEqual(['one']);
    });
  });

  describe('apps (rule 3.21)', () => {
    const follow = async (from: TestUser, to: TestUser): Promise<string> =>
      (await from.post('/follows', { target_user_id: to.id })).body.id as string;
    const foundBy = async (client: Client): Promise<number> =>
      (await client.post('/nodes/search', { query: 'boat' })).body.total as number;

    it('an app is shown what acquaintances share, and nothing of strangers, from the next request on', async () => {
      const made = await node(alice, { title: 'boat', tags: ['sea'] });
      await node(bob, { title: 'own boat' });
      await share(alice, bob, { scope: 'all' });
      const app = await letsIn(world, bob, profile({ read: 'all', discover: 'all' }));
      const seen = async () => [
        titlesOf(await app.get('/nodes')).sort(),
        await foundBy(app),
        (await app.get(`/nodes/${made.id}`)).status,
        (await app.get('/tags?access=shared')).body.total,
      ];
      const [withheld, shown] = [
        [['own boat'], 1, 404, 0],
        [['boat', 'own boat'], 2, 200, 1],
      ];
      expect(await seen()).toEqual(withheld);
      expect(titlesOf(await bob.get('/nodes')).sort()).toEqual(['boat', 'own boat']);
      const asked = await follow(bob, alice);
      expect(await seen()).toEqual(shown);
      expect((await alice.put(`/follows/${asked}/respond`, { action: 'decline' })).status).toBe(200);
      expect(await seen()).toEqual(withheld);
      const given = await share(bob, alice, { scope: 'all' });
      expect(await seen()).toEqual(shown);
      expect((await bob.delete(`/sharing/${given.id}`)).status).toBe(200);
      expect(await seen()).toEqual(withheld);
    });

    it('an acquaintance by a share is a stranger again when the share has expired', async () => {
      await node(alice, { title: 'boat' });
      await share(alice, bob, { scope: 'all', can_share: true });
      const app = await letsIn(world, bob, profile({ read: 'all' }));
      const clock = world.nest.get(Clock);
      const expires_at = new Date(clock.now().getTime() + 60_000).toISOString();
      await share(bob, alice, { scope: 'all', expires_at });
      expect(await foundBy(app)).toBe(1);
      clock.now = () => new Date(Date.now() + 61_000);
      expect(await foundBy(app)).toBe(0);
      clock.now = () => new Date();
    });

    it('a tool of an assistant says that a note is of another person', async () => {
      const made = await node(alice, { title: 'boat' });
      const own = await node(bob, { title: 'own boat' });
      await share(alice, bob, { scope: 'all' });
      await follow(bob, alice);
      const app = await letsIn(world, bob, profile({ read: 'all' }));
      const origin = async (id: string) =>
        (await callTool(app, 'fetch', { id })).structuredContent?.metadata as { is_shared?: boolean };
      expect(await origin(made.id)).toMatchObject({ is_shared: true });
      expect(await origin(own.id)).not.toHaveProperty('is_shared');
      const { results } = (await callTool(app, 'search', { query: 'boat' })).structuredContent as {
        results: { id: string; is_shared: boolean }[];
      };
      expect(Object.fromEntries(results.map(({ id, is_shared }) => [id, is_shared]))).toEqual({
        [made.id]: true,
        [own.id]: false,
      });
    });

    it('a follower is an acquaintance only of a person who has accepted the follow', async () => {
      await node(alice, { title: 'boat' });
      await share(alice, bob, { scope: 'all' });
      const app = await letsIn(world, bob, profile({ read: 'all' }));
      expect((await bob.patch('/auth/me', { is_public: true })).status).toBe(200);
      const open = await follow(alice, bob);
      expect(await foundBy(app)).toBe(0);
      await alice.delete(`/follows/${open}`);
      await bob.patch('/auth/me', { is_public: false });
      const asked = await follow(alice, bob);
      const accepted = { action: 'accept', share: { scope: 'all' } };
      expect((await bob.put(`/follows/${asked}/respond`, accepted)).status).toBe(200);
      expect(await foundBy(app)).toBe(1);
    });

    it('shares and apps give apps access only with read.allow_all, through the profile, and never for writes', async () => {
      const made = await node(alice, { title: 'boat', value: 'mail a@example.org', tags: ['sea'] });
      await node(alice, { title: 'thing', node_type: 'thing' });
      const own = await node(bob, { title: 'own', tags: ['mine'] });
      await share(alice, bob, { scope: 'all', can_write: true, can_delete: true });
      await follow(bob, alice);
      const all = await letsIn(
        world,
        bob,
        profile({ read: 'all', edit: 'all', delete: 'all', discover: 'all' }),
      );
      const sorted = async (client: typeof all, query = '') =>
        titlesOf(await client.get(`/nodes?sort=title&order=asc${query}`));
      expect(await sorted(all)).toEqual(['boat', 'own', 'thing']);
      expect((await all.get(`/nodes/${made.id}`)).body.tags).toEqual(['sea']);
      expect(codeOf(await all.put(`/nodes/${made.id}`, { value: 'x' }))).toEqual(DENIED);
      expect(codeOf(await all.delete(`/nodes/${made.id}`))).toEqual(DENIED);
      const narrow = await letsIn(world, bob, profile({ read: [await tagId(bob, 'mine')], discover: 'all' }));
      expect(await sorted(narrow)).toEqual(['own']);
      expect(codeOf(await narrow.get(`/nodes/${made.id}`))).toEqual(GONE);
      expect((await narrow.get('/tags?access=shared')).body.total).toBe(0);
      const typed = await letsIn(
        world,
        bob,
        profile({ read: 'all' }, { allowed_node_types: ['note'], max_detail_level: 'summary' }),
      );
      expect(await sorted(typed)).toEqual(['boat', 'own']);
      expect((await typed.get(`/nodes/${made.id}`)).body.value).toBeUndefined();
      expect(await sorted(typed, '&search=mail')).toEqual([]);
      const redacted = await letsIn(
        world,
        bob,
        profile({ read: 'all' }, { transformations: ['pii_redaction'] }),
      );
      expect(await sorted(redacted, '&search=example.org')).toEqual([]);
      expect(await sorted(redacted, '&search=REDACTED')).toEqual(['boat']);
      expect((await redacted.get('/nodes/count')).body.count).toBe(3);
      expect(codeOf(await all.post('/sharing', {}))).toEqual(DENIED);
      void own;
    });

    it.each([
      ['excludes by the name of a tag', () => ({ tag_filters: { exclude_any: ['sea'] } })],
      ['excludes by a tag', (tag: string) => ({ excluded_tag_ids: [tag] })],
      [
        'masks by a tag',
        (tag: string) => ({
          transformations: [
            { type: 'field_mask', config: { paths: ['value'] }, apply_to: { tag_ids: [tag] } },
          ],
        }),
      ],
    ])('an app whose profile %s receives nothing, since others have tags of their own', async (_, rules) => {
      const made = await node(alice, { title: 'boat', tags: ['sea'] });
      await node(alice, { title: 'untagged' });
      await node(bob, { title: 'own', tags: ['land'] });
      await node(bob, { title: 'own boat', tags: ['sea'] });
      const sea = await tagId(bob, 'sea');
      await share(alice, bob, { scope: 'all' });
      await follow(bob, alice);
      const app = await letsIn(world, bob, profile({ read: 'all' }, rules(sea)));
      const seen = titlesOf(await app.get('/nodes?access=all'));
      expect(seen.filter((title) => !title.startsWith('own'))).toEqual([]);
      expect(seen).toContain('own');
      expect(codeOf(await app.get(`/nodes/${made.id}`))).toEqual(GONE);
      expect((await app.post('/nodes/search', { query: 'boat', access: 'shared' })).body.total).toBe(0);
    });
  });

  it('sharing is recorded in the change log of the sharer', async () => {
    await node(alice);
    const given = await share(alice, bob, { scope: 'all' });
    await bob.delete(`/sharing/${given.id}`);
    const { Database } = await import('../../src/kernel/database/database.js');
    const { sql } = await import('../../src/kernel/database/sql.js');
    const rows = await world.nest.get(Database).read(
      sql`SELECT action, changed_by_user_id, snapshot->>'shared_with_user_id' AS recipient FROM changes
          WHERE owner_id = ${alice.id} AND entity = 'share' ORDER BY sequence`,
    );
    expect(rows).toEqual([
      { action: 'created', changed_by_user_id: alice.id, recipient: bob.id },
      { action: 'revoked', changed_by_user_id: bob.id, recipient: bob.id },
    ]);
  });
});
