import { type Browser } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { ConsolePage, PASSWORD } from '../support/console.js';
import { DocumentSite } from '../support/document-site.js';
import { OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { until } from '../support/until.js';
import { type TestUser } from '../support/world.js';

let oauth: OAuthWorld;
let browser: Browser;
let one: ConsolePage;
let ada: TestUser;
let site: DocumentSite;
let app: { id: string; secret: string };
beforeAll(async () => {
  oauth = await OAuthWorld.start();
  browser = await launchBrowser();
  app = await oauth.app();
  site = await DocumentSite.start();
});
afterAll(async () => {
  site?.stop();
  await browser?.close();
  await oauth?.world.stop();
});
beforeEach(async () => {
  ada = await oauth.world.user();
  for (const [title, tag] of [
    ['Learn to sail', 'sailing'],
    ['Harbour fees', 'sailing'],
    ['Quarterly review', 'work'],
  ] as const)
    await ada.post('/nodes', { title, node_type: tag === 'work' ? 'NOTE' : 'GOAL', tags: [tag] });
  one = await ConsolePage.open(browser, oauth.world.origin);
  await one.page.route(`${REDIRECT_URI}**`, (route) => route.fulfill({ body: 'back in the app' }));
});
afterEach(() => one.close());

/** A request with things that the person may leave out. */
const details = JSON.stringify([
  {
    type: 'graph_access',
    actions: ['read'],
    optional: ['propose', 'edit'],
    purpose: 'Weekly review of goals',
    expires_in_days: 30,
    schemas: { read: { schema_ids: [], allow_all: true }, write: { schema_ids: [], allow_all: true } },
  },
]);
const TITLE = 'Let “Reading list” use your graph?';
const asking = (parameters: Record<string, string>) => oauth.request(app.id, parameters);
const titlesFor = async (token: string): Promise<string[]> =>
  ((await oauth.with(token).get('/nodes')).body.nodes as { title: string }[])
    .map(({ title }) => title)
    .sort();
const backAt = async (): Promise<URL> => {
  await one.page.getByText('back in the app').waitFor();
  return new URL(one.page.url());
};

describe('connecting an app in a browser', () => {
  it('an app that its person allows with notes picked on the spot sees those alone', async () => {
    const { request, verifier } = await asking({ authorization_details: details });
    await one.goAs(ada.name, `/consent?request=${request}`);
    await one.heading(TITLE);
    await one.page.getByText('“Weekly review of goals”').waitFor();
    expect(await one.page.getByRole('radio', { name: '30 days, as the app asks' }).isChecked()).toBe(true);
    await one.page.getByRole('checkbox', { name: /^sailing/ }).check();
    await one.page
      .locator('.seen')
      .getByText(/2\s*of 3 notes/)
      .waitFor();
    await one.press('Allow');
    const { status, body } = await oauth.redeem(app.id, await backAt(), verifier);
    expect([status, body.scope]).toEqual([200, 'graph:read graph:propose']);
    expect(await titlesFor(body.access_token)).toEqual(['Harbour fees', 'Learn to sail']);
    const [authorization] = (await ada.get('/authorizations?status=active')).body.authorizations;
    expect(authorization).toMatchObject({
      profile: { name: 'For Reading list' },
      purpose: 'Weekly review of goals',
    });
    expect(Math.round((Date.parse(authorization.expires_at) - Date.now()) / 86_400_000)).toBe(30);
    expect(one.errors).toEqual([]);
  });

  it('a person without notes and tags connects an app for all notes, which sees those that come later', async () => {
    const eve = await oauth.world.user();
    const { request, verifier } = await asking({ scope: 'graph:read' });
    await one.goAs(eve.name, `/consent?request=${request}`);
    await one.heading(TITLE);
    await one.page.getByText('You have no tags yet').waitFor();
    expect(await one.page.getByRole('radio', { name: /All my notes/ }).isChecked()).toBe(false);
    await one.page.getByRole('radio', { name: /All my notes/ }).check();
    await one.press('Allow');
    const { status, body } = await oauth.redeem(app.id, await backAt(), verifier);
    expect(status).toBe(200);
    await eve.post('/nodes', { title: 'Without a tag', node_type: 'NOTE' });
    expect(await titlesFor(body.access_token)).toEqual(['Without a tag']);
  });

  it('a person who is logged in connects an app by one click, with the narrowest profile that is enough', async () => {
    const { tags } = (await ada.get('/tags?search=work')).body as { tags: { id: string }[] };
    const of = { tag_ids: [tags[0]?.id], allow_all: false };
    const rules = {
      tag_permissions: { discover: of, read: of },
      schema_permissions: { read: { allow_all: true } },
    };
    await ada.post('/exposure-profiles', { name: 'Work', ...rules });
    await oauth.transparent(ada);
    await one.goAs(ada.name, '');
    const { request, verifier } = await asking({ scope: 'graph:read' });
    await one.go(`/consent?request=${request}`);
    await one.page
      .locator('.seen')
      .getByText(/1\s*of 3 notes/)
      .waitFor();
    await one.press('Allow');
    const { body } = await oauth.redeem(app.id, await backAt(), verifier);
    expect(await titlesFor(body.access_token)).toEqual(['Quarterly review']);
  });

  it('a person connects an app by keyboard alone, from the log-in to the app', async () => {
    const { request, verifier } = await asking({ authorization_details: details });
    await one.go(`/consent?request=${request}`);
    await one.heading('Log in');
    await one.tabTo('email', /E-mail/);
    await one.page.keyboard.type(`${ada.name}@example.org`);
    await one.page.keyboard.press('Tab');
    await one.page.keyboard.type(PASSWORD);
    await one.page.keyboard.press('Enter');
    await one.heading(TITLE);
    await one.tabTo('checkbox', /^Change notes/);
    await one.page.keyboard.press('Space');
    await one.tabTo('checkbox', /^work/);
    await one.page.keyboard.press('Space');
    await one.page
      .locator('.seen')
      .getByText(/1\s*of 3 notes/)
      .waitFor();
    await one.tabTo('button', /^Allow/);
    await one.page.keyboard.press('Enter');
    const { body } = await oauth.redeem(app.id, await backAt(), verifier);
    expect(body.scope).toBe('graph:read graph:propose graph:edit');
    expect(await titlesFor(body.access_token)).toEqual(['Quarterly review']);
  });

  it('a client that describes itself on its own site is named by its host, and connected', async () => {
    const id = site.serve('/client.json', { client_name: 'Reader', redirect_uris: [REDIRECT_URI] });
    const { request, verifier } = await oauth.request(id, { scope: 'graph:read' });
    await one.goAs(ada.name, `/consent?request=${request}`);
    await one.heading('Let “Reader” use your graph?');
    const who = await one.page.getByRole('region', { name: 'Who asks' }).innerText();
    expect(who).toContain(`Reader, identified by ${new URL(id).host}`);
    await one.page.getByRole('checkbox', { name: /^work/ }).check();
    await one.press('Allow');
    const { body } = await oauth.redeem(id, await backAt(), verifier);
    expect(await titlesFor(body.access_token)).toEqual(['Quarterly review']);
  });

  it('a client that registered itself is not verified, and connected', async () => {
    const metadata = { client_name: 'Reader', redirect_uris: [REDIRECT_URI] };
    const { client_id: id } = (await oauth.world.api.post('//oauth/register', metadata)).body;
    const { request, verifier } = await oauth.request(id, { scope: 'graph:read' });
    await one.goAs(ada.name, `/consent?request=${request}`);
    await one.heading('Let “Reader” use your graph?');
    const who = await one.page.getByRole('region', { name: 'Who asks' }).innerText();
    expect(who).toMatch(/An app that calls itself Reader\s+not verified/i);
    await one.page.getByRole('checkbox', { name: /^work/ }).check();
    await one.press('Allow');
    const { body } = await oauth.redeem(id, await backAt(), verifier);
    expect(await titlesFor(body.access_token)).toEqual(['Quarterly review']);
  });

  it('the request is fetched beside its person, and is not shown to another one', async () => {
    await one.goAs(ada.name, '');
    const { request } = await asking({ scope: 'graph:read' });
    let begun: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (begun = resolve));
    let answered: (value: unknown) => void = () => undefined;
    const isAnswered = new Promise((resolve) => (answered = resolve));
    await one.page.route('**/api/v1/oauth/consent?**', async (route) => {
      begun();
      const answer = await route.fetch();
      await route.fulfill({ response: answer });
      answered(await answer.json());
    });
    await one.page.route('**/api/v1/auth/me', async (route) => {
      await Promise.all([isAsked, isAnswered]);
      await route.abort();
    });
    await one.go(`/consent?request=${request}`);
    await one.page.getByText('The service cannot be reached').waitFor();
    expect(await isAnswered).toMatchObject({ user: { username: ada.name } });
    const eve = await oauth.world.user();
    await one.fillLogIn(eve.name);
    await one.heading(TITLE);
    const who = await one.page.getByRole('region', { name: 'Who asks' }).innerText();
    expect([who.includes(eve.name), who.includes(ada.name)]).toEqual([true, false]);
  });

  it('a person who denies sends the app back without anything', async () => {
    const { request } = await asking({ scope: 'graph:read' });
    await one.goAs(ada.name, `/consent?request=${request}`);
    await one.press('Deny');
    const back = await backAt();
    expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual(['access_denied', null]);
    expect((await ada.get('/authorizations')).body.total).toBe(0);
  });

  it('the window of an app that has opened the consent can still be told of its end', async () => {
    const { request } = await asking({ scope: 'graph:read' });
    await one.page
      .context()
      .route(`${REDIRECT_URI}**`, (route) => route.fulfill({ body: 'back in the app' }));
    await one.page.goto(REDIRECT_URI);
    const opened = one.page.waitForEvent('popup');
    await one.page.evaluate(`void window.open('${one.origin}/console/consent?request=${request}')`);
    const popup = ConsolePage.of(await opened, one.origin);
    await popup.fillLogIn(ada.name);
    await popup.press('Deny');
    await popup.page.getByText('back in the app').waitFor();
    expect(await popup.page.evaluate('window.opener !== null')).toBe(true);
  });

  it('an app that opens links of its own scheme is reached by the page’s policy', async () => {
    const link = 'cursor://anysphere.cursor-retrieval/callback?code=abc';
    await one.page.route('**/api/v1/oauth/consent', (route) =>
      route.fulfill({ json: { redirect_to: link } }),
    );
    const { request } = await asking({ scope: 'graph:read' });
    await one.goAs(ada.name, `/consent?request=${request}`);
    const debug = await one.page.context().newCDPSession(one.page);
    await debug.send('Page.enable');
    const requested = new Promise<string>((found) => {
      debug.on('Page.frameRequestedNavigation', ({ url }) => found(url));
    });
    await one.press('Deny');
    expect(await requested).toBe(link);
    expect(one.errors).toEqual([]);
  });

  it('a request that was changed on the way says how to begin again', async () => {
    const { request } = await asking({ scope: 'graph:read' });
    await one.goAs(ada.name, `/consent?request=${request.slice(0, -4)}AAAA`);
    await one.page.getByRole('alert').getByText('Go back to the app and begin again there').waitFor();
  });

  it('a device is connected by its code', async () => {
    const asked = await oauth.form('device_authorization', { client_id: app.id, scope: 'graph:read' });
    expect(asked.status).toBe(200);
    await one.goAs(ada.name, `/device?user_code=${asked.body.user_code}`);
    await one.press('Continue');
    await one.heading(TITLE);
    await one.page.getByRole('checkbox', { name: /^work/ }).check();
    await one.press('Allow');
    await one.heading('Your device is connected');
    const tokens = await oauth.form('token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: app.id,
      device_code: asked.body.device_code as string,
    });
    expect([tokens.status, tokens.text.includes('access_token')]).toEqual([200, true]);
    expect(await titlesFor(tokens.body.access_token)).toEqual(['Quarterly review']);
  });

  it('the page of a connected app shows its devices and reads, narrows it, and ends it', async () => {
    const tokens = await oauth.connect(app.id, ada, { parameters: { scope: 'graph:read graph:propose' } });
    await oauth.with(tokens.access_token).get('/nodes?limit=2');
    await one.goAs(ada.name, '/apps');
    await one.page.getByText('May read notes with their files and suggest changes.').waitFor();
    await one.page.getByRole('link', { name: 'Reading list' }).click();
    await one.heading('Reading list');
    await one.page.getByText('See as this app').click();
    await one.page.getByText('3 notes, as the app sees them').waitFor();
    expect(await one.violations()).toEqual([]);
    await one.page.getByText('Allow less').click();
    await one.page.getByRole('checkbox', { name: 'Suggest changes' }).uncheck();
    await one.press('Save');
    await one.page.getByText('Nothing happens until you approve').waitFor({ state: 'detached' });
    expect((await ada.get('/authorizations?status=active')).body.authorizations[0].scopes).toEqual([
      'graph:read',
    ]);
    await one.page.getByRole('button', { name: /^Disconnect/ }).click();
    await one.page.getByRole('button', { name: /^Disconnect/ }).waitFor({ state: 'detached' });
    expect((await oauth.with(tokens.access_token).get('/nodes')).status).toBe(401);
    await one.press('End this connection');
    const dialog = one.page.getByRole('dialog', { name: 'End “Reading list”?' });
    await dialog.waitFor();
    expect(await one.violations()).toEqual([]);
    await one.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await one.press('End this connection');
    await one.press('End it');
    await one.heading('Connected apps');
    await one.page.getByText('No app is connected.').waitFor();
    expect((await ada.get('/authorizations?status=active')).body.total).toBe(0);
  });

  it('a device whose code was used twice is shown as perhaps copied, with what it read before', async () => {
    const { request, verifier } = await asking({ scope: 'graph:read' });
    const back = await oauth.allow(ada, request);
    const { body } = await oauth.redeem(app.id, back, verifier);
    expect((await oauth.with(body.access_token).get('/nodes')).status).toBe(200);
    const [{ id }] = (await ada.get('/authorizations?status=active')).body.authorizations;
    await one.goAs(ada.name, `/apps/${id}`);
    await one.page.getByRole('button', { name: 'Disconnect a device without a name' }).waitFor();
    expect(await one.page.getByText('may have been copied').count()).toBe(0);
    expect((await oauth.redeem(app.id, back, verifier)).status).toBe(400);
    await one.page.reload();
    await one.page.getByText('Somebody may have copied a key of this app.').waitFor();
    await one.page.getByText('On no device.').waitFor();
    await one.page.getByText('No longer connected').click();
    await one.page.getByText(/: its key may have been copied/).waitFor();
    // A process writes what it has noted within two seconds.
    await until(async () => (await ada.get('/access-log')).body.total > 0, 'the read is logged');
    await one.page.reload();
    await one.page.getByText(/Read “.+”.* on a device without a name/).waitFor();
    expect(await one.violations()).toEqual([]);
    expect(one.errors).toEqual([]);
  });

  it('the end and the profile of a connected app are changed, and what it did has names of notes', async () => {
    const tokens = await oauth.connect(app.id, ada, { parameters: { scope: 'graph:read' } });
    await oauth.with(tokens.access_token).get('/nodes');
    const profile = await ada.post('/exposure-profiles/from-template', {
      template: 'transparent',
      name: 'Another',
    });
    const [{ id }] = (await ada.get('/authorizations?status=active')).body.authorizations;
    await until(async () => (await ada.get('/access-log')).body.total > 0, 'the read is logged');
    await one.goAs(ada.name, `/apps/${id}`);
    await one.page.getByText('Show it something else').click();
    await one.page.getByLabel('Profile').selectOption({ label: 'Another' });
    await one.press('Use this profile');
    await one.page.getByText('through the profile “Another”').waitFor();
    await one.page.getByText('Change the end').click();
    await one.press('In a year');
    await one.page.getByText('It ends by itself on').waitFor();
    const changed = (await ada.get(`/authorizations/${id}`)).body;
    expect(changed.exposure_profile_id).toBe(profile.body.id);
    expect(Math.round((Date.parse(changed.expires_at) - Date.now()) / 86_400_000)).toBe(365);
    await one.page.getByText(/Read “.+”, “.+”,? and “.+”/).waitFor();
  });
});
