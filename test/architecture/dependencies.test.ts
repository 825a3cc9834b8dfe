import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

interface Report {
  summary: { violations: { rule: { name: string }; from: string; to: string }[]; totalCruised: number };
}

function cruise(folder: string): Report {
  const cli = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const run = spawnSync(
    process.execPath,
    [cli, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'],
    {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    },
  );
  if (run.stdout === '') throw new Error(run.stderr);
  return JSON.parse(run.stdout) as Report;
}

describe('dependencies', () => {
  it('no file of src breaks a dependency rule', () => {
    const { violations, totalCruised } = cruise('.').summary;
    expect(violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
    expect(totalCruised).toBeGreaterThan(50);
  });

  /** In one tree, so that one run finds them all. */
  const planted: [rule: string, file: string, text: string][] = [
    ['arrow-identity', 'src/identity/domain/a.ts', `import '../../privacy/index.js';`],
    ['arrow-privacy', 'src/privacy/application/a.ts', `import '../../graph/index.js';`],
    ['door-graph', 'src/import/a.ts', `import '../graph/nodes/domain/b.js';`],
    ['room-tags', 'src/graph/tags/domain/a.ts', `import '../../nodes/index.js';`],
    ['room-door-nodes', 'src/graph/files/domain/a.ts', `import '../../nodes/domain/b.js';`],
    ['kernel-database', 'src/kernel/database/knowing.ts', `import '../change-log/e.js';`],
    ['kernel-database', 'src/kernel/database/roundabout.ts', `import '../way-round.js';`],
    [
      'kernel-change-log',
      'src/kernel/change-log/knowing.ts',
      `import type { F } from '../write-batching/f.js';`,
    ],
    ['kernel-knows-no-context', 'src/kernel/knowing.ts', `import '../identity/index.js';`],
    ['libs-know-nothing-of-us', 'src/libs/pii/knowing.ts', `import '../../kernel/b.js';`],
    ['libs-do-not-know-each-other', 'src/libs/pii/sociable.ts', `import '../json-schema/d.js';`],
    ['domain-is-pure', 'src/graph/nodes/domain/stored.ts', `import 'typeorm';`],
    ['domain-is-pure', 'src/graph/nodes/domain/served.ts', `import '../http/c.js';`],
    ['http-stays-outside', 'src/graph/nodes/application/a.ts', `import '../http/c.js';`],
    ['no-cycles', 'src/kernel/a.ts', `import './b.js'; export const a = 1;`],
    ['no-cycles', 'src/kernel/c.ts', `import type { D } from './d.js'; export type C = D;`],
    ['no-orphans', 'src/kernel/alone.ts', `export {};`],
  ];

  const innocent = {
    'src/identity/index.ts': 'export const i = 1;',
    'src/privacy/index.ts': 'export const p = 1;',
    'src/graph/index.ts': `export const g = 1;`,
    'src/graph/nodes/index.ts': 'export const n = 1;',
    'src/graph/nodes/domain/b.ts': 'export const b = 1;',
    'src/graph/nodes/http/c.ts': 'export const c = 1;',
    'src/libs/json-schema/d.ts': 'export const d = 1;',
    'src/kernel/b.ts': `import './a.js'; export const b = 1;`,
    'src/kernel/d.ts': `import type { C } from './c.js'; export type D = C | null;`,
    'src/kernel/change-log/e.ts': 'export const e = 1;',
    'src/kernel/write-batching/f.ts': 'export type F = 1;',
    'src/kernel/way-round.ts': `import './change-log/e.js';`,
  };

  it('every planted violation of a dependency rule is reported', () => {
    const folder = mkdtempSync(join(tmpdir(), 'arrows-'));
    const files = { ...innocent, ...Object.fromEntries(planted.map(([, file, text]) => [file, text])) };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    for (const path of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
      cpSync(path, join(folder, path));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    try {
      const found = cruise(folder).summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
      expect(found).toEqual(expect.arrayContaining(planted.map(([rule, file]) => `${rule}: ${file}`)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
