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
const WORDS = ['whoever', 'whomever', 'for ever', 'nobody but', 'so many', 'is none'];
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

/** The violations in a source, as lines of a report. */
const violationsIn = (file: string, source: string): string[] =>
  commentsIn(file, source)
    .filter(({ text }) => OPENING.test(text) || BANNED.test(text))
    .map(({ line, text }) => `${file}:${line}: ${text.slice(0, 100)}`);

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.(?:ts|mjs)$/.test(file) && !GENERATED.test(file));

describe('comments (docs/style.md)', () => {
  it.each(FOLDERS)('%s has no comment that opens with a fragment or contains a banned word', (folder) => {
    const files = filesOf(folder);
    expect(files).not.toEqual([]);
    expect(files.flatMap((file) => violationsIn(file, readFileSync(file, 'utf8')))).toEqual([]);
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
