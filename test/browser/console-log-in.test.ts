import { Secret, TOTP } from 'otpauth';
import { type Browser } from 'playwright-core';
import { ConsolePage, PASSWORD, startConsole } from '../support/console.js';
import { type World } from '../support/world.js';

let world: World;
let browser: Browser;
let stop: () => Promise<void>;
let one: ConsolePage;
beforeAll(async () => {
  ({ world, browser, stop } = await startConsole());
});
afterAll(() => stop?.());
beforeEach(async () => {
  one = await ConsolePage.open(browser, world.origin);
});
afterEach(() => one.close());

describe('ways into the console', () => {
  it('logs a person in by keyboard alone, and keeps the session over a reload without any token in storage', async () => {
    const user = await world.user();
    await one.go('');
    await one.heading('Log in');
    await one.tabTo('email', /E-mail/);
    await one.page.keyboard.type(`${user.name}@example.org`);
    await one.page.keyboard.press('Tab');
    await one.page.keyboard.type(PASSWORD);
    await one.page.keyboard.press('Enter');
    await one.heading(`Hello, ${user.name}`);
    await one.page.reload();
    await one.heading(`Hello, ${user.name}`);
    const stored = await one.page.evaluate(
      'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie',
    );
    expect(stored).toBe('{"pig.session":"1"}');
    const [cookie] = await one.page.context().cookies(`${world.origin}/api/v1/auth`);
    expect(cookie).toMatchObject({
      name: 'pig_session',
      httpOnly: true,
      sameSite: 'Strict',
      path: '/api/v1/auth',
    });
  });

  it('tells of a wrong password, keeps the address of the page behind, and opens it after the right one', async () => {
    const user = await world.user();
    await one.go('/apps');
    await one.fillLogIn(user.name, 'a wrong password');
    await one.page.getByRole('alert').getByText('Wrong e-mail or password').waitFor();
    expect(await one.page.getByLabel('E-mail address').inputValue()).toBe(`${user.name}@example.org`);
    await one.fillLogIn(user.name);
    await one.heading('Connected apps');
    expect(one.page.url()).toBe(`${world.origin}/console/apps`);
  });

  it('opens a note by the link of an assistant after the log-in, and another person’s not', async () => {
    const [user, other] = [await world.user(), await world.user()];
    const fields = { value: 'In July', node_type: 'note', tags: ['sea', 'summer'] };
    const note = async (owner: typeof user, title: string) =>
      (await owner.post('/nodes', { ...fields, title })).body.id as string;
    await one.go(`/notes/${await note(user, 'Swim across the bay')}`);
    await one.page.getByText('Log in to read this note.').waitFor();
    await one.fillLogIn(user.name);
    await one.heading('Swim across the bay');
    await one.page.getByText('In July').waitFor();
    const facts = await one.page.getByRole('region', { name: 'About this note' }).innerText();
    expect(facts.replaceAll(/\s+/g, ' ')).toMatch(
      /^Kind note Tags sea summer Written \w+ \d+, \d{4} Last changed \w+ \d+, \d{4}$/,
    );
    expect(await one.violations()).toEqual([]);
    await one.go(`/notes/${await note(other, 'A secret')}`);
    await one.page.getByRole('alert').getByText('This note is not here.').waitFor();
    expect(await one.page.getByText('A secret').count()).toBe(0);
  });

  it('asks for the code of an authenticator app, or for a recovery code in its place', async () => {
    const user = await world.user();
    const { secret } = (await user.post('/auth/totp')).body;
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const { recovery_codes } = (await user.post('/auth/totp/confirm', { code: totp.generate() })).body;
    await one.go('');
    await one.fillLogIn(user.name);
    await one.heading('One more step');
    expect(await one.violations()).toEqual([]);
    await one.page.getByLabel('Code of your authenticator app').fill('000000');
    await one.press('Log in');
    await one.page.getByRole('alert').locator('p').waitFor();
    await one.press('Use a recovery code');
    await one.page.getByLabel('Recovery code').fill(recovery_codes[0]);
    await one.press('Log in');
    await one.heading(`Hello, ${user.name}`);
  });

  it('registers a person, who is told what is wrong and then is where they were going', async () => {
    const taken = await world.user();
    await one.go('/device');
    await one.press('Create an account');
    await one.heading('Create an account');
    expect(await one.violations()).toEqual([]);
    const name = `new.${Date.now()}`;
    await one.page.getByLabel('E-mail address').fill(`${taken.name}@example.org`);
    await one.page.getByLabel('Username').fill(name);
    await one.page.getByLabel('Password').fill(PASSWORD);
    await one.press('Create the account');
    await one.page.getByRole('alert').locator('p').waitFor();
    await one.page.getByLabel('E-mail address').fill(`${name}@example.org`);
    await one.press('Create the account');
    await one.heading('Connect a device');
  });

  it('logs out everywhere in the browser: the other tab notices, and a reload asks for the password', async () => {
    const user = await world.user();
    await one.goAs(user.name, '');
    const other = await one.page.context().newPage();
    await other.goto(`${world.origin}/console/apps`);
    await other.getByRole('heading', { name: 'Connected apps' }).waitFor();
    await one.press('Log out');
    await one.page.getByText('You are logged out').waitFor();
    await other.getByRole('heading', { name: 'Log in' }).waitFor();
    await one.page.reload();
    await one.heading('Log in');
  });

  it('two tabs that are loaded at once both have the session', async () => {
    const user = await world.user();
    await one.goAs(user.name, '');
    const tabs = await Promise.all([1, 2, 3].map(() => one.page.context().newPage()));
    await Promise.all(tabs.map((tab) => tab.goto(`${world.origin}/console`)));
    for (const tab of tabs) await tab.getByRole('heading', { name: `Hello, ${user.name}` }).waitFor();
    await Promise.all(tabs.map((tab) => tab.reload()));
    for (const tab of tabs) await tab.getByRole('heading', { name: `Hello, ${user.name}` }).waitFor();
  });

  it('says that a session has ended when it was ended elsewhere', async () => {
    const user = await world.user();
    await one.goAs(user.name, '');
    // A request of the page that is refused would end the session before the link is pressed.
    for (const text of ['No app is connected.', 'Nothing waits for you.'])
      await one.page.getByText(text).waitFor();
    await user.delete('/auth/sessions');
    await one.page.getByRole('link', { name: /Connected apps/ }).click();
    await one.heading('Log in');
    await one.page.getByText('Your session has ended').waitFor();
    await one.fillLogIn(user.name);
    await one.heading('Connected apps');
  });

  it('sends a letter for a new password, or says that the service sends none', async () => {
    await one.go('');
    await one.press('Forgot your password?');
    await one.heading('A new password');
    await one.page.getByText('Where this service sends no letters').waitFor();
    await one.page.route('**/password/reset-request', (route) => {
      const error = { code: 'MAIL_NOT_CONFIGURED', message: 'No mail', request_id: 'x' };
      return route.fulfill({ status: 409, json: { error } });
    });
    await one.page.getByLabel('E-mail address').fill('ada@example.org');
    await one.press('Send the letter');
    await one.page.getByRole('alert').getByText('sends no letters').waitFor();
    await one.page.unroute('**/password/reset-request');
    await one.press('Send the letter');
    await one.page.getByText('a letter with a link is on its way').waitFor();
  });

  it('says with a page of its own that a path does not exist, before and after the log-in', async () => {
    expect((await one.go('/none/of/these'))?.status()).toBe(404);
    await one.heading('There is no such page');
    expect(await one.violations()).toEqual([]);
    const user = await world.user();
    await one.goAs(user.name, '');
    expect((await one.go('/none'))?.status()).toBe(404);
    await one.heading('There is no such page');
    await one.page.getByRole('link', { name: 'Go to the start' }).click();
    await one.heading(`Hello, ${user.name}`);
    expect(one.errors).toEqual([]);
  });

  it('keeps the address of its icon on every page', async () => {
    const user = await world.user();
    await one.goAs(user.name, '');
    await one.page.getByRole('link', { name: /Suggestions/ }).click();
    await one.heading('Suggestions');
    await one.page.evaluate("history.pushState(null, '', '/console/proposals/1')");
    const icon = await one.page.evaluate<string>("document.querySelector('link[rel=icon]').href");
    const { status, headers } = await fetch(icon);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });
});
