import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Folders whose comments follow docs/style.md. */
const FOLDERS = ['bench', 'clients/typescript/src', 'fault', 'scripts', 'src', 'test'];
const GENERATED = /\/schema\.ts$/;

/** Words that begin a fragment instead of a sentence or a noun phrase. */
const OPENERS = [
  ...['What', 'Whether', 'Who', 'Whom', 'Whose', 'Which', 'Why', 'How'],
  ...['Where', 'When', 'That', 'Those', 'As', 'Of', 'For', 'By'],
];
const WORDS = [
  ...['whoever', 'whomever', 'for ever', 'nobody but', 'so many', 'is none'],
  ...['anew', 'goes on', 'go on', 'any more', 'by turns', 'told'],
];
/** Participles that stand as nouns: an article before them, and no noun behind. */
const NOUNS = String.raw`(?:the|a|an) (?:told|said|kept|given|asked|meant)(?=[.,;:]|$| (?:of|by|and|or|is|are|was|were)\b)`;

const OPENING = new RegExp(String.raw`^(?:${OPENERS.join('|')})\b`);
const BANNED = new RegExp(String.raw`\b(?:${WORDS.join('|')})\b|\b${NOUNS}`, 'i');

interface Comment {
  line: number;
  text: string;
}

/** The text of a comment without its marks; lines of a block are joined. */
const textOf = (raw: string): string =>
  raw
    .replace(/^\/(?:\/|\*+)|\*\/$/g, '')
    .replace(/\n\s*\* ?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** All comments of a file. Line comments under each other are one comment. */
function commentsIn(file: string, source: string): Comment[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const ranges = new Map<number, ts.CommentRange>();
  const collect = (node: ts.Node): void => {
    const leading = ts.getLeadingCommentRanges(source, node.getFullStart()) ?? [];
    const trailing = ts.getTrailingCommentRanges(source, node.getEnd()) ?? [];
    for (const range of [...leading, ...trailing]) ranges.set(range.pos, range);
    node.getChildren(parsed).forEach(collect);
  };
  collect(parsed);
  const comments: Comment[] = [];
  let end = -1;
  for (const { pos, end: next, kind } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const text = textOf(source.slice(pos, next));
    const isContinued =
      kind === ts.SyntaxKind.SingleLineCommentTrivia && /^\n\s*$/.test(source.slice(end, pos));
    const last = comments.at(-1);
    if (isContinued && last) last.text += ` ${text}`;
    else comments.push({ line: parsed.getLineAndCharacterOfPosition(pos).line + 1, text });
    end = kind === ts.SyntaxKind.SingleLineCommentTrivia ? next : -1;
  }
  return comments;
}

/** Pages whose words are checked: all but those that list the banned words. */
const PAGES = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'clients/typescript/README.md'],
  ...['docs', 'src/libs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && !/^(?:style|glossary)\.md$/.test(file))
      .map((file) => join(folder, file)),
  ),
];

/** The lines of a page with a banned word. */
const bannedIn = (page: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, index) => (BANNED.test(line) ? [`${page}:${index + 1}: ${line.slice(0, 100)}`] : []));

/** The violations in a source, as lines of a report. */
const violationsIn = (file: string, source: string): string[] =>
  commentsIn(file, source)
    .filter(({ text }) => OPENING.test(text) || BANNED.test(text))
    .map(({ line, text }) => `${file}:${line}: ${text.slice(0, 100)}`);

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.(?:ts|mjs)$/.test(file) && !GENERATED.test(file));

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
interface Title extends Comment {
  isTest: boolean;
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
      titles.push({ line: line + 1, text, isTest, headings });
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

const isShort = ({ text }: Title): boolean =>
  text.split(/\s+/).length < FEWEST_WORDS && !FROM_A_TABLE.test(text);
const isRepeating = ({ text, headings }: Title): boolean =>
  !FROM_A_TABLE.test(text) &&
  headings.some((heading) => text.toLowerCase().startsWith(heading.toLowerCase()));

describe('titles of tests (docs/style.md)', () => {
  it.each(['src', 'test'])(
    'titles in %s make sense without the describe around them, and do not repeat it',
    (folder) => {
      const files = filesOf(folder).filter((file) => /\.(?:spec|test)\.ts$/.test(file));
      expect(files.flatMap((file) => badTitlesIn(file, readFileSync(file, 'utf8')))).toEqual([]);
    },
  );

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

describe('comments and pages (docs/style.md)', () => {
  it.each(FOLDERS)('%s has no comment that opens with a fragment or contains a banned word', (folder) => {
    const files = filesOf(folder);
    expect(files).not.toEqual([]);
    expect(files.flatMap((file) => violationsIn(file, readFileSync(file, 'utf8')))).toEqual([]);
  });

  it.each(PAGES)('%s has no banned word', (page) => {
    expect(bannedIn(page, readFileSync(page, 'utf8'))).toEqual([]);
  });

  it.each([...WORDS, 'the told'])('a planted line of a page with "%s" is found', (word) => {
    expect(bannedIn('planted.md', `# Title\n\nSomething, ${word}.\n`)).toHaveLength(1);
  });

  it.each(OPENERS)('a planted comment that opens with %s is found in every form', (opener) => {
    const planted = [
      `/** ${opener} it is. */ const a = 1;`,
      `const b = {\n  // ${opener} it is.\n  c: 2, // ${opener} it is.\n};`,
      `/*\n * ${opener} it is.\n */`,
    ].join('\n');
    expect(violationsIn('planted.ts', planted)).toHaveLength(4);
  });

  it.each([...WORDS, 'the told', 'a kept', 'the given of'])(
    'a planted comment with "%s" is found',
    (word) => {
      expect(violationsIn('planted.ts', `/** Something, ${word}. */`)).toHaveLength(1);
    },
  );

  it('plain comments, continued lines, texts and patterns pass', () => {
    const plain = [
      '/** The nodes that they see, for any number of callers. */',
      '// A first line\n// Of a comment that continues.',
      `const text = '// What it is'; const pattern = /\\/\\/ Whoever/; const long = \`/* Whether */\`;`,
      '/** Holds the given node and the kept rows. */',
    ].join('\n');
    expect(violationsIn('plain.ts', plain)).toEqual([]);
  });
});
