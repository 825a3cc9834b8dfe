import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.(?:spec|test)\.ts$/.test(file));

/** Words that begin the rest of a sentence: a title that opens with one needs its `describe` to make sense. */
const CONTINUATIONS = [
  ...['of', 'and', 'or', 'nor', 'but', 'so', 'as', 'such', 'also', 'even', 'too', 'still', 'likewise'],
  ...['with', 'without', 'by', 'for', 'in', 'at', 'on', 'to', 'from', 'under', 'over', 'into', 'through'],
  ...[
    'that',
    'which',
    'who',
    'whom',
    'whose',
    'what',
    'where',
    'when',
    'while',
    'if',
    'whether',
    'why',
    'how',
  ],
  ...['is', 'are', 'was', 'were', 'be', 'has', 'have', 'had', 'does', 'do', 'did', 'can', 'cannot', 'may'],
  ...['must', 'will', 'would', 'should', 'might', 'could', 'never', 'neither'],
];
/** Verbs whose plural subject is then only in the `describe`. */
const PLURAL_VERBS = [
  ...['average', 'cost', 'count', 'equal', 'finish', 'limit', 'preview', 'record', 'remove', 'restart'],
  ...['accept', 'agree', 'allow', 'appear', 'apply', 'arrive', 'become', 'begin', 'belong', 'bind', 'come'],
  ...['connect', 'consist', 'contain', 'continue', 'decide', 'delay', 'differ', 'exist', 'expire', 'explain'],
  ...['fail', 'fall', 'find', 'follow', 'forget', 'give', 'go', 'hide', 'hold', 'ignore', 'include', 'keep'],
  ...['lead', 'leave', 'let', 'lose', 'make', 'need', 'preserve', 'protect', 'reach', 'refuse', 'respect'],
  ...[
    'return',
    'reveal',
    'say',
    'see',
    'send',
    'serve',
    'show',
    'stay',
    'succeed',
    'survive',
    'take',
    'tell',
  ],
  ...['use', 'wait'],
];
const CONTINUING = new RegExp(String.raw`^(?:${CONTINUATIONS.join('|')})\b`);
const LACKING_SUBJECT = new RegExp(String.raw`^(?:${PLURAL_VERBS.join('|')})\b`);
/** A title of less says too little in a list of failures, unless it comes from the rows of a table. */
const FEWEST_WORDS = 4;
const FROM_A_TABLE = /^(?:%s|\$\w+)$/;

/** A test's title, or a heading of `describe` where `isTest` is false. */
interface Title {
  line: number;
  text: string;
  isTest: boolean;
  /** True for the title of `it.each(…)`: its rows make several tests of one title. */
  isFromTable: boolean;
  /** The headings of the `describe` calls around it, without rules in parentheses at their ends. */
  headings: readonly string[];
}

/** The titles and headings in a source: those of `it('…')` and `describe('…')`, and of their `.each(…)('…')`. */
function titlesIn(file: string, source: string): Title[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const titles: Title[] = [];
  const visit = (node: ts.Node, headings: readonly string[]): void => {
    const title = ts.isCallExpression(node) ? titleOf(node) : null;
    if (title !== null) {
      const { line } = parsed.getLineAndCharacterOfPosition(title.getStart(parsed));
      const text = title.getText(parsed).slice(1, -1);
      const isTest = calledIn(title.parent as ts.CallExpression) === 'it';
      const isFromTable = !ts.isIdentifier((title.parent as ts.CallExpression).expression);
      titles.push({ line: line + 1, text, isTest, isFromTable, headings });
      if (!isTest) headings = [...headings, text.replace(/ \([^)]*\)$/, '')];
    }
    ts.forEachChild(node, (child) => visit(child, headings));
  };
  visit(parsed, []);
  return titles;
}

function titleOf(call: ts.CallExpression): ts.Expression | null {
  const [title, body] = call.arguments;
  const isTitle = title && body && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title));
  return isTitle && ['it', 'describe'].includes(calledIn(call) ?? '') ? title : null;
}

/** The name at the beginning of a chain of calls and properties. */
function calledIn(call: ts.CallExpression): string | null {
  let called: ts.Expression = call.expression;
  for (;;) {
    if (ts.isIdentifier(called)) return called.text;
    if (ts.isTaggedTemplateExpression(called)) called = called.tag;
    else if (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called)) called = called.expression;
    else return null;
  }
}

