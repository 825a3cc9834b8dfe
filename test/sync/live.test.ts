import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { EventReader, pull, steps } from './pages.js';

let world: World;
let alice: TestUser;

withAlice(
  (met) => ({ world, alice } = met),
  () => World.start(),
);

const stream = (client: Client, path = '/sync/stream', headers: Record<string, string> = {}) =>
  EventReader.open(world.origin, path, { ...client.credentials, ...headers });

describe('long polling', () => {
  it('a waiting pull is answered as soon as there are changes, and at once if there are some', async () => {
    const { cursor } = await pull(alice);
    const waiting = pull(alice, { cursor, wait: 30 });
    const made = await node(alice);
    const page = await waiting;
    expect(steps(page)).toEqual([['create', made.id]]);
    expect(steps(await pull(alice, { cursor, wait: 30 }))).toEqual(steps(page));
  });

  it('a waiting pull is not ended by changes that the caller cannot see, and times out', async () => {
    const work = await tagId(alice, 'work');
    const app = await letsIn(world, alice, profile({ read: [work] }));
    const { cursor } = await pull(app);
    const waiting = pull(app, { cursor, wait: 30 });
    await node(alice, { title: 'hidden' });
    const seen = await node(alice, { tags: ['work'] });
    expect(steps(await waiting)).toEqual([['create', seen.id]]);
    expect(await pull(app, { cursor: (await pull(app)).cursor, wait: 1 })).toMatchObject({
      changes: [],
      has_more: false,
    });
  });

  it('a waiting pull ends with a refusal when access ends meanwhile', async () => {
    const app = await world.app();
    const { authorization } = await alice.authorizes(app);
    const { cursor } = await pull(app.as(alice));
    const waiting = app.as(alice).get(`/sync?cursor=${cursor}&wait=30`);
    await alice.delete(`/authorizations/${authorization.id}`);
    expect((await waiting).status).toBe(403);
  });

  it('a waiting pull holds no connection: a hundred of them let others work', async () => {
    const crowded = await World.start({ CALLER_STREAMS: '100', PERSON_STREAMS: '100' });
    try {
      const owner = await crowded.user();
      const { cursor } = await pull(owner);
      const waiting = Array.from({ length: 100 }, () => pull(owner, { cursor, wait: 30 }));
      const made = await node(owner);
      for (const page of await Promise.all(waiting)) expect(steps(page)).toEqual([['create', made.id]]);
    } finally {
      await crowded.stop();
    }
  });
});

