/**
 * From the compiled sources (build/) what is served (dist/): a start that opens a few files instead of three thousand
 * takes half the time. Each entry stands where its source does, so that paths relative to it hold.
 */
import { build } from 'esbuild';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { withoutInferredNames } from './inferred-names.mjs';

/**
 * Native code, files read at run time, what has to run before everything else (shared files run in no given order), what
 * the rigs of faults put something else in the place of, or doors to databases and transports that this service does
 * not have.
 */
const LEFT_OUT = [
  '@electric-sql/*',
  '@node-rs/*',
  'bull',
  'ioredis',
  'swagger-ui-dist',
  'reflect-metadata',
  'pg',
  'lru-cache',
  'pg-native',
  '@fastify/*',
  '@nestjs/microservices',
  '@nestjs/websockets',
];
/** CommonJS packages ask for these names. */
const BANNER = `import * as $module from 'node:module';
import * as $path from 'node:path';
import * as $url from 'node:url';
const require = $module.createRequire(import.meta.url);
const __filename = $url.fileURLToPath(import.meta.url);
const __dirname = $path.dirname(__filename);`;

const options = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Classes are known by their names: to Nest, to TypeORM and in OpenAPI.
  keepNames: true,
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  sourcesContent: false,
  banner: { js: BANNER },
  external: LEFT_OUT,
  logLevel: 'warning',
};

const made = 'dist.new';
rmSync(made, { recursive: true, force: true });
await build({
  ...options,
  entryPoints: ['main', 'cli/main', 'cli/demo', 'cli/write-openapi'].map((entry) => `build/${entry}.js`),
  outbase: 'build',
  outdir: made,
  splitting: true,
});
await build({
  ...options,
  entryPoints: ['build/graph/infrastructure/json-schema-worker.mjs'],
  outfile: `${made}/json-schema-worker.mjs`,
});
for (const file of readdirSync(made, { recursive: true }).filter((name) => /\.m?js$/.test(name)))
  writeServed(`${made}/${file}`);
// Whole or not at all: the one before may be serving.
rmSync('dist.old', { recursive: true, force: true });
if (existsSync('dist')) renameSync('dist', 'dist.old');
renameSync(made, 'dist');
rmSync('dist.old', { recursive: true, force: true });

/** One letter beyond Latin, of a regular expression, and V8 keeps the whole file in memory with two bytes a letter. */
function ascii(text, file) {
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // There the escape would be escaped itself.
  if (/\\[\u0080-\uffff]/.test(text)) throw new Error(`${file}: a backslash before a letter beyond ASCII`);
  return text.replace(/[\u0080-\uffff]/g, escaped);
}

function writeServed(file) {
  writeFileSync(file, ascii(withoutInferredNames(readFileSync(file, 'utf8')), file));
}
