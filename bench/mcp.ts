import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Gauge, MIB } from '../fault/soak/gauge.js';
import { logFile, SERVICE } from './dataset/databases.js';
import { call, FindingGraph, type Question } from './dataset/finding.js';
import { Connection, requestBytes } from './load/connection.js';
import { drive, median, type Sample, trickle } from './load/drive.js';
import { App, ERAS, type Headers, Listener, toolCall } from './targets/assistants.js';
import { processorTime, ROOT, startServer, type Target } from './targets/process.js';

const HELP = `npm run bench:mcp -- [options]
  --nodes <n>      of the person whose graph is searched (default 10000)
  --rounds <n>     (default 9)
  --seconds <n>    of each measurement in a round (default 2)
  --only <part>    search or listening
  --profile        with a CPU profile of the service in .services/bench
The same search of one app by the tool and by the API, in interleaved rounds on one process; then a reader beside 500
clients that listen, and without them. The database is an embedded one, or a new and empty one that DATABASE_URL names.`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    nodes: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);
const SECONDS = Number(values.seconds);

const AIMS = { search: 1.3, heapMib: 60, p95: 1.1 };
/** Persons who listen, with as many clients each as one app may have (CALLER_STREAMS). */
const PERSONS = 50;
const CLIENTS_EACH = 10;
const NODES_EACH = 20;
/** Changes a second in the graphs to which somebody listens, in both halves of a round. */
const CHANGES_PER_SECOND = 5;
/** The fields that the tool asks the API for. */
const FIELDS = ['id', 'title', 'value', 'node_type', 'tags', 'updated_at', 'score', 'highlights'];

if (values.help) {
  console.log(HELP);
  process.exit(0);
}

interface Service extends Target {
  gauge: Gauge;
}

async function start(folder: string): Promise<Service> {
  mkdirSync(`${ROOT}.services/bench`, { recursive: true });
  const socket = join(folder, 'gauge');
  const service = await startServer({
    name: 'service',
    script: SERVICE,
    environment: {
      DATA_DIR: folder,
      DATABASE_URL: process.env['DATABASE_URL'] ?? '',
      RATE_LIMITS: 'off',
      QUOTAS_FREE: 'nodes=1000000000, relationships=1000000000, graph_bytes=100TiB',
      LOG_LEVEL: 'error',
      FAULT_GAUGE: socket,
      FAULT_CACHES: 'whole',
    },
    nodeOptions: [
      '--import',
      `${ROOT}fault/plants/gauge.mjs`,
      ...(values.profile ? ['--cpu-prof', `--cpu-prof-dir=${ROOT}.services/bench`] : []),
    ],
    readyPath: '/health/ready',
    log: logFile('mcp'),
  });
  return { ...service, gauge: new Gauge(socket) };
}

const meOf = async (port: number, headers: Headers): Promise<string> =>
  (await call(port, headers, { method: 'GET', path: '/auth/me' }))['id'] as string;

/** The ways of one search, by name: the API's, and the tool's in each revision. */
function waysOf(caller: Headers, { requests }: Question): Record<string, () => Buffer> {
  const bodies = requests.map(({ body }) => body as { query: string; limit: number });
  const inTurn = (bytes: (body: { query: string; limit: number }) => Buffer): (() => Buffer) => {
    let turn = 0;
    return () => bytes(bodies[turn++ % bodies.length]!);
  };
  const asked = { highlights: true, value_limit: 300, fields: FIELDS };
  return {
    api: inTurn((body) => requestBytes('POST', '/api/v1/nodes/search', caller, { ...body, ...asked })),
    ...Object.fromEntries(ERAS.map((era) => [era, inTurn((body) => toolCall(era, caller, 'search', body))])),
  };
}

/** @throws where two ways of a search give other nodes */
async function requireSameHits(port: number, ways: Record<string, () => Buffer>): Promise<void> {
  const hits = new Set<string>();
  for (const next of Object.values(ways)) {
    const connection = new Connection(port);
    const answer = JSON.parse((await connection.send(next())).body.toString('utf8')) as {
      nodes?: { id: string }[];
      result?: { structuredContent: { results: { id: string }[] } };
    };
    connection.close();
    hits.add(JSON.stringify((answer.nodes ?? answer.result?.structuredContent.results)?.map(({ id }) => id)));
  }
  if (hits.size !== 1 || hits.has('[]')) throw new Error(`the ways differ: ${[...hits].join(' ')}`);
}

interface Turns {
  /** Milliseconds of each request. */
  times: number[];
  /** Milliseconds of the service's processor time for all of them. */
  used: number;
}

/** The requests of each way take turns, ten by ten, so that other work on the machine meets all alike. */
async function inTurns(
  { port, pid }: Target,
  ways: Record<string, () => Buffer>,
): Promise<Record<string, Turns>> {
  const connection = new Connection(port);
  const turns: Record<string, Turns> = {};
  for (const until = performance.now() + SECONDS * 1000; performance.now() < until;)
    for (const [way, next] of Object.entries(ways)) {
      const own = (turns[way] ??= { times: [], used: 0 });
      const before = processorTime(pid);
      for (let n = 0; n < 10; n++) {
        const begun = performance.now();
        const { status } = await connection.send(next());
        if (status !== 200) throw new Error(`${way} answered ${status}`);
        own.times.push(performance.now() - begun);
      }
      own.used += processorTime(pid) - before;
    }
  connection.close();
  return turns;
}

