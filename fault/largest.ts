import { join } from 'node:path';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { FullAccount, type Sizes } from '../test/largest/full-account.js';
import { documentedOperations } from '../test/largest/operations.js';
import { Storm } from '../test/largest/storm.js';
import { Chance } from '../test/properties/random.js';
import { PUBLIC_URL } from '../test/largest/log-in-preparations.js';
import { Mailbox } from '../test/support/mailbox.js';
import { type Report, type Sample } from './largest/bystander.js';
import { Bystander } from './support/bystander-thread.js';
import { Hangers } from './largest/hangers.js';
import { quantile, Rig, run } from './support/rig.js';
import { preload, ROOT, Stack } from './support/stack.js';

/**
 * `npm run fault:largest`: an account filled to each documented limit, and then every operation of
 * openapi.json on it, 16 at once, beside slow bodies, answers that are not read and streams. Meanwhile a
 * second person sends common reads, and a probe checks that the service is alive. `--embedded 1`: the
 * embedded database, in the same process. The planted fault is one of five (`--fault 0` to 4): pages without
 * a budget of bytes, transformations that do not yield, lists of ids that are not hashed, refusals without
 * Retry-After, and no SMTP server, without which no letter can be requested. Each must break its own promise,
 * not any other.
 * Times exclude waiting for a processor used by others, unless `--raw 1`.
 */
const rig = new Rig('largest', {
  large: 44,
  small: 2_000,
  versions: 16,
  edges: 1_200,
  vectors: 200,
  files: 2,
  scopes: 50,
  rounds: 2,
  callers: 16,
  embedded: 0,
  raw: 0,
  fault: 0,
});
const HEALTH_MS = 200;
const OTHERS_P99_MS = 500;
const RESIDENT_MIB = 600;
/** The removed bound of each `--fault`, and the promises that its removal breaks. */
const FAULTS: [name: string, broken: RegExp][] = [
  ['pages', /resident/],
  ['transformations', /health|p99/],
  ['ids', /health|p99/],
  ['refusals', /answers that fail/],
  ['letters', /never fulfilled/],
];
const stack = new Stack();
const mailbox = await Mailbox.start();

const msOf = ({ ms, unscheduled }: Sample): number => (rig.option('raw') === 1 ? ms : ms - unscheduled);

function environment({ settings }: Mailbox): Record<string, string> {
  if (!rig.isPlanted) return settings;
  const [fault, broken] = FAULTS[rig.option('fault')] ?? [];
  if (fault === undefined || broken === undefined) throw new Error(`--fault is 0 to ${FAULTS.length - 1}`);
  rig.sought = broken;
  if (fault === 'letters') return { PUBLIC_URL };
  return { ...settings, NODE_OPTIONS: preload('unbounded'), FAULT_UNBOUNDED: fault };
}

function tell(when: string, { samples, residentMib }: Report): void {
  const load = loadavg()[0]?.toFixed(1);
  rig.say(`${when}: resident ${residentMib.toFixed(0)} MiB at most, load ${load}`);
  for (const what of new Set(samples.map((sample) => sample.what))) {
    const those = samples.filter((sample) => sample.what === what);
    const figures = [0.5, 0.99, 1].map((share) =>
      [those.map(msOf), those.map(({ ms }) => ms)]
        .map((values) => quantile(values, share).toFixed(0))
        .join(' of '),
    );
    const refused = those.filter(({ status }) => status !== 200).length;
    rig.say(
      `  ${what}: ${those.length} times, p50 ${figures[0]}, p99 ${figures[1]}, most ${figures[2]} ms, ${refused} not 200`,
    );
  }
}

function judge(when: string, { samples, residentMib }: Report): void {
  const health = samples.filter(({ what }) => what === 'health');
  const slow = health.filter((sample) => msOf(sample) > HEALTH_MS);
  rig.expectNone(
    `${when}: answers of /health/live after more than ${HEALTH_MS} ms`,
    slow.map((sample) => `${msOf(sample).toFixed(0)} ms`),
  );
  const theirs = samples.filter(({ what }) => what !== 'health');
  const p99 = quantile(theirs.map(msOf), 0.99);
  rig.expect(`${when}: a second person's p99 is ${p99.toFixed(0)} ms`, p99 <= OTHERS_P99_MS);
  const refused = samples.filter(({ status }) => status !== 200);
  rig.expectNone(
    `${when}: refusals of the second person`,
    refused.map(({ what, status }) => `${what} ${status}`),
  );
  rig.expect(`${when}: ${residentMib.toFixed(0)} MiB resident`, residentMib <= RESIDENT_MIB);
}

function tellStorm(storm: Storm): void {
  const { asked } = storm;
  const count = (of: (status: number) => boolean): number => asked.filter(({ status }) => of(status)).length;
  rig.say(
    `${asked.length} requests, ${count((status) => status < 300)} yes, ${count((status) => status >= 400 && status < 500)} refused, ${count((status) => status === 503)} put off`,
  );
  const slowest = [...asked].sort((a, b) => b.ms - a.ms).slice(0, 12);
  for (const { operation, caller, status, ms, bytes } of slowest)
    rig.say(`  ${operation} by ${caller}: ${status}, ${ms.toFixed(0)} ms, ${(bytes / 1024).toFixed(0)} KiB`);
}

const clear = async (): Promise<void> => {
  await stack.clear();
  await mailbox.goDown();
};
await run(rig, { clear }, async () => {
  if (rig.option('embedded') === 0) await stack.startPostgres();
  const settings = environment(mailbox);
  const server = await stack.serve({ DEFAULT_TIER: 'enterprise', ...settings });
  const begun = performance.now();
  const sizes = rig.options as unknown as Sizes;
  const account = await FullAccount.fill(server.origin, sizes, 'SMTP_URL' in settings ? mailbox : null);
  rig.say(
    `filled in ${((performance.now() - begun) / 1000).toFixed(0)} s; its archive has ${(account.archive.length / 2 ** 20).toFixed(1)} MiB`,
  );
  const bystander = new Bystander(server.origin, server.pid as number);
  await bystander.ready();
  await sleep(5_000);
  tell('before', await bystander.report());
  const hangers = new Hangers(account);
  const storm = new Storm(account, documentedOperations(join(ROOT, 'docs/openapi.json')));
  const chance = new Chance(rig.option('seed'));
  try {
    for (let round = 1; round <= rig.option('rounds'); round++) {
      await storm.round(chance, rig.option('callers'));
      const report = await bystander.report();
      tell(`round ${round}`, report);
      judge(`round ${round}`, report);
      if (server.hasEnded) throw new Error(`the service has ended: ${server.stderr.slice(-2_000)}`);
    }
    hangers.end();
    // Only requested operations are judged; without load all of them succeed.
    const unfulfilled = await storm.unfulfilledWhenCalm();
    for (const line of unfulfilled) rig.say(`  never fulfilled: ${line}`);
    rig.expectNone(
      'operations that were never fulfilled',
      unfulfilled.map((line) => line.replace(/:.*/, '')),
    );
    await bystander.report();
    await (await account.owner.client()).delete('/auth/me', { password: 'correct horse battery' });
    const report = await bystander.report();
    tell('erasure', report);
    judge('erasure', report);
  } finally {
    hangers.end();
    storm.close();
    await bystander.end();
  }
  tellStorm(storm);
  rig.expectNone('answers that fail', storm.wrong);
  for (const line of storm.wrong.slice(0, 20)) rig.say(`  ${line}`);
});
