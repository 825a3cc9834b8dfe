import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILES = ['service.cjs', 'service.bundle.js', 'service.code'];

const dataDir = mkdtempSync(join(tmpdir(), 'bundle-data-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs a script to which `service` is what that folder's service.cjs exports; its output. */
const withService = (folder: string, script: string): string =>
  execFileSync(
    process.execPath,
    [
      '--enable-source-maps',
      '-e',
      `const service = require(${JSON.stringify(`${folder}/service.cjs`)}); ${script}`,
    ],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], DATABASE_URL: 'memory://', DATA_DIR: dataDir, PORT: '0' },
    },
  ).trim();
const codeWas = (folder: string): string => withService(folder, 'console.log(service.codeWas)');

/** Says where the service begins to listen, and ends. */
const LISTENS = `require('node:http').Server.prototype.listen = () => { console.log(new Error().stack); process.exit() };
  void service.main();`;

describe('builds', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  const file = join(folder, 'service.code');
  beforeAll(() => {
    for (const name of FILES) cpSync(join(ROOT, 'dist', name), join(folder, name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('code that the build has compiled is taken where it was made', () => {
    expect(codeWas(join(ROOT, 'dist'))).toBe('taken');
  });

  it('code that the build has compiled is not taken in another place, nor for another text, nor when it is damaged', () => {
    expect(codeWas(folder)).toBe('absent');
    withService(folder, 'service.keepCode()');
    expect(codeWas(folder)).toBe('taken');

    const kept = readFileSync(file);
    for (const place of [5, 100, kept.length >> 1, kept.length - 1]) {
      const damaged = Buffer.from(kept);
      damaged[place]! ^= 1;
      writeFileSync(file, damaged);
      expect(codeWas(folder)).toBe('absent');
    }
    for (const damaged of [kept.subarray(0, kept.length >> 1), Buffer.alloc(0), Buffer.alloc(kept.length)]) {
      writeFileSync(file, damaged);
      expect(codeWas(folder)).toBe('absent');
    }
    writeFileSync(file, kept);
    expect(codeWas(folder)).toBe('taken');

    const bundle = join(folder, 'service.bundle.js');
    const text = readFileSync(bundle, 'latin1');
    writeFileSync(bundle, text.replace('use strict', 'use Strict'), 'latin1');
    expect(codeWas(folder)).toBe('absent');
  });
});

describe('contents', () => {
  it('the bundle leads errors to the sources', () => {
    const stack = withService(join(ROOT, 'dist'), LISTENS);
    expect(stack).toMatch(/src\/main\.ts:\d+/);
    expect(stack).toContain('node_modules/@nestjs/core/');
    expect(stack).not.toContain('service.cjs');
  });

  it('the bundle is strict, as the sources are', () => {
    expect(readFileSync(join(ROOT, 'dist/service.bundle.js'), 'latin1')).toMatch(
      /^\(function \([\w, ]+\) \{\s*'use strict';/,
    );
  });

  it('the bundle finds the files of the embedded database whatever their folder is called', () => {
    const folder = mkdtempSync(join(tmpdir(), '50% of a#b '));
    try {
      const modules = join(ROOT, 'node_modules');
      mkdirSync(join(folder, 'node_modules'));
      for (const name of readdirSync(modules).filter((each) => each !== '@electric-sql'))
        symlinkSync(join(modules, name), join(folder, 'node_modules', name), 'junction');
      for (const path of [
        'node_modules/@electric-sql',
        'migrations',
        'package.json',
        'dist/console',
        ...[...FILES, 'embedded-worker.mjs'].map((name) => `dist/${name}`),
      ])
        cpSync(join(ROOT, path), join(folder, path), { recursive: true });
      expect(withService(join(folder, 'dist'), LISTENS)).toContain(join(folder, 'dist/service.cjs'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