async function measureSearch(
  service: Target,
  name: string,
  ways: Record<string, () => Buffer>,
): Promise<void> {
  await requireSameHits(service.port, ways);
  // The first round warms up.
  await inTurns(service, ways);
  const rounds: Record<string, Turns>[] = [];
  while (rounds.length < ROUNDS) rounds.push(await inTurns(service, ways));
  for (const way of Object.keys(ways)) {
    const p50 = (round: Record<string, Turns>, of = way): number => median(round[of]?.times ?? []);
    const used = (round: Record<string, Turns>, of = way): number =>
      (round[of]?.used ?? NaN) / (round[of]?.times.length ?? NaN);
    const mine = `${name}, ${way}: p50 ${median(rounds.map((round) => p50(round))).toFixed(2)} ms, processor ${median(rounds.map((round) => used(round))).toFixed(2)} ms`;
    if (way === 'api') console.log(mine);
    else {
      const ratios = rounds.map((round) => p50(round) / p50(round, 'api'));
      const costs = rounds.map((round) => used(round) / used(round, 'api'));
      console.log(
        `${mine}; p50 ${judged('÷ API', ratios, AIMS.search)}; processor ÷ API ${median(costs).toFixed(2)}`,
      );
    }
  }
}

function judged(what: string, ratios: number[], aim: number): string {
  const found = median(ratios);
  const range = `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`;
  return `${what} ${found.toFixed(2)} (${range}), aim ${aim}: ${found <= aim ? 'reached' : 'MISSED'}`;
}

/** Persons with a small graph each, and what the app and they call by. */
async function audience(port: number, developer: Headers): Promise<{ apps: Headers[]; persons: Headers[] }> {
  const app = await App.register(port, developer);
  const persons: Headers[] = [];
  const apps: Headers[] = [];
  for (let index = 0; index < PERSONS; index++) {
    const account = {
      username: `listener${index}`,
      email: `listener${index}@example.org`,
      password: 'correct horse battery',
    };
    const { access_token } = await call(port, {}, { method: 'POST', path: '/auth/register', body: account });
    const person = { Authorization: `Bearer ${String(access_token)}` };
    const nodes = Array.from({ length: NODES_EACH }, (_, n) => ({ title: `note ${n}`, node_type: 'note' }));
    await call(port, person, { method: 'POST', path: '/nodes/batch', body: { nodes } });
    persons.push(person);
    apps.push(await app.authorizedBy(person, await meOf(port, person)));
  }
  return { apps, persons };
}

const openAll = (port: number, apps: Headers[]): Promise<Listener[]> =>
  Promise.all(
    apps.map(async (app) => {
      const own: Listener[] = [];
      while (own.length < CLIENTS_EACH) own.push(await Listener.open(port, app));
      return own;
    }),
  ).then((all) => all.flat());

/** One half of a round: others read beside the listeners, while some of the graphs change. */
async function beside(port: number, persons: Headers[], next: () => Buffer): Promise<Sample> {
  let turn = 0;
  const change = () =>
    requestBytes('POST', '/api/v1/nodes', persons[turn++ % persons.length]!, {
      title: `change ${performance.now()}`,
      node_type: 'note',
    });
  const changes = trickle({ port, status: 201, next: change }, CHANGES_PER_SECOND);
  const sample = await drive({ port, connections: 1, seconds: SECONDS * 2, status: 200, next });
  await changes.stop();
  return sample;
}

async function measureListening({ port, gauge }: Service, developer: Headers, next: () => Buffer) {
  const { apps, persons } = await audience(port, developer);
  // Caches of all these callers are filled before the heap is read.
  for (const one of await openAll(port, apps)) await one.close();
  await beside(port, persons, next);
  const grown: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await beside(port, persons, next);
    const { heapUsed } = await gauge.read();
    const listeners = await openAll(port, apps);
    grown.push(((await gauge.read()).heapUsed - heapUsed) / MIB);
    const crowded = await beside(port, persons, next);
    ratios.push(crowded.p95 / alone.p95);
    const heard = listeners.reduce((sum, one) => sum + one.heard, 0);
    if (heard === 0) throw new Error('the listeners heard nothing');
    await Promise.all(listeners.map((one) => one.close()));
    console.log(
      `round ${round + 1}: ${listeners.length} listen, ${heard} announcements, heap ${grown.at(-1)!.toFixed(1)} MiB more; ` +
        `p50 ${alone.p50.toFixed(2)} → ${crowded.p50.toFixed(2)}, p95 ${alone.p95.toFixed(2)} → ${crowded.p95.toFixed(2)} ms`,
    );
  }
  const most = median(grown);
  console.log(
    `heap of ${PERSONS * CLIENTS_EACH} listening clients: ${most.toFixed(1)} MiB, aim ${AIMS.heapMib}: ${most <= AIMS.heapMib ? 'reached' : 'MISSED'}`,
  );
  console.log(judged("others' p95 beside them ÷ without", ratios, AIMS.p95));
}

const folder = mkdtempSync(join(tmpdir(), 'pig-mcp-'));
try {
  const service = await start(folder);
  const { port } = service;
  const graph = await FindingGraph.write(port, Number(values.nodes), 0);
  const app = await App.register(port, graph.headers);
  const caller = await app.authorizedBy(graph.headers, await meOf(port, graph.headers));
  const questions = graph.questions().slice(0, 3);
  console.log(
    `${values.nodes} nodes, ${process.env['DATABASE_URL'] ? 'PostgreSQL' : 'PGlite'}, ${ROUNDS} rounds of ${SECONDS} s, ` +
      `load before ${(loadavg()[0] ?? NaN).toFixed(1)}`,
  );
  if (values.only !== 'listening')
    for (const question of questions) await measureSearch(service, question.name, waysOf(caller, question));
  if (values.only !== 'search')
    await measureListening(service, graph.headers, waysOf(caller, questions[0]!)['api']!);
  await service.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
