// npm test [-- jest arguments]: installs missing dependencies, then runs every test that needs no outside
// server. test:unit and test:watch run only the specs beside the code, for which nothing is built.
import { spawnSync } from 'node:child_process';
import { build, install } from './prepare.mjs';

const CONFIGS = {
  all: 'jest.config.mjs',
  services: 'jest.services.config.mjs',
  unit: 'jest.unit.config.mjs',
};

const [lane, ...rest] = process.argv.slice(2);
install();
if (lane !== 'unit') build();
const jest = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--config',
  CONFIGS[lane],
  ...rest,
];
// Tests that use only HTTP run against the built service: against two processes of it, or the one that an
// embedded database permits.
const env = { TEST_PROCESSES: lane === 'services' ? '2' : '1', ...process.env };
const { status } = spawnSync(process.execPath, jest, { stdio: 'inherit', env });
process.exit(status ?? 1);
