// Makes the console (console/) for browsers: one script, one style sheet and one picture, named by hashes of their
// contents, and the page that names them.
import { build } from 'esbuild';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const optionsFor = (folder) => ({
  entryPoints: ['console/src/main.tsx', 'console/src/style.css', 'console/src/icon.svg'],
  tsconfig: 'console/tsconfig.json',
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  minify: true,
  legalComments: 'none',
  loader: { '.svg': 'copy' },
  outdir: `${folder}/assets`,
  entryNames: '[name]-[hash]',
  metafile: true,
  logLevel: 'warning',
  plugins: [{ name: 'page', setup: ({ onEnd }) => onEnd(({ metafile }) => writePage(folder, metafile)) }],
});

/** The page with the names of the built files in the place of those of their sources. */
function writePage(folder, metafile) {
  if (metafile === undefined) return;
  let page = readFileSync('console/index.html', 'utf8');
  for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) {
    const source = entryPoint ?? (file.endsWith('.svg') ? 'console/src/icon.svg' : null);
    if (source !== null) page = page.replace(source.replace('console/', ''), `assets/${basename(file)}`);
  }
  if (page.includes('"src/')) throw new Error('console/index.html names a file that is not built');
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/index.html`, page);
}

/** @param folder receives the page and its files; others in it stay */
export const buildConsole = (folder) => build(optionsFor(folder));
