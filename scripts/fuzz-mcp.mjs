// npm run fuzz:mcp -- [pairs] [--plant unasked]: random calls by MCP beside the requests to the API that they stand for, by
// random callers of random graphs in two worlds that are alike.
// --plant: with a fault put into a tool (test/equality/plants.ts), which must be found.
// SEED repeats a run, LANES is the number of processes (each begins a million seeds after the one before);
// TEST_DATABASE_URL runs it on PostgreSQL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { build, install } from './prepare.mjs';

install();
build();
const { buildLeaks } = await import('./build-leaks.mjs');
const given = process.argv.slice(2).find((argument) => /^\d+$/.test(argument));
const seed = Number(process.env.SEED ?? randomInt(2 ** 30));
const lanes = Number(process.env.LANES ?? '1');
const work = { PAIRS: String(Math.ceil(Number(given ?? 20_000) / lanes)) };
const plant = process.argv.indexOf('--plant');
if (plant !== -1) work.PLANT = process.argv[plant + 1] ?? '';
console.log(`${JSON.stringify(work)} SEED=${seed} LANES=${lanes}`);
const root = await buildLeaks();
const ends = Array.from({ length: lanes }, async (_, lane) => {
  const env = { ...process.env, ...work, SEED: String(seed + lane * 1_000_000) };
  const rig = spawn(process.execPath, ['test/equality/main.js'], { stdio: 'inherit', cwd: root, env });
  const [status] = await once(rig, 'exit');
  return status ?? 1;
});
process.exit(Math.max(...(await Promise.all(ends))));
