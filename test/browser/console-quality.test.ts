import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContextOptions } from 'playwright-core';
import { launchBrowser } from '../support/browser.js';
import { ConsolePage } from '../support/console.js';
import { OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';
import { batch, proposed } from '../support/worlds/proposals.js';

const ASSETS = 'dist/console/assets';
const BUDGET_BYTES = 60_000;

describe('files of the console', () => {
  const files = readdirSync(ASSETS).filter((name) => /\.(js|css)$/.test(name));

  it('script and style together have at most 60 kB, compressed', () => {
    const sizes = files.map((name) => gzipSync(readFileSync(`${ASSETS}/${name}`), { level: 9 }).length);
    expect(files).toHaveLength(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BUDGET_BYTES);
  });

  it('the files name no other host', () => {
    for (const name of [...files, '../index.html']) {
      const text = readFileSync(`${ASSETS}/${name}`, 'utf8').replaceAll(/http:\/\/www\.w3\.org\/[\w/]+/g, '');
      expect(text.match(/(?:https?:)?\/\/[\w-]+\.[\w.]+/g) ?? []).toEqual([]);
    }
  });
});

describe('pages of the console', () => {
  let oauth: OAuthWorld;
  let browser: Browser;
  let ada: TestUser;
  let appId: string;
  let authorizationId: string;
  let waiting: string;
  let rejected: string;
  let applied: string;
  let noteId: string;
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    browser = await launchBrowser();
    ada = await oauth.world.user();
    const long = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle';
    await ada.post('/nodes', {
      title: long,
      value: `${long}${long}`,
      node_type: 'NOTE',
      tags: ['sailing', long],
    });
    await ada.post('/nodes', { title: 'Learn to sail', node_type: 'GOAL', tags: ['sailing'] });
    appId = (await oauth.app()).id;
    const tokens = await oauth.connect(appId, ada, { parameters: { scope: 'graph:read graph:propose' } });
    const app = oauth.with(tokens.access_token);
    const { body } = await app.get('/nodes');
    const suggest = async (more: Record<string, unknown>): Promise<string> =>
      (await proposed(app, { title: long, description: long, status: 'READY_FOR_APPROVAL', ...more })).id;
    const added = { title: 'Learn to sail', value: `${long}\u202E${long}`, node_type: 'GOAL' };
    const metadata = { properties: { [long]: [long, { [long]: long }] } };
    const node_id = body.nodes[0].id as string;
    waiting = await suggest(
      batch(
        ['CREATE_NODE', { ...added, metadata, tags: ['s\u0430iling'] }],
        ['UPDATE_NODE', { node_id, changes: { value: long } }],
        ['DELETE_NODE', { node_id }],
      ),
    );
    rejected = await suggest({ canonical_data: added });
    await ada.post(`/proposals/${rejected}/reject`, { reason: long });
    applied = await suggest({ type: 'UPDATE_NODE', canonical_data: { node_id, changes: { value: long } } });
    expect((await ada.post(`/proposals/${applied}/approve`, { apply: true })).status).toBe(200);
    noteId = node_id;
    authorizationId = (await ada.get('/authorizations?status=active')).body.authorizations[0].id as string;
  });
  afterAll(async () => {
    await browser?.close();
    await oauth?.world.stop();
  });

  const consent = async (): Promise<string> => {
    const details = [
      { type: 'graph_access', actions: ['read'], optional: ['propose', 'create', 'edit', 'delete'] },
    ];
    const { request } = await oauth.request(appId, { authorization_details: JSON.stringify(details) });
    return `/consent?request=${request}`;
  };
  const settled = (one: ConsolePage, text: string | RegExp) => one.page.getByText(text).first().waitFor();

  /** Every page and state, one after the other, as the person opens them. */
  async function visit(one: ConsolePage, look: (state: string) => Promise<void>): Promise<void> {
    await one.go('');
    await one.heading('Log in');
    await look('log-in');
    await one.fillLogIn(ada.name, 'a wrong password');
    await settled(one, 'Wrong e-mail or password');
    await look('log-in, refused');
    await one.press('Forgot your password?');
    await one.heading('A new password');
    await look('a forgotten password');
    await one.press('Back to the log-in');
    await one.press('Create an account');
    await one.heading('Create an account');
    await look('registration');
    await one.press('Log in instead');
    await one.fillLogIn(ada.name);
    await settled(one, /app is connected/);
    await look('home');
    await one.go('/apps');
    await settled(one, 'Last used');
    await look('connected apps');
    await one.go(`/apps/${authorizationId}`);
    for (const summary of ['Allow less', 'Show it something else', 'See as this app', 'Change the end'])
      await one.page.getByText(summary, { exact: true }).click();
    await settled(one, 'as the app sees them');
    await settled(one, /^Read /);
    await settled(one, 'As the app would see them');
    await look('one app, all open');
    await one.press('Disconnect a device without a name');
    await look('the end of a device');
    await one.press('Keep it');
    await one.press('End this connection');
    await look('the end of an app');
    await one.press('Keep it');
    await one.go(await consent());
    await settled(one, 'This app is connected already');
    await settled(one, 'Only some kinds of notes');
    await one.page.getByText('Only some kinds of notes').click();
    await one.page.getByRole('checkbox', { name: /^sailing/ }).check();
    await settled(one, 'As the app would see them');
    await look('consent');
    await one.go('/consent?request=none');
    await settled(one, 'begin again there');
    await look('an expired consent');
    await one.go('/proposals');
    await one.page.getByText('Earlier suggestions').click();
    await settled(one, 'newest first');
    await settled(one, /^rejected, /);
    await look('suggestions');
    await one.go(`/proposals/${waiting}`);
    await settled(one, 'There are characters that you cannot see');
    await settled(one, 'New tags that look like others');
    await settled(one, 'You have a note with the same title');
    await look('one suggestion');
    await one.press('Reject');
    await look('the rejection of a suggestion');
    await one.press('Cancel');
    await one.go(`/proposals/${rejected}`);
    await settled(one, 'Your reason');
    await look('a rejected suggestion');
    await one.go(`/proposals/${applied}`);
    await settled(one, 'Open the notes');
    await look('an applied suggestion');
    await one.press('Undo this');
    await look('the undoing of a suggestion');
    await one.press('Keep it');
    await one.go(`/notes/${noteId}`);
    await settled(one, 'Last changed');
    await look('a note');
    await one.go('/account');
    await settled(one, 'this browser');
    await settled(one, 'You have none.');
    await look('the account');
    await one.go('/none');
    await one.heading('There is no such page');
    await look('no page');
    await one.go('/device');
    await one.heading('Connect a device');
    await look('device');
  }

  it.each([
    ['light, wide', {}],
    ['dark, wide', { colorScheme: 'dark' }],
    ['light, 320 pixels', { viewport: { width: 320, height: 640 } }],
    [
      'dark, at 200 % zoom',
      { colorScheme: 'dark', viewport: { width: 550, height: 450 }, deviceScaleFactor: 2 },
    ],
    ['with more contrast', { contrast: 'more', reducedMotion: 'reduce' }],
  ] as [string, BrowserContextOptions][])(
    'axe finds nothing, nothing scrolls sideways and no other host is asked: %s',
    async (_, options) => {
      const one = await ConsolePage.open(browser, oauth.world.origin, options);
      const faults: string[] = [];
      await visit(one, async (state) => {
        faults.push(...(await one.violations()).map((violation) => `${state}: ${violation}`));
        const overflow = await one.overflow();
        if (overflow > 0) faults.push(`${state}: ${overflow} pixels too wide`);
      });
      expect(faults).toEqual([]);
      expect(one.errors).toEqual([]);
      expect([...one.hosts]).toEqual([new URL(oauth.world.origin).host]);
      await one.close();
    },
  );

  it('axe, the measure of the width and the list of hosts find planted faults', async () => {
    const one = await ConsolePage.open(browser, oauth.world.origin);
    await one.go('');
    await one.heading('Log in');
    expect([await one.violations(), await one.overflow()]).toEqual([[], 0]);
    await one.page.evaluate("document.querySelector('label').remove(); document.body.style.width = '3000px'");
    expect((await one.violations()).join()).toContain('label');
    expect(await one.overflow()).toBeGreaterThan(0);
    await one.page.evaluate("fetch('https://elsewhere.example/').catch(() => null)");
    await one.page.evaluate("import('data:text/javascript,').catch(() => null)");
    expect(one.errors.join()).toContain('Content Security Policy');
    await one.close();
  });

  it('texts of twice the size in a window of 320 pixels do not scroll sideways', async () => {
    const one = await ConsolePage.open(browser, oauth.world.origin, {
      viewport: { width: 320, height: 640 },
    });
    const faults: string[] = [];
    await visit(one, async (state) => {
      await one.page.evaluate("document.documentElement.style.fontSize = '200%'");
      const overflow = await one.overflow();
      if (overflow > 0) faults.push(`${state}: ${overflow} pixels too wide`);
    });
    expect(faults).toEqual([]);
    await one.close();
  });
});