const badTitlesIn = (file: string, source: string): string[] =>
  titlesIn(file, source)
    .filter(
      (title) =>
        CONTINUING.test(title.text) ||
        (title.isTest && (LACKING_SUBJECT.test(title.text) || isShort(title) || isRepeating(title))),
    )
    .map(({ line, text }) => `${file}:${line}: ${text.slice(0, 100)}`);

/**
 * More titles with the same leading words name one subject for different behaviours. The aim is two: lower this number
 * as titles of older files are rewritten.
 */
const MOST_ALIKE = 5;
const LEADING_WORDS = 5;

/** The openings that too many tests of a file share; the rows of a table count as none. */
function commonOpeningsIn(file: string, source: string): string[] {
  const counts = new Map<string, number>();
  for (const { text, isTest, isFromTable } of titlesIn(file, source)) {
    const opening = text.toLowerCase().split(/\s+/).slice(0, LEADING_WORDS).join(' ');
    if (isTest && !isFromTable) counts.set(opening, (counts.get(opening) ?? 0) + 1);
  }
  return [...counts].flatMap(([opening, count]) =>
    count > MOST_ALIKE ? [`${file}: ${count} × ${opening}`] : [],
  );
}

const isShort = ({ text }: Title): boolean =>
  text.split(/\s+/).length < FEWEST_WORDS && !FROM_A_TABLE.test(text);
const isRepeating = ({ text, headings }: Title): boolean =>
  !FROM_A_TABLE.test(text) &&
  headings.some((heading) => text.toLowerCase().startsWith(heading.toLowerCase()));

describe('titles of tests (docs/style.md)', () => {
  it.each(['src', 'test'])(
    'titles in %s make sense without the describe around them, and do not repeat it',
    (folder) => {
      const found = filesOf(folder).flatMap((file) => badTitlesIn(file, readFileSync(file, 'utf8')));
      expect(found).toEqual([]);
    },
  );

  it.each(['src', 'test'])('the titles of a file in %s open with different words', (folder) => {
    const found = filesOf(folder).flatMap((file) => commonOpeningsIn(file, readFileSync(file, 'utf8')));
    expect(found).toEqual([]);
  });

  it('planted titles with the same five leading words are found if they are many, fewer and rows of tables are not', () => {
    const titles = Array.from(
      { length: MOST_ALIKE + 1 },
      (_, index) => `it('a proposal from creation to application ${index}', () => undefined);`,
    );
    const table = `it.each(rows)('a proposal from creation to application %s', () => undefined);`;
    expect(commonOpeningsIn('planted.ts', titles.join('\n'))).toHaveLength(1);
    expect(commonOpeningsIn('plain.ts', [...titles.slice(1), table].join('\n'))).toEqual([]);
  });

  it.each([
    `it('is nothing else, and never an error', () => undefined);`,
    `it.each([1])('of a share that was given on are the rights', () => undefined);`,
    "it.each`a\n${1}`('and nothing else at all', () => undefined);",
    'it(`has ${1} rows and no other`, () => undefined);',
    `it('leaves no trace', () => undefined);`,
    `it('keep their order after a restart', () => undefined);`,
    `describe('of an app', () => undefined);`,
    `describe('a tag (rule 4.14)', () => { it('a tag has a name of its own', () => undefined); });`,
    `describe('Tags', () => { describe('x', () => { it('tags have names of their own', () => undefined); }); });`,
  ])('a planted title that needs or repeats its describe is found: %s', (planted) => {
    expect(badTitlesIn('planted.ts', planted)).toHaveLength(1);
  });

  it('a title that is a sentence, one from a table, and other calls pass', () => {
    const plain = [
      `it('a cursor with any changed byte is refused with INVALID_CURSOR', () => undefined);`,
      `it.each(rows)('%s', () => undefined);`,
      `describe('nothing', () => undefined); answers('is', 1);`,
      `describe('POST /tags', () => { it('the creation of a tag is answered with 201', () => undefined); });`,
    ].join('\n');
    expect(badTitlesIn('plain.ts', plain)).toEqual([]);
  });
});
