import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CITING = ['src', 'test', 'docs', 'migrations', 'bench', 'fault', 'scripts'];
const NUMBER = String.raw`\d{1,2}(?:\.\d{1,2}[a-z]?)?`;
/** A list or range of numbers may continue in the next line of a comment. */
const GAP = String.raw`(?:\s*\n\s*(?:\*|\/\/|--)\s*|\s+)`;
const CITATION = new RegExp(
  String.raw`\b(?:decisions?|rules?)(?:: '|${GAP})(${NUMBER}(?:(?:-|,${GAP}|${GAP}(?:and|or|to)${GAP})${NUMBER})*)`,
  'gi',
);

type Rule = Record<'number' | 'page' | 'text', string>;

const rulesOf = (page: string, text: string): Rule[] =>
  [...text.matchAll(/^## (\d+\.\d+) .*\n([^]*?)(?=^## |$(?![^]))/gm)].map(([, number, body]) => ({
    number: number as string,
    page,
    text: body as string,
  }));

/** The points of a rule, each with the lines that belong to it. */
const pointsOf = ({ page, text }: Rule): Rule[] =>
  [...text.matchAll(/^- \*\*(\d+\.\d+[a-z])\*\*.*(?:\n {2}.*)*/gm)].map(([point, number]) => ({
    number: number as string,
    page,
    text: point,
  }));

/** Numbers that can be cited: sections (3), rules (3.14) and points (3.14a). */
const numbersOf = (text: string): string[] =>
  [...text.matchAll(/^# (\d+)\.|^## (\d+\.\d+) |\*\*(\d+\.\d+[a-z])\*\*/gm)].map(
    ([, section, rule, point]) => (section ?? rule ?? point) as string,
  );

const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link as string);
const deadLinks = ({ page, text }: Rule): string[] =>
  linksOf(text).filter((link) => !existsSync(join(dirname(page), link)));
/** True for a rule with points whose last point is followed by files of them all. */
const hasCommonFiles = ({ text }: Rule): boolean => /^- \*\*[^]*^Code: /m.test(text);
const hasCode = ({ text }: Rule): boolean => linksOf(/Code: (.*) Tests: /.exec(text)?.[1] ?? '').length > 0;
const hasTest = ({ text }: Rule): boolean =>
  linksOf(text.split('Tests: ')[1] ?? '').some((link) => /\/(?:test|bench|fault)\/|\.spec\.ts$/.test(link));
const citedIn = (text: string): string[] =>
  [...text.matchAll(CITATION)].flatMap(([, numbers]) => numbers?.match(new RegExp(NUMBER, 'g')) ?? []);
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|mjs|cjs|md|sql)$/.test(file) && !file.includes('fixtures'))
    .map((file) => join(folder, file));

const pages = filesBelow('docs/rules').map((page) => ({ page, text: readFileSync(page, 'utf8') }));
const rules = pages.flatMap(({ page, text }) => rulesOf(page, text));
const known = pages.flatMap(({ text }) => numbersOf(text));

describe('texts, code and tests', () => {
  it('the rules in docs/rules have one text for each number', () => {
    expect(rules.length).toBeGreaterThan(100);
    expect(known.filter((number, index) => known.indexOf(number) !== index)).toEqual([]);
  });

  it('the rules in docs/rules link to tests, and to files that exist', () => {
    expect(rules.filter((rule) => !hasTest(rule)).map(({ number }) => number)).toEqual([]);
    expect(rules.flatMap((rule) => deadLinks(rule).map((link) => `${rule.number}: ${link}`))).toEqual([]);
  });

  it('the rules in docs/rules name code and tests for each point by itself, and for no points together', () => {
    const points = rules.flatMap(pointsOf);
    const numbers = pages.flatMap(({ text }) => [...text.matchAll(/\*\*(\d+\.\d+[a-z])\*\*/g)]);
    expect(points.map(({ number }) => number)).toEqual(numbers.map(([, number]) => number));
    const lacking = points.filter((point) => !hasCode(point) || !hasTest(point));
    expect(lacking.map(({ number }) => number)).toEqual([]);
    expect(rules.filter(hasCommonFiles).map(({ number }) => number)).toEqual([]);
  });

  it('the rules in docs/rules include every rule that sources, tests, migrations and pages cite', () => {
    const files = CITING.flatMap(filesBelow).filter((file) => !file.endsWith('rules.test.ts'));
    const citations = files.flatMap((file) =>
      citedIn(readFileSync(file, 'utf8')).map((number) => ({ file, number })),
    );
    expect(citations.length).toBeGreaterThan(300);
    expect(citations.filter(({ number }) => !known.includes(number))).toEqual([]);
  });

  it('the rules in docs/rules would be found to lack a cited rule, a test or a file', () => {
    expect(citedIn('(decisions 3.1-3.10,\n * 99.1 and 98) rule 97.1a')).toEqual([
      '3.1',
      '3.10',
      '99.1',
      '98',
      '97.1a',
    ]);
    const [rule] = rulesOf(
      'docs/rules/a.md',
      '## 99.1 Nothing\n\nCode: [a](../../src/none.ts). Tests: none.\n',
    );
    expect([hasTest(rule as Rule), deadLinks(rule as Rule)]).toEqual([false, ['../../src/none.ts']]);
  });

  it('a point of a rule would be found to lack a test, or to share its files with others', () => {
    const files = 'Code: [a](../../src/a.ts). Tests: [a](../../test/a.test.ts).';
    const points = `- **99.1a** One.\n  ${files}\n- **99.1b** Two.\n`;
    const [own, shared] = rulesOf(
      'docs/rules/a.md',
      `## 99.1 Own\n\n${points}\n## 99.2 Shared\n\n${points}\n${files}\n`,
    );
    const found = pointsOf(own as Rule).map((point) => [point.number, hasCode(point), hasTest(point)]);
    expect(found).toEqual([
      ['99.1a', true, true],
      ['99.1b', false, false],
    ]);
    expect([hasCommonFiles(own as Rule), hasCommonFiles(shared as Rule)]).toEqual([false, true]);
  });
});
