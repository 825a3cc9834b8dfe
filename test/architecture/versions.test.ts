import { readFileSync } from 'node:fs';

const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** The newest release of a changelog. */
const newestIn = (changelog: string): string | undefined =>
  /^## (\d+\.\d+\.\d+) - \d{4}-\d{2}-\d{2}$/m.exec(changelog)?.[1];

describe('versions (docs/releasing.md)', () => {
  const changelog = readFileSync('CHANGELOG.md', 'utf8');

  it('package, lock, client and API document have the version of the newest release in the changelog', () => {
    const { version, packages } = json('package-lock.json') as {
      version: string;
      packages: Record<string, { version: string }>;
    };
    const written = {
      'package.json': (json('package.json') as { version: string }).version,
      'package-lock.json': version,
      'package-lock.json, root package': packages['']?.version,
      'clients/typescript/package.json': (json('clients/typescript/package.json') as { version: string })
        .version,
      'docs/openapi.json': (json('docs/openapi.json') as { info: { version: string } }).info.version,
    };
    const newest = newestIn(changelog);
    expect(newest).toBeDefined();
    expect(written).toEqual(Object.fromEntries(Object.keys(written).map((place) => [place, newest])));
  });

  it('the newest release is the first one in a planted changelog', () => {
    expect(newestIn('# Changelog\n\n## Unreleased\n\n## 2.0.0 - 2026-01-02\n\n## 1.0.0 - 2025-01-02\n')).toBe(
      '2.0.0',
    );
  });

  it('lines of the changelog have at most 120 characters', () => {
    expect(changelog.split('\n').filter(({ length }) => length > 120)).toEqual([]);
  });
});
