// npm run fuzz:leaks -- [pairs] [--timing] [--inner]: the same requests to two worlds that differ only in what is hidden from
// one caller.
// --inner: they differ only in hidden fields of nodes that the caller sees (--inner=masked app,typed app for some callers).
// --plant F1: with a fault put into both services (test/interference/plants.ts, inner-plants.ts), which must be found.
// --timing: compares the times of hidden and of absent things, with this number of pairs for each route
// (ONLY, a pattern, chooses some). SEED repeats a run,
// LANES is the number of processes (each begins a million seeds after the one before); TEST_DATABASE_URL runs it on PostgreSQL.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { build, install } from './prepare.mjs';

install();
build();
const { buildLeaks } = await import('./build-leaks.mjs');
const isTiming = process.argv.includes('--timing');
const given = process.argv.slice(2).find((argument) => /^\d+$/.test(argument));
const seed = Number(process.env.SEED ?? randomInt(2 ** 30));
const lanes = isTiming ? 1 : Number(process.env.LANES ?? '1');
const work = isTiming
  ? { TIMING: given ?? '5000' }
  : { RUNS: String(Math.ceil(Number(given ?? 100_000) / lanes)) };
const inner = process.argv.find((argument) => argument.startsWith('--inner'));
if (inner !== undefined) work.INNER = inner.split('=')[1] ?? '';
const plant = process.argv.indexOf('--plant');
if (plant !== -1) work.PLANT = process.argv[plant + 1] ?? '';
console.log(`${JSON.stringify(work)} SEED=${seed} LANES=${lanes}`);
const root = await buildLeaks();
const ends = Array.from({ length: lanes }, async (_, lane) => {
  const env = { ...process.env, ...work, SEED: String(seed + lane * 1_000_000) };
  const rig = spawn(process.execPath, ['test/interference/main.js'], { stdio: 'inherit', cwd: root, env });
  const [status] = await once(rig, 'exit');
  return status ?? 1;
});
process.exit(Math.max(...(await Promise.all(ends))));
