import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { launchBrowser } from '../test/support/browser.js';
import { median } from './load/drive.js';
import { startEmbedded } from './targets/embedded.js';

// npm run bench:consent: from opening the authorize address to a consent page whose Allow works, for a person with 500
// nodes who is logged in, in Chromium, with the page's files in its cache and without.

const ROUNDS = Number(process.env['ROUNDS'] ?? 20);
const AIM_MS = 300;
const NODES = 500;
const REDIRECT_URI = 'http://127.0.0.1:51234/callback';
const [email, password] = ['a@example.org', 'correct horse battery'];

const folder = mkdtempSync(join(tmpdir(), 'pig-bench-'));
const service = await startEmbedded(folder);
const { call, origin } = service;

async function authorizeAddress(): Promise<string> {
  const { access_token: person } = await call('/auth/register', { email, username: 'alice', password });
  await call('/exposure-profiles/from-template', { template: 'transparent', name: 'all' }, person);
  for (let index = 0; index < NODES; index += 100) {
    const nodes = Array.from({ length: 100 }, (_, place) => ({
      title: `note ${index + place}`,
      node_type: 'FACT',
      value: 'a few words about it',
      tags: [`tag ${place % 20}`],
    }));
    await call('/nodes/batch', { nodes }, person);
  }
  const app = { name: 'bench', client_level: 'L2', redirect_uris: [REDIRECT_URI] };
  const requested_permissions = {
    tags: { discover: true, read: true },
    schemas: { read: { allow_all: true } },
  };
  const { id } = await call('/apps', { ...app, requested_permissions }, person);
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: id as string,
    redirect_uri: REDIRECT_URI,
    scope: 'graph:read',
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `${origin}/oauth/authorize?${asked.toString()}`;
}

/** The time of the page's own clock, which begins with the navigation, when Allow can be pressed. */
const INTERACTIVE = `new Promise((resolve) => {
  const look = () => {
    const allow = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Allow');
    if (allow && !allow.disabled) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

async function timeOf(page: Page, address: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' });
  return page.evaluate<number>(INTERACTIVE);
}

async function logIn(page: Page): Promise<void> {
  await page.goto(`${origin}/console`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('navigation', { name: 'Account' }).waitFor();
}

const browser = await launchBrowser();
try {
  const address = await authorizeAddress();
  const page = await browser.newPage();
  await logIn(page);
  const session = await page.context().newCDPSession(page);
  const times: Record<'cached' | 'first', number[]> = { cached: [], first: [] };
  const load = loadavg()[0] ?? NaN;
  for (let round = 0; round <= ROUNDS; round++)
    for (const kind of ['cached', 'first'] as const) {
      if (kind === 'first') await session.send('Network.clearBrowserCache');
      const time = await timeOf(page, address);
      // The first round warms up.
      if (round > 0) times[kind].push(time);
    }
  console.log(`${ROUNDS} rounds, load before ${load.toFixed(1)}, aim ${AIM_MS} ms`);
  for (const [kind, all] of Object.entries(times))
    console.log(
      `${kind}: median ${median(all).toFixed(0)} ms (${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)})`,
    );
} finally {
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
