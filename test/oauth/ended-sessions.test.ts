import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { Housekeeping } from '../../src/kernel/housekeeping.js';
import { exported, rowsOf } from '../portability/archives.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type Connected, OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

const DAY = 24 * 3_600;

interface Session {
  id: string;
  status: string;
  last_used_at: string;
  ended_at: string | null;
  end_reason: string | null;
}

describe('ended sessions of apps (rule 14.5d)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let app: { id: string; secret: string; developer: TestUser };
  beforeAll(async () => {
    oauth = await OAuthWorld.startHere();
  });
  afterAll(() => oauth.world.stop());
  beforeEach(async () => {
    [person, app] = [await oauth.world.user(), await oauth.app()];
  });
  afterEach(() => letClockRun(oauth.world));

  const connected = () => oauth.connect(app.id, person, { parameters: { scope: 'graph:read' } });
  const authorization = async () => (await person.get('/authorizations')).body.authorizations[0];
  const sessions = async (query: string): Promise<{ sessions: Session[]; total: number }> => {
    const { id } = await authorization();
    const { status, body, text } = await person.get(`/authorizations/${id}/sessions?${query}`);
    if (status !== 200) throw new Error(text);
    return body;
  };
  const ended = async (query = '') => (await sessions(`status=ended${query}`)).sessions;
  const endings = async () => (await ended()).map(({ end_reason }) => end_reason);
  const opens = async ({ access_token: token }: Connected) => (await oauth.with(token).get('/nodes')).status;

  it('each end of a session has its reason, the latest first, and the others stay connected', async () => {
    const clock = holdClock(oauth.world);
    const laptop = await connected();
    const { id } = await authorization();
    const next = () => clock.advance(1);

    // Sessions of one moment have no order.
    next();
    await connected();
    const [mine] = (await sessions('status=active')).sessions;
    next();
    await person.delete(`/authorizations/${id}/sessions/${mine?.id}`);

    const revoked = await connected();
    next();
    await oauth.form('revoke', { client_id: app.id, token: revoked.refresh_token });

    const { request, verifier } = await oauth.request(app.id, { scope: 'graph:read' });
    const back = await oauth.allow(person, request);
    expect((await oauth.redeem(app.id, back, verifier)).status).toBe(200);
    next();
    expect((await oauth.redeem(app.id, back, verifier)).status).toBe(400);

    const copied = await connected();
    await oauth.refresh(app.id, copied.refresh_token);
    clock.advance(121);
    expect((await oauth.refresh(app.id, copied.refresh_token)).status).toBe(400);

    const reasons = ['refresh_token_reused', 'code_reused', 'revoked_by_client', 'ended_by_person'];
    expect(await endings()).toEqual(reasons);
    expect(await ended()).toEqual(
      reasons.map((end_reason) => ({
        id: expect.any(String),
        status: 'ended',
        device: null,
        scopes: ['graph:read'],
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        ended_at: expect.any(String),
        end_reason,
      })),
    );
    expect((await ended())[0]?.ended_at).toBe(clock.now.toISOString());
    expect(await opens(laptop)).toBe(200);
    const living = await sessions('');
    expect(living).toMatchObject({
      total: 1,
      sessions: [{ status: 'active', ended_at: null, end_reason: null }],
    });
    expect((await authorization()).sessions).toBe(1);

    const page = await sessions('status=ended&limit=1&offset=1');
    expect([page.total, page.sessions.map(({ end_reason }) => end_reason)]).toEqual([4, ['code_reused']]);
    // An end that is repeated changes nothing.
    await person.delete(`/authorizations/${id}/sessions/${(await ended())[0]?.id}`);
    expect(await endings()).toEqual(reasons);
    next();
    await person.delete(`/authorizations/${id}`);
    expect(await endings()).toEqual(['authorization_ended', ...reasons]);
    expect((await sessions('status=active')).total).toBe(0);
  });

  it('a session that is not used for ninety days is listed as ended, before and after the sweep', async () => {
    const clock = holdClock(oauth.world);
    await connected();
    const [{ last_used_at: used } = { last_used_at: '' }] = (await sessions('status=active')).sessions;
    clock.advance(90 * DAY - 1);
    await person.logsIn();
    expect([(await sessions('')).total, (await authorization()).sessions]).toEqual([1, 1]);
    expect(await ended()).toEqual([]);
    clock.advance(1);
    const unused = {
      status: 'ended',
      end_reason: 'unused',
      last_used_at: used,
      ended_at: new Date(Date.parse(used) + 90 * DAY * 1000).toISOString(),
    };
    expect(await ended()).toMatchObject([unused]);
    expect([(await sessions('')).total, (await authorization()).sessions]).toEqual([0, 0]);
    await oauth.world.nest.get(Housekeeping).sweep();
    expect(await ended()).toMatchObject([unused]);
  });

  it('an ended session is listed for ninety days, and then deleted with its tokens', async () => {
    const clock = holdClock(oauth.world);
    const { refresh_token: token } = await connected();
    await oauth.form('revoke', { client_id: app.id, token });
    clock.advance(90 * DAY - 1);
    await person.logsIn();
    await oauth.world.nest.get(Housekeeping).sweep();
    expect(await endings()).toEqual(['revoked_by_client']);
    clock.advance(2);
    await oauth.world.nest.get(Housekeeping).sweep();
    expect(await ended()).toEqual([]);
    for (const table of ['app_sessions', 'app_tokens'])
      expect(
        await oauth.world.nest
          .get(Database)
          .read(sql`SELECT 1 FROM ${sql.raw(table)} WHERE owner_id = ${person.id}`),
      ).toEqual([]);
  });

  it('the end of an app by its developer ends its sessions, also where a person looks later', async () => {
    const clock = holdClock(oauth.world);
    await connected();
    await app.developer.delete(`/apps/${app.id}`);
    const { revoked_at, sessions: count } = await authorization();
    expect(count).toBe(0);
    const over = [{ status: 'ended', end_reason: 'authorization_ended', ended_at: revoked_at }];
    expect(await ended()).toMatchObject(over);
    expect((await sessions('status=active')).total).toBe(0);
    clock.advance(91 * DAY);
    await person.logsIn();
    await oauth.world.nest.get(Housekeeping).sweep();
    expect(await ended()).toMatchObject(over);
  });

  it('an authorization that expires has no living session from then on, and its renewal changes no end', async () => {
    const clock = holdClock(oauth.world);
    const end = new Date(clock.now.getTime() + 10 * DAY * 1000).toISOString();
    const terms = { parameters: { scope: 'graph:read' }, terms: { expires_at: end } };
    const { refresh_token: token } = await oauth.connect(app.id, person, terms);
    const { id } = await authorization();
    const of = async (status: string) =>
      (await person.get(`/authorizations/${id}/sessions?status=${status}`)).body.sessions as Session[];
    expect(await of('active')).toHaveLength(1);
    clock.advance(10 * DAY);
    await person.logsIn();
    expect([(await authorization()).sessions, await of('active')]).toEqual([0, []]);
    const over = [{ status: 'ended', end_reason: 'authorization_ended', ended_at: end }];
    expect(await of('ended')).toMatchObject(over);
    clock.advance(1);
    await connected();
    expect(await of('ended')).toMatchObject(over);
    expect((await oauth.refresh(app.id, token)).status).toBe(400);
  });

  it('sessions are in an export, and no ended one outlives its account', async () => {
    const { refresh_token: token } = await connected();
    await oauth.form('revoke', { client_id: app.id, token });
    const rows = rowsOf(await exported(person), 'listed/app_sessions.ndjson');
    expect(rows).toMatchObject([{ app_id: app.id, scopes: ['graph:read'], end_reason: 'revoked_by_client' }]);
    expect(JSON.stringify(rows)).not.toContain('pig_');
    expect((await person.delete('/auth/me', { password: 'correct horse battery' })).status).toBe(204);
    const left = sql`SELECT 1 FROM app_sessions WHERE owner_id = ${person.id}`;
    expect(await oauth.world.nest.get(Database).read(left)).toEqual([]);
  });

  it('ended sessions are shown to their person alone, and other statuses are refused', async () => {
    const { refresh_token: token } = await connected();
    await oauth.form('revoke', { client_id: app.id, token });
    const { id } = await authorization();
    const path = `/authorizations/${id}/sessions?status=ended`;
    const others = [await oauth.world.user(), app.developer];
    for (const other of others) expect((await other.get(path)).status).toBe(404);
    expect((await person.get(`${path}x`)).status).toBe(400);
  });
});

describe('sessions whose access tokens last longer than ninety days (rule 14.5d)', () => {
  it('a session is active for as long as its access token opens the graph', async () => {
    const oauth = await OAuthWorld.startHere({ OAUTH_ACCESS_TOKEN_HOURS: String(24 * 120) });
    const clock = holdClock(oauth.world);
    const [person, app] = [await oauth.world.user(), await oauth.app()];
    const { access_token: token } = await oauth.connect(app.id, person, {
      parameters: { scope: 'graph:read' },
      terms: { expires_at: null },
    });
    const { id } = (await person.get('/authorizations')).body.authorizations[0];
    const active = async () => (await person.get(`/authorizations/${id}/sessions`)).body.total as number;
    const opens = async () => (await oauth.with(token).get('/nodes')).status;
    for (const [days, status, total] of [
      [119, 200, 1],
      [1, 401, 0],
    ] as const) {
      clock.advance(days * DAY);
      await person.logsIn();
      await oauth.world.nest.get(Housekeeping).sweep();
      expect([days, await opens(), await active()]).toEqual([days, status, total]);
    }
    letClockRun(oauth.world);
    await oauth.world.stop();
  });
});
