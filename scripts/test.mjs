// npm test [-- jest arguments]: installs what is missing, then every test that needs no outside server.
import { spawnSync } from 'node:child_process';
import { build, install } from './prepare.mjs';

install();
build();
const [lane, ...rest] = process.argv.slice(2);
const jest = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--config',
  lane === 'services' ? 'jest.services.config.mjs' : 'jest.config.mjs',
  ...rest,
];
// Tests that need nothing but HTTP talk to two processes there.
const env = { ...(lane === 'services' ? { TEST_PROCESSES: '2' } : {}), ...process.env };
const { status } = spawnSync(process.execPath, jest, { stdio: 'inherit', env });
process.exit(status ?? 1);
