// npm run dev: the service on its embedded database, compiled file by file and restarted after each change in
// src or console. Types are not checked here: the editor and `npm run typecheck` do that.
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { install } from './prepare.mjs';

install();
const { transformSync } = await import('@swc/core');
const { default: pretty } = await import('pino-pretty');
const { buildConsole } = await import('./bundle/console.mjs');

const OUT = 'build/dev';
const options = JSON.parse(readFileSync('.swcrc', 'utf8'));

/** Editors write a file in several steps, and switching a branch writes hundreds. */
const SETTLED_MS = 50;

const outputOf = (source) => join(OUT, source.slice('src/'.length).replace(/\.ts$/, '.js'));
const isSource = (path) => /\.(ts|mjs)$/.test(path) && !/\.spec\.ts$/.test(path);

function compile(source) {
  const output = outputOf(source);
  if (!statSync(source, { throwIfNoEntry: false })) return rmSync(output, { force: true });
  mkdirSync(dirname(output), { recursive: true });
  if (source.endsWith('.mjs')) return copyFileSync(source, output);
  const { code } = transformSync(readFileSync(source, 'utf8'), {
    ...options,
    filename: source,
    swcrc: false,
  });
  writeFileSync(output, code);
}

/** @returns false if one of them cannot be compiled: the running service stays as it was */
function compileAll(sources) {
  try {
    for (const source of sources) compile(source);
    return true;
  } catch (error) {
    console.error(error.message);
    return false;
  }
}

/** @returns false if it cannot be built: its files stay as they were */
const builtConsole = () =>
  buildConsole('dist/console').then(
    () => true,
    () => false,
  );

const log = pretty({ colorize: process.stdout.isTTY, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' });
let service = null;

/** The embedded database accepts only one process, so the new one starts after the old one has ended. */
async function restart() {
  const begun = performance.now();
  if (service !== null && service.exitCode === null) {
    const ended = new Promise((done) => service.once('exit', done));
    service.kill('SIGTERM');
    await ended;
  }
  service = spawn(process.execPath, ['--enable-source-maps', `${OUT}/main.js`, ...process.argv.slice(2)], {
    stdio: ['inherit', 'pipe', 'inherit'],
    // From Node 22 on, a restart finds the code of unchanged modules compiled.
    env: { NODE_COMPILE_CACHE: 'build/dev-code', ...process.env },
  });
  service.stdout.on('data', (data) => {
    log.write(data);
    if (data.includes('Swagger UI')) console.error(`ready after ${Math.round(performance.now() - begun)} ms`);
  });
}

rmSync(OUT, { recursive: true, force: true });
const sources = readdirSync('src', { recursive: true }).map((name) => join('src', name));
if (!compileAll(sources.filter(isSource)) || !(await builtConsole())) process.exit(1);

let changed = new Set();
let timer = null;
let restarting = restart();
watch('src', { recursive: true }, (_, name) => {
  if (name === null || !isSource(name)) return;
  changed.add(join('src', name));
  clearTimeout(timer);
  timer = setTimeout(() => {
    const sources = [...changed];
    changed = new Set();
    restarting = restarting.then(() => (compileAll(sources) ? restart() : undefined));
  }, SETTLED_MS);
});
let consoleTimer = null;
watch('console', { recursive: true }, () => {
  clearTimeout(consoleTimer);
  consoleTimer = setTimeout(() => {
    restarting = restarting.then(async () => ((await builtConsole()) ? restart() : undefined));
  }, SETTLED_MS);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (service === null || service.exitCode !== null) process.exit(0);
    service.once('exit', () => process.exit(0));
    service.kill(signal);
  });
