import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { proposed } from '../support/worlds/proposals.js';
import { everything, readOnly } from '../support/defaults.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

const DAY = 24 * 60 * 60;
const MINUTE = 60;

describe('retention', () => {
  let world: World;
  let alice: TestUser;
  let clock: ReturnType<typeof holdClock>;

  withWorld((started) => (world = started));
  beforeEach(async () => {
    clock = holdClock(world);
    alice = await world.user();
  });
  afterEach(() => letClockRun(world));

  /** Log-ins are older than the entities under test. */
  const later = async (seconds: number): Promise<void> => {
    clock.advance(seconds);
    await alice.logsIn();
  };

  it('an answer is repeated for an Idempotency-Key until 24 hours have passed (rule 11.6a)', async () => {
    const once = () =>
      alice.post('/nodes', { title: 'once', node_type: 'n' }, { headers: { 'Idempotency-Key': 'day' } });
    const first = await once();
    await later(DAY - MINUTE);
    expect((await once()).body).toEqual(first.body);
    await later(2 * MINUTE);
    const next = await once();
    expect(next.status).toBe(201);
    expect(next.body.id).not.toBe(first.body.id);
    expect((await alice.get('/nodes/count')).body.count).toBe(2);
  });

  it('an approval means the request that was previewed within 90 days (rule 2.10)', async () => {
    const developer = await world.user();
    const app = { name: 'Clock', homepage_url: 'https://clock.example.org', requested_permissions: readOnly };
    const { id } = (await developer.post('/apps', app)).body;
    const template = { template: 'transparent', name: 'mine' };
    const made = await alice.post('/exposure-profiles/from-template', template);
    const approve = () => alice.post('/authorizations', { app_id: id, exposure_profile_id: made.body.id });
    await alice.get(`/authorizations/preview?app_id=${id}`);
    expect((await developer.patch(`/apps/${id}`, { requested_permissions: everything })).status).toBe(200);
    await later(90 * DAY - MINUTE);
    expect((await approve()).body.error.code).toBe('REQUEST_CHANGED');
    await later(2 * MINUTE);
    expect((await approve()).status).toBe(201);
  });

  it('the events of proposals are polled until 30 days have passed (rule 8.8b)', async () => {
    const app = await alice.lets(await world.app());
    const { id } = await proposed(app, { canonical_data: { title: 'sail', node_type: 'n' } });
    const idsOf = async () => {
      const answers = [await app.get('/proposals/events'), await alice.get('/proposals/events')];
      return answers.map(({ body }) =>
        body.events.map((event: { proposal_id: string }) => event.proposal_id),
      );
    };
    await later(30 * DAY - MINUTE);
    expect(await idsOf()).toEqual([[id], [id]]);
    await later(2 * MINUTE);
    expect(await idsOf()).toEqual([[], []]);
    expect((await alice.get(`/proposals/${id}`)).status).toBe(200);
  });
});
