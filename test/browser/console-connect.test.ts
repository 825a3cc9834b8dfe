import { ConsolePage, PASSWORD } from '../support/console.js';
import { DocumentSite } from '../support/document-site.js';
import { type OAuthWorld, REDIRECT_URI } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';
import { type ConsoleScene, titlesSeenBy, withConsole, writesGoals } from '../support/worlds/console.js';

let oauth: OAuthWorld;
let one: ConsolePage;
let ada: TestUser;
let app: ConsoleScene['app'];
let site: DocumentSite;
beforeAll(async () => void (site = await DocumentSite.start()));
afterAll(() => site?.stop());
withConsole(async (scene) => {
  ({ oauth, one, ada, app } = scene);
  await writesGoals(ada);
  await one.page.route(`${REDIRECT_URI}**`, (route) => route.fulfill({ body: 'back in the app' }));
});

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
const titlesFor = (token: string) => titlesSeenBy(oauth.with(token));
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

  it('a person who is logged in connects an app again by one click, with the profile that it has', async () => {
    const { tags } = (await ada.get('/tags?search=work')).body as { tags: { id: string }[] };
    const of = { tag_ids: [tags[0]?.id], allow_all: false };
    const rules = {
      tag_permissions: { discover: of, read: of },
      schema_permissions: { read: { allow_all: true } },
    };
    const profile = await ada.post('/exposure-profiles', { name: 'Work', ...rules });
    await oauth.transparent(ada);
    const terms = { exposure_profile_id: profile.body.id as string };
    await oauth.connect(app.id, ada, { parameters: { scope: 'graph:read' }, terms });
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
    const fields = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: app.id,
      device_code: asked.body.device_code as string,
    };
    const tokens = await oauth.form('token', fields, { 'User-Agent': 'curl/8.1' });
    expect([tokens.status, tokens.text.includes('access_token')]).toEqual([200, true]);
    expect(await titlesFor(tokens.body.access_token)).toEqual(['Quarterly review']);
    const [{ id }] = (await ada.get('/authorizations?status=active')).body.authorizations;
    await one.go(`/apps/${id}`);
    await one.page.getByText('A program (curl)', { exact: true }).waitFor();
  });

  it('an app with the name of a connected one is said to be another one, and the list tells them apart', async () => {
    await oauth.connect(app.id, ada, { parameters: { scope: 'graph:read' } });
    const { id: second } = await oauth.app();
    const { request } = await oauth.request(second, { scope: 'graph:read' });
    await one.goAs(ada.name, `/consent?request=${request}`);
    await one.page.getByText('Another app of this name is connected already, since').waitFor();
    await one.page.getByText('Used by “Reading list”.').waitFor();
    expect(await one.page.getByText('This app is connected already').count()).toBe(0);
    expect(await one.violations()).toEqual([]);
    await one.page.getByRole('radio', { name: /All my notes/ }).check();
    await one.press('Allow');
    await backAt();
    await one.go('/apps');
    const items = one.page.locator('.apps').getByRole('listitem');
    await items.nth(1).waitFor();
    for (const text of await items.allInnerTexts()) {
      expect(text).toMatch(/Since\s+\w+ \d+, \d{4} at \d+:\d\d/);
      expect(text).toContain('not used yet');
    }
  });
});
