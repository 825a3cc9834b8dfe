import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EMAILS, prepareSocial } from './dataset/social.js';
import { logFile, SERVICE } from './dataset/databases.js';
import { PASSWORD } from './dataset/world.js';
import { requestBytes } from './load/connection.js';
import { drive, median, type Sample } from './load/drive.js';
import { ROOT, startServer } from './targets/process.js';

const HELP = `npm run bench:social -- [options]
  --nodes <n>    of each of the two owners (default 100000)
  --givers <n>   who share something with one of them (default 1000)
  --groups <n>   she is a member of (default 50)
  --rounds <n>   (default 7)    --seconds <n>  of one round (default 1)
  --only <text>  questions whose name has it
  --profile      write a CPU profile of the service into .services/bench
BENCH_DATABASE_URL names a PostgreSQL server (its role must be a superuser).`;

/** A measured request, and a comparable one of an owner with whom nobody shares. */
interface Question {
  name: string;
  path: string;
  reference: string;
}

const alike = (name: string, path: string): Question => ({ name, path, reference: path });
/** An owner without incoming shares has no such list: it is compared with their own list. */
const shared = (name: string, path: string): Question => ({
  name,
  path,
  reference: path.replace('access=shared', 'access=owned'),
});

const QUESTIONS: readonly Question[] = [
  ...[0, 1_000, 20_000].flatMap((offset) => [
    alike(`nodes all, from ${offset}`, `/nodes?limit=20&access=all&include_tags=true&offset=${offset}`),
    shared(
      `nodes shared, from ${offset}`,
      `/nodes?limit=20&access=shared&include_tags=true&offset=${offset}`,
    ),
    alike(`nodes owned, from ${offset}`, `/nodes?limit=20&access=owned&include_tags=true&offset=${offset}`),
  ]),
  alike('nodes all, oldest made first', '/nodes?limit=20&sort=created_at&order=asc'),
  alike('count', '/nodes/count'),
  alike('tags all', '/tags?access=all'),
  shared('tags shared', '/tags?access=shared'),
  ...[0, 1_000].flatMap((offset) => [
    alike(`relationships all, from ${offset}`, `/relationships?access=all&offset=${offset}`),
    shared(`relationships shared, from ${offset}`, `/relationships?access=shared&offset=${offset}`),
  ]),
];

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '100000' },
    givers: { type: 'string', default: '1000' },
    groups: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const OUT = `${ROOT}.services/bench`;
mkdirSync(OUT, { recursive: true });
const size = {
  nodes: Number(values.nodes),
  givers: Number(values.givers),
  nodesOfGiver: 100,
  groups: Number(values.groups),
};
const service = await startServer({
  name: 'service',
  script: SERVICE,
  environment: { ...(await prepareSocial(size)), RATE_LIMITS: 'off', LOG_LEVEL: 'info' },
  readyPath: '/health/ready',
  log: logFile('social'),
  nodeOptions: values.profile ? ['--cpu-prof', `--cpu-prof-dir=${OUT}`] : [],
});
const headers = { with: await login(EMAILS.with), without: await login(EMAILS.without) };

const lines = [
  `| question | total | with ${size.givers} givers and ${size.groups} groups, ms | without, ms | ratio | least-most |`,
  '|---|---|---|---|---|---|',
];
for (const question of QUESTIONS.filter(({ name }) => name.includes(values.only)))
  lines.push(await row(question));
console.log(lines.join('\n'));
writeFileSync(`${OUT}/social.md`, `${lines.join('\n')}\n`);
await service.stop();

/** With, without; without, with; …: other load of the machine affects both. Ratios are computed within a round. */
async function row({ name, path, reference }: Question): Promise<string> {
  const asked = { with: path, without: reference };
  const samples = { with: [] as Sample[], without: [] as Sample[] };
  const total = await totalOf(path);
  for (let round = 0; round <= Number(values.rounds); round++) {
    const order = ['with', 'without'] as const;
    for (const who of round % 2 === 0 ? order : [...order].reverse()) {
      const request = requestBytes('GET', `/api/v1${asked[who]}`, headers[who]);
      const load = { port: service.port, connections: 1, status: 200, next: () => request };
      const sample = await drive({ ...load, seconds: Number(values.seconds) });
      // The first round warms up.
      if (round > 0) samples[who].push(sample);
    }
  }
  const ratios = samples.with.map(({ p50 }, round) => p50 / (samples.without[round] as Sample).p50);
  const p50 = (who: 'with' | 'without'): string =>
    median(samples[who].map((sample) => sample.p50)).toFixed(2);
  process.stderr.write('.');
  return `| ${name} | ${total} | ${p50('with')} | ${p50('without')} | **${median(ratios).toFixed(2)}** | ${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)} |`;
}

async function totalOf(path: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, { headers: headers.with });
  const body = (await answer.json()) as { total?: number; count?: number };
  return body.total ?? body.count ?? NaN;
}

async function login(email: string): Promise<Record<string, string>> {
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return { Authorization: `Bearer ${access_token}` };
}
