import { type Browser, type Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { type TestApp, type TestUser, World } from '../support/world.js';

describe('Swagger UI in a browser', () => {
  let world: World;
  let browser: Browser;
  let page: Page;
  let alice: TestUser;
  let app: TestApp;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user('alice');
    app = await world.app();
    await alice.lets(app);
    await alice.post('/nodes', { title: 'Seen from the browser', node_type: 'NOTE' });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });
  beforeEach(async () => {
    // Swagger UI draws only as many operations as the window has room for.
    const context = await browser.newContext({ viewport: { width: 1280, height: 30_000 } });
    page = await context.newPage();
    await page.goto(`${world.origin}/docs`);
    await page.waitForSelector('.opblock-tag');
  });
  afterEach(() => page.context().close());

  /** Fills the dialogue behind the Authorize button. */
  async function authorize(values: Record<string, string>): Promise<void> {
    await page.click('.btn.authorize');
    for (const [scheme, value] of Object.entries(values)) {
      const section = page
        .locator('.auth-container')
        .filter({ has: page.locator(`h4 code:text-is("${scheme}")`) });
      await section.locator('input').fill(value);
      await section.locator('button.authorize').click();
    }
    await page.click('.btn-done');
  }

  /** Opens an operation, tries it out, and gives the status and body that the page shows. */
  async function call(operationId: string): Promise<{ status: string; body: string }> {
    const operation = page.locator(`[id$="-${operationId}"]`);
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.locator('.btn.execute').click();
    const live = operation.locator('.live-responses-table');
    await live.waitFor();
    const status = await live.locator('.response-col_status').last().innerText();
    return {
      status: status.trim(),
      body: await live.locator('.response-col_description').last().innerText(),
    };
  }

  it('lists nodes with an app key and a user id', async () => {
    await authorize({ ApiKey: app.apiKey, UserId: alice.id });
    const { status, body } = await call('Nodes_list');
    expect(status).toMatch(/^200/);
    expect(body).toContain('Seen from the browser');
  });

  it('reads the account with a token', async () => {
    await authorize({ Bearer: alice.token });
    const { status, body } = await call('Auth_me');
    expect(status).toMatch(/^200/);
    expect(body).toContain(alice.id);
  });

  it('shows the envelope to who has not authorized', async () => {
    const { status, body } = await call('Nodes_list');
    expect(status).toMatch(/^401/);
    expect(body).toContain('UNAUTHORIZED');
  });
});
