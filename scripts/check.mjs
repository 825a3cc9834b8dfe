// npm run check: the checks that need no test, in one run: types, lint, format, unused code.
import { spawnSync } from 'node:child_process';
import { install } from './prepare.mjs';

install();
const statuses = ['typecheck', 'lint'].map(
  (script) =>
    spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit', shell: process.platform === 'win32' })
      .status,
);
process.exit(statuses.every((status) => status === 0) ? 0 : 1);
