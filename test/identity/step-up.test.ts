import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { onlyReads } from '../../src/kernel/http/endpoint.js';
import { RouteTable } from '../../src/kernel/http/route-table.js';
import { type Answer, Client } from '../support/client.js';
import { sendLate } from '../support/late-bodies.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { ASKED, ENDING, FREE, NARROWING } from '../support/step-up-operations.js';

const PASSWORD = 'correct horse battery';
const ABSENT = '0197a3c2-6f0e-4c11-9d53-1a2b3c4d5e6f';
const DAY_MS = 24 * 60 * 60 * 1000;
const later = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

describe('step-up, a log-in from the last five minutes', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let user: TestUser;
  let other: TestUser;
  let app: TestApp;
  withWorld((started) => (world = started));
  beforeEach(async () => {
    clock = holdClock(world);
    [user, other, app] = [await world.user(), await world.user(), await world.app()];
  });
  afterEach(() => letClockRun(world));
  // Each proof is expected by its test.
  afterEach(() => expect(user.takeProofs()).toEqual([]));

  /** A client that does not answer step-up challenges by itself, as the test user does. */
  const bare = (token = user.token): Client => new Client(world.origin, { Authorization: `Bearer ${token}` });
  const codeOf = ({ status, body }: Answer): string => `${status} ${body?.error?.code ?? ''}`.trim();
  const REFUSED = '401 REAUTHENTICATION_REQUIRED';

  /** Everything that a person can write, by whether it asks; a new operation is in one of the lists, or this fails. */
  it('every operation by which a user writes is listed as needing a fresh log-in or not', () => {
    const [asked, free] = [[] as string[], [] as string[]];
    for (const { method, path, endpoint } of world.nest.get(RouteTable).routes) {
      if (!endpoint || endpoint.requires === 'public' || endpoint.requires.callers === 'key') continue;
      const name = `${method} ${path.replace('/api/v1', '')}`;
      if (endpoint.requires.stepUp) asked.push(`${endpoint.requires.stepUp}: ${name}`);
      else if (!onlyReads(method, endpoint)) free.push(name);
    }
    expect(asked.sort()).toEqual([...ASKED].sort());
    expect(free.sort()).toEqual(Object.values(FREE).flat().sort());
  });

  it('every operation by which a person ends or narrows access has places and a rate window of its own', () => {
    const ending = world.nest
      .get(RouteTable)
      .routes.filter(({ endpoint }) => endpoint?.endsAccess)
      .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`);
    expect(ending.sort()).toEqual(ENDING);
    expect(ENDING).toEqual(expect.arrayContaining(FREE[NARROWING] ?? []));
  });

  it('lasts five minutes after registration and log-in, and a refresh does not extend it', async () => {
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

  it('a missing fresh log-in is refused before anything is located or read, with a hint how to get it', async () => {
    clock.advance(301);
    const refused = await Promise.all([
      bare().get('/export'),
      bare().post('/import', 'no archive'),
      bare().post('/authorizations', { app_id: 'nonsense' }),
      bare().post(`/apps/${ABSENT}/keys`, {}),
      bare().post(`/groups/${ABSENT}/invitations`, {}),
      bare().post(`/groups/${ABSENT}/share`, {}),
      bare().post('/webhooks/subscription/enable'),
      bare().post('/webhooks/subscription/rotate-secret'),
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

  it('shares of everything and of tags need a fresh log-in, smaller ones and their end do not (rule 1.16)', async () => {
    const { body: tag } = await user.post('/tags', { name: 'work' });
    const { body: other_tag } = await user.post('/tags', { name: 'home' });
    const shared_with_user_id = other.id;
    const made = await user.post('/sharing', { shared_with_user_id, scope: 'all', can_write: true });
    clock.advance(301);
    const tags = { shared_with_user_id, scope: 'specific_tags', tag_ids: [tag.id] };
    expect(codeOf(await bare().post('/sharing', tags))).toBe(REFUSED);
    expect(codeOf(await bare().post('/sharing', { shared_with_user_id, scope: 'all' }))).toBe(REFUSED);
    const put = (body: object) => bare().put(`/sharing/${made.body.id}`, body);
    expect(codeOf(await put({ can_share: true }))).toBe(REFUSED);
    expect((await put({ expires_at: later(2) })).status).toBe(200);
    expect(codeOf(await put({ expires_at: later(3) }))).toBe(REFUSED);
    expect(codeOf(await put({ expires_at: null }))).toBe(REFUSED);
    expect((await put({ expires_at: later(1), can_write: false })).status).toBe(200);
    expect((await put({ scope: 'specific_tags', tag_ids: [tag.id, other_tag.id] })).status).toBe(200);
    expect((await put({ tag_ids: [tag.id] })).status).toBe(200);
    expect(codeOf(await put({ tag_ids: [tag.id, other_tag.id] }))).toBe(REFUSED);
    expect(codeOf(await put({ scope: 'all' }))).toBe(REFUSED);
    expect((await user.get(`/sharing/${made.body.id}`)).body).toMatchObject({
      tag_ids: [tag.id],
      can_write: false,
    });
    expect((await bare().delete(`/sharing/${made.body.id}`)).status).toBe(200);
  });

  it('sharing twenty single nodes needs no fresh log-in, one more does until the next proof of identity', async () => {
    const nodes = Array.from({ length: 23 }, (_, index) => ({ node_type: 'note', title: `note ${index}` }));
    const { body } = await user.post('/nodes/batch', { nodes });
    const ids: string[] = body.created.map(({ id }: { id: string }) => id);
    clock.advance(301);
    const share = (node_ids: string[], client = bare()) =>
      client.post('/sharing', { shared_with_user_id: other.id, scope: 'specific_nodes', node_ids });
    expect(codeOf(await share(ids.slice(0, 21)))).toBe(REFUSED);
    const first = await share(ids.slice(0, 10));
    expect(first.status).toBe(201);
    const put = (node_ids: string[]) => bare().put(`/sharing/${first.body.id}`, { node_ids });
    expect((await put(ids.slice(0, 15))).status).toBe(200);
    expect((await put(ids.slice(0, 2))).status).toBe(200);
    expect(codeOf(await put(ids.slice(0, 8)))).toBe(REFUSED);
    const answers = await Promise.all(ids.slice(15).map((id) => share([id])));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter((answer) => codeOf(answer) === REFUSED)).toHaveLength(3);
    const proved = await bare().post('/auth/reauthenticate', { password: PASSWORD });
    clock.advance(301);
    expect((await share(ids.slice(0, 20), bare(proved.body.access_token))).status).toBe(201);
    expect(codeOf(await share(ids.slice(0, 1), bare(proved.body.access_token)))).toBe(REFUSED);
  });

  it('becoming public needs a fresh log-in, becoming private again does not', async () => {
    clock.advance(301);
    expect(codeOf(await bare().patch('/auth/me', { is_public: true }))).toBe(REFUSED);
    expect((await bare().patch('/auth/me', { is_public: false })).status).toBe(200);
  });

  it('becoming public again after the account has become private meanwhile needs a fresh log-in (rule 1.16b)', async () => {
    await user.patch('/auth/me', { is_public: true });
    clock.advance(301);
    const body = { is_public: true };
    expect((await bare().patch('/auth/me', body)).status).toBe(200);
    const late = { method: 'PATCH', path: '/auth/me', body };
    const becomePrivate = () => bare().patch('/auth/me', { is_public: false });
    const answer = await sendLate(world, bare(), late, becomePrivate, 0);
    expect([answer.status, JSON.parse(answer.text).error?.code]).toEqual([401, 'REAUTHENTICATION_REQUIRED']);
    expect((await bare().get('/auth/me')).body.is_public).toBe(false);
  });

  it('more rights of an authorized app need a fresh log-in, fewer or an earlier end do not', async () => {
    const { profile, authorization } = await user.authorizes(app);
    const { body: second } = await user.post('/exposure-profiles/from-template', {
      template: 'transparent',
      name: 'second',
    });
    const put = (body: object) => bare().put(`/exposure-profiles/${profile.id}`, body);
    const patch = (body: object) => bare().patch(`/authorizations/${authorization.id}`, body);
    clock.advance(301);
    expect((await put({ max_detail_level: 'summary' })).status).toBe(200);
    expect(codeOf(await put({ max_detail_level: 'full' }))).toBe(REFUSED);
    expect(codeOf(await put({ allowed_node_types: ['note'] }))).toBe(REFUSED);
    expect((await put({ name: `${profile.name} and more`, excluded_node_types: ['diary'] })).status).toBe(
      200,
    );
    expect((await put({ is_active: false })).status).toBe(200);
    expect(codeOf(await put({ is_active: true }))).toBe(REFUSED);
    expect((await patch({ expires_at: later(2) })).status).toBe(200);
    expect(codeOf(await patch({ expires_at: later(3) }))).toBe(REFUSED);
    expect(codeOf(await patch({ exposure_profile_id: second.id }))).toBe(REFUSED);
    expect((await bare().delete(`/authorizations/${authorization.id}`)).status).toBe(200);
    expect((await put({ is_active: true, max_detail_level: 'full' })).status).toBe(200);
  });

  it('sharing with a group, or more than before, needs a fresh log-in, an unused profile does not', async () => {
    const { body: group } = await user.post('/groups', { name: 'crew' });
    const { body: profile } = await user.post('/exposure-profiles', { name: 'for the crew' });
    const put = (body: object) => bare().put(`/exposure-profiles/${profile.id}`, body);
    clock.advance(301);
    expect((await put({ max_detail_level: 'minimal' })).status).toBe(200);
    const path = `/groups/${group.id}/share`;
    expect(codeOf(await bare().post(path, { exposure_profile_id: profile.id }))).toBe(REFUSED);
    expect((await user.post(path, { exposure_profile_id: profile.id })).status).toBe(201);
    expect(codeOf(await put({ max_detail_level: 'summary' }))).toBe(REFUSED);
    expect((await put({ name: 'for all of the crew' })).status).toBe(200);
    const { body: second } = await user.post('/exposure-profiles', { name: 'for others' });
    expect((await bare().put(path, { exposure_profile_id: profile.id })).status).toBe(200);
    expect(codeOf(await bare().put(path, { exposure_profile_id: second.id }))).toBe(REFUSED);
    expect((await user.get(path)).body.exposure_profile_id).toBe(profile.id);
    expect((await bare().delete(path)).status).toBe(200);
    expect(user.takeProofs()).toEqual(['POST /groups/:id/share']);
  });

  it('showing more to a member of a group needs a fresh log-in, a smaller role does not', async () => {
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
    expect(user.takeProofs()).toEqual([
      'PUT /groups/:id/members/:id',
      'POST /groups/:id/members/:id/promote',
    ]);
  });

  it('inviting into a group and leaving it to another member need a fresh log-in, cancelling and removing do not', async () => {
    const { body: group } = await user.post('/groups', { name: 'crew', deletion_policy: 'transfer' });
    const below = `/groups/${group.id}`;
    const invite = (client: Client) => client.post(`${below}/invitations`, { user_id: other.id });
    const { body: cancelled } = await invite(user);
    clock.advance(301);
    expect((await bare().delete(`${below}/invitations/${cancelled.id}`)).status).toBe(200);
    expect(codeOf(await invite(bare()))).toBe(REFUSED);
    const joins = async (): Promise<void> => {
      const { body: invitation } = await invite(user);
      await other.put(`/groups/invitations/${invitation.id}`, { action: 'accept' });
    };
    await joins();
    expect((await bare().delete(`${below}/members/${other.id}`)).status).toBe(200);
    await joins();
    expect(codeOf(await bare().delete(`${below}/members/${user.id}`))).toBe(REFUSED);
    expect((await user.delete(`${below}/members/${user.id}`)).body.new_admin_id).toBe(other.id);
    expect(user.takeProofs()).toEqual([
      'POST /groups/:id/invitations',
      'POST /groups/:id/invitations',
      'DELETE /groups/:id/members/:id',
    ]);
  });

  it('letting a follower read everything or tags needs a fresh log-in, a single node or a refusal does not', async () => {
    const { body: tag } = await user.post('/tags', { name: 'work' });
    const { body: node } = await user.post('/nodes', { node_type: 'note', title: 'one' });
    const asks = async () => (await other.post('/follows', { target_user_id: user.id })).body.id as string;
    const first = await asks();
    clock.advance(301);
    const respond = (id: string, body: object) => bare().put(`/follows/${id}/respond`, body);
    const accept = (id: string, share: object) => respond(id, { action: 'accept', share });
    expect(codeOf(await accept(first, { scope: 'all' }))).toBe(REFUSED);
    expect(codeOf(await accept(first, { scope: 'specific_tags', tag_ids: [tag.id] }))).toBe(REFUSED);
    expect((await respond(first, { action: 'decline' })).status).toBe(200);
    expect((await accept(await asks(), { scope: 'specific_nodes', node_ids: [node.id] })).status).toBe(200);
  });

  it('sending events to an address needs a fresh log-in, fewer events and their end do not', async () => {
    await user.authorizes(app);
    clock.advance(301);
    const address = (path: string) => `http://127.0.0.1:9/${path}`;
    const subscribe = (body: object, client = bare()) =>
      client.post('/webhooks/subscribe', { app_id: app.id, webhook_url: address('a'), ...body });
    const both = { events: ['node.created', 'node.updated'] };
    const one = { events: ['node.created'] };
    expect(codeOf(await subscribe(both))).toBe(REFUSED);
    expect((await subscribe(both, user)).status).toBe(201);
    expect((await subscribe(one)).status).toBe(200);
    expect(codeOf(await subscribe(both))).toBe(REFUSED);
    expect(codeOf(await subscribe({ ...one, webhook_url: address('b') }))).toBe(REFUSED);
    expect(codeOf(await subscribe({ ...one, secret: 'a secret of theirs' }))).toBe(REFUSED);
    const proposals = { event_types: ['approved'], webhook_url: address('a'), app_id: app.id };
    expect(codeOf(await bare().post('/proposals/subscribe', proposals))).toBe(REFUSED);
    expect(
      (await app.as(user).post('/webhooks/subscribe', { ...both, webhook_url: address('c') })).status,
    ).toBe(200);
    expect((await bare().delete(`/webhooks/subscription?app_id=${app.id}`)).status).toBe(200);
    expect(user.takeProofs()).toEqual(['POST /webhooks/subscribe']);
  });

  it('more requested permissions of an app need a fresh log-in, fewer do not', async () => {
    const { body: own } = await user.post('/apps', {
      name: 'own',
      redirect_uris: ['https://one.example.org/'],
      requested_permissions: { tags: { read: true, edit: true } },
    });
    const patch = (body: object) => bare().patch(`/apps/${own.id}`, body);
    clock.advance(301);
    expect(codeOf(await patch({ redirect_uris: ['https://two.example.org/'] }))).toBe(REFUSED);
    expect(codeOf(await patch({ requested_permissions: { tags: { read: true, write: true } } }))).toBe(
      REFUSED,
    );
    expect((await patch({ requested_permissions: { tags: { read: true } }, name: 'less' })).status).toBe(200);
    expect((await patch({ redirect_uris: [] })).status).toBe(200);
    expect((await patch({ is_active: false })).status).toBe(200);
    expect(codeOf(await patch({ is_active: true }))).toBe(REFUSED);
  });

  it('showing a schema to more readers needs a fresh log-in, fewer readers and other content do not (rule 1.16)', async () => {
    const made = await user.post('/schemas', {
      name: 'Diary',
      scope: 'private',
      private_to: 'user',
      json_schema: { type: 'object' },
    });
    const path = `/schemas/${made.body.id}`;
    clock.advance(301);
    expect(codeOf(await bare().put(path, { scope: 'public' }))).toBe(REFUSED);
    expect((await other.get(path)).status).toBe(404);
    expect((await user.get(path)).body).toMatchObject({ scope: 'private', version: 1 });
    expect((await bare().put(`${path}?dry_run=true`, { scope: 'public' })).status).toBe(200);
    expect((await bare().put(path, { description: 'mine' })).status).toBe(200);
    expect((await user.put(path, { scope: 'public' })).status).toBe(200);
    expect((await other.get(path)).status).toBe(200);
    expect((await bare().put(path, { description: 'for all' })).status).toBe(200);
    expect((await bare().put(path, { scope: 'private', private_to: 'user' })).status).toBe(200);
    expect(codeOf(await bare().put(path, { scope: 'public' }))).toBe(REFUSED);
    expect(user.takeProofs()).toEqual(['PUT /schemas/:id']);
  });

  it('the password proves identity by a new token of the same session', async () => {
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

  it('apps act by their keys and need no fresh log-in', async () => {
    const client = await user.lets(app);
    clock.advance(3600);
    expect((await client.get('/nodes')).status).toBe(200);
  });
});
