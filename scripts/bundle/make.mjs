/**
 * Makes the served bundle (dist/) from the compiled sources (build/): a start that opens a few files instead
 * of three thousand, and finds its code compiled, takes a third of the time.
 */
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './console.mjs';
import { withoutInferredNames } from './inferred-names.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
/** The entry points, by their names inside the bundle. */
const ENTRIES = {
  main: 'main',
  'cli/main': 'operator',
  'cli/demo': 'demo',
  'cli/write-openapi': 'writeOpenApi',
};
/** Modules from which a test process makes one service after another (test/support/service-host.mjs). */
const FOR_TESTS = {
  configureApp: 'configure-app',
  config: 'config/config',
  clock: 'kernel/clock',
  draining: 'kernel/http/draining',
  passwordHasher: 'identity/infrastructure/password-hasher',
};
/**
 * Modules that stay outside the bundle: native code, files read at run time, modules that the fault rigs
 * replace, drivers of databases and transports that this service does not use, and large code for few
 * requests, which each start would read.
 */
const LEFT_OUT = [
  '@node-rs/*',
  'bull',
  'ioredis',
  'nodemailer',
  '@simplewebauthn/server',
  '@modelcontextprotocol/server',
  'swagger-ui-dist',
  'pg',
  'lru-cache',
  'pg-native',
  '@fastify/*',
  '@nestjs/microservices',
  '@nestjs/websockets',
];

/** The limit for a start with its first requests, also under an emulated processor. */
const LONGEST_START_MS = 5 * 60_000;

/** The package of the embedded database finds its files beside its own modules. */
const FINDS_ITS_FILES = /node_modules[\\/](@electric-sql[\\/][^\\/]+)[\\/].*\.js$/;
const findsItsFiles = {
  name: 'finds its files',
  setup({ onLoad }) {
    onLoad({ filter: FINDS_ITS_FILES }, ({ path }) => {
      const [, name] = FINDS_ITS_FILES.exec(path);
      const url = `$urlOf('${name.replaceAll('\\', '/')}')`;
      const text = readFileSync(path, 'utf8').replaceAll('import.meta.url', url);
      // A `require` of its own hides the one that the bundler would put in place of this `import`.
      return { contents: text.replaceAll('await import("node:module")', '$module') };
    });
  },
};

const options = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Nest, TypeORM and OpenAPI use the names of classes.
  keepNames: true,
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  sourcesContent: false,
  external: LEFT_OUT,
  logLevel: 'warning',
};

const made = 'dist.new';
rmSync(made, { recursive: true, force: true });
await build({
  ...options,
  stdin: {
    contents: [...Object.entries(ENTRIES).map(([entry, name]) => [name, entry]), ...Object.entries(FOR_TESTS)]
      .map(([name, module]) => `export const ${name} = () => import('./${module}.js');`)
      .join('\n'),
    resolveDir: 'build',
  },
  outfile: `${made}/service.bundle.js`,
  format: 'cjs',
  // A script of its own has no module loader; modules outside the bundle are loaded by require.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': '$url' },
  banner: {
    js: `(function (exports, require, module, __filename, __dirname) {
'use strict';
const $url = require('node:url').pathToFileURL(__filename).href;`,
  },
  footer: { js: '})' },
});
await build({
  ...options,
  // Threads are modules of their own.
  entryPoints: [
    'build/libs/json-schema/json-schema-worker.mjs',
    'build/libs/embedded-postgres/embedded-worker.mjs',
  ],
  outdir: made,
  entryNames: '[name]',
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  plugins: [findsItsFiles],
  banner: {
    // CommonJS packages use these names.
    js: `import * as $module from 'node:module';
const require = $module.createRequire(import.meta.url);
const { fileURLToPath: $toPath, pathToFileURL: $toUrl } = require('node:url');
const __filename = $toPath(import.meta.url);
const __dirname = require('node:path').dirname(__filename);
const $urlOf = (name) => $toUrl(require.resolve(name)).href;`,
  },
});
for (const file of readdirSync(made).filter((name) => /\.m?js$/.test(name))) writeServed(`${made}/${file}`);
await buildConsole(`${made}/console`);
copyFileSync(`${HERE}service.cjs`, `${made}/service.cjs`);
for (const [entry, name] of Object.entries(ENTRIES)) writeEntry(`${made}/${entry}.js`, entry, name);
// The bundle is replaced as a whole, because the previous one may be serving. That one is removed when the
// new one has started successfully in its final place.
rmSync('dist.old', { recursive: true, force: true });
if (existsSync('dist')) renameSync('dist', 'dist.old');
renameSync(made, 'dist');
try {
  // The start must not depend on the builder's settings or services.
  const { PATH, TMPDIR, TEMP, SystemRoot } = process.env;
  const env = { PATH, TMPDIR, TEMP, SystemRoot };
  execFileSync(process.execPath, [`${HERE}code-cache.mjs`, 'dist'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
    timeout: LONGEST_START_MS,
    killSignal: 'SIGKILL',
  });
} catch ({ signal, status }) {
  renameSync('dist', made);
  if (existsSync('dist.old')) renameSync('dist.old', 'dist');
  console.error(`what was built does not start (${signal ?? `exit ${status}`}); it is in ${made}`);
  process.exit(1);
}
rmSync('dist.old', { recursive: true, force: true });

function writeEntry(file, entry, name) {
  mkdirSync(dirname(file), { recursive: true });
  const service = `${'../'.repeat(entry.split('/').length - 1) || './'}service.cjs`;
  // Exit code 13 distinguishes a service that never ends from one that is done.
  writeFileSync(file, `import service from '${service}';\nawait (await service.${name}()).done;\n`);
}

/**
 * The code in ASCII. V8 holds a whole file in memory with two bytes a character if one, such as in a regular
 * expression, is beyond Latin.
 */
function ascii(text, file) {
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // The escape would itself be escaped there.
  if (/\\[\u0080-\uffff]/.test(text)) throw new Error(`${file}: a backslash before a letter beyond ASCII`);
  return text.replace(/[\u0080-\uffff]/g, escaped);
}

function writeServed(file) {
  writeFileSync(file, ascii(withoutInferredNames(readFileSync(file, 'utf8')), file));
}
