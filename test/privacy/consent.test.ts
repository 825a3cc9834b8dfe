import { type Client } from '../support/client.js';
import { everything, readOnly } from '../support/defaults.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';

describe('consent', () => {
  let world: World;
  let alice: TestUser;
  let developer: TestUser;
  let profileId: string;
  let appId: string;

  withWorld(
    (started) => (world = started),
    () => World.start(),
  );
  beforeEach(async () => {
    [alice, developer] = [await world.user(), await world.user()];
    const template = { template: 'transparent', name: `p${world.number()}` };
    profileId = (await alice.post('/exposure-profiles/from-template', template)).body.id;
    const app = { name: 'Clock', homepage_url: 'https://clock.example.org', requested_permissions: readOnly };
    appId = (await developer.post('/apps', app)).body.id;
  });

  const preview = async (by: Client = alice) =>
    (await by.get(`/authorizations/preview?app_id=${appId}`)).body as { request_version: string };
  const approve = (more: object = {}) =>
    alice.post('/authorizations', { app_id: appId, exposure_profile_id: profileId, ...more });
  const change = (changes: object) => developer.patch(`/apps/${appId}`, changes);
  const letIn = async () => (await alice.get('/authorizations')).body.total;

  it.each([
    ['permissions', { requested_permissions: everything }],
    ['name', { name: 'Calendar' }],
    ['description', { description: 'Shows the time' }],
    ['home page', { homepage_url: 'https://other.example.org' }],
    ['redirect addresses', { redirect_uris: ['https://other.example.org/back'] }],
    ['client level', { client_level: 'L1' }],
  ])('an app that changes its %s between preview and approval is not let in', async (_, changes) => {
    const { request_version } = await preview();
    expect((await change(changes)).status).toBe(200);
    const refused = await approve({ request_version });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'REQUEST_CHANGED']);
    expect(await letIn()).toBe(0);
    const again = await preview();
    expect(again.request_version).not.toBe(request_version);
    expect((await approve({ request_version: again.request_version })).status).toBe(201);
  });

  it('an app that changed in between is also refused where the approval does not say which request it means, until it was previewed again', async () => {
    await preview();
    await change({ requested_permissions: everything });
    expect((await approve()).body.error.code).toBe('REQUEST_CHANGED');
    expect(await letIn()).toBe(0);
    await preview();
    expect((await approve()).status).toBe(201);
  });

  it('a changed app is refused whatever somebody else has previewed', async () => {
    await preview();
    await change({ requested_permissions: everything });
    await preview(await world.user());
    expect((await approve()).body.error.code).toBe('REQUEST_CHANGED');
  });

  it('a refused approval changes no profile either', async () => {
    const { request_version } = await preview();
    await change({ name: 'Calendar' });
    const custom = { customizations: { description: 'mine' }, save_mode: 'overwrite', request_version };
    expect((await approve(custom)).status).toBe(409);
    expect((await alice.get(`/exposure-profiles/${profileId}`)).body.description).not.toBe('mine');
  });

  it('a change that does not concern the request changes no version, and no preview is needed to approve', async () => {
    expect((await approve()).status).toBe(201);
    const { request_version } = await preview();
    await change({ is_active: false });
    await change({ is_active: true, name: 'Clock' });
    expect((await preview()).request_version).toBe(request_version);
    expect((await approve({ request_version })).status).toBe(200);
  });

  it('an app that takes another name later is shown with both', async () => {
    const { id } = (await approve()).body;
    await change({ name: 'Harmless clock' });
    const names = { app_name: 'Harmless clock', app_name_at_approval: 'Clock' };
    expect((await alice.get(`/authorizations/${id}`)).body).toMatchObject(names);
    expect((await alice.get('/authorizations')).body.authorizations[0]).toMatchObject(names);
    await alice.patch(`/authorizations/${id}`, { expires_at: null });
    expect((await alice.get(`/authorizations/${id}`)).body).toMatchObject(names);
    expect((await approve()).body).toMatchObject({ app_name_at_approval: 'Harmless clock' });
  });
});
