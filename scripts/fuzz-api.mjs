// npm run fuzz:api -- [cases an operation]: random requests to every operation, compared with openapi.json; OAuth's own
// endpoints and the messages of MCP have tests of their own.
// SEED repeats a run, ONLY (a pattern) chooses operations; TEST_DATABASE_URL runs it on PostgreSQL.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { build, install } from './prepare.mjs';

install();
build();
const RUNS = process.argv[2] ?? '200';
const SEED = process.env.SEED ?? String(randomInt(2 ** 31 - 1));
console.log(`${RUNS} cases an operation, SEED=${SEED}`);
const jest = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--config',
  'jest.services.config.mjs',
  '-i',
  'test/contract/fuzz-(api|oauth|mcp).test.ts',
];
const { status } = spawnSync(process.execPath, jest, {
  stdio: 'inherit',
  env: { ...process.env, RUNS, SEED },
});
process.exit(status ?? 1);
