// Shared by the npm scripts: dependencies as in the lock file, and a build no older than its sources.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

/** Installs when node_modules does not match the lock file. */
export function install() {
  const marker = 'node_modules/.installed';
  const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  console.error('installing dependencies …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev']);
  writeFileSync(marker, wanted);
}

/** Builds when a source is newer than the last build; for another version of Node only the bundle is made again. */
export function build() {
  // The bundle's code cache is valid for one version of Node, one processor type and one folder.
  const here = `${process.version} ${process.arch} ${root}`;
  const isWhole = existsSync('dist/.built') && existsSync('build/.tsbuildinfo');
  const sources = [
    // The other files of the client are types, or no part of the console.
    ...['src', 'console', 'clients/typescript/src/client.ts', 'scripts/bundle'],
    ...['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
  ];
  const isCurrent = isWhole && Math.max(...sources.map(newest)) <= statSync('dist/.built').mtimeMs;
  if (isCurrent && readFileSync('dist/.built', 'utf8') === here) return;
  console.error('building …');
  const begun = new Date();
  if (isCurrent) run(process.execPath, ['scripts/bundle/make.mjs']);
  else run('npm', ['run', '--silent', 'build']);
  writeFileSync('dist/.built', here);
  // A source that is saved during the build is newer than this build.
  utimesSync('dist/.built', begun, begun);
}

export async function prepare() {
  install();
  build();
}

function newest(path) {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function run(command, args) {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
