// npm run fuzz:leaks -- [pairs] [--timing]: two worlds that differ only in what one caller may not see, asked the same.
// --timing: how long hidden things take beside absent ones, so many pairs a route. SEED repeats a run;
// TEST_DATABASE_URL runs it on PostgreSQL.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { build, install } from './prepare.mjs';

install();
build();
const isTiming = process.argv.includes('--timing');
const given = process.argv.slice(2).find((argument) => /^\d+$/.test(argument));
const SEED = process.env.SEED ?? String(randomInt(2 ** 30));
const env = isTiming ? { TIMING: given ?? '5000' } : { RUNS: given ?? '100000' };
console.log(`${JSON.stringify(env)} SEED=${SEED}`);
const jest = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--config',
  'jest.services.config.mjs',
  '-i',
  'test/interference/non-interference.test.ts',
];
const { status } = spawnSync(process.execPath, jest, {
  stdio: 'inherit',
  env: { ...process.env, ...env, SEED },
});
process.exit(status ?? 1);
