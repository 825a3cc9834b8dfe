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
  ];
}

describe('the pages', () => {
  it.each(PAGES)('%s refers to what is there', (page) => {
    expect(dangling(page, readFileSync(page, 'utf8'))).toEqual([]);
  });

  it.each([
    ['a link', 'see [it](no-such-page.md)'],
    ['an anchor', '# One\n[two](#two)'],
    ['a script', '`npm run no:such`'],
    ['a file', 'in `src/no-such.ts`'],
  ])('notices %s that leads nowhere', (_, text) => {
    expect(dangling('README.md', text)).toHaveLength(1);
  });

  it('the pages list every decision', () => {
    const decisions = readdirSync('docs/adr').filter((file) => file !== 'README.md');
    expect(matches(readFileSync('docs/adr/README.md', 'utf8'), /\]\(([^)]+)\)/g)).toEqual(decisions.sort());
  });

  it('name every context and every guide', () => {
    const architecture = readFileSync('docs/architecture.md', 'utf8');
    const contexts = readdirSync('src').filter((folder) => existsSync(`src/${folder}/index.ts`));
    expect(contexts.filter((context) => !architecture.includes(`\n| ${context} |`))).toEqual([]);
    const readme = readFileSync('README.md', 'utf8');
    const guides = pagesBelow('docs').filter((page) => dirname(page) === 'docs');
    expect(guides.filter((page) => !readme.includes(`(docs/${basename(page)})`))).toEqual([]);
  });
});
