// npm run bench [-- --help], npm run bench:social [-- --help]: brings the service's build up to date, builds the
// benchmark, runs it.
import { spawnSync } from 'node:child_process';
import { prepare } from './prepare.mjs';

const [script, ...args] = process.argv.slice(2);
await prepare();
run('node_modules/typescript/bin/tsc', '-p', 'bench/tsconfig.json');
run('--enable-source-maps', `build/bench/bench/${script}.js`, ...args);

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
