import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeliveriesRepository } from '../../src/delivery/infrastructure/deliveries.repository.js';
import { Receivers } from '../../src/delivery/infrastructure/receiver.js';
import { Clock } from '../../src/kernel/clock.js';
import { Database } from '../../src/kernel/database/database.js';
import { type Client } from '../support/client.js';
import { allSchemas, readOnly, someTags } from '../support/defaults.js';
import { type holdClock } from '../support/moved-clock.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { approved } from '../support/worlds/proposals.js';
import { deliver, type Receiver, withTwoTags } from './receiver.js';

const EVENTS = ['relationship.created', 'relationship.updated', 'relationship.deleted'];
const FIRST_RETRY_SECONDS = 60;

/** Events are sent only by explicit calls. */
describe('events of relationships (rule 9.4g)', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let receiver: Receiver;
  let alice: TestUser;
  let app: TestApp;
  let client: Client;
  let profileId: string;
  let open: string;
  let secret: string;
  /** Two nodes that the app reads, and one that it does not. */
  let one: string;
  let two: string;
  let hidden: string;
  withTwoTags((met) => ({ world, clock, receiver, alice, open, secret } = met));
  beforeEach(async () => {
    [one, two, hidden] = [await node('open'), await node('open'), await node('secret')];
  });
  afterEach(() => void jest.restoreAllMocks());

  const node = async (...tags: string[]): Promise<string> => {
    const made = await alice.post('/nodes', { title: 'a node', node_type: 'NOTE', tags });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const edge = async (from: string, to: string, body: object = {}): Promise<string> => {
    const ends = { from_node_id: from, to_node_id: to, relationship_type: 'near' };
    const made = await alice.post('/relationships', { ...ends, ...body });
    expect(made.status).toBe(201);
    return made.body.id;
  };
  const change = async (path: string, body: object) => expect((await alice.put(path, body)).status).toBe(200);
  const retag = (id: string, ...tags: string[]) => change(`/nodes/${id}`, { tags });
  /** Lets the app read nodes tagged open, and subscribes it. */
  const readsOpen = async (rules: object = {}, events = EVENTS) => {
    app = await world.app({ requested: readOnly });
    const given = await alice.authorizes(app, {
      tag_permissions: { discover: someTags(open), read: someTags(open) },
      schema_permissions: allSchemas,
      ...rules,
    });
    profileId = given.profile.id;
    client = app.as(alice);
    await subscribe(events);
  };
  const subscribe = async (events: string[]) => {
    const { status } = await client.post('/webhooks/subscribe', { webhook_url: receiver.url, events });
    expect([200, 201]).toContain(status);
  };
  /** Event, relationship and reason of all that arrived since the last call. */
  const news = async () => {
    await deliver(world);
    const heard = receiver.received.map(({ body: { event, data } }) =>
      [event.slice('relationship.'.length), data.id, data.reason].filter((part) => part !== undefined),
    );
    receiver.clear();
    return heard;
  };
  const retry = () => {
    clock.advance(FIRST_RETRY_SECONDS);
    return news();
  };
  const read = async (id: string) => (await client.get(`/relationships/${id}`)).body;

  it('events of one change are listed in one order, a node before its relationships', async () => {
    await readsOpen({}, ['node.created', ...EVENTS]);
    await deliver(world);
    receiver.clear();
    const ends = [
      [hidden, one],
      [two, hidden],
      [hidden, two],
    ] as const;
    for (const [from, to] of ends) await edge(from, to);
    await retag(hidden, 'open');
    await deliver(world);
    const { deliveries } = (await client.get('/webhooks/deliveries?limit=4')).body;
    const listed = (deliveries as { event: string }[]).map(({ event }) => event);
    expect(listed).toEqual([...ends.map(() => 'relationship.created'), 'node.created']);
  });

  it('a created, changed and deleted relationship is sent as the app reads it, with what changed', async () => {
    await readsOpen();
    const id = await edge(one, two, { context: 'met in May' });
    await deliver(world);
    expect(receiver.received.map(({ body }) => body)).toEqual([
      {
        event: 'relationship.created',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        user_id: alice.id,
        data: await read(id),
      },
    ]);
    receiver.clear();
    await change(`/relationships/${id}`, { strength: 0.5 });
    await deliver(world);
    expect(receiver.received.map(({ body }) => [body.event, body.data])).toEqual([
      ['relationship.updated', { ...(await read(id)), changes: { strength: { old: null, new: 0.5 } } }],
    ]);
    receiver.clear();
    await alice.delete(`/relationships/${id}`);
    await deliver(world);
    expect(receiver.received.map(({ body }) => [body.event, body.data])).toEqual([
      ['relationship.deleted', { id, relationship_id: id, reason: 'deleted' }],
    ]);
    const { deliveries } = (await client.get('/webhooks/deliveries')).body;
    expect(deliveries.map(({ event, status }: { event: string; status: string }) => [event, status])).toEqual(
      [
        ['relationship.deleted', 'succeeded'],
        ['relationship.updated', 'succeeded'],
        ['relationship.created', 'succeeded'],
      ],
    );
  });

  it('a relationship with a hidden end is sent at no step of its life', async () => {
    await readsOpen();
    for (const [from, to] of [
      [one, hidden],
      [hidden, one],
    ] as const) {
      const id = await edge(from, to, { context: 'buried' });
      await change(`/relationships/${id}`, { strength: 0.5 });
      await deliver(world);
      await alice.delete(`/relationships/${id}`);
    }
    expect(await news()).toEqual([]);
    expect((await client.get('/webhooks/deliveries')).body.total).toBe(0);
  });

  it('relationships leave with a node that leaves the view, and come with one that comes into it', async () => {
    await readsOpen();
    const [id, other] = [await edge(one, two), await edge(hidden, one)];
    expect(await news()).toEqual([['created', id]]);
    await retag(two, 'secret');
    expect(await news()).toEqual([['deleted', id, 'access_removed']]);
    await change(`/relationships/${id}`, { strength: 0.5 });
    expect(await news()).toEqual([]);
    await retag(two, 'open', 'secret');
    expect(await news()).toEqual([['created', id]]);
    await retag(hidden, 'open');
    expect(await news()).toEqual([['created', other]]);
  });

  it('relationships end with a deleted node and come back with it', async () => {
    await readsOpen();
    const id = await edge(one, two);
    await edge(two, hidden);
    await deliver(world);
    receiver.clear();
    await alice.delete(`/nodes/${two}`);
    expect(await news()).toEqual([['deleted', id, 'deleted']]);
    await alice.post(`/nodes/${two}/restore`);
    expect(await news()).toEqual([['created', id]]);
    await alice.delete(`/nodes/${two}`);
    await alice.delete(`/nodes/${one}`);
    expect(await news()).toEqual([['deleted', id, 'deleted']]);
  });

  it('a relationship that was never sent is not reported as lost, but its deletion is if it could be read', async () => {
    await readsOpen({}, ['relationship.deleted']);
    const [id, other] = [await edge(one, two), await edge(two, one)];
    await retag(two, 'secret');
    await alice.delete(`/relationships/${other}`);
    expect(await news()).toEqual([]);
    await retag(two, 'open');
    await alice.delete(`/relationships/${id}`);
    expect(await news()).toEqual([['deleted', id, 'deleted']]);
  });

  const deletions: [string, (id: string) => Promise<unknown>][] = [
    ['itself', (id) => alice.delete(`/relationships/${id}`)],
    ['with a node', () => alice.delete(`/nodes/${one}`)],
  ];
  it.each(deletions)(
    'a relationship that was never sent and is deleted %s is not reported once a node at its end is hidden',
    async (_, end) => {
      await readsOpen({ excluded_tag_ids: [secret] }, ['relationship.deleted']);
      const id = await edge(one, two);
      receiver.answer = 500;
      await end(id);
      expect(await news()).toEqual([['deleted', id, 'deleted']]);
      await client.delete('/webhooks/subscription');
      await subscribe(['relationship.deleted']);
      await alice.post(`/nodes/${one}/restore`);
      const other = await edge(two, one, { relationship_type: 'far' });
      receiver.answer = 200;
      await end(other);
      await retag(two, 'open', 'secret');
      expect(await news()).toEqual([]);
      expect((await client.get('/webhooks/deliveries')).body.total).toBe(0);
    },
  );

  it('a deleted relationship that the receiver has is lost without saying why once a node at its end is hidden', async () => {
    await readsOpen({ excluded_tag_ids: [secret] });
    const id = await edge(one, two);
    expect(await news()).toEqual([['created', id]]);
    await alice.delete(`/relationships/${id}`);
    await retag(two, 'open', 'secret');
    expect(await news()).toEqual([['deleted', id, 'access_removed']]);
  });

  it('a relationship whose first event had no answer is reported as lost when an end leaves the view', async () => {
    await readsOpen();
    receiver.answer = 500;
    const id = await edge(one, two);
    expect(await news()).toEqual([['created', id]]);
    receiver.answer = 200;
    await retag(one, 'secret');
    expect(await news()).toEqual([['deleted', id, 'access_removed']]);
    expect(await retry()).toEqual([]);
  });

  it('a relationship that leaves the view and is deleted before anything is read makes one event, of its loss', async () => {
    await readsOpen();
    const id = await edge(one, two);
    await deliver(world);
    receiver.clear();
    await retag(one, 'secret');
    await alice.delete(`/relationships/${id}`);
    expect(await news()).toEqual([['deleted', id, 'access_removed']]);
  });

  it('events that wait are judged again: nothing of a relationship is sent once an end is hidden', async () => {
    await readsOpen();
    receiver.answer = 500;
    await edge(one, two, { context: 'met in May' });
    await deliver(world);
    receiver.clear();
    receiver.answer = 200;
    await change(`/exposure-profiles/${profileId}`, { excluded_tag_ids: [secret] });
    await retag(two, 'open', 'secret');
    await deliver(world);
    expect(receiver.received.map(({ body }) => body.event)).toEqual(['relationship.deleted']);
    receiver.clear();
    expect(await retry()).toEqual([]);
  });

  it.each([
    ['hidden', () => retag(two, 'secret')],
    ['deleted', () => alice.delete(`/nodes/${two}`)],
  ])(
    'nothing of a relationship is sent if a node at its end is %s while the receiver is connected',
    async (_, end) => {
      await readsOpen();
      const webhook_url = receiver.url.replace('127.0.0.1', 'hooks.localhost');
      expect(
        (await client.post('/webhooks/subscribe', { webhook_url, events: EVENTS.slice(0, 2) })).status,
      ).toBe(200);
      await edge(one, two, { context: 'met in May' });
      let ended: Promise<unknown> | undefined;
      jest.spyOn(world.nest.get(Receivers), 'resolve').mockImplementation(async () => {
        await (ended ??= Promise.resolve(end()));
        return [{ address: '127.0.0.1', family: 4 }];
      });
      await deliver(world);
      expect(ended).toBeDefined();
      expect(receiver.received).toEqual([]);
      expect((await client.get('/webhooks/deliveries')).body.total).toBe(0);
    },
  );

  it('a relationship that an edit of the profile hides makes no further event', async () => {
    await readsOpen();
    const id = await edge(one, two);
    await deliver(world);
    receiver.clear();
    await change(`/exposure-profiles/${profileId}`, { excluded_tag_ids: [open] });
    await change(`/relationships/${id}`, { strength: 0.5 });
    await retag(two, 'secret');
    await alice.delete(`/relationships/${id}`);
    await alice.delete(`/nodes/${one}`);
    expect(await news()).toEqual([]);
  });

  it('masks of either node apply to waiting and redelivered events of their relationships', async () => {
    await readsOpen({
      transformations: [
        { type: 'field_mask', config: { paths: ['value'] }, apply_to: { tag_ids: [secret] } },
      ],
    });
    receiver.answer = 500;
    const id = await edge(one, two, { context: 'HIV clinic' });
    await change(`/relationships/${id}`, { context: 'HIV clinic again' });
    await deliver(world);
    expect(receiver.received.map(({ text }) => text).join()).toContain('HIV clinic again');
    receiver.clear();
    receiver.answer = 200;
    await retag(two, 'open', 'secret');
    await deliver(world);
    clock.advance(FIRST_RETRY_SECONDS);
    await deliver(world);
    const texts = receiver.received.map(({ text }) => text).join();
    expect(texts).not.toContain('HIV');
    expect(receiver.received[0]?.body).toMatchObject({
      event: 'relationship.updated',
      data: { ...(await read(id)), changes: {} },
    });
    const { deliveries } = (await client.get('/webhooks/deliveries')).body;
    receiver.clear();
    for (const one of deliveries) await client.post(`/webhooks/deliveries/${one.id}/redeliver`);
    await deliver(world);
    expect(receiver.received.length).toBeGreaterThan(0);
    expect(receiver.received.map(({ text }) => text).join()).not.toContain('HIV');
  });

  it.each([
    ['summary', { context: 'other' }, { strength: 0.25 }],
    ['minimal', { strength: 0.25, context: 'other' }, null],
  ])('relationships at detail level %s have events of shown fields only', async (level, unseen, seen) => {
    await readsOpen({ max_detail_level: level });
    const id = await edge(one, two, { context: 'met in May' });
    await deliver(world);
    expect(receiver.received[0]?.body.data).toEqual(await read(id));
    receiver.clear();
    await change(`/relationships/${id}`, unseen);
    expect(await news()).toEqual([]);
    if (seen === null) return;
    await change(`/relationships/${id}`, seen);
    expect(await news()).toEqual([['updated', id]]);
  });

  /** Merges a node into another by a proposal. */
  const merged = async (source: string, target: string): Promise<string> => {
    const proposer = await alice.lets(await world.app());
    const canonical_data = { target_node_id: target, source_node_ids: [source] };
    const id = await approved(alice, proposer, { type: 'MERGE_NODES', canonical_data });
    expect((await alice.post(`/proposals/${id}/apply`)).body).toMatchObject({ status: 'APPLIED' });
    return id;
  };

  it('an update names no earlier node of the relationship that is hidden now', async () => {
    await readsOpen({ excluded_tag_ids: [secret] });
    const other = await node('open');
    const id = await edge(one, two);
    const merge = await merged(one, other);
    await deliver(world);
    receiver.clear();
    expect((await alice.post(`/proposals/${merge}/revert`)).status).toBe(200);
    await retag(other, 'open', 'secret');
    await deliver(world);
    expect(receiver.received.map(({ body: { event, data } }) => [event, data])).toEqual([
      ['relationship.updated', { ...(await read(id)), changes: {} }],
    ]);
    expect(receiver.received.map(({ text }) => text).join()).not.toContain(other);
  });

  it('a relationship that a merge moves is updated, or lost with a hidden target, and comes back with the undo', async () => {
    await readsOpen({ excluded_tag_ids: [secret] });
    const [third, fourth] = [await node('open'), await node('open')];
    const moved = await edge(one, two, { relationship_type: 'far' });
    const [doubled, lost] = [await edge(one, two), await edge(third, two)];
    await edge(fourth, two);
    await deliver(world);
    receiver.clear();
    const merge = await merged(one, fourth);
    await deliver(world);
    const [update] = receiver.received.filter(({ body }) => body.event === 'relationship.updated');
    expect(update?.body.data).toMatchObject({
      id: moved,
      from_node_id: fourth,
      changes: { from_node_id: { old: one, new: fourth } },
    });
    expect((await news()).sort()).toEqual([
      ['deleted', doubled, 'deleted'],
      ['updated', moved],
    ]);
    expect((await alice.post(`/proposals/${merge}/revert`)).status).toBe(200);
    expect((await news()).sort()).toEqual([
      ['created', doubled],
      ['updated', moved],
    ]);
    await merged(third, hidden);
    expect(await news()).toEqual([['deleted', lost, 'access_removed']]);
  });

  it('all relationships of a node with many are sent when it comes into the view, page by page', async () => {
    await readsOpen();
    const ids: string[] = [];
    for (let hundred = 0; hundred < 6; hundred++) {
      const nodes = Array.from({ length: 90 }, (_, n) => ({
        title: `node ${hundred} ${n}`,
        node_type: 'NOTE',
        tags: ['open'],
      }));
      const { created } = (await alice.post('/nodes/batch', { nodes })).body as { created: { id: string }[] };
      ids.push(...(await Promise.all(created.map(({ id }) => edge(hidden, id)))));
    }
    expect(await news()).toEqual([]);
    await retag(hidden, 'open');
    const ticking = jest.spyOn(world.nest.get(Clock), 'now').mockImplementation(() => {
      clock.advance(0.001);
      return clock.now;
    });
    const trim = jest.spyOn(world.nest.get(DeliveriesRepository), 'trim');
    expect((await news()).map(([, id]) => id).sort()).toEqual([...ids].sort());
    ticking.mockRestore();
    expect([ids.length, trim.mock.calls.length]).toEqual([540, 1]);
    // Times of pages would count the hidden relationships between those that are shown.
    const times = await world.nest
      .get(Database)
      .dataSource.query('SELECT DISTINCT created_at FROM webhook_deliveries WHERE owner_id = $1', [alice.id]);
    expect(times).toHaveLength(1);
    await retag(hidden, 'secret');
    const left = await news();
    expect(left.every(([event, , reason]) => `${event} ${reason}` === 'deleted access_removed')).toBe(true);
    expect(left.map(([, id]) => id).sort()).toEqual([...ids].sort());
  });

  it('the events that a subscription does not name are not sent, as before', async () => {
    await readsOpen({}, ['node.created', 'node.updated']);
    await edge(one, two);
    await retag(two, 'secret');
    await deliver(world);
    expect(receiver.received).toEqual([]);
  });
});