describe('server-sent events', () => {
  it('a sync stream begins with the present state and goes on with changes; each event id is a cursor', async () => {
    const first = await node(alice);
    const reader = await stream(alice);
    const before = await reader.next();
    expect(before).toMatchObject({ event: 'changes', data: { cursor: before.id, has_more: false } });
    expect(steps(before.data)).toEqual([['create', first.id]]);
    const second = await node(alice);
    const event = await reader.next();
    expect(steps(event.data)).toEqual([['create', second.id]]);
    reader.leave();
    await alice.delete(`/nodes/${first.id}`);
    const again = await stream(alice, '/sync/stream?include_tags=true', { 'Last-Event-ID': event.id });
    expect(steps((await again.next()).data)).toEqual([['delete', first.id, 'deleted']]);
    again.leave();
    expect(steps(await pull(alice, { cursor: before.id }))).toEqual([
      ['create', second.id],
      ['delete', first.id, 'deleted'],
    ]);
  });

  it('a sync stream from now sends what is shown and changes later, and moves no position', async () => {
    const [old, work] = [await node(alice, { tags: ['work'] }), await tagId(alice, 'work')];
    const app = await letsIn(world, alice, profile({ read: [work] }));
    await pull(app, { cursor: (await pull(app)).cursor });
    await node(alice, { tags: ['work'] });
    const before = (await app.get('/sync/status')).body;
    const reader = await stream(app, '/sync/stream?from=now');
    await node(alice, { title: 'hidden' });
    await alice.patch(`/nodes/${old.id}`, { value: 'changed' });
    const event = await reader.next();
    expect(steps(event.data)).toEqual([['update', old.id, ['value']]]);
    const { last_sync_at, scopes } = (await app.get('/sync/status')).body;
    expect([last_sync_at, scopes.all.last_version_seen]).toEqual([
      before.last_sync_at,
      before.scopes.all.last_version_seen,
    ]);
    reader.leave();
    const later = await node(alice, { tags: ['work'] });
    const again = await stream(app, '/sync/stream?from=now', { 'Last-Event-ID': event.id });
    expect(steps((await again.next()).data)).toEqual([['create', later.id]]);
    again.leave();
    expect((await app.get('/sync/stream?from=then')).status).toBe(400);
  });

  it('a sync stream counts as one request for limits and metrics, for any duration', async () => {
    const limited = await World.start({ RATE_LIMITS: 'on' });
    try {
      const [owner, made] = [await limited.user(), await limited.app()];
      const app = await owner.lets(made);
      const reader = await EventReader.open(limited.origin, '/sync/stream', app.credentials);
      for (let i = 0; i < 3; i++) {
        const { id } = await node(owner);
        expect(steps((await reader.next()).data)).toEqual([['create', id]]);
      }
      const { cursor } = await pull(app);
      const waiting = app.get(`/sync?cursor=${cursor}&wait=30`);
      await owner.post('/tags', { name: 'a tag is no entry' });
      await node(owner);
      expect((await waiting).headers['x-ratelimit-remaining']).toBe('57');
      const [after] = [await app.get('/nodes')];
      expect(after.headers['x-ratelimit-remaining']).toBe('56');
      reader.leave();
    } finally {
      await limited.stop();
    }
  });

  it('a sync stream comes in pages of the requested size', async () => {
    for (let i = 0; i < 5; i++) await node(alice);
    const reader = await stream(alice, '/sync/stream?limit=2&ids_only=true');
    const sizes = [];
    for (let i = 0; i < 3; i++) sizes.push((await reader.next()).data.stats.total);
    expect(sizes).toEqual([2, 2, 1]);
    reader.leave();
  });

  it('a sync stream ends when access is revoked, when the key is deleted, and when the profile shows something else', async () => {
    const app = await world.app();
    const { authorization, profile: made } = await alice.authorizes(app);
    await node(alice);
    const revoked = await stream(app.as(alice));
    await revoked.next();
    await alice.delete(`/authorizations/${authorization.id}`);
    await revoked.ended();

    const renewed = await alice.authorizes(app);
    const edited = await stream(app.as(alice));
    await edited.next();
    await alice.put(`/exposure-profiles/${renewed.profile.id}`, { max_detail_level: 'minimal' });
    await edited.ended();

    const unrelated = await stream(app.as(alice));
    await unrelated.next();
    await alice.put(`/exposure-profiles/${made.id}`, { max_detail_level: 'minimal' });
    await tagId(alice, 'new');
    const seen = await node(alice, { tags: ['new'] });
    expect((await unrelated.next()).data.changes).toMatchObject([
      { action: 'create', node: { id: seen.id } },
    ]);
    await alice.delete(`/authorizations/${renewed.authorization.id}`);
    await unrelated.ended();
  });

  it('a sync stream is refused like a page', async () => {
    const none = await letsIn(world, alice, profile({ discover: 'all' }));
    for (const [client, path, status] of [
      [none, '/sync/stream', 403],
      [alice, '/sync/stream?scope=x', 400],
      [alice, '/sync/stream?cursor=x', 400],
      [alice, '/sync/stream?limit=x', 400],
    ] as const)
      expect((await stream(client, path)).status).toBe(status);
    expect((await EventReader.open(world.origin, '/sync/stream', {})).status).toBe(401);
  });
});

describe('a stop of the service', () => {
  it('ends streams and waiting pulls instead of waiting for them', async () => {
    const own = await World.start();
    const bob = await own.user();
    const { cursor } = await pull(bob);
    const reader = await EventReader.open(own.origin, '/sync/stream', bob.credentials);
    const waiting = pull(bob, { cursor, wait: 30 });
    // The stream's first event shows that it is served; the waiting request was sent before the next one was answered.
    await node(bob);
    await reader.next();
    expect((await waiting).stats.total).toBe(1);
    const last = bob.get(`/sync?cursor=${(await pull(bob)).cursor}&wait=30`);
    await pull(bob);
    await own.stop();
    expect((await last).status).toBe(200);
    await reader.ended();
  });
});
