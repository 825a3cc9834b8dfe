// npm run fault:files [-- --mib 1024 --aborts 500]      needs a build (npm run build)
// Uploads and downloads one large file through the built service, on disk and (with TEST_S3_… set) in S3, and says by
// how much its resident memory grew; then breaks uploads off in the middle and says what they left behind.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { mib: { type: 'string', default: '1024' }, aborts: { type: 'string', default: '500' } },
});
const ROOT = resolve(import.meta.dirname, '..');
const MIB = 1024 * 1024;
const BYTES = Number(values.mib) * MIB;
const ABORTS = Number(values.aborts);
const LIMIT_MIB = 64;
const BOUNDARY = 'a-boundary';
const HEAD = Buffer.from(
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
);
const END = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

const adapters = [['disk', {}]];
if (process.env.TEST_S3_ENDPOINT) {
  adapters.push([
    's3',
    {
      S3_BUCKET: process.env.TEST_S3_BUCKET,
      S3_ENDPOINT: process.env.TEST_S3_ENDPOINT,
      S3_FORCE_PATH_STYLE: 'true',
      AWS_ACCESS_KEY_ID: process.env.TEST_S3_ACCESS_KEY_ID,
      AWS_SECRET_ACCESS_KEY: process.env.TEST_S3_SECRET_ACCESS_KEY,
    },
  ]);
}
async function measure(name, environment) {
  const directory = mkdtempSync(join(tmpdir(), 'pig-large-'));
  const service = await start({ ...environment, DATA_DIR: directory });
  try {
    const token = await logIn(service);
    await upload(service, token, MIB);
    const before = residentMib(service.child.pid);
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, residentMib(service.child.pid))), 50);
    const sent = await timed(() => upload(service, token, BYTES));
    const received = await timed(() => download(service, token, sent.value.id));
    clearInterval(watch);
    const isWhole = received.value === sent.value.sha256;
    await upload(service, token, MIB);
    const left = await abortMany(service, token, { name, directory });
    const growth = peak - before;
    const rate = ({ seconds }) => `${(BYTES / MIB / seconds).toFixed(0)} MiB/s`;
    console.log(
      `${name}: ${values.mib} MiB up ${rate(sent)}, down ${rate(received)}, ${isWhole ? 'equal' : 'DIFFERENT'}; ` +
        `resident ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} at most, +${growth.toFixed(0)} (limit ${LIMIT_MIB}); ` +
        `${ABORTS} aborted uploads left ${left}`,
    );
    return isWhole && growth < LIMIT_MIB && left === 0;
  } finally {
    service.child.kill('SIGTERM');
    await new Promise((ended) => service.child.once('close', ended));
    rmSync(directory, { recursive: true, force: true });
  }
}

function start(environment) {
  const env = {
    ...process.env,
    PORT: '0',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    DEFAULT_TIER: 'enterprise',
  };
  delete env.DATABASE_URL;
  const child = spawn(process.execPath, [join(ROOT, 'dist/main.js')], {
    env: { ...env, DATABASE_URL: process.env.TEST_FILES_DATABASE_URL ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((found, reject) => {
    let text = '';
    child.once('close', () => reject(new Error(`the service ended: ${text}`)));
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const origin = /(http:\/\/[^\s/]+)\/docs\n/.exec(text)?.[1];
      if (origin) found({ child, origin });
    });
  });
}

async function logIn({ origin }) {
  const name = `large${Date.now()}`;
  const body = JSON.stringify({
    email: `${name}@example.org`,
    username: name,
    password: 'correct horse battery',
  });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${origin}/api/v1/auth/register`, { method: 'POST', headers, body });
  return (await answer.json()).access_token;
}

const headersOf = (token, bytes) => ({
  Authorization: `Bearer ${token}`,
  'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
  'Content-Length': String(HEAD.length + bytes + END.length),
});

/** Pseudo-random blocks, all different, so that nothing on the way can compress them. */
function* blocks(bytes) {
  const block = createHash('shake256', { outputLength: MIB }).update(String(bytes)).digest();
  for (let number = 0; number * MIB < bytes; number++) {
    const copy = Buffer.from(block);
    copy.writeUInt32BE(number);
    yield copy;
  }
}

async function upload({ origin }, token, bytes) {
  const hash = createHash('sha256');
  return new Promise((done, reject) => {
    const sent = request(
      `${origin}/api/v1/raw-files`,
      { method: 'POST', headers: headersOf(token, bytes) },
      async (response) => {
        const chunks = await response.toArray();
        const body = Buffer.concat(chunks).toString();
        if (response.statusCode !== 201) return reject(new Error(`${response.statusCode} ${body}`));
        done({ id: JSON.parse(body).id, sha256: hash.digest('hex') });
      },
    );
    sent.on('error', reject);
    const send = async () => {
      sent.write(HEAD);
      for (const block of blocks(bytes)) {
        hash.update(block);
        if (!sent.write(block)) await new Promise((drained) => sent.once('drain', drained));
      }
      sent.end(END);
    };
    send().catch(reject);
  });
}

async function download({ origin }, token, id) {
  const answer = await fetch(`${origin}/api/v1/raw-files/${id}/download`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const hash = createHash('sha256');
  for await (const chunk of answer.body) hash.update(chunk);
  return hash.digest('hex');
}

async function abortMany(service, token, place) {
  const before = await stored(place);
  for (let begun = 0; begun < ABORTS; begun += 10) {
    await Promise.all(
      Array.from({ length: Math.min(10, ABORTS - begun) }, (_, index) =>
        abortOne(service, token, begun + index),
      ),
    );
  }
  for (let look = 0; look < 100; look++) {
    if ((await stored(place)) === before) return 0;
    await new Promise((later) => setTimeout(later, 100));
  }
  return (await stored(place)) - before;
}

function abortOne({ origin }, token, number) {
  return new Promise((done) => {
    const sent = request(`${origin}/api/v1/raw-files`, {
      method: 'POST',
      headers: headersOf(token, 100 * MIB),
      agent: false,
    });
    sent.on('error', () => undefined).on('close', done);
    sent.write(Buffer.concat([HEAD, Buffer.alloc((number % 100) * 70_000, 'x')]), () => sent.destroy());
  });
}

/** Files in the store; in S3 the objects and the unfinished uploads. */
async function stored({ name, directory }) {
  if (name === 'disk') return filesBelow(join(directory, 'files'));
  const { S3Client, ListObjectsV2Command, ListMultipartUploadsCommand } = await import('@aws-sdk/client-s3');
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: process.env.TEST_S3_ENDPOINT,
    forcePathStyle: true,
    credentials: {
      accessKeyId: process.env.TEST_S3_ACCESS_KEY_ID,
      secretAccessKey: process.env.TEST_S3_SECRET_ACCESS_KEY,
    },
  });
  const Bucket = process.env.TEST_S3_BUCKET;
  const { KeyCount = 0 } = await client.send(new ListObjectsV2Command({ Bucket }));
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
  client.destroy();
  return KeyCount + Uploads.length;
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : 1),
    0,
  );
}

async function timed(work) {
  const begun = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - begun) / 1000 };
}

function residentMib(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / 1024;
  }
}

let failed = false;
for (const [name, environment] of adapters) failed = !(await measure(name, environment)) || failed;
process.exit(failed ? 1 : 0);
