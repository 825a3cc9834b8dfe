import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Chance } from '../test/properties/random.js';
import { type Weighed } from './soak/deed.js';
import { everydayDeeds } from './soak/everyday-deeds.js';
import { Gauge, median, MIB, quarter, type Reading, slope } from './soak/gauge.js';
import { hostileDeeds } from './soak/hostile-deeds.js';
import { Load } from './soak/load.js';
import { rareDeeds } from './soak/rare-deeds.js';
import { PASSWORD, Resident, type Town } from './soak/resident.js';
import { Receivers } from './support/receivers.js';
import { quantile, Rig, run, times } from './support/rig.js';
import { preload, Stack } from './support/stack.js';

/**
 * `npm run fault:soak`: people register, do everything that can be done, and leave, at a fixed rate of requests for any
 * time, on PostgreSQL, Redis and S3, with active limits and receivers of webhooks that sometimes fail. The memory of
 * the process after a garbage collection must not be larger in the last quarter than in the second (the first warms
 * up), and no answer may be wrong. The planted fault remembers every request. `--snapshots 1` writes heap snapshots at
 * the end of the second quarter and at the end, to be compared.
 */
const rig = new Rig('soak', { minutes: 60, rate: 60, residents: 24, life: 120, snapshots: 0 });
/** A garbage collection costs a tenth of a second: not too often. */
const SAMPLES = Math.min(120, 4 * Math.max(2, Math.round(rig.option('minutes') * 2)));
/** The share by which the last quarter may exceed the second. */
const GROWTH = 0.1;
/** The allowed growth in sockets, timers and connections. */
const MORE = 8;
const DEEDS: readonly Weighed[] = [...everydayDeeds, ...rareDeeds, ...hostileDeeds];
const WHOLE = DEEDS.reduce((sum, [weight]) => sum + weight, 0);
const stack = new Stack();
const chance = new Chance(rig.option('seed'));

interface Sample extends Reading {
  connections: number;
}

function draw(): Weighed[1] {
  let left = (chance.below(1_000_000) / 1_000_000) * WHOLE;
  for (const [weight, deed] of DEEDS) if ((left -= weight) < 0) return deed;
  return DEEDS[0]![1];
}

/** A place in which one person after the other lives. Half of them leave nothing behind. */
async function inhabit(town: Town, place: number): Promise<void> {
  while (!town.load.isOver) {
    const who = await Resident.arrive(town);
    town.residents[place] = who;
    await who.settle();
    const life = chance.below(2 * rig.option('life'));
    for (let day = 0; day < life && !town.load.isOver; day++) await draw()(who);
    who.hasLeft = true;
    if (chance.once(2)) {
      await who.proves();
      await who.does('DELETE /auth/me', { password: PASSWORD });
    }
  }
}

async function watch(gauge: Gauge, load: Load): Promise<Sample[]> {
  const samples: Sample[] = [];
  const begun = performance.now();
  const step = (rig.option('minutes') * 60_000) / SAMPLES;
  for (let nth = 1; nth <= SAMPLES; nth++) {
    await sleep(Math.max(0, begun + nth * step - performance.now()));
    const [row] = await stack.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database()`,
    );
    const sample = { ...(await gauge.read()), connections: row?.count ?? 0 };
    samples.push(sample);
    if (nth % Math.ceil(SAMPLES / 24) === 0) tell(sample, load, (performance.now() - begun) / 60_000);
    if (rig.option('snapshots') > 0 && [SAMPLES / 2, SAMPLES].includes(nth))
      await gauge.snapshot(`/tmp/pig-soak-${nth}.heapsnapshot`);
  }
  return samples;
}

const handlesOf = ({ handles }: Sample): number =>
  Object.values(handles).reduce((sum, count) => sum + count, 0);

let told = 0;
function tell(sample: Sample, load: Load, minutes: number): void {
  const mib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
  const { delays } = load;
  load.delays = [];
  rig.say(
    `${minutes.toFixed(1)} min: resident ${mib(sample.rss)}, heap ${mib(sample.heapUsed)} of ${mib(sample.heapTotal)}, external ${mib(sample.external)}, ` +
      `${handlesOf(sample)} handles, ${sample.connections} connections, lag p99 ${sample.lag.p99.toFixed(0)} max ${sample.lag.max.toFixed(0)} ms; ` +
      `${load.sent} requests (p50 ${quantile(delays, 0.5).toFixed(0)}, p99 ${quantile(delays, 0.99).toFixed(0)} ms), ` +
      `${load.limited} limited, ${load.wrong.size} kinds of wrong answers`,
  );
  for (const line of load.faults.slice(told)) rig.say(`  ${line}`);
  told = load.wrong.size;
}

function judge(samples: Sample[]): void {
  const figures: [what: string, of: (sample: Sample) => number, allowed: (before: number) => number][] = [
    ['resident', ({ rss }) => rss / MIB, (before) => before * (1 + GROWTH)],
    ['heap', ({ heapUsed }) => heapUsed / MIB, (before) => before * (1 + GROWTH)],
    ['external', ({ external }) => external / MIB, (before) => before * (1 + GROWTH)],
    ['handles', handlesOf, (before) => before + MORE],
    ['connections', ({ connections }) => connections, (before) => before + MORE],
  ];
  for (const [what, of, allowed] of figures) {
    const values = samples.map(of);
    const [before, after] = [median(quarter(values, 1)), median(quarter(values, 3))];
    const rise = slope(values.slice(SAMPLES / 4)) * SAMPLES * (60 / rig.option('minutes'));
    const line = `${what}: ${before.toFixed(1)} in the second quarter, ${after.toFixed(1)} in the last, ${rise.toFixed(1)} an hour`;
    rig.say(line);
    rig.expect(`grows: ${line}`, after <= allowed(before));
  }
}

await run(rig, stack, async () => {
  await stack.startPostgres();
  await stack.startRedis();
  const s3 = await stack.startS3();
  let calls = 0;
  const receivers = await Receivers.start(() => {
    calls += 1;
    return chance.once(20) ? chance.pick([500, 'reset' as const]) : 204;
  });
  const socket = join(stack.folder, 'gauge.sock');
  const { origin } = await stack.serve({
    ...s3,
    RATE_LIMITS: 'on',
    DEFAULT_TIER: 'enterprise',
    TRUST_PROXY: '1',
    WEBHOOK_RETRY_SECONDS: '2,5,10',
    FAULT_GAUGE: socket,
    NODE_OPTIONS: `${preload('gauge')}${rig.isPlanted ? ` ${preload('forgets-nothing')}` : ''}`,
  });
  const load = new Load(origin, rig.option('rate'));
  const town: Town = { load, chance, receiver: (number) => receivers.url(number), residents: [] };
  const begun = performance.now();
  const broken: string[] = [];
  const lives = times(rig.option('residents'), (place) =>
    inhabit(town, place).catch((error: Error) => void broken.push(String(error.stack))),
  );
  const samples = await watch(new Gauge(socket), load);
  load.isOver = true;
  await Promise.all(lives);
  load.close();
  await receivers.stop();
  const seconds = (performance.now() - begun) / 1_000;
  rig.say(
    `${load.sent} requests in ${seconds.toFixed(0)} s (${(load.sent / seconds).toFixed(1)} a second), ` +
      `${load.done.size} operations, ${load.done.get('POST /auth/register') ?? 0} people, ${calls} calls to receivers, ${load.limited} limited`,
  );
  judge(samples);
  rig.expectNone('kinds of answers that are wrong', load.faults);
  for (const line of load.faults) rig.say(`  ${line}`);
  rig.expectNone('lives that broke off', broken);
});
