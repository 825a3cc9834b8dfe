import { Twins } from '../interference/twins.js';
import { compare } from './comparison.js';
import { plant, PLANTS } from './plants.js';

// npm run fuzz:mcp (scripts/fuzz-mcp.mjs): PAIRS compared, from SEED on; PLANT: with a fault in the tools.
const seed = Number(process.env.SEED);
const say = (text: string): void => console.log(`${new Date().toISOString()} seed ${seed}: ${text}`);

const twins = await Twins.start();
try {
  const fault = PLANTS.find(({ name }) => name === process.env.PLANT);
  if (fault === undefined && process.env.PLANT) throw new Error(`there is no plant ${process.env.PLANT}`);
  if (fault !== undefined) await plant(twins, fault);
  const findings = await compare(twins, { seed, pairs: Number(process.env.PAIRS), say });
  say(`${findings.length} differences`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await twins.stop();
}
