// Measures the cost of the access log: reads of single nodes by an app, with and without it, in turns on one server.
// The unit is the server's processor time for a request, which other work on the machine disturbs least; with the
// embedded database it includes the database. `npm run -s build && node bench/access-log.mjs`; DATABASE_URL names an
// empty database, without it the embedded one is used.
import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CONNECTIONS = 16;
const NODES = 1_000;
/** Requests that are logged at once: two seconds' worth of 2,000 a second. */
const ALONE = 4_000;
const ROUNDS = Number(process.env.ROUNDS ?? 12);
const ROUND_MS = Number(process.env.ROUND_MS ?? 4_000);

if (process.argv[2] === 'load') await load();
else await measure();

/** Sends requests as fast as they are answered; reports the rate after each round. */
async function load() {
  const { origin, headers, ids } = JSON.parse(process.argv[3]);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const get = (id) =>
    new Promise((answered, failed) => {
      request(`${origin}/api/v1/nodes/${id}`, { agent, headers }, (response) => {
        if (response.statusCode !== 200) failed(new Error(String(response.statusCode)));
        response.resume().on('end', answered);
      })
        .on('error', failed)
        .end();
    });
  process.on('message', async (ms) => {
    const begun = performance.now();
    let count = 0;
    const one = async () => {
      while (performance.now() - begun < ms) {
        await get(ids[Math.floor(Math.random() * ids.length)]);
        count++;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, one));
    process.send({ count, seconds: (performance.now() - begun) / 1000 });
  });
}

async function measure() {
  const { Config } = await import('../build/config/config.js');
  const { configureApp, createService } = await import('../build/configure-app.js');
  const { AccessReports } = await import('../build/privacy/index.js');
  const { requestContext } = await import('../build/kernel/request-context.js');
  const { AccessLog } = await import('../build/oversight/application/access-log.service.js');
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'access-log-'));
  const environment = {
    PORT: '0',
    DATA_DIR,
    DATABASE_URL: process.env.DATABASE_URL ?? '',
    LOG_LEVEL: 'silent',
  };
  const config = new Config({ ...environment, RATE_LIMITS: 'off', WEBHOOK_WORKERS: 'false' });
  const app = await createService(config);
  await configureApp(app);
  await app.listen(0, '127.0.0.1');
  const origin = `http://127.0.0.1:${app.getHttpServer().address().port}`;
  const { ownerId, appId, ...load } = await world(origin);
  const child = fork(import.meta.filename, ['load', JSON.stringify({ origin, ...load })]);
  const round = (ms) =>
    new Promise((done) => {
      child.once('message', done);
      child.send(ms);
    });
  const accessReports = app.get(AccessReports);
  const { listeners } = accessReports;
  const [log, all] = [app.get(AccessLog), [...listeners]];
  /** Processor microseconds of the server for a request. */
  const cost = async (isLogging, ms = ROUND_MS) => {
    listeners.splice(0, listeners.length, ...(isLogging ? all : []));
    const begun = process.cpuUsage();
    const { count, seconds } = await round(ms);
    // Entries of this round are written in it as well.
    await log.flush();
    const { user, system } = process.cpuUsage(begun);
    return { microseconds: (user + system) / count, rate: count / seconds };
  };
  await cost(true, 4_000);
  await cost(false, 4_000);
  const ratios = [];
  const plains = [];
  for (let n = 1; n <= ROUNDS; n++) {
    const costs = new Map();
    for (const isLogging of n % 2 === 0 ? [true, false] : [false, true])
      costs.set(isLogging, await cost(isLogging));
    const [logging, plain] = [costs.get(true), costs.get(false)];
    ratios.push(logging.microseconds / plain.microseconds);
    plains.push(plain.microseconds);
    const told = ({ microseconds, rate }) => `${microseconds.toFixed(0)} µs (${rate.toFixed(0)}/s)`;
    console.log(
      `round ${n}: with ${told(logging)}, without ${told(plain)}, ratio ${ratios.at(-1).toFixed(3)}`,
    );
  }
  ratios.sort((a, b) => a - b);
  console.log(`median ratio ${((ratios[(ROUNDS - 1) >> 1] + ratios[ROUNDS >> 1]) / 2).toFixed(3)}`);
  // On a busy machine the rounds are noisy. The log's own work, measured alone, explains the difference.
  const access = { ownerId, actor: { type: 'app', userId: ownerId, appId } };
  const alone = [];
  listeners.splice(0, listeners.length, ...all);
  for (let n = 0; n < 9; n++) {
    const begun = process.cpuUsage();
    for (let i = 0; i < ALONE; i++) {
      const response = Object.assign(new EventEmitter(), {
        statusCode: 200,
        headersSent: false,
        destroyed: false,
      });
      const node = { owner_id: ownerId, id: load.ids[Math.floor(Math.random() * NODES)] };
      requestContext.run({ requestId: '', actor: access.actor, changeReason: null }, () => {
        accessReports.admitted(access, { endpoint: 'GET /nodes/:node_id', response });
        // Reported by the locator, and by the presenter.
        accessReports.shown(access, node);
        accessReports.shown(access, node);
      });
      response.headersSent = true;
      response.emit('close');
    }
    await log.flush();
    const { user, system } = process.cpuUsage(begun);
    alone.push((user + system) / ALONE);
  }
  const [least, plain] = [Math.min(...alone), Math.min(...plains)];
  console.log(
    `alone: ${least.toFixed(1)} µs a request (median ${alone.sort((a, b) => a - b)[4].toFixed(1)}), ` +
      `${((100 * least) / plain).toFixed(1)} % of the ${plain.toFixed(0)} µs of a request without it`,
  );
  child.kill();
  await app.close();
  rmSync(DATA_DIR, { recursive: true, force: true });
}

/** A person with nodes, and an app with a narrow profile. */
async function world(origin) {
  const post = async (path, body, headers = {}) => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const answer = await fetch(`${origin}/api/v1${path}`, { ...options, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const account = { email: 'a@example.org', username: 'alice', password: 'correct horse battery' };
  const { user, access_token } = await post('/auth/register', account);
  const owner = { authorization: `Bearer ${access_token}` };
  const ids = [];
  for (let from = 0; from < NODES; from += 100) {
    const nodes = Array.from({ length: 100 }, (_, i) => ({
      title: `node ${from + i}`,
      value: 'x'.repeat(200),
      node_type: 'note',
      tags: [`tag ${i % 5}`],
    }));
    const { created } = await post('/nodes/batch', { nodes }, owner);
    ids.push(...created.map(({ id }) => id));
  }
  const { tags } = await (await fetch(`${origin}/api/v1/tags?per_page=50`, { headers: owner })).json();
  const all = { schema_ids: [], allow_all: true };
  const read = { tag_ids: tags.map(({ id }) => id), allow_all: false };
  const requested_permissions = { tags: { read: true }, schemas: { read: all } };
  const { id, api_key } = await post('/apps', { name: 'reader', requested_permissions }, owner);
  const rules = { tag_permissions: { read }, schema_permissions: { read: all } };
  const profile = await post('/exposure-profiles', { name: 'narrow', ...rules }, owner);
  await post('/authorizations', { app_id: id, exposure_profile_id: profile.id }, owner);
  return { ownerId: user.id, appId: id, ids, headers: { 'x-api-key': api_key, 'x-user-id': user.id } };
}
