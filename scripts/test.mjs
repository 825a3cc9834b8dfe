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
// On real services, tests that use only HTTP run against two processes of the built service. An embedded database
// permits one, so there they share the process of the tests, which has loaded the service already.
const env = { TEST_PROCESSES: lane === 'services' ? '2' : '0', ...process.env };
const { status } = spawnSync(process.execPath, jest, { stdio: 'inherit', env });
process.exit(status ?? 1);
