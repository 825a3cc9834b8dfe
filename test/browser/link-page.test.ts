import { type Browser } from 'playwright-core';
import { PasswordResets, Users } from '../../src/identity/index.js';
import { launchBrowser } from '../support/browser.js';
import { World } from '../support/world.js';

describe('the page behind the links of letters', () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    world = await World.startHere({ PUBLIC_URL: 'https://graph.example' });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  it('sets a new password when its button is pressed, and takes the secret out of the address bar', async () => {
    const user = await world.user();
    const link = await world.nest.get(PasswordResets).linkFor(await world.nest.get(Users).get(user.id));
    const page = await browser.newPage();
    await page.goto(link.replace('https://graph.example', world.origin));
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    expect(page.url()).toBe(`${world.origin}/account`);
    await page.getByLabel('New password').fill('iloveyou');
    await page.getByRole('button').click();
    await page.getByText('most common passwords').waitFor();
    await page.getByLabel('New password').fill('an entirely new password');
    await page.getByRole('button').click();
    await page.getByText('Your password is a new one').waitFor();
    const account = { email: `${user.name}@example.org`, password: 'an entirely new password' };
    expect((await world.api.post('/auth/login', account)).status).toBe(200);
    await page.close();
  });

  it('does nothing with a link that names no purpose', async () => {
    const page = await browser.newPage();
    await page.goto(`${world.origin}/account#constructor=x`);
    await page.getByText('needs the whole link').waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.close();
  });
});
