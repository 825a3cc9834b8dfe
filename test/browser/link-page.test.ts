import { type Browser, type Page } from 'playwright-core';
import { PasswordResets, Users } from '../../src/identity/index.js';
import { launchBrowser } from '../support/browser.js';
import { Mailbox, type ReceivedLetter, tokenIn } from '../support/mailbox.js';
import { type TestUser, World } from '../support/world.js';

const emailOf = ({ name }: TestUser): string => `${name}@example.org`;

describe('links in a browser', () => {
  let mailbox: Mailbox;
  let world: World;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    mailbox = await Mailbox.start();
    world = await World.startHere(mailbox.settings);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
    await mailbox?.goDown();
  });
  beforeEach(async () => {
    page = await browser.newPage();
  });
  afterEach(() => page.close());

  const open = (purpose: string, token: string) => page.goto(`${world.origin}/account#${purpose}=${token}`);
  const newestToken = async (address: string, purpose: string): Promise<string> =>
    tokenIn((await mailbox.of(world, address, purpose)).at(-1) as ReceivedLetter, purpose);

  it('the link page sets a new password when its button is pressed, and takes the secret out of the address bar', async () => {
    const user = await world.user();
    const link = await world.nest.get(PasswordResets).linkFor(await world.nest.get(Users).get(user.id));
    await page.goto(link.replace('https://graph.example', world.origin));
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    expect(page.url()).toBe(`${world.origin}/account`);
    await page.getByLabel('New password').fill('iloveyou');
    await page.getByRole('button').click();
    await page.getByText('most common passwords').waitFor();
    await page.getByLabel('New password').fill('an entirely new password');
    await page.getByRole('button').click();
    await page.getByText('Your password is a new one').waitFor();
    const account = { email: emailOf(user), password: 'an entirely new password' };
    expect((await world.api.post('/auth/login', account)).status).toBe(200);
  });

  it('the button confirms an address, and opening the page does not', async () => {
    const user = await world.user();
    await open('verify', await newestToken(emailOf(user), 'verify'));
    await page.getByRole('heading', { name: 'Confirm your e-mail address' }).waitFor();
    expect(await page.getByLabel('New password').isVisible()).toBe(false);
    expect((await user.get('/auth/me')).body.email_verified).toBe(false);
    await page.getByRole('button', { name: 'Confirm the address' }).click();
    await page.getByRole('status').getByText('is confirmed').waitFor();
    expect((await user.get('/auth/me')).body.email_verified).toBe(true);
  });

  it('a change of address is made and taken back with a new password', async () => {
    const user = await world.user();
    await world.nest.get(Users).verifyEmail(user.id);
    const to = `other.${user.name}@example.org`;
    await user.post('/auth/email', { email: to, password: 'correct horse battery' });
    await open('change', await newestToken(to, 'change'));
    await page.getByRole('heading', { name: 'Confirm your new e-mail address' }).waitFor();
    await page.getByRole('button', { name: 'Use this address' }).click();
    await page.getByRole('status').getByText('of your account now').waitFor();
    expect((await user.get('/auth/me')).body.email).toBe(to);
    await page.goto('about:blank');
    await open('undo', await newestToken(emailOf(user), 'undo'));
    await page.getByRole('heading', { name: 'Come back to your e-mail address' }).waitFor();
    // Only the keyboard is used: the field, then Enter.
    await page.keyboard.press('Tab');
    await page.keyboard.type('an entirely new password');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('is yours again').waitFor();
    const account = { email: emailOf(user), password: 'an entirely new password' };
    expect((await world.api.post('/auth/login', account)).status).toBe(200);
  });

  it('the page works by keyboard alone, and keeps the focus when something is refused', async () => {
    const user = await world.user();
    await open('verify', 'pig_mail_none');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('invalid or has expired').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('button');
    await page.goto('about:blank');
    await open('verify', await newestToken(emailOf(user), 'verify'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('is confirmed').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('title');
  });

  it.each(['constructor=x', 'verify', 'verify=', '<img src=x onerror=alert(1)>=x'])(
    'a link that ends with #%s does nothing',
    async (fragment) => {
      await page.goto(`${world.origin}/account#${fragment}`);
      await page.getByText('needs the whole link').waitFor();
      expect(await page.getByRole('button').count()).toBe(0);
    },
  );

  it('texts of answers are shown as text', async () => {
    await page.route('**/api/v1/**', (route) =>
      route.fulfill({ status: 400, json: { error: { message: '<b id="planted">x</b>' } } }),
    );
    await open('verify', 'pig_mail_none');
    await page.getByRole('button').click();
    await page.getByText('<b id="planted">x</b>').waitFor();
    expect(await page.locator('#planted').count()).toBe(0);
  });
});
