import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'].find(
  existsSync,
);
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @throws without an installed browser */
export function launchBrowser(...flags: string[]): Promise<Browser> {
  if (executablePath === undefined) throw new Error('install chromium for this test');
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}
