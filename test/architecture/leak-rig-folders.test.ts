import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The folders that `npm run fuzz:leaks` copies (scripts/build-leaks.mjs). */
const FOLDERS = [
  ...(/FOLDERS = \[(.*?)\]/s.exec(readFileSync('scripts/build-leaks.mjs', 'utf8'))?.[1] ?? '').matchAll(
    /'(.*?)'/g,
  ),
].map(([, folder]) => folder as string);

/** Imports of modules outside the folders, each as "file: import". */
const outsideOf = (folders: readonly string[], file: string, text: string): string[] =>
  [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
    .map(([, path]) => normalize(join(dirname(file), path as string)))
    .filter((path) => !folders.some((folder) => path.startsWith(`${folder}/`)))
    .map((path) => `${file}: ${path}`);

describe('npm run fuzz:leaks', () => {
  it('modules that the leak rig copies import only modules that it copies, too', () => {
    const files = FOLDERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    ).filter((file) => file.endsWith('.ts') && !/\.(test|spec)\.ts$/.test(file));
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap((file) => outsideOf(FOLDERS, file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('a planted import of a module that the leak rig does not copy is found', () => {
    const planted = "import { a } from '../identity/step-up.js';\nimport { b } from './client.js';";
    expect(outsideOf(FOLDERS, 'test/support/planted.ts', planted)).toEqual([
      'test/support/planted.ts: test/identity/step-up.js',
    ]);
  });
});
