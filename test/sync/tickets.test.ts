import { Database } from '../../src/kernel/database/database.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { sql } from '../../src/kernel/database/sql.js';
import { erase } from '../portability/erasures.js';
import { codeOf, letsIn, node, profile } from '../support/worlds/nodes.js';
import { type Client } from '../support/client.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { readOnly } from '../support/defaults.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { EventReader, pull } from './pages.js';

let world: World;
let alice: TestUser;

withAlice((met) => ({ world, alice } = met));

const issue = async (client: Client): Promise<string> => {
  const { status, body } = await client.post('/sync/ticket');
  expect(status).toBe(201);
  return body.ticket as string;
};

const nobody = (): Client => world.api;

const open = (ticket: string, query = ''): Promise<EventReader> =>
  EventReader.open(world.origin, `/sync/stream?ticket=${ticket}${query}`, {});

const rows = async (): Promise<Record<string, unknown>[]> =>
  world.nest.get(Database).read(sql`SELECT * FROM stream_tickets`);

describe('tickets for streams (rule 7.14)', () => {
  it('a ticket opens one stream without any other credential, and is refused the second time', async () => {
    const ticket = await issue(alice);
    const stream = await open(ticket);
    expect(stream.status).toBe(200);
    const made = await node(alice, { title: 'through a ticket' });
    expect((await stream.next()).data.changes[0].node.id).toBe(made.id);
    const again = await nobody().get(`/sync/stream?ticket=${ticket}`);
    expect(codeOf(again)).toEqual([401, 'UNAUTHORIZED']);
    await node(alice, { title: 'still open' });
    expect((await stream.next()).data.changes[0].node.title).toBe('still open');
    stream.leave();
  });

  it('a ticket of an app shows what the app is shown, and its stream ends with the authorization', async () => {
    await node(alice, { title: 'shown', value: 'secret' });
    const made = await world.app();
    const given = await alice.authorizes(
      made,
      profile(
        { discover: 'all', read: 'all', create: 'all', edit: 'all', delete: 'all', propose: 'all' },
        { max_detail_level: 'minimal' },
      ),
    );
    const app = made.as(alice);
    const stream = await open(await issue(app));
    expect(JSON.stringify(await stream.next())).not.toContain('secret');
    const late = await issue(app);
    await alice.delete(`/authorizations/${given.authorization.id}`);
    await stream.ended();
    expect(codeOf(await nobody().get(`/sync/stream?ticket=${late}`))).toEqual([403, 'PERMISSION_DENIED']);
  });

  it('a ticket ends with the log-in that asked for it', async () => {
    const ticket = await issue(alice);
    expect((await alice.delete('/auth/sessions')).status).toBeLessThan(300);
    await alice.post('/auth/logout');
    const { status } = await nobody().get(`/sync/stream?ticket=${ticket}`);
    expect(status).toBe(401);
  });

  it("a ticket of an app ends with the app's key and with the erased account of its user", async () => {
    const [developer, bob] = [await world.user(), await world.user()];
    const body = { name: 'reader', client_level: 'L2', requested_permissions: readOnly };
    const { id, api_key } = (await developer.post('/apps', body)).body;
    const ticketOf = async (user: TestUser) => {
      await user.authorizes({ id } as TestApp);
      return issue(world.api.with({ 'X-API-Key': api_key, 'X-User-ID': user.id }));
    };
    const [left, erased] = [await ticketOf(alice), await ticketOf(bob)];
    await erase({ user: bob });
    expect(codeOf(await nobody().get(`/sync/stream?ticket=${erased}`))).toEqual([401, 'UNAUTHORIZED']);
    const { keys } = (await developer.get(`/apps/${id}/keys`)).body;
    for (const key of keys) await developer.delete(`/apps/${id}/keys/${key.id}`);
    expect(codeOf(await nobody().get(`/sync/stream?ticket=${left}`))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('a ticket is stored nowhere as it is, and a request with an Idempotency-Key has a new one each time', async () => {
    const headers = { 'Idempotency-Key': 'again' };
    const tickets = [
      await alice.post('/sync/ticket', {}, { headers }),
      await alice.post('/sync/ticket', {}, { headers }),
    ];
    const [first, second] = tickets.map(({ body }) => body.ticket as string);
    expect([first, tickets[1]?.headers['idempotent-replayed']]).toEqual([
      expect.not.stringMatching(`^${second}$`),
      undefined,
    ]);
    const stored = await world.nest
      .get(Database)
      .read(
        sql`SELECT body::text AS text FROM idempotency_keys UNION ALL SELECT t::text FROM stream_tickets AS t`,
      );
    expect(stored.length).toBeGreaterThan(0);
    for (const ticket of [first, second]) expect(JSON.stringify(stored)).not.toContain(ticket);
    const stream = await open(second as string);
    expect(stream.status).toBe(200);
    stream.leave();
  });

  it('a ticket that ten requests use at once opens a single stream', async () => {
    const ticket = await issue(alice);
    const streams = await Promise.all(Array.from({ length: 10 }, () => open(ticket)));
    const statuses = streams.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 401)]);
    for (const stream of streams) stream.leave();
  });

  it('a ticket that is older than a minute is refused, and the sweep takes it away', async () => {
    const clock = holdClock(world);
    const ticket = await issue(alice);
    clock.advance(61);
    expect(codeOf(await nobody().get(`/sync/stream?ticket=${ticket}`))).toEqual([401, 'UNAUTHORIZED']);
    await world.nest.get(Housekeeping).sweep();
    letClockRun(world);
    expect(await rows()).toEqual([]);
  });

  it('a ticket is stored neither as a text nor with a credential that can be read', async () => {
    const ticket = await issue(alice);
    const stored = JSON.stringify(await rows());
    expect(stored).not.toContain(ticket);
    expect(stored).not.toContain(alice.credentials['Authorization']?.slice(7) ?? 'none');
  });

  it('a ticket beside a credential is refused, and opens nothing but a stream', async () => {
    const ticket = await issue(alice);
    expect(codeOf(await alice.get(`/sync/stream?ticket=${ticket}`))).toEqual([400, 'AMBIGUOUS_CREDENTIALS']);
    expect(codeOf(await nobody().get(`/sync?ticket=${ticket}`))).toEqual([401, 'UNAUTHORIZED']);
    expect(codeOf(await nobody().get(`/sync/stream?ticket=${ticket}x`))).toEqual([401, 'UNAUTHORIZED']);
    expect(codeOf(await nobody().get(`/sync/stream?ticket=${ticket}&ticket=x`))).toEqual([
      401,
      'UNAUTHORIZED',
    ]);
    const stream = await open(ticket);
    expect(stream.status).toBe(200);
    stream.leave();
  });

  it('a stream by a ticket continues from a cursor, with relationships and tags', async () => {
    const { cursor } = await pull(alice, { include: 'tags' });
    const stream = await open(await issue(alice), `&include=tags&cursor=${cursor}`);
    const tag = await alice.post('/tags', { name: 'new' });
    expect((await stream.next()).data.changes).toMatchObject([{ entity: 'tag', tag: { id: tag.body.id } }]);
    stream.leave();
  });

  it('an app that may not read gets no ticket', async () => {
    const app = await letsIn(world, alice, profile({ discover: 'all' }));
    expect(codeOf(await app.post('/sync/ticket'))).toEqual([403, 'FORBIDDEN']);
  });
});
