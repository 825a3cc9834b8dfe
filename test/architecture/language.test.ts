import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commentsIn } from './comments.js';

/** Folders whose comments follow docs/style.md. */
const FOLDERS = ['bench', 'clients/typescript/src', 'console/src', 'fault', 'scripts', 'src', 'test'];
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
    .filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !GENERATED.test(file));

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
