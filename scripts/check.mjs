// npm run check: the checks that need no test, in one run: types, lint, format, unused code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { install } from './prepare.mjs';

/** Two rows side by side, of about the same length: each check uses one core. */
const ROWS = [['lint:code'], ['typecheck', 'lint:format', 'lint:unused']];

/** Prints all that a script has written when it ends, so that the rows do not mix. @returns true if it succeeded */
async function succeeds(script) {
  const child = spawn('npm', ['run', '--silent', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const written = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => written.push(data));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(written));
  console.log(`${script}: ${code === 0 ? 'passed' : 'failed'}`);
  return code === 0;
}

async function passes(row) {
  let isGood = true;
  for (const script of row) isGood = (await succeeds(script)) && isGood;
  return isGood;
}

install();
const results = await Promise.all(ROWS.map(passes));
process.exit(results.every(Boolean) ? 0 : 1);
