import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { joins } from '../support/worlds/people.js';
import { type Answer, Client } from '../support/client.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const REFUSED = '401 REAUTHENTICATION_REQUIRED';

/** Rule 1.16e: profiles that can come into force without a new choice of profile count as used. */
describe('step-up', () => {
  let world: World;
  let clock: ReturnType<typeof holdClock>;
  let user: TestUser;
  let other: TestUser;
  withWorld((started) => (world = started));
  beforeEach(async () => {
    clock = holdClock(world);
    [user, other] = [await world.user(), await world.user()];
  });
  afterEach(() => letClockRun(world));
  // Each proof is expected by its test.
  afterEach(() => expect(user.takeProofs()).toEqual([]));

  const bare = (): Client => new Client(world.origin, { Authorization: `Bearer ${user.token}` });
  const codeOf = ({ status, body }: Answer): string => `${status} ${body?.error?.code ?? ''}`.trim();

  /** A new group, the path of one of its profiles, and the id of that profile. */
  async function readers(): Promise<{ below: string; group: string; profile: string; path: string }> {
    const { body: group } = await user.post('/groups', { name: 'crew' });
    const below = `/groups/${group.id}`;
    const body = { name: 'readers', max_detail_level: 'minimal' };
    const { body: profile } = await user.post(`${below}/exposure-profiles`, body);
    return { below, group: group.id, profile: profile.id, path: `${below}/exposure-profiles/${profile.id}` };
  }
  const widen = (path: string) => bare().put(path, { max_detail_level: 'full' });

  it('a fresh log-in to widen a profile is needed while an invitation by the profile is pending, and not once it is cancelled', async () => {
    const { below, profile, path } = await readers();
    const body = { user_id: other.id, exposure_profile_id: profile };
    const { body: invitation } = await user.post(`${below}/invitations`, body);
    clock.advance(301);
    expect(codeOf(await widen(path))).toBe(REFUSED);
    const { body: listed } = await user.get(`${below}/exposure-profiles`);
    expect(listed.exposure_profiles[0].max_detail_level).toBe('minimal');
    expect((await bare().put(path, { name: 'all readers' })).status).toBe(200);
    expect((await bare().delete(`${below}/invitations/${invitation.id}`)).status).toBe(200);
    expect((await widen(path)).status).toBe(200);
  });

  it('a fresh log-in to widen a profile is needed while a new invitation would take up the profile of a former member', async () => {
    const { below, group, profile, path } = await readers();
    await joins(other, user, group);
    const member = `${below}/members/${other.id}`;
    expect((await user.put(member, { exposure_profile_id: profile })).status).toBe(200);
    expect((await user.delete(member)).status).toBe(200);
    clock.advance(301);
    expect(codeOf(await widen(path))).toBe(REFUSED);
    const again = await user.post(`${below}/invitations`, { user_id: other.id });
    expect(again.body.exposure_profile_id).toBe(profile);
    await other.put(`/groups/invitations/${again.body.id}`, { action: 'accept' });
    expect((await user.put(member, { exposure_profile_id: null })).status).toBe(200);
    expect((await user.delete(member)).status).toBe(200);
    expect(user.takeProofs()).toEqual(['POST /groups/:id/invitations', 'PUT /groups/:id/members/:id']);
    clock.advance(301);
    expect((await widen(path)).status).toBe(200);
  });

  it('a fresh log-in to widen a profile is needed while an authorization by the profile has expired, and not once it is revoked', async () => {
    const { profile, authorization } = await user.authorizes(await world.app());
    const path = `/exposure-profiles/${profile.id}`;
    expect((await user.put(path, { max_detail_level: 'minimal' })).status).toBe(200);
    const expires_at = new Date(Date.now() + 200_000).toISOString();
    expect((await user.patch(`/authorizations/${authorization.id}`, { expires_at })).status).toBe(200);
    clock.advance(301);
    expect((await user.get(`/authorizations/${authorization.id}`)).body.status).toBe('expired');
    expect(codeOf(await widen(path))).toBe(REFUSED);
    expect((await bare().delete(`/authorizations/${authorization.id}`)).status).toBe(200);
    expect((await widen(path)).status).toBe(200);
  });
});
