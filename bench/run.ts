import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { checkAnswers } from './check.js';
import { type Copies, type Kind, logFile, prepare, SERVICE } from './dataset/databases.js';
import { owners } from './dataset/world.js';
import { median } from './load/drive.js';
import { measure, scale, type Settings } from './measure.js';
import { type Operation, OPERATIONS, type Subject } from './operations.js';
import { type Options, readOptions } from './options.js';
import { measureRecall } from './recall.js';
import { asMarkdown, type Result } from './report.js';
import { makeCallers } from './targets/callers.js';
import { memory, ROOT, startServer, type Target } from './targets/process.js';

/** Settings under which limits are checked but not reached. */
const FAR_AWAY = { RATE_LIMITS: 'off', QUOTAS_FREE: 'nodes=1000000000, graph_bytes=100TiB' };
const OUT = `${ROOT}.services/bench`;

async function run(database: Kind, options: Options): Promise<Result> {
  const copies = await prepare(database, options);
  const environment = { ...copies('service'), ...FAR_AWAY, LOG_LEVEL: options.logLevel };
  const service = await startService(environment, options);
  const references = options.against
    ? [await startOther(copies, options.against)]
    : await startReferences(database, copies, options);
  const subjects = await makeCallers(service.port, owners(options.seed, options.size), options.size);
  await checkAnswers([service, ...references], subjects);
  const settings: Settings = options;
  const result: Result = {
    database,
    seed: options.seed,
    settings: { ...options, cores: cpus().length, node: process.version },
    measured: [],
    scale: null,
    startTimes: [],
    memory: null,
    recalls: options.operations.some((name) => name.startsWith('vector'))
      ? await measureRecall([service, ...references], [subjects[0] as Subject, subjects.at(-1) as Subject])
      : [],
  };
  for (const operation of OPERATIONS.filter(({ name }) => options.operations.includes(name))) {
    process.stderr.write(`${operation.name} `);
    // The big graph has a row of its own; the others are alike.
    const chosen = operation.subjects === 'big' ? subjects.slice(-1) : subjects.slice(0, -1);
    result.measured.push(await measure(operation, [service, ...references], chosen, settings));
    if (operation.name === 'list') result.scale = await bothScales(service, subjects, settings);
  }
  result.memory = memory(service.pid);
  for (const target of [service, ...references]) await target.stop();
  result.startTimes = await startTimes(environment, subjects[0] as Subject, options);
  process.stderr.write('\n');
  return result;
}

const startService = (environment: Record<string, string>, options: Options): Promise<Target> =>
  startServer({
    name: 'service',
    script: SERVICE,
    environment,
    readyPath: '/health/ready',
    log: logFile('service'),
    nodeOptions: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${OUT}`] : [],
  });

/** A second process of the service on a copy of the data, with one setting of its own. */
const startOther = (copies: Copies, { name, value }: NonNullable<Options['against']>): Promise<Target> =>
  startServer({
    name: 'other',
    script: SERVICE,
    environment: { ...copies('other'), ...FAR_AWAY, LOG_LEVEL: 'info', [name]: value },
    readyPath: '/health/ready',
    log: logFile('other'),
    nodeOptions: [],
  });

async function startReferences(database: Kind, copies: Copies, options: Options): Promise<Target[]> {
  // On the embedded database each process needs a copy of everything: there the framework-free one is left out.
  const names = options.limit && database === 'postgres' ? ['bare', 'limit'] : ['bare'];
  const targets: Target[] = [];
  for (const name of names) {
    const environment = {
      ...copies(name),
      BENCH_SEED: String(options.seed),
      BENCH_SIZE: JSON.stringify(options.size),
    };
    const script = `build/bench/bench/reference/${name}.js`;
    targets.push(await startServer({ name, script, environment, readyPath: '/', log: logFile(name) }));
  }
  return targets;
}

async function bothScales(
  service: Target,
  subjects: Subject[],
  settings: Settings,
): Promise<Result['scale']> {
  const pair = { small: subjects[0] as Subject, big: subjects.at(-1) as Subject };
  const p50 = async (name: string): Promise<number> => {
    const operation = OPERATIONS.find((each) => each.name === name) as Operation;
    const { samples } = await scale(operation, service, pair, settings);
    const [small, big] = ['small', 'big'].map((key) =>
      median((samples[key] ?? []).map((sample) => sample.p50)),
    );
    return (big as number) / (small as number);
  };
  return { unchanged: await p50('list'), written: await p50('list-written') };
}

/** The time from the start of the process to the first list that a caller gets, on the data of the run. */
async function startTimes(
  environment: Record<string, string>,
  subject: Subject,
  options: Options,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const begin = performance.now();
    const service = await startService(environment, { ...options, profile: false });
    const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1/nodes`, { headers: subject.headers });
    await answer.arrayBuffer();
    times.push(performance.now() - begin);
    if (answer.status !== 200) throw new Error(`the first list after a start answered ${answer.status}`);
    await service.stop();
  }
  return times;
}

const options = readOptions(process.argv.slice(2));
mkdirSync(OUT, { recursive: true });
for (const database of options.databases) {
  const result = await run(database, options);
  const text = asMarkdown(result);
  writeFileSync(`${OUT}/${database}.json`, JSON.stringify(result, null, 2));
  writeFileSync(`${OUT}/${database}.md`, text);
  console.log(text);
}
