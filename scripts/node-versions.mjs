// npm run test:node-versions [-- 22 24 | -- others]: on each version of Node that package.json supports, which the npm
// package `node` brings, the unit specs pass, and `npm start` serves and stops with exit code 0. `others` leaves out
// the version that runs this.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { install } from './prepare.mjs';

const SUPPORTED = ['20.19', '22', '24'];
const READY_MS = 180_000;

/** Runs a command to its end. */
function run(command, args, env = process.env) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', env, shell: process.platform === 'win32' });
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')}: exit ${status}`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Starts the service as a user does, waits until it is ready, and stops it. */
async function startAndStop(env, folder) {
  const port = await freePort();
  const service = spawn('node', ['scripts/start.mjs'], {
    stdio: 'inherit',
    env: { ...env, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' },
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  try {
    const end = performance.now() + READY_MS;
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null);
      await answer?.arrayBuffer();
      if (answer?.status === 200) break;
      if (service.exitCode !== null || performance.now() > end)
        throw new Error('the service did not become ready');
      await sleep(100);
    }
  } catch (error) {
    service.kill('SIGKILL');
    throw error;
  }
  service.kill('SIGTERM');
  const code = await ended;
  if (code !== 0) throw new Error(`the service ended with exit code ${code}`);
}

const isThis = (version) => version.split('.')[0] === process.versions.node.split('.')[0];

const chosen = process.argv.slice(2);
const versions =
  chosen[0] === 'others'
    ? SUPPORTED.filter((version) => !isThis(version))
    : chosen.length > 0
      ? chosen
      : SUPPORTED;
install();
for (const version of versions) {
  const folder = mkdtempSync(join(tmpdir(), `node-${version}-`));
  try {
    run('npm', [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--prefix',
      folder,
      `node@${version}`,
    ]);
    const bin = join(folder, 'node_modules', 'node', 'bin');
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    run('node', ['--version'], env);
    run('node', ['scripts/test.mjs', 'unit'], env);
    // The build may take longer than a start, which has a limit.
    run('node', ['scripts/run.mjs', '--version'], env);
    await startAndStop(env, folder);
    console.log(`node ${version}: passed`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
