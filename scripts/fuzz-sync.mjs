// npm run fuzz:sync -- [stories]: random stories of sync against a naive model. SEED repeats a run; TEST_DATABASE_URL runs it on PostgreSQL.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { build, install } from './prepare.mjs';

install();
build();
const RUNS = process.argv[2] ?? '10000';
const SEED = process.env.SEED ?? String(randomInt(2 ** 31 - 1));
console.log(`${RUNS} stories, SEED=${SEED}`);
const jest = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '-i',
  'test/properties/sync.test.ts',
];
const { status } = spawnSync(process.execPath, jest, {
  stdio: 'inherit',
  env: { ...process.env, RUNS, SEED },
});
process.exit(status ?? 1);
