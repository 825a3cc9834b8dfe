import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type Connected, OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';

const GRACE_SECONDS = 120;

describe('refresh tokens after their grace (rule 14.4c)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let appId: string;
  beforeAll(async () => {
    oauth = await OAuthWorld.startHere();
    person = await oauth.world.user();
    ({ id: appId } = await oauth.app());
  });
  afterAll(() => oauth.world.stop());
  afterEach(() => letClockRun(oauth.world));

  const connected = () => oauth.connect(appId, person, { parameters: { scope: 'graph:read' } });
  const opens = async ({ access_token: token }: Connected) => (await oauth.with(token).get('/nodes')).status;

  it('a burst that begins within the grace is answered, and one after it ends the session for all', async () => {
    const clock = holdClock(oauth.world);
    const first = await connected();
    const { body: second } = await oauth.refresh(appId, first.refresh_token);
    clock.advance(GRACE_SECONDS);
    const late = await Promise.all(
      Array.from({ length: 5 }, () => oauth.refresh(appId, first.refresh_token)),
    );
    expect(late.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    clock.advance(0.001);
    const tooLate = await Promise.all(
      Array.from({ length: 5 }, () => oauth.refresh(appId, first.refresh_token)),
    );
    expect(tooLate.map(({ body }) => body.error)).toEqual(Array(5).fill('invalid_grant'));
    for (const pair of [first, second, ...late.map(({ body }) => body)]) {
      expect(await opens(pair)).toBe(401);
      expect((await oauth.refresh(appId, pair.refresh_token)).status).toBe(400);
    }
  });

  it('the grace is not prolonged by uses within it', async () => {
    const clock = holdClock(oauth.world);
    const first = await connected();
    await oauth.refresh(appId, first.refresh_token);
    clock.advance(GRACE_SECONDS - 1);
    expect((await oauth.refresh(appId, first.refresh_token)).status).toBe(200);
    clock.advance(2);
    expect((await oauth.refresh(appId, first.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('reuse ends one session, and neither the authorization nor its other sessions', async () => {
    const clock = holdClock(oauth.world);
    const [stolen, other] = [await connected(), await connected()];
    await oauth.refresh(appId, stolen.refresh_token);
    clock.advance(GRACE_SECONDS + 1);
    expect((await oauth.refresh(appId, stolen.refresh_token)).status).toBe(400);
    expect([await opens(stolen), await opens(other)]).toEqual([401, 200]);
    expect((await oauth.refresh(appId, other.refresh_token)).status).toBe(200);
  });

  it('a token that another client presents after the grace ends nothing', async () => {
    const clock = holdClock(oauth.world);
    const thief = await oauth.app();
    const first = await connected();
    const { body: second } = await oauth.refresh(appId, first.refresh_token);
    clock.advance(GRACE_SECONDS + 1);
    expect((await oauth.refresh(thief.id, first.refresh_token)).status).toBe(400);
    expect(await opens(second)).toBe(200);
  });

  it('access tokens end after their hours, and refresh tokens after ninety days without use', async () => {
    const clock = holdClock(oauth.world);
    const first = await connected();
    clock.advance(24 * 3_600);
    expect(await opens(first)).toBe(401);
    const { body: second } = await oauth.refresh(appId, first.refresh_token);
    expect(await opens(second)).toBe(200);
    clock.advance(90 * 24 * 3_600);
    expect((await oauth.refresh(appId, second.refresh_token)).body.error).toBe('invalid_grant');
  });
});
