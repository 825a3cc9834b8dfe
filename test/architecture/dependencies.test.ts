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

describe('the arrows of the house', () => {
  it('hold in the whole tree', () => {
    const { violations, totalCruised } = cruise('.').summary;
    expect(violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
    expect(totalCruised).toBeGreaterThan(50);
  });

  const planted: [rule: string, file: string, text: string][] = [
    ['arrow-identity', 'src/identity/domain/a.ts', `import '../../privacy/index.js';`],
    ['arrow-privacy', 'src/privacy/application/a.ts', `import '../../graph/index.js';`],
    ['door-graph', 'src/import/a.ts', `import '../graph/nodes/domain/b.js';`],
    ['room-tags', 'src/graph/tags/domain/a.ts', `import '../../nodes/index.js';`],
    ['room-door-nodes', 'src/graph/files/domain/a.ts', `import '../../nodes/domain/b.js';`],
    ['kernel-knows-no-context', 'src/kernel/a.ts', `import '../identity/index.js';`],
    ['libs-know-nothing-of-us', 'src/libs/pii/a.ts', `import '../../kernel/b.js';`],
    ['libs-do-not-know-each-other', 'src/libs/pii/a.ts', `import '../json-schema/d.js';`],
    ['domain-is-pure', 'src/graph/nodes/domain/a.ts', `import 'typeorm';`],
    ['domain-is-pure', 'src/graph/nodes/domain/a.ts', `import '../http/c.js';`],
    ['http-stays-outside', 'src/graph/nodes/application/a.ts', `import '../http/c.js';`],
    ['no-cycles', 'src/kernel/a.ts', `import './b.js'; export const a = 1;`],
    ['no-orphans', 'src/kernel/alone.ts', `export {};`],
  ];

  it.each(planted)('%s catches a planted violation in %s', (rule, file, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'arrows-'));
    const files: Record<string, string> = {
      'src/identity/index.ts': 'export const i = 1;',
      'src/privacy/index.ts': 'export const p = 1;',
      'src/graph/index.ts': `export const g = 1;`,
      'src/graph/nodes/index.ts': 'export const n = 1;',
      'src/graph/nodes/domain/b.ts': 'export const b = 1;',
      'src/graph/nodes/http/c.ts': 'export const c = 1;',
      'src/libs/json-schema/d.ts': 'export const d = 1;',
      'src/kernel/b.ts': `import './a.js'; export const b = 1;`,
      [file]: text,
    };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    for (const path of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
      cpSync(path, join(folder, path));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    try {
      expect(cruise(folder).summary.violations.map((violation) => violation.rule.name)).toContain(rule);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
