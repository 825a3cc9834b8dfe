import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Client } from '../support/client.js';
import { allSchemas, allTags, readOnly, someTags } from '../support/defaults.js';
import { type holdClock } from '../support/moved-clock.js';
import { ReadBytes } from '../support/read-bytes.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { deliver, type Receiver, withTwoTags } from './receiver.js';

const EVENTS = ['node.created', 'node.updated', 'node.deleted', 'node.embedding.updated'];
const FIRST_RETRY_SECONDS = 60;
const note = (title: string, tags: string[] = ['open']) => ({ title, node_type: 'NOTE', tags });

/** Events are sent only by explicit calls. */
describe('contents of webhooks that are sent later than the change (rule 9.4)', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let receiver: Receiver;
  let alice: TestUser;
  let app: TestApp;
  let client: Client;
  /** The tag of nodes that the app may read if it may not read everything. */
  let open: string;
  withTwoTags((met) => ({ world, clock, receiver, alice, open } = met));
  afterEach(() => void jest.restoreAllMocks());
  const subscribe = async (events = EVENTS) => {
    const { status } = await client.post('/webhooks/subscribe', { webhook_url: receiver.url, events });
    expect([200, 201]).toContain(status);
  };
  const readsAll = async () => {
    app = await world.app();
    client = await alice.lets(app);
  };
  const readsOpen = async () => {
    app = await world.app({ requested: readOnly });
    const tag_permissions = { discover: someTags(open), read: someTags(open) };
    client = await alice.lets(app, { tag_permissions, schema_permissions: allSchemas });
  };
  const create = async (title: string, tags?: string[]): Promise<string> => {
    const { status, body } = await alice.post('/nodes', note(title, tags));
    expect(status).toBe(201);
    return body.id;
  };
  const change = (id: string, body: object) => alice.put(`/nodes/${id}`, body);
  const retry = () => {
    clock.advance(FIRST_RETRY_SECONDS);
    return deliver(world);
  };
  /** All deliveries so far, oldest first. */
  const deliveries = async () =>
    (await client.get('/webhooks/deliveries?limit=100')).body.deliveries.reverse();
  const redeliver = async (...ids: string[]) => {
    for (const id of ids)
      expect((await client.post(`/webhooks/deliveries/${id}/redeliver`)).status).toBe(202);
    await deliver(world);
  };
  /** Events that arrived since the last call. */
  const news = () => {
    const { told } = receiver;
    receiver.clear();
    return told;
  };

  describe('deleted nodes', () => {
    beforeEach(async () => {
      await readsAll();
      await subscribe();
    });

    it('webhooks about a deleted node consist of its deletion alone, also if another event is redelivered by hand', async () => {
      const id = await create('one');
      await change(id, { title: 'two' });
      await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 2] });
      await deliver(world);
      await alice.delete(`/nodes/${id}`);
      await deliver(world);
      expect(news()).toEqual([
        'node.created one',
        'node.updated two',
        'node.embedding.updated',
        'node.deleted deleted',
      ]);
      const ids = (await deliveries()).map((one: { id: string }) => one.id);
      await redeliver(...ids);
      expect(news()).toEqual(['node.deleted deleted']);
    });

    it('webhooks about a deleted node consist of its deletion alone if the other events are retried', async () => {
      receiver.answer = 500;
      const id = await create('one');
      await deliver(world);
      await change(id, { title: 'two' });
      await deliver(world);
      receiver.clear();
      receiver.answer = 200;
      await alice.delete(`/nodes/${id}`);
      await deliver(world);
      expect(news()).toEqual(['node.deleted deleted']);
      await retry();
      expect(news()).toEqual([]);
      expect(await deliveries()).toMatchObject([{ event: 'node.deleted', status: 'succeeded' }]);
    });

    it('webhooks about a deleted node report the deletion, not lost access, if both are retried', async () => {
      const id = await create('one');
      await deliver(world);
      receiver.answer = 500;
      await change(id, { title: 'two' });
      await deliver(world);
      await alice.delete(`/nodes/${id}`);
      await deliver(world);
      receiver.clear();
      receiver.answer = 200;
      await retry();
      expect(news()).toEqual(['node.deleted deleted']);
    });
  });

  it('a node that is deleted with the only tag the app may read is reported as deleted', async () => {
    await readsOpen();
    const [byTag, older] = [await create('by its tag'), await create('older')];
    await subscribe();
    const [told, deleted] = [await create('told'), await create('deleted')];
    await deliver(world);
    expect(news().sort()).toEqual(['node.created deleted', 'node.created told']);
    for (const id of [byTag, told]) {
      const { body } = await alice.delete(`/nodes/${id}/tags/${open}`);
      expect(body.node_deleted).toBe(true);
    }
    for (const id of [older, deleted]) await alice.delete(`/nodes/${id}`);
    await deliver(world);
    const received = receiver.received.map(({ body }) => [body.data.id, body.data.reason]);
    expect(received.sort()).toEqual([byTag, told, older, deleted].map((id) => [id, 'deleted']).sort());
    const [first] = (await deliveries()).filter(({ event }: { event: string }) => event === 'node.deleted');
    receiver.clear();
    await redeliver(first.id);
    expect(news()).toEqual(['node.deleted deleted']);
  });

  it('the deletion of a node that the app had already lost makes no event', async () => {
    await readsOpen();
    await subscribe();
    const id = await create('open');
    await deliver(world);
    await change(id, { tags: ['secret'] });
    await deliver(world);
    await alice.delete(`/nodes/${id}`);
    await deliver(world);
    expect(news()).toEqual(['node.created open', 'node.deleted access_removed']);
  });

  describe('masked nodes', () => {
    const lets = async (apply_to: object) => {
      app = await world.app({ requested: readOnly });
      client = await alice.lets(app, {
        tag_permissions: { discover: allTags, read: allTags },
        schema_permissions: allSchemas,
        transformations: [{ type: 'field_mask', config: { paths: ['title', 'value'] }, apply_to }],
      });
      await subscribe();
    };
    const secrets = () => receiver.received.filter(({ text }) => /Dr\. Lee|HIV/.test(text)).length;

    it.each([
      ['by a label', async (id: string) => alice.post(`/nodes/${id}/tags`, { tag_id: open })],
      ['by its type', async (id: string) => change(id, { node_type: 'DIAGNOSIS' })],
    ])(
      'webhooks about a node that was masked after the change mask %s in retries and in redeliveries',
      async (_, conceal) => {
        await lets(_ === 'by a label' ? { tag_ids: [open] } : { node_types: ['DIAGNOSIS'] });
        receiver.answer = 500;
        const id = await create('Dr. Lee', ['other']);
        await change(id, { value: 'HIV positive' });
        await change(id, { value: 'HIV positive still' });
        await deliver(world);
        expect(secrets()).toBe(3);
        await conceal(id);
        receiver.clear();
        receiver.answer = 200;
        await retry();
        expect([receiver.received.length > 2, secrets()]).toEqual([true, 0]);
        expect(receiver.received.every(({ body }) => !('value' in (body.data.changes ?? {})))).toBe(true);
        const first = (await deliveries())[0] as { id: string };
        await redeliver(first.id);
        expect(secrets()).toBe(0);
      },
    );

    it('webhooks about a node that was masked after the change contain no event of its embedding', async () => {
      await lets({ tag_ids: [open] });
      const [masked, plain] = [await create('masked'), await create('plain', ['other'])];
      for (const id of [masked, plain]) await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 2] });
      await deliver(world);
      const told = receiver.received.filter(({ body }) => body.event === 'node.embedding.updated');
      expect(told.map(({ body }) => body.data.id)).toEqual([plain]);
    });
  });

  describe('deletions', () => {
    beforeEach(async () => {
      await readsOpen();
      await subscribe();
    });
    const deletedLate = async () => {
      const id = await create('one');
      await deliver(world);
      receiver.answer = 500;
      await alice.delete(`/nodes/${id}`);
      await deliver(world);
      receiver.answer = 200;
      return id;
    };

    it('webhooks about a deletion that are sent late still report that a restored node leaves the view', async () => {
      const id = await deletedLate();
      await alice.post(`/nodes/${id}/restore`);
      await deliver(world);
      await retry();
      await change(id, { tags: ['secret'] });
      receiver.clear();
      await deliver(world);
      expect(news()).toEqual(['node.deleted access_removed']);
    });

    it('webhooks about a deletion that are sent late report once that a restored and then hidden node is out of view', async () => {
      const id = await deletedLate();
      await alice.post(`/nodes/${id}/restore`);
      await change(id, { tags: ['secret'] });
      receiver.clear();
      await deliver(world);
      await retry();
      expect(news()).toEqual(['node.deleted access_removed']);
    });
  });

  describe('unanswered events', () => {
    let id: string;
    beforeEach(async () => {
      await readsOpen();
      await subscribe();
      id = await create('heard');
      receiver.answer = 500;
      await deliver(world);
      receiver.answer = 200;
      receiver.clear();
      await change(id, { tags: ['secret'] });
    });

    it('webhooks about a node whose first event had no answer report once that it left the view', async () => {
      await deliver(world);
      await retry();
      expect(news()).toEqual(['node.deleted access_removed']);
    });

    it('webhooks about a node whose first event had no answer report its creation when it comes into view, because the receiver may not have it', async () => {
      await subscribe(['node.created', 'node.updated']);
      await deliver(world);
      await change(id, { tags: ['open'] });
      await deliver(world);
      expect(news()).toEqual(['node.created heard']);
    });
  });

  describe('gaps in visibility', () => {
    it('webhooks about a node that was out of view for a while contain no values that it had meanwhile', async () => {
      await readsOpen();
      await subscribe(['node.created', 'node.updated']);
      const id = await create('before');
      await deliver(world);
      await change(id, { title: 'HIDDEN', tags: ['secret'] });
      await deliver(world);
      await change(id, { title: 'after', value: 'new', tags: ['open'] });
      await deliver(world);
      const [, back] = receiver.received;
      expect(back?.body).toMatchObject({ event: 'node.updated', data: { title: 'after' } });
      expect(back?.body.data.changes).toEqual({});
      expect(receiver.received.map(({ text }) => text).join()).not.toContain('HIDDEN');
    });

    it('webhooks about a node that was out of view for a while do not report that it left the view if it is back at the time of sending', async () => {
      await readsOpen();
      await subscribe();
      const id = await create('before');
      await deliver(world);
      receiver.answer = 500;
      await change(id, { title: 'HIDDEN', tags: ['secret'] });
      await deliver(world);
      receiver.clear();
      receiver.answer = 200;
      await change(id, { title: 'after', tags: ['open'] });
      await deliver(world);
      await retry();
      expect(news()).toEqual(['node.updated after']);
      await change(id, { tags: ['secret'] });
      await deliver(world);
      expect(news()).toEqual(['node.deleted access_removed']);
    });
  });

  it('a node that leaves the view and is deleted before anything is sent makes one event, of its loss', async () => {
    await readsOpen();
    await subscribe();
    const id = await create('open');
    await deliver(world);
    await change(id, { tags: ['secret'] });
    await alice.delete(`/nodes/${id}`);
    await deliver(world);
    expect(news()).toEqual(['node.created open', 'node.deleted access_removed']);
  });

  describe('lost nodes', () => {
    const losses: [string, () => Promise<unknown>][] = [
      ['the deletion of its tag', () => alice.delete(`/tags/${open}`)],
      [
        'an edit of the profile',
        async () => {
          const [{ exposure_profile_id: id }] = (await alice.get('/authorizations')).body.authorizations;
          const none = { discover: someTags(), read: someTags() };
          return alice.put(`/exposure-profiles/${id}`, { tag_permissions: none });
        },
      ],
    ];
    it.each(losses)(
      'webhooks about a node that the app lost without a change of the node are not sent after %s: they would reveal when it is changed',
      async (_, lose) => {
        await readsOpen();
        await subscribe();
        const id = await create('held', ['open', 'secret']);
        await deliver(world);
        receiver.clear();
        await lose();
        expect((await client.get(`/nodes/${id}`)).status).toBe(404);
        await change(id, { value: 'hidden' });
        await change(id, { tags: ['secret'] });
        await alice.delete(`/nodes/${id}`);
        await deliver(world);
        expect(receiver.received).toEqual([]);
      },
    );
  });

  describe('hidden changes', () => {
    const shownWith = async (rules: object) => {
      app = await world.app({ requested: readOnly });
      const tag_permissions = { discover: someTags(open), read: someTags(open) };
      client = await alice.lets(app, { tag_permissions, schema_permissions: allSchemas, ...rules });
      await subscribe();
    };
    it.each([
      ['at full: a tag that it does not know', {}, { tags: ['open', 'secret'] }],
      ['at summary: the value', { max_detail_level: 'summary' }, { value: 'other' }],
      ['at minimal: the title', { max_detail_level: 'minimal' }, { title: 'other' }],
    ])(
      'webhooks about a change that is hidden from the app are not sent, as in sync. %s',
      async (_, rules, changed) => {
        await shownWith(rules);
        const id = await create('one');
        await deliver(world);
        const { cursor } = (await client.get('/sync?include_tags=true')).body;
        clock.advance(1);
        expect((await change(id, changed)).status).toBe(200);
        await deliver(world);
        expect(receiver.received).toHaveLength(1);
        expect((await client.get(`/sync?include_tags=true&cursor=${cursor}`)).body.changes).toEqual([]);
        expect(await deliveries()).toHaveLength(1);
      },
    );

    it('webhooks about a change that is hidden from the app name no field if the change puts a mask on, because another version is shown', async () => {
      const { id: secret } = (await alice.get('/tags?search=secret')).body.tags[0];
      await shownWith({
        transformations: [
          { type: 'field_mask', config: { paths: ['title'] }, apply_to: { tag_ids: [secret] } },
        ],
      });
      const id = await create('one');
      await deliver(world);
      const { cursor } = (await client.get('/sync?include_tags=true')).body;
      await change(id, { tags: ['open', 'secret'] });
      await deliver(world);
      expect(receiver.received.at(-1)?.body).toMatchObject({
        event: 'node.updated',
        data: { id, version: 2, changes: {} },
      });
      expect((await client.get(`/sync?include_tags=true&cursor=${cursor}`)).body.changes).toMatchObject([
        { action: 'update', changed_fields: ['title'], node_version: 2 },
      ]);
    });

    it.each(['full', 'summary', 'minimal'])(
      'webhooks follow the rule of vector search for an embedding, at %s',
      async (level) => {
        await shownWith({ max_detail_level: level });
        const [id, hidden] = [await create('one'), await create('hidden', ['secret'])];
        await deliver(world);
        receiver.clear();
        for (const each of [id, hidden]) await alice.put(`/nodes/${each}/embedding`, { embedding: [1, 2] });
        await deliver(world);
        const told = level === 'full' ? [{ id, node_id: id, model: null, dimensions: 2 }] : [];
        expect(receiver.received.map(({ body }) => body.data)).toEqual(told);
        const found = await client.post('/nodes/search/vector', { embedding: [1, 2] });
        expect(found.body.total).toBe(told.length);
      },
    );
  });

  describe('applied proposals', () => {
    const applied = async (...nodes: object[]) => {
      const proposed = await client.post('/proposals', { title: 'a thought', canonical_data: { nodes } });
      const { id } = proposed.body;
      await client.patch(`/proposals/${id}`, { status: 'READY_FOR_APPROVAL' });
      await alice.post(`/proposals/${id}/approve`);
      const { body } = await client.post(`/proposals/${id}/apply`);
      return body.created.node_ids as string[];
    };
    const createdNodes = () => receiver.received.at(-1)?.body.data.created_nodes;
    const polledEvents = async () => (await client.get('/proposals/events?limit=100')).body.events;
    const polled = async () => (await polledEvents()).at(-1).data.created_nodes;
    beforeEach(async () => {
      await readsAll();
      await subscribe(['proposal.applied']);
    });

    it('webhooks about an applied proposal show the nodes as the proposal made them, in its order, as the polled events do', async () => {
      const ids = await applied(...[1, 2, 3, 4].map((n) => ({ ref: `n${n}`, ...note(`made ${n}`) })));
      await deliver(world);
      const first = createdNodes();
      expect(first.map(({ id, title }: { id: string; title: string }) => [id, title])).toEqual(
        ids.map((id, index) => [id, `made ${index + 1}`]),
      );
      for (const id of ids) await change(id, { title: 'changed later' });
      const [{ id }] = await deliveries();
      await redeliver(id);
      expect(receiver.received).toHaveLength(2);
      expect(createdNodes()).toEqual(first);
      expect(await polled()).toEqual(first);
    });

    it('webhooks about an applied proposal read large nodes that a proposal made in parts of few bytes, and send all of them', async () => {
      const nodes = Array.from({ length: 4 }, (_, n) => ({
        ref: `n${n}`,
        ...note(`made ${n}`),
        metadata: { text: `${n} ${'m'.repeat(240_000)}` },
      }));
      await applied(...nodes);
      const read = new ReadBytes();
      await deliver(world);
      const shown = createdNodes() as { title: string; metadata: object }[];
      expect(shown.map(({ title, metadata }) => ({ title, metadata }))).toEqual(
        nodes.map(({ title, metadata }) => ({ title, metadata })),
      );
      expect(read.mostOf('logged-nodes-readable')).toBeGreaterThan(240_000);
      expect(read.mostOf('logged-nodes-readable')).toBeLessThan(4 * 240_000);
    });

    it('webhooks about an applied proposal show the same nodes as polled events, for every event', async () => {
      await subscribe(['created', 'ready', 'approved', 'applied']);
      await applied({ ref: 'a', ...note('made') });
      await deliver(world);
      const pushed = receiver.received.map(({ body: { event, data } }) => ({ event, data }));
      const events: { event: string; data: object }[] = await polledEvents();
      expect(events.map(({ event, data }) => ({ event, data }))).toEqual(pushed);
      expect(pushed).toHaveLength(4);
    });

    it('webhooks about an applied proposal show no nodes that were hidden then, are hidden now or are deleted', async () => {
      const ids = await applied(
        { ref: 'a', ...note('shown') },
        { ref: 'b', ...note('hidden then', ['secret']) },
        { ref: 'c', ...note('hidden now') },
        { ref: 'd', ...note('deleted') },
      );
      await deliver(world);
      expect(createdNodes()).toHaveLength(4);
      await change(ids[1] as string, { tags: ['open'] });
      await change(ids[2] as string, { tags: ['secret'] });
      await alice.delete(`/nodes/${ids[3]}`);
      const { body } = await alice.get('/authorizations');
      const tag_permissions = { discover: allTags, read: someTags(open), propose: allTags };
      await alice.put(`/exposure-profiles/${body.authorizations[0].exposure_profile_id}`, {
        tag_permissions,
      });
      const [{ id }] = await deliveries();
      await redeliver(id);
      expect(createdNodes().map(({ title }: { title: string }) => title)).toEqual(['shown']);
      expect(await polled()).toEqual(createdNodes());
    });
  });

  it('a share that has ended, by itself or by its parent, is only reported as ended', async () => {
    const [bob, carol] = [await world.user(), await world.user()];
    app = await world.app();
    for (const user of [bob, carol]) {
      await user.lets(app);
      const events = ['share.created', 'share.revoked'];
      const webhook = { webhook_url: receiver.url, events, app_id: app.id };
      expect((await user.post('/webhooks/subscribe', webhook)).status).toBe(201);
    }
    const about = { scope: 'specific_nodes', node_ids: [await create('shared on')] };
    const given = { ...about, shared_with_user_id: bob.id, can_share: true };
    const { body: parent } = await alice.post('/sharing', given);
    receiver.answer = 500;
    const passedOn = { ...about, shared_with_user_id: carol.id, can_read: true };
    const { body: child } = await bob.post('/sharing', passedOn);
    await deliver(world);
    expect(news()).toEqual(['share.created', 'share.created', 'share.created']);
    receiver.answer = 200;
    await alice.delete(`/sharing/${parent.id}`);
    await deliver(world);
    await retry();
    const told = receiver.received.map(({ body }) => body.data.share_id as string);
    expect(news()).toEqual(['share.revoked', 'share.revoked', 'share.revoked']);
    // The re-share ends for its sharer and its recipient.
    expect(told.sort()).toEqual([parent.id, child.id, child.id].sort());
  });

  it('a re-share is reported with the rights and the end that its parent leaves it', async () => {
    const [bob, carol] = [await world.user(), await world.user()];
    app = await world.app();
    await carol.lets(app);
    const events = ['share.created'];
    const webhook = { webhook_url: receiver.url, events, app_id: app.id };
    expect((await carol.post('/webhooks/subscribe', webhook)).status).toBe(201);
    const about = { scope: 'specific_nodes', node_ids: [await create('shared on')] };
    const parent = await alice.post('/sharing', {
      ...about,
      shared_with_user_id: bob.id,
      can_share: true,
      expires_at: '2050-01-01T00:00:00.000Z',
    });
    const { status, body: child } = await bob.post('/sharing', {
      ...about,
      shared_with_user_id: carol.id,
      can_write: true,
      can_delete: true,
      can_share: true,
    });
    expect(status).toBe(201);
    await deliver(world);
    const rights = { can_write: false, can_delete: false, can_share: true };
    expect(child).toMatchObject({ ...rights, expires_at: parent.body.expires_at });
    // Events name nobody beside the ids.
    const { owner: _, shared_with: __, nodes: ___, tags: ____, ...share } = child;
    expect(receiver.received.map(({ body }) => body.data)).toEqual([{ ...share, node_ids: [] }]);
  });
});
