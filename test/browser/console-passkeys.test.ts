import { type Browser, type CDPSession } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { ConsolePage, PASSWORD } from '../support/console.js';
import { holdClock, letClockRun } from '../support/moved-clock.js';
import { World } from '../support/world.js';

/** Browsers make passkeys for names, and on plain http for names of the machine itself. */
const ORIGIN = 'http://graph.localhost';
const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

describe('passkeys in the console', () => {
  let world: World;
  let browser: Browser;
  let one: ConsolePage;
  let devices: CDPSession;
  beforeAll(async () => {
    world = await World.startHere({ PUBLIC_URL: ORIGIN });
    browser = await launchBrowser(
      `--host-resolver-rules=MAP graph.localhost:80 ${world.origin.replace('http://', '')}`,
    );
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });
  beforeEach(async () => {
    one = await ConsolePage.open(browser, ORIGIN);
    devices = await one.page.context().newCDPSession(one.page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', { options: DEVICE });
  });
  afterEach(async () => {
    letClockRun(world);
    await one.close();
  });

  /** Adds a passkey of this device for the person, on the page for that. */
  async function addPasskey(name: string): Promise<void> {
    await one.goAs(name, '/account');
    await one.page.getByLabel('Name of a new passkey').fill('My laptop');
    await one.press('Add a passkey');
    await passkey('My laptop').waitFor();
  }
  const passkey = (name: string) => one.page.getByRole('listitem').filter({ hasText: name });

  it('a passkey logs in, and proves again who the person is', async () => {
    const user = await world.user();
    const app = await world.app();
    await user.lets(app);
    await user.post('/exposure-profiles/from-template', { template: 'transparent', name: 'Another' });
    await addPasskey(user.name);
    await one.press('Log out');
    await one.go('/apps');
    await one.press('Log in with a passkey');
    await one.heading('Connected apps');
    await one.page.getByRole('listitem').getByRole('link').click();
    holdClock(world).advance(6 * 60);
    await one.page.getByText('Show it something else').click();
    await one.page.getByRole('radio', { name: /^Another/ }).check();
    await one.press('Show it this');
    await one.page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor();
    await one.press('Use a passkey');
    await one.page.getByText('through the profile “Another”').waitFor();
  });

  it('the account page adds and removes passkeys, with a proof where the log-in is too old', async () => {
    const user = await world.user();
    await one.goAs(user.name, '');
    await one.page.getByRole('link', { name: /^Your account/ }).click();
    await one.heading('Your account');
    expect(await one.page.getByRole('region', { name: 'About you' }).innerText()).toContain(
      `${user.name}@example.org (not confirmed`,
    );
    await one.page.getByText('You have none.').waitFor();
    holdClock(world).advance(6 * 60);
    await one.page.getByLabel('Name of a new passkey').fill('My laptop');
    await one.press('Add a passkey');
    const dialog = one.page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Password').fill(PASSWORD);
    await one.press('Confirm');
    await passkey('My laptop').waitFor();
    await one.page.getByLabel('Name of a new passkey').fill('The same one');
    await one.press('Add a passkey');
    await one.page.getByRole('alert').getByText('has a passkey for your account already').waitFor();
    expect(await one.violations()).toEqual([]);
    await one.press('Remove My laptop');
    await one.press('Keep it');
    await one.press('Remove My laptop');
    await one.press('Remove it');
    await one.page.getByText('You have none.').waitFor();
    expect(one.errors).toEqual([]);
  });

  it('the account page lists log-ins and ends others, by keyboard alone', async () => {
    const user = await world.user();
    await one.goAs(user.name, '/account');
    await one.page.getByText('this browser').waitFor();
    const logIns = async (): Promise<number> => (await user.get('/auth/sessions')).body.total;
    expect(await logIns()).toBe(2);
    await one.tabTo('button', /^End the log-in of/);
    await one.page.keyboard.press('Enter');
    await one.page.getByRole('button', { name: /^End the log-in of/ }).waitFor({ state: 'detached' });
    expect((await user.get('/auth/me')).status).toBe(401);
    expect(one.errors).toEqual([]);
  });

  it('a device without a passkey for the service says so, and the password still works', async () => {
    const user = await world.user();
    await one.go('');
    await devices.send('WebAuthn.disable');
    await devices.send('WebAuthn.enable');
    const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...DEVICE, isUserVerified: false },
    });
    expect(authenticatorId).not.toBe('');
    await one.press('Log in with a passkey');
    await one.page.getByRole('alert').getByText('Your device did not use a passkey').waitFor();
    await one.fillLogIn(user.name);
    await one.heading(`Hello, ${user.name}`);
  });
});
