import { compare } from './comparison.js';
import { INNER_PLANTS } from './inner-plants.js';
import { timeInner } from './inner-timing.js';
import { plant, PLANTS } from './plants.js';
import { runStory } from './stories.js';
import { INNER_SUBJECTS } from './inner-subjects.js';
import { type Subject } from './subjects.js';
import { tells, time } from './timing.js';
import { Twins } from './twins.js';

// npm run fuzz:leaks (scripts/fuzz-leaks.mjs): RUNS pairs compared, or TIMING pairs for each route timed, from SEED on;
// INNER: worlds that differ within visible nodes, for all inner subjects or for those named (comma).
const seed = Number(process.env.SEED);
const timed = Number(process.env.TIMING ?? 0);
const inner = process.env.INNER;
const subjects =
  inner === undefined ? {} : { subjects: inner === '' ? INNER_SUBJECTS : (inner.split(',') as Subject[]) };
const say = (text: string): void => console.log(`${new Date().toISOString()} seed ${seed}: ${text}`);

async function timing(twins: Twins): Promise<number> {
  if (inner !== undefined)
    return (await timeInner(twins, { seed, pairs: timed, say, ...subjects })).filter(tells).length;
  const routes = await time(twins, { seed, pairs: timed, say });
  return routes.length > (process.env.ONLY === undefined ? 20 : 0) ? routes.filter(tells).length : 1;
}

/** Runs with a fault in both services, as the subject and with the operations that reveal it. */
async function planted(twins: Twins, name: string): Promise<number> {
  const fault = [...PLANTS, ...INNER_PLANTS].find((one) => one.name === name);
  if (fault === undefined) throw new Error(`there is no plant ${name}`);
  await plant(twins.worlds, fault);
  const { subject, only } = fault;
  const { finding, pairs } = await runStory(twins, { subject, only, seed, most: Number(process.env.RUNS) });
  say(finding ?? `${pairs} pairs: "${fault.fault}" is not found`);
  return finding === null ? 0 : 1;
}

async function comparison(twins: Twins): Promise<number> {
  const name = process.env.PLANT;
  if (name !== undefined) return planted(twins, name);
  const findings = await compare(twins, { seed, pairs: Number(process.env.RUNS), say, ...subjects });
  say(`${findings.length} findings`);
  return findings.length;
}

const twins = await Twins.start();
try {
  process.exitCode = (await (timed > 0 ? timing(twins) : comparison(twins))) === 0 ? 0 : 1;
} finally {
  await twins.stop();
}
