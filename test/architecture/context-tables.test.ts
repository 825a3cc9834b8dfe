import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Guides whose name is not the context's. */
const GUIDES: Partial<Record<string, string>> = { delivery: 'webhooks' };
/** The context that reads and writes every table with data of owners; owned-tables.test.ts compares its registry. */
const EVERY_TABLE = 'portability';
/** Uses that no row of a guide allows, as "context verb table", each with its reason. */
const EXCEPTIONS: Record<string, string> = {
  'cli reads users': 'the operator lists the users; a command is no context and has no guide',
};
/** A parameter or a fragment in a statement. */
const HOLE = '\u0000';
const REFERENCE = String.raw`(?:ONLY\s+)?\w+(?:\s+(?:AS\s+)?[a-z]\w*)?`;
const LISTED = new RegExp(
  String.raw`\b(DELETE\s+FROM|FROM|USING|JOIN)\s+((?:${REFERENCE}\s*,\s*)*\w+(?:\s+\w+)?)`,
  'g',
);
/** `FOR UPDATE` and `FOR NO KEY UPDATE` lock rows and write none; `DO UPDATE` belongs to its INSERT. */
const WRITTEN = String.raw`\b(?:DELETE\s+FROM|INTO|(?<!\b(?:FOR|KEY|DO)\s+)UPDATE|TRUNCATE)\s+(?:ONLY\s+)?`;

const TABLES = new Set(
  readdirSync('migrations')
    .map((file) => readFileSync(join('migrations', file), 'utf8'))
    .flatMap((text) => [...text.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g)])
    .map(([, table]) => table as string),
);

interface Source {
  file: string;
  texts: readonly string[];
}

/** The texts of a source, each with a hole in the place of an expression. */
function parse(file: string, source: string): Source {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(HOLE));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return { file, texts };
}

const readIn = (text: string): string[] =>
  [...text.matchAll(LISTED)]
    .filter(([, verb]) => !verb?.startsWith('DELETE'))
    .flatMap(([, , list]) => (list as string).split(','))
    .map(
      (reference) =>
        reference
          .trim()
          .replace(/^ONLY\s+/, '')
          .split(/\s/)[0] as string,
    );
const writtenIn = (text: string): string[] =>
  [...text.matchAll(new RegExp(String.raw`${WRITTEN}(\w+)`, 'g'))].map(([, table]) => table as string);

/** The uses of tables in a source, as "context verb table"; names that are no table of the migrations are left out. */
const usesIn = ({ file, texts }: Source): string[] => {
  const context = file.split('/')[1] as string;
  return texts.flatMap((text) => [
    ...readIn(text).flatMap((table) => (TABLES.has(table) ? [`${context} reads ${table}`] : [])),
    ...writtenIn(text).flatMap((table) => (TABLES.has(table) ? [`${context} writes ${table}`] : [])),
  ]);
};

/** Files that write a table whose name is an expression, which this test cannot follow. */
const writesUnnamed = ({ texts }: Source): boolean =>
  texts.some((text) => new RegExp(WRITTEN + HOLE).test(text));

/** The tables that a row of a context's guide names. */
const namedIn = (context: string, row: 'owns' | 'reads' | 'also writes'): string[] => {
  const guide = `docs/${GUIDES[context] ?? context}.md`;
  if (!existsSync(guide)) return [];
  const text = new RegExp(String.raw`^\| ${row} \|(.*)$`, 'm').exec(readFileSync(guide, 'utf8'))?.[1] ?? '';
  return [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name as string).filter((name) => TABLES.has(name));
};

const isNamed = (use: string): boolean => {
  const [context, verb, table] = use.split(' ') as [string, string, string];
  if (context === EVERY_TABLE) return true;
  return (
    namedIn(context, 'owns').includes(table) ||
    namedIn(context, verb === 'reads' ? 'reads' : 'also writes').includes(table)
  );
};

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => join('src', file))
  .map((file) => parse(file, readFileSync(file, 'utf8')));
const CONTEXTS = readdirSync('src').filter((folder) => existsSync(`docs/${GUIDES[folder] ?? folder}.md`));
const USES = new Set(SOURCES.flatMap(usesIn));

describe('the rows owns, reads and also writes of the guides', () => {
  it('every table of the migrations is owned by exactly one context', () => {
    const owned = CONTEXTS.flatMap((context) => namedIn(context, 'owns'));
    expect(owned.sort()).toEqual([...TABLES].sort());
  });

  it('statements use only tables that the guide of their context names', () => {
    expect(USES.size).toBeGreaterThan(100);
    expect([...USES].filter((use) => !isNamed(use) && !(use in EXCEPTIONS))).toEqual([]);
  });

  it('guides name no table that their context does not use', () => {
    const named = CONTEXTS.filter((context) => context !== EVERY_TABLE).flatMap((context) => [
      ...namedIn(context, 'reads').map((table) => `${context} reads ${table}`),
      ...namedIn(context, 'also writes').map((table) => `${context} writes ${table}`),
    ]);
    expect(named.filter((use) => !USES.has(use))).toEqual([]);
  });

  it('every exception is still needed', () => {
    expect(Object.keys(EXCEPTIONS).filter((use) => !USES.has(use) || isNamed(use))).toEqual([]);
  });

  it('only portability writes tables whose names are no literals', () => {
    const files = SOURCES.filter(writesUnnamed).map(({ file }) => file);
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !file.startsWith(`src/${EVERY_TABLE}/`))).toEqual([]);
  });

  it.each([
    ['a read', 'sql`SELECT 1 FROM nodes WHERE id = ${id}`', 'sync reads nodes'],
    [
      'a joined table',
      "query('SELECT 1 FROM sync_positions s LEFT JOIN users u ON TRUE')",
      'sync reads users',
    ],
    ['the second of a list', 'sql`SELECT 1 FROM sync_positions AS s, users AS u`', 'sync reads users'],
    ['an insert', 'sql`INSERT INTO nodes SELECT ${id}`', 'sync writes nodes'],
    ['an update', 'sql`WITH a AS (UPDATE nodes SET x = 1)`', 'sync writes nodes'],
    ['a deletion', "sql.raw('DELETE FROM nodes')", 'sync writes nodes'],
  ])('%s of a table that the guide does not name is found', (_, planted, use) => {
    const found = usesIn(parse('src/sync/planted.ts', planted)).filter((one) => !isNamed(one));
    expect(found).toEqual([use]);
  });

  it('locks, upserts of own tables and a statement of the context that owns the table pass', () => {
    const plain = [
      'sql`SELECT 1 FROM nodes FOR UPDATE`',
      'sql`INSERT INTO files (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET id = 2`',
      'sql`SELECT 1 FROM changes FOR NO KEY UPDATE`',
    ].join(';\n');
    expect(usesIn(parse('src/graph/planted.ts', plain)).filter((use) => !isNamed(use))).toEqual([]);
    expect(writesUnnamed(parse('src/graph/planted.ts', 'sql`UPDATE ${table} SET x = 1`'))).toBe(true);
  });
});
