import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RouteTable } from '../../src/kernel/http/route-table.js';
import { type Answer, Client } from '../support/client.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestApp, type TestUser, World } from '../support/world.js';

const PASSWORD = 'correct horse battery';
const ABSENT = '0197a3c2-6f0e-4c11-9d53-1a2b3c4d5e6f';

describe('a log-in not older than five minutes', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let user: TestUser;
  let other: TestUser;
  let app: TestApp;
  beforeAll(async () => {
    world = await World.startHere();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    clock = holdClock(world);
    [user, other, app] = [await world.user(), await world.user(), await world.app()];
  });
  afterEach(() => letClockRun(world));

  /** Without the test user's readiness to prove again who they are. */
  const bare = (token = user.token): Client => new Client(world.origin, { Authorization: `Bearer ${token}` });
  const codeOf = ({ status, body }: Answer): string => `${status} ${body?.error?.code ?? ''}`.trim();
  const REFUSED = '401 REAUTHENTICATION_REQUIRED';

  it('is needed by exactly these operations', () => {
    const needed = world.nest
      .get(RouteTable)
      .routes.flatMap(({ method, path, endpoint }) =>
        endpoint && endpoint.requires !== 'public' && endpoint.requires.fresh
          ? [`${endpoint.requires.fresh}: ${method} ${path.replace('/api/v1', '')}`]
          : [],
      );
    expect(needed.sort()).toEqual([
      'always: DELETE /auth/me',
      'always: DELETE /auth/passkeys/:passkey_id',
      'always: DELETE /auth/totp',
      'always: GET /export',
      'always: PATCH /authorizations/:authorization_id',
      'always: POST /apps/:app_id/keys',
      'always: POST /auth/email',
      'always: POST /auth/passkeys',
      'always: POST /auth/passkeys/options',
      'always: POST /auth/recovery-codes',
      'always: POST /auth/totp',
      'always: POST /auth/totp/confirm',
      'always: POST /authorizations',
      'always: POST /import',
      'sometimes: PATCH /auth/me',
      'sometimes: POST /groups/:group_id/members/:user_id/promote',
      'sometimes: POST /sharing',
      'sometimes: PUT /exposure-profiles/:profile_id',
      'sometimes: PUT /follows/:follow_id/respond',
      'sometimes: PUT /groups/:group_id/exposure-profiles/:profile_id',
      'sometimes: PUT /groups/:group_id/members/:user_id',
      'sometimes: PUT /sharing/:share_id',
    ]);
  });

  it('is had for five minutes after registration and log-in, and not longer by a refresh', async () => {
    clock.advance(299);
    expect((await bare().get('/export')).status).toBe(200);
    clock.advance(2);
    expect(codeOf(await bare().get('/export'))).toBe(REFUSED);
    const account = { email: `${user.name}@example.org`, password: PASSWORD };
    const { body } = await world.api.post('/auth/login', account);
    expect((await bare(body.access_token).get('/export')).status).toBe(200);
    clock.advance(301);
    const refreshed = await world.api.post('/auth/refresh', { refresh_token: body.refresh_token });
    expect(codeOf(await bare(refreshed.body.access_token).get('/export'))).toBe(REFUSED);
  });

  it('is asked for before anything is looked up or read, with a hint how to get it', async () => {
    clock.advance(301);
    const refused = await Promise.all([
      bare().get('/export'),
      bare().post('/import', 'no archive'),
      bare().post('/authorizations', { app_id: 'nonsense' }),
      bare().patch(`/authorizations/${ABSENT}`, {}),
      bare().post(`/apps/${ABSENT}/keys`, {}),
      bare().delete('/auth/me', { password: PASSWORD }),
      bare().post('/auth/email', { email: 'nonsense' }),
      bare().post('/auth/totp'),
      bare().post('/auth/totp/confirm', { code: 'nonsense' }),
      bare().post('/auth/recovery-codes'),
      bare().delete('/auth/totp', {}),
      bare().post('/auth/passkeys/options'),
      bare().post('/auth/passkeys', { name: 7 }),
      bare().delete(`/auth/passkeys/${ABSENT}`),
    ]);
    expect(refused.map(codeOf)).toEqual(refused.map(() => REFUSED));
    const answer = refused[0] as Answer;
    expect(answer.body.error.message).toContain('POST /auth/reauthenticate');
    expect(answer.body.error.details).toEqual({ max_age: 300 });
    expect(answer.headers['www-authenticate']).toContain('error="insufficient_user_authentication"');
    expect((await bare().get('/auth/me')).status).toBe(200);
    expect((await bare().post('/nodes', { node_type: 'note', title: 'x' })).status).toBe(201);
  });

  it('is needed for what gives everything away, and not for narrower shares and for less', async () => {
    const { body: tag } = await user.post('/tags', { name: 'work' });
    const shared_with_user_id = other.id;
    const all = await user.post('/sharing', { shared_with_user_id, scope: 'all' });
    clock.advance(301);
    const narrow = { shared_with_user_id, scope: 'specific_tags', tag_ids: [tag.id] };
    const made = await bare().post('/sharing', narrow);
    expect(made.status).toBe(201);
    expect(codeOf(await bare().post('/sharing', { shared_with_user_id, scope: 'all' }))).toBe(REFUSED);
    expect(codeOf(await bare().put(`/sharing/${made.body.id}`, { scope: 'all' }))).toBe(REFUSED);
    expect(codeOf(await bare().put(`/sharing/${all.body.id}`, { can_write: true }))).toBe(REFUSED);
    expect((await bare().delete(`/sharing/${all.body.id}`)).status).toBe(200);
    expect(codeOf(await bare().patch('/auth/me', { is_public: true }))).toBe(REFUSED);
    expect((await bare().patch('/auth/me', { is_public: false })).status).toBe(200);
  });

  it('is needed for other rules of a profile through which an app is let in, and not for its name', async () => {
    const { profile, authorization } = await user.authorizes(app);
    const put = (body: object) => bare().put(`/exposure-profiles/${profile.id}`, body);
    clock.advance(301);
    expect(codeOf(await put({ max_detail_level: 'summary' }))).toBe(REFUSED);
    expect((await put({ name: `${profile.name} and more` })).status).toBe(200);
    expect((await put({ is_active: false })).status).toBe(200);
    expect(codeOf(await put({ is_active: true }))).toBe(REFUSED);
    expect((await bare().delete(`/authorizations/${authorization.id}`)).status).toBe(200);
    expect((await put({ is_active: true, max_detail_level: 'summary' })).status).toBe(200);
  });

  it('is needed for other rules of a profile by which a group is shared with, and not for one in no use', async () => {
    const { body: group } = await user.post('/groups', { name: 'crew' });
    const { body: profile } = await user.post('/exposure-profiles', { name: 'for the crew' });
    const put = (body: object) => bare().put(`/exposure-profiles/${profile.id}`, body);
    clock.advance(301);
    expect((await put({ max_detail_level: 'minimal' })).status).toBe(200);
    const shared = await user.post(`/groups/${group.id}/share`, { exposure_profile_id: profile.id });
    expect(shared.status).toBe(201);
    expect(codeOf(await put({ max_detail_level: 'summary' }))).toBe(REFUSED);
    expect((await put({ name: 'for all of the crew' })).status).toBe(200);
  });

  it('is needed for what a member of a group is shown, and not for less of a role', async () => {
    const { body: group } = await user.post('/groups', { name: 'crew' });
    const below = `/groups/${group.id}`;
    const { body: invitation } = await user.post(`${below}/invitations`, { user_id: other.id });
    await other.put(`/groups/invitations/${invitation.id}`, { action: 'accept' });
    const { body: profile } = await user.post(`${below}/exposure-profiles`, { name: 'readers' });
    const rules = (body: object) => bare().put(`${below}/exposure-profiles/${profile.id}`, body);
    const member = (body: object) => bare().put(`${below}/members/${other.id}`, body);
    clock.advance(301);
    expect((await rules({ max_detail_level: 'minimal' })).status).toBe(200);
    expect(codeOf(await member({ exposure_profile_id: profile.id }))).toBe(REFUSED);
    const assigned = await user.put(`${below}/members/${other.id}`, { exposure_profile_id: profile.id });
    expect(assigned.status).toBe(200);
    expect(codeOf(await rules({ max_detail_level: 'full' }))).toBe(REFUSED);
    expect((await rules({ name: 'all readers' })).status).toBe(200);
    expect(codeOf(await member({ exposure_profile_id: null }))).toBe(REFUSED);
    expect((await member({ exposure_profile_id: profile.id })).status).toBe(200);
    expect(codeOf(await member({ role: 'admin' }))).toBe(REFUSED);
    expect(codeOf(await bare().post(`${below}/members/${other.id}/promote`))).toBe(REFUSED);
    expect((await user.post(`${below}/members/${other.id}/promote`)).status).toBe(200);
    expect((await member({ role: 'member' })).status).toBe(200);
  });

  it('is needed to let a follower read everything, and not to decline', async () => {
    const asked = await other.post('/follows', { target_user_id: user.id });
    expect(asked.status).toBe(201);
    clock.advance(301);
    const respond = (body: object) => bare().put(`/follows/${asked.body.id}/respond`, body);
    expect(codeOf(await respond({ action: 'accept', share: { scope: 'all' } }))).toBe(REFUSED);
    expect((await respond({ action: 'decline' })).status).toBe(200);
  });

  it('comes with the password: a new token of the same session', async () => {
    clock.advance(301);
    const wrong = await bare().post('/auth/reauthenticate', { password: 'not the right one' });
    expect(codeOf(wrong)).toBe('401 UNAUTHORIZED');
    const proved = await bare().post('/auth/reauthenticate', { password: PASSWORD });
    expect(proved.status).toBe(200);
    expect(proved.headers['cache-control']).toBe('no-store');
    expect(Object.keys(proved.body).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
    expect((await bare(proved.body.access_token).get('/export')).status).toBe(200);
    expect(codeOf(await bare().get('/export'))).toBe(REFUSED);
    expect((await bare().get('/auth/sessions')).body.total).toBe(1);
  });

  it('is no matter of apps, which act by their keys', async () => {
    const client = await user.lets(app);
    clock.advance(3600);
    expect((await client.get('/nodes')).status).toBe(200);
  });
});
