import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DIST = join(ROOT, 'dist');

const run = (script: string, environment: Record<string, string> = {}): string =>
  execFileSync(process.execPath, ['--enable-source-maps', '-e', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...environment },
  }).trim();
const isRefused = (folder: string): string =>
  run(`console.log(String(require(${JSON.stringify(join(folder, 'service.cjs'))}).isCodeRefused))`);

describe('code that the build has compiled', () => {
  const folder = mkdtempSync(join(ROOT, 'dist/kept-code-'));
  for (const file of ['service.cjs', 'service.bundle.js', 'service.code'])
    copyFileSync(join(DIST, file), join(folder, file));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is taken where it was made', () => {
    expect(isRefused(DIST)).toBe('false');
  });

  it('is not looked at in another place, whose names it does not know', () => {
    expect(isRefused(folder)).toBe('undefined');
  });

  it('is made anew where it cannot be used', () => {
    const kept = readFileSync(join(DIST, 'service.code'));
    const place = Buffer.from(`${join(folder, 'service.cjs')}\0`);
    const code = kept.subarray(kept.indexOf(0) + 1);
    for (const [damaged, outcome] of [
      [code.subarray(0, code.length >> 1), 'true'],
      [Buffer.alloc(0), 'true'],
      [Buffer.from('nothing that was compiled'), 'true'],
      [code, 'false'],
    ] as const) {
      writeFileSync(join(folder, 'service.code'), Buffer.concat([place, damaged]));
      expect(isRefused(folder)).toBe(outcome);
    }
  });

  it('leads errors to the sources', () => {
    const stack = run(
      `require('node:http').Server.prototype.listen = () => { console.log(new Error().stack); process.exit() };
       void require(${JSON.stringify(join(DIST, 'service.cjs'))}).main();`,
      { DATABASE_URL: 'memory://', PORT: '0' },
    );
    expect(stack).toMatch(/src\/main\.ts:\d+/);
    expect(stack).toContain('node_modules/@nestjs/core/');
    expect(stack).not.toContain('service.cjs');
  });
});
