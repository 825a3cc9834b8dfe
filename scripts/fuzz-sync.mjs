// npm run fuzz:sync -- [stories]: random stories of sync against a naive model. SEED (with the same LANES) repeats a run; TEST_DATABASE_URL runs it on PostgreSQL.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { build, install } from './prepare.mjs';

install();
build();
const RUNS = process.argv[2] ?? '10000';
const SEED = process.env.SEED ?? String(randomInt(2 ** 31 - 1));
// One service runs several stories at once: each mostly waits for its next answer.
const LANES = process.env.LANES ?? '4';
console.log(`${RUNS} stories, SEED=${SEED} LANES=${LANES}`);
const jest = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '-i',
  'test/properties/sync.test.ts',
];
const { status } = spawnSync(process.execPath, jest, {
  stdio: 'inherit',
  env: { ...process.env, RUNS, SEED, LANES },
});
process.exit(status ?? 1);
