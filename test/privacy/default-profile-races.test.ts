import { jest } from '@jest/globals';
import { ProfileLocks } from '../../src/privacy/infrastructure/profile-locks.queries.js';
import { type TestUser, World } from '../support/world.js';

/** The choice of the default has one lock, each profile another; all writers lock them in the same order. */
describe('races', () => {
  let world: World;
  let alice: TestUser;
  let appId: string;
  let profileId: string;

  beforeAll(async () => {
    world = await World.startHere();
    appId = (await world.app()).id;
  });
  beforeEach(async () => {
    alice = await world.user();
    const body = { template: 'transparent', name: 'first' };
    profileId = (await alice.post('/exposure-profiles/from-template', body)).body.id;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const update = () => alice.put(`/exposure-profiles/${profileId}`, { is_default: true });
  const approve = (saving: object) =>
    alice.post('/authorizations', {
      app_id: appId,
      exposure_profile_id: profileId,
      customizations: { is_default: true },
      ...saving,
    });
  const overwrite = () => approve({ save_mode: 'overwrite' });
  const copy = (name: string) => approve({ save_mode: 'save_as_new', new_profile_name: name });

  it.each([
    ['a change', update],
    ['an approval that changes the profile', overwrite],
    ['an approval that makes a copy', () => copy('second')],
  ])('%s takes that lock before any profile', async (_, write) => {
    const locks = world.nest.get(ProfileLocks);
    const taken: string[] = [];
    const [profile, defaultOf] = [locks.profile.bind(locks), locks.defaultOf.bind(locks)];
    jest.spyOn(locks, 'profile').mockImplementation((...given) => (taken.push('profile'), profile(...given)));
    jest.spyOn(locks, 'defaultOf').mockImplementation((id) => (taken.push('default'), defaultOf(id)));
    expect((await write()).status).toBeLessThan(300);
    expect(taken.slice(0, 2)).toEqual(['default', 'profile']);
  });

  it('writers of the default profile do not stand in each other’s way, and leave one default', async () => {
    const answers = await Promise.all([update(), overwrite(), copy('a'), update(), overwrite(), copy('b')]);
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    const { exposure_profiles } = (await alice.get('/exposure-profiles')).body;
    const defaults = (exposure_profiles as { is_default: boolean }[]).filter(({ is_default }) => is_default);
    expect(defaults).toHaveLength(1);
  });
});
