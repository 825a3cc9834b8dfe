// Builds the rigs of two worlds (fuzz:leaks, fuzz:mcp) and the service in one folder, as plain modules: a third faster than under a test
// runner. The rigs' drawn ids replace every id that the service draws there.
import { transformFile } from '@swc/core';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The folders whose modules are copied; they import none outside of these. */
const FOLDERS = [
  'src',
  'test/interference',
  'test/equality',
  'test/support',
  'test/properties',
  'test/delivery',
];
/** Files and folders that the service and the rigs read beside their modules. */
const BESIDE = ['dist', 'migrations', 'package.json', 'package-lock.json', 'node_modules'];

/** @returns the folder */
export async function buildLeaks() {
  const root = resolve('build/leaks');
  rmSync(root, { recursive: true, force: true });
  for (const folder of FOLDERS)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await put(join(entry.parentPath ?? entry.path, entry.name), root);
  for (const name of BESIDE) symlinkSync(resolve(name), join(root, name));
  const ids = join(root, 'src/kernel/ids.js');
  renameSync(ids, join(root, 'src/kernel/ids-by-chance.js'));
  writeFileSync(
    ids,
    `export * from './ids-by-chance.js';
export { drawnId as newId } from '../../test/interference/drawn-ids.js';
`,
  );
  return root;
}

async function put(file, root) {
  if (/\.(test|spec)\.ts$/.test(file)) return;
  const target = join(root, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  if (!file.endsWith('.ts')) return cpSync(file, target);
  writeFileSync(target, (await transformFile(file)).code);
}
