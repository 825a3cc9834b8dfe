import { Secret, TOTP } from 'otpauth';
import { type Browser, type CDPSession, type Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { World } from '../support/world.js';

/** Browsers make passkeys for names, and on plain http for names of the machine itself. */
const ORIGIN = 'http://graph.localhost';
const PASSWORD = 'correct horse battery';
const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

describe('the page for passkeys', () => {
  let world: World;
  let browser: Browser;
  let page: Page;
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
    page = await browser.newPage();
    devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await page.goto(`${ORIGIN}/account/passkeys`);
  });
  afterEach(() => page.close());

  const addDevice = (options = {}) =>
    devices.send('WebAuthn.addVirtualAuthenticator', { options: { ...DEVICE, ...options } });
  const press = (name: string) => page.getByRole('button', { name }).click();
  const says = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
  async function logInByPassword(name: string): Promise<void> {
    await page.getByLabel('E-mail address').fill(`${name}@example.org`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press('Log in with the password');
    await says(`You are logged in as ${name}`);
  }

  it('adds a passkey of a real browser, logs in with it and removes it', async () => {
    const user = await world.user();
    const { authenticatorId } = await addDevice();
    await logInByPassword(user.name);
    await page.getByLabel('Name of a new passkey').fill('My laptop');
    await press('Add a passkey');
    await page.getByRole('listitem').filter({ hasText: 'My laptop' }).waitFor();
    await press('Log out');
    await says('You are logged out');
    await press('Log in with a passkey');
    await says(`You are logged in as ${user.name}`);
    const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId });
    expect(credentials).toMatchObject([{ rpId: 'graph.localhost', isResidentCredential: true }]);

    await page.getByLabel('Name of a new passkey').fill('The same laptop');
    await press('Add a passkey');
    await says('This device has a passkey for your account already');
    await press('Remove My laptop');
    await page.getByRole('listitem').waitFor({ state: 'detached' });
    await press('Log out');
    await press('Log in with a passkey');
    await says('The passkey was not accepted');
  });

  it('says so when the device does not verify its person', async () => {
    const user = await world.user();
    await addDevice({ isUserVerified: false });
    await logInByPassword(user.name);
    await page.getByLabel('Name of a new passkey').fill('Found on the street');
    await press('Add a passkey');
    await says('Your device did not use a passkey');
    expect((await user.get('/auth/passkeys')).body.total).toBe(0);
  });

  it('asks for the second factor where the password is not enough', async () => {
    const user = await world.user();
    const { secret } = (await user.post('/auth/totp')).body;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const { recovery_codes } = (await user.post('/auth/totp/confirm', { code })).body;
    await page.getByLabel('E-mail address').fill(`${user.name}@example.org`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press('Log in with the password');
    await says('the second factor is needed');
    await page.getByLabel('Code of the authenticator app').fill(recovery_codes[0]);
    await press('Log in with the password');
    await says(`You are logged in as ${user.name}`);
  });
});
