/**
 * node scripts/bundle/code-cache.mjs <folder>: runs the service of that folder, in memory, until it has
 * answered a caller's first requests, and stores the code that V8 has compiled until then beside it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';

const folder = resolve(process.argv[2]);
const port = await freePort();
const data = mkdtempSync(join(tmpdir(), 'pig-build-'));
process.on('exit', () => rmSync(data, { recursive: true, force: true }));
Object.assign(process.env, {
  NODE_ENV: 'production',
  DATABASE_URL: 'memory://',
  DATA_DIR: data,
  HOST: '127.0.0.1',
  PORT: String(port),
  LOG_LEVEL: 'silent',
});

// Code that has not run for a while would be dropped meanwhile. A code cache records the flags it was made
// with.
setFlagsFromString('--no-flush-bytecode');
const service = createRequire(import.meta.url)(`${folder}/service.cjs`);
await (
  await service.main()
).done;
await firstRequests(`http://127.0.0.1:${port}`);
setFlagsFromString('--flush-bytecode');
service.keepCode();
process.exit(0);

async function firstRequests(origin) {
  const email = 'build@example.org';
  const account = { email, username: 'build', password: 'kept-nowhere-1A' };
  const { access_token: token } = await ask('POST', '/auth/register', account);
  await ask('POST', '/nodes', { node_type: 'fact', title: 'A node', value: 'Written by the build' }, token);
  await ask('GET', '/nodes?include_tags=true', undefined, token);

  async function ask(method, path, body, token) {
    const headers = {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(`${origin}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
