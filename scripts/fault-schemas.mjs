// npm run fault:schemas [-- --seed <n> --count <n> --distinct <n>]: the built service under hostile schemas.
import { spawnSync } from 'node:child_process';
import { prepare } from './prepare.mjs';

await prepare();
run('node_modules/typescript/bin/tsc', '-p', 'bench/tsconfig.json');
run('--enable-source-maps', 'build/bench/bench/schemas.js', ...process.argv.slice(2));

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
