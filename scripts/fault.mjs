// npm run fault:<name> [-- options]: brings the service's build up to date, builds the rigs, runs one of them.
import { spawnSync } from 'node:child_process';
import { prepare } from './prepare.mjs';

await prepare();
const [rig, ...options] = process.argv.slice(2);
run('node_modules/typescript/bin/tsc', '-p', 'fault/tsconfig.json');
run('--enable-source-maps', `build/fault/fault/${rig}.js`, ...options);

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
