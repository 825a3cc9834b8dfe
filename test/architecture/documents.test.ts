import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const PAGES = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'clients/typescript/README.md',
  ...pagesBelow('docs'),
];

function pagesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));
}

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found as string);

/** Anchors in the form that GitHub derives from headings. */
const anchorsOf = (text: string): string[] =>
  matches(text, /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Names in code that are not the service's own: headers, browsers' and engines' interfaces, banned names. */
const FOREIGN = new Set([
  ...['Deprecation', 'Sunset', 'EventSource', 'NodePlatform', 'DrainTasks'],
  ...['InterruptPending', 'QueryCancelPending', 'Manager', 'Helper', 'Utils', 'Common'],
]);
const CODE_FOLDERS = [
  'bench',
  'clients',
  'console',
  'docker',
  'fault',
  'migrations',
  'scripts',
  'src',
  'test',
];
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.includes('node_modules'))
    .map((file) => join(folder, file));
const FILES = CODE_FOLDERS.flatMap(filesBelow);
/** All words of the code, but for this file. */
const WORDS = new Set(
  FILES.filter((file) => /\.(?:ts|mjs|sql)$/.test(file) && file !== 'test/architecture/documents.test.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .flatMap((source) => source.match(/\w+/g) ?? []),
);

/** Names in backticks that look like classes and are in no source. The glossary may name older ones in its last column. */
function unknownNames(page: string, text: string): string[] {
  const current = page === 'docs/glossary.md' ? text.replace(/ \|[^|\n]* \|$/gm, '') : text;
  const codes = matches(current.replace(/```[^]*?```/g, ''), /`([^`\n]+)`/g);
  const names = codes.flatMap((code) => [
    ...(code.match(/\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/g) ?? []),
    ...matches(code, /^([A-Z][a-z]{3,})(?:\.\w+)?(?:\(.*\))?$/g),
  ]);
  return names.filter((name) => !WORDS.has(name) && !FOREIGN.has(name));
}

/** Patterns of `npm test -- a b` and `npm run test:services -- a` that match no test. */
function unmatchedPatterns(text: string): string[] {
  const tests = FILES.filter((file) => /\.(?:test|spec)\.ts$/.test(file));
  return matches(text, /npm (?:test|run test:\w+) -- ([^`\n#|]+)/g)
    .flatMap((patterns) => patterns.trim().split(/\s+/))
    .filter((pattern) => !pattern.startsWith('-') && !tests.some((test) => test.includes(pattern)));
}

/** Folders and files of a context that are named without `src/`. */
function missingBelowSource(text: string): string[] {
  const contexts = readdirSync('src').filter((entry) => !entry.includes('.'));
  return matches(text, new RegExp(String.raw`\`((?:${contexts.join('|')})/[\w./-]+)\``, 'g')).filter(
    (path) => !['src', 'test', '.'].some((folder) => existsSync(join(folder, path))) && !isTest(path),
  );
}

const isTest = (path: string): boolean => existsSync(join('test', `${path}.test.ts`));

/** Missing targets of a page. */
function dangling(page: string, text: string): string[] {
  const scripts = JSON.parse(readFileSync('package.json', 'utf8')).scripts as Record<string, string>;
  const leadsNowhere = (link: string): boolean => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
  };
  return [
    ...matches(text, /\]\((?!https?:)([^)\s]+)\)/g).filter(leadsNowhere),
    ...matches(text, /npm run (?:-s )?([a-z][\w:-]*\w)(?![\w:-])/g).filter((script) => !(script in scripts)),
    ...matches(text, /`((?:bench|docker|docs|fault|migrations|scripts|src|test)\/[\w./-]+)`/g).filter(
      (path) => !existsSync(path) && !existsSync(join(dirname(page), path)) && !existsSync(`${path}.test.ts`),
    ),
    ...(page === 'CHANGELOG.md' ? [] : [...unknownNames(page, text), ...missingBelowSource(text)]),
    ...unmatchedPatterns(text),
  ];
}

describe('links and names', () => {
  it.each(PAGES)('%s refers to what is there', (page) => {
    expect(dangling(page, readFileSync(page, 'utf8'))).toEqual([]);
  });

  it.each([
    ['a link', 'see [it](no-such-page.md)'],
    ['an anchor', '# One\n[two](#two)'],
    ['a script', '`npm run no:such`'],
    ['a file', 'in `src/no-such.ts`'],
    ['a class', '`NoSuchNames`'],
    ['a method', '`Nosuch.current(ids)`'],
    ['a folder of a context', '`kernel/no-such/`'],
    ['a pattern of tests', '`npm test -- documents no-such-test`'],
  ])('notices %s that leads nowhere', (_, text) => {
    expect(dangling('README.md', text)).toHaveLength(1);
  });

  it('the table of bounds links every file that refuses with TOO_MUCH_UNDER_WAY', () => {
    const bounds =
      readFileSync('docs/reliability.md', 'utf8').split('\n## Bounds\n')[1]?.split('\n## ')[0] ?? '';
    const linked = matches(bounds, /\]\(\.\.\/([^)]+)\)/g);
    const refusing = FILES.filter((file) => /^src\/.*(?<!\.spec)\.ts$/.test(file)).filter((file) =>
      /DomainError\(\s*'TOO_MUCH_UNDER_WAY'/.test(readFileSync(file, 'utf8')),
    );
    expect(refusing.length).toBeGreaterThan(5);
    expect(refusing.filter((file) => !linked.includes(file))).toEqual([]);
  });

  it('the pages list every decision', () => {
    const decisions = readdirSync('docs/adr').filter((file) => file !== 'README.md');
    expect(matches(readFileSync('docs/adr/README.md', 'utf8'), /\]\(([^)]+)\)/g)).toEqual(decisions.sort());
  });

  it('the pages name every context and every guide', () => {
    const architecture = readFileSync('docs/architecture.md', 'utf8');
    const contexts = readdirSync('src').filter((folder) => existsSync(`src/${folder}/index.ts`));
    expect(contexts.filter((context) => !architecture.includes(`\n| ${context} |`))).toEqual([]);
    const readme = readFileSync('README.md', 'utf8');
    const guides = pagesBelow('docs').filter((page) => dirname(page) === 'docs');
    expect(guides.filter((page) => !readme.includes(`(docs/${basename(page)})`))).toEqual([]);
  });
});
