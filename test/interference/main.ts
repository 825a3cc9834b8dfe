import { compare } from './comparison.js';
import { tells, time } from './timing.js';
import { Twins } from './twins.js';

// npm run fuzz:leaks (scripts/fuzz-leaks.mjs): RUNS pairs compared, or TIMING pairs a route timed, from SEED on.
const seed = Number(process.env.SEED);
const timed = Number(process.env.TIMING ?? 0);
const say = (text: string): void => console.log(`${new Date().toISOString()} seed ${seed}: ${text}`);

async function timing(twins: Twins): Promise<number> {
  const routes = await time(twins, { seed, pairs: timed, say });
  return routes.length > 20 ? routes.filter(tells).length : 1;
}

async function comparison(twins: Twins): Promise<number> {
  const findings = await compare(twins, { seed, pairs: Number(process.env.RUNS), say });
  say(`${findings.length} findings`);
  return findings.length;
}

const twins = await Twins.start();
try {
  process.exitCode = (await (timed > 0 ? timing(twins) : comparison(twins))) === 0 ? 0 : 1;
} finally {
  await twins.stop();
}
