import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { evilSchemas } from './evil-schemas.js';
import { memory, startServer } from './targets/process.js';

/**
 * `npm run fault:schemas`: hostile schemas and values against the built service, while somebody else works; then many
 * different schemas, to see if it grows. Prints the measurements; ends with 1 if a bound is broken.
 */
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '500' },
    distinct: { type: 'string', default: '10000' },
  },
});
const BOUNDS = { evilMs: 500, othersP99Ms: 100, growthMiB: 64 };
const ALONE_MS = 5_000;

interface Answer {
  status: number;
  body: { id?: string; valid?: boolean; access_token?: string };
  ms: number;
}

const folder = mkdtempSync(join(tmpdir(), 'pig-schemas-'));
const server = await startServer({
  name: 'service',
  script: 'dist/main.js',
  environment: {
    DATA_DIR: folder,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    ...(process.env['FAULT_DATABASE_URL'] ? { DATABASE_URL: process.env['FAULT_DATABASE_URL'] } : {}),
  },
  readyPath: '/health/ready',
  log: join(folder, 'service.log'),
});

async function send(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
  const begin = performance.now();
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text) as Answer['body'], ms: performance.now() - begin };
}

async function register(name: string): Promise<string> {
  const password = 'correct horse battery';
  const { body } = await send('POST', '/auth/register', {
    email: `${name}@example.org`,
    username: name,
    password,
  });
  return body.access_token as string;
}

const quantile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

const round = (value: number): number => Math.round(value * 10) / 10;

/** A person's ordinary work, one request after the other, until it is over. */
async function others(token: string, isOver: () => boolean): Promise<number[]> {
  const json_schema = { properties: { a: { type: 'integer' } } };
  const made = await send('POST', '/schemas', { name: 'Good', json_schema }, token);
  const times: number[] = [];
  for (let turn = 0; !isOver(); turn++) {
    const node = { title: 'n', node_type: 't', schema_id: made.body.id, metadata: { a: turn } };
    const answer =
      turn % 2 === 0
        ? await send('GET', '/nodes?limit=20', undefined, token)
        : await send('POST', '/nodes', node, token);
    if (answer.status >= 300) throw new Error(`somebody else was answered ${answer.status}`);
    times.push(answer.ms);
  }
  return times;
}

async function attack(token: string): Promise<{ times: number[]; bad: string[] }> {
  const times: number[] = [];
  const bad: string[] = [];
  for (const { name, schema: json_schema, value } of evilSchemas(
    Number(options.count),
    Number(options.seed),
  )) {
    const made = await send('POST', '/schemas', { name, json_schema }, token);
    const answers = [made];
    if (made.status === 201) {
      answers.push(await send('POST', `/schemas/${made.body.id}/validate`, { metadata: value }, token));
    }
    for (const { status, ms } of answers) {
      times.push(ms);
      if (![200, 201, 400].includes(status)) bad.push(`${name}: ${status}`);
      else if (ms > BOUNDS.evilMs) bad.push(`${name}: ${round(ms)} ms`);
    }
  }
  return { times, bad };
}

async function distinct(token: string): Promise<{ before: number; after: number; bad: string[] }> {
  const bad: string[] = [];
  const made = await send('POST', '/schemas', { name: 'Changing', json_schema: {} }, token);
  const resident = (): number => memory(server.pid)?.resident ?? 0;
  const change = async (number: number): Promise<void> => {
    const json_schema = { properties: { [`p${number}`]: { type: 'string', pattern: `^${number}+$` } } };
    const changed = await send('PUT', `/schemas/${made.body.id}`, { json_schema }, token);
    const metadata = { [`p${number}`]: 'x' };
    const judged = await send('POST', `/schemas/${made.body.id}/validate`, { metadata }, token);
    if (changed.status !== 200 || judged.body.valid !== false)
      bad.push(`distinct schema ${number}: ${changed.status}, then ${judged.status}`);
  };
  const warm = Math.ceil(Number(options.distinct) / 5);
  for (let number = 0; number < warm; number++) await change(number);
  const before = resident();
  for (let number = warm; number < warm + Number(options.distinct); number++) await change(number);
  return { before, after: resident(), bad };
}

try {
  const [mallory, alice] = [await register('mallory'), await register('alice')];
  const begin = performance.now();
  const alone = await others(alice, () => performance.now() - begin > ALONE_MS);
  let isOver = false;
  const working = others(alice, () => isOver);
  const { times, bad } = await attack(mallory);
  isOver = true;
  const otherTimes = await working;
  const { before, after, bad: wrong } = await distinct(mallory);
  bad.push(...wrong);
  const p99 = quantile(otherTimes, 0.99);
  console.log(`seed ${options.seed}: ${options.count} schemas that mean harm, ${times.length} requests`);
  console.log(
    `answered in p50 ${round(quantile(times, 0.5))} ms, p99 ${round(quantile(times, 0.99))} ms, at most ${round(Math.max(...times))} ms`,
  );
  console.log(
    `others alone: ${alone.length} requests, p50 ${round(quantile(alone, 0.5))} ms, p99 ${round(quantile(alone, 0.99))} ms`,
  );
  console.log(
    `others meanwhile: ${otherTimes.length} requests, p50 ${round(quantile(otherTimes, 0.5))} ms, p99 ${round(p99)} ms`,
  );
  console.log(`${options.distinct} distinct schemas: ${round(before)} MiB before, ${round(after)} MiB after`);
  if (p99 > BOUNDS.othersP99Ms) bad.push(`others waited for more than ${BOUNDS.othersP99Ms} ms`);
  if (after - before > BOUNDS.growthMiB) bad.push(`grew by more than ${BOUNDS.growthMiB} MiB`);
  for (const line of bad) console.log(`bound broken: ${line}`);
  if (bad.length > 0) process.exitCode = 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
