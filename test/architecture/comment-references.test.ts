import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { commentsIn } from './comments.js';

/** Every name that a source declares, and the members of classes, interfaces, objects and enums by their name. */
class Declarations {
  private readonly names = new Set<string>();
  private readonly members = new Map<string, Set<string>>();

  add(source: string): void {
    const visit = (node: ts.Node, outer: string): void => {
      const name = 'name' in node ? nameOf(node.name) : undefined;
      if (name !== undefined) {
        this.names.add(name);
        this.members.set(outer, (this.members.get(outer) ?? new Set()).add(name));
      }
      const isContainer =
        ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isVariableDeclaration(node);
      const inside =
        isContainer || ts.isTypeAliasDeclaration(node) || ts.isEnumDeclaration(node) ? name : outer;
      ts.forEachChild(node, (child) => visit(child, inside ?? outer));
    };
    visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true), '');
  }

  /** @param reference a name, or a name and its member: `name.member` */
  has(reference: string): boolean {
    const [name = '', member] = reference.split('.');
    return member === undefined ? this.names.has(name) : (this.members.get(name)?.has(member) ?? false);
  }
}

const nameOf = (name: unknown): string | undefined => {
  const isName = name && (ts.isIdentifier(name as ts.Node) || ts.isStringLiteral(name as ts.Node));
  return isName ? (name as ts.Identifier | ts.StringLiteral).text : undefined;
};

/** A link, or the word after "see" that cannot be English: in backticks, with an inner capital, dot or hyphen, or alone in parentheses. */
const LINK = /\{@link ([\w.]+)/g;
const SEE =
  /\b[Ss]ee (?:`([\w.-]+)`|([A-Za-z]\w*\.\w+|[A-Za-z]*[a-z][A-Z]\w*|[A-Z][a-z]{3,}|[a-z]+-[a-z-]+)(?![\w/])|(?<=\([Ss]ee )([a-z]\w+)(?=\)))/g;

const declared = new Declarations();
const FILES = ['src', 'test'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
);
const MODULES = new Set(FILES.map((file) => basename(file, '.ts')));
for (const file of FILES) if (file.startsWith('src')) declared.add(readFileSync(file, 'utf8'));

const referencesIn = (comment: string): string[] =>
  [...comment.matchAll(LINK), ...comment.matchAll(SEE)].map(
    (match) => match.slice(1).find(Boolean) as string,
  );

/** References of comments to what is neither declared nor a file. */
const deadIn = (file: string, source: string): string[] =>
  commentsIn(file, source).flatMap(({ line, text }) =>
    referencesIn(text)
      .map((reference) => reference.replace(/\.$/, ''))
      .filter((reference) => !declared.has(reference) && !MODULES.has(reference))
      .map((reference) => `${file}:${line}: ${reference}`),
  );

describe('references of comments', () => {
  it('every name behind "see" or {@link} in a comment of src is declared in src, or is a file', () => {
    const files = FILES.filter((file) => file.startsWith('src') && !file.endsWith('.spec.ts'));
    const sources = files.map((file) => [file, readFileSync(file, 'utf8')] as const);
    expect(sources.flatMap(([, source]) => referencesIn(source)).length).toBeGreaterThan(100);
    expect(sources.flatMap(([file, source]) => deadIn(file, source))).toEqual([]);
  });

  it.each([
    ['a class', 'The rows (see NoSuchClass).'],
    ['a function', 'The rows, see noSuchFunction.'],
    ['a method of a class that exists', 'Checked again (see ChangeLog.noSuchMethod).'],
    ['a file', 'Hidden from writers (see no-such-file).'],
    ['a word in backticks', 'The rows: see `nothingLikeIt`.'],
    ['a link', 'The same as {@link noSuchFunction}.'],
    ['a lone word in parentheses', 'The rows (see nosuchname).'],
  ])('a planted reference to %s that is not there is found', (_, comment) => {
    expect(deadIn('planted.ts', `/** ${comment} */`)).toHaveLength(1);
  });

  it('references to what is there, rules, endpoints and plain English pass', () => {
    const comment =
      'See ChangeLog.requireUnchanged, see `sql`, {@link ChangeLog} (see change-log, see rule 3.16): see POST /auth, see it.';
    expect(deadIn('plain.ts', `/** ${comment} */`)).toEqual([]);
  });
});
