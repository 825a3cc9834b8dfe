import { Imports, ImportUndo } from '../import/index.js';
import { Accesses } from '../privacy/index.js';
import { columns } from './columns.js';
import { print, UsageError, withService } from './operator.js';
import { userNamed } from './user-named.js';

const SOURCES: Readonly<Record<string, string>> = {
  'markdown-vault': 'Markdown notes',
  'json-resume': 'JSON Résumé',
};

/** The command `imports`. */
export async function listImports(user: string): Promise<void> {
  await withService(async (app) => {
    const owner = await userNamed(app, user);
    const imports = await app.get(Imports).list(await app.get(Accesses).ofOwner(owner.id));
    if (imports.length === 0) return print(`${owner.username} has imported nothing.`);
    const rows = imports.map(({ name, importer, created_at, updated_at, nodes }) => [
      name,
      SOURCES[importer] ?? importer,
      dayOf(created_at),
      dayOf(updated_at),
      String(nodes),
    ]);
    const table = [['NAME', 'SOURCE', 'FIRST', 'LAST', 'NODES'], ...rows];
    const widths = [0, 1, 2, 3, 4].map((cell) =>
      Math.max(...table.map((row) => (row[cell] as string).length)),
    );
    for (const line of columns(table, widths)) print(line);
  });
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/** The most titles in the report; the rest is only counted. */
const MAX_TITLES = 20;

/** The command `undo-import`. @throws UsageError */
export async function undoImport(name: string, user: string): Promise<void> {
  await withService(async (app) => {
    const owner = await userNamed(app, user);
    const access = await app.get(Accesses).ofOwner(owner.id);
    const unknown = new UsageError(
      `${owner.username} has no import "${name}"; imports --user ${owner.username} lists them`,
    );
    const imports = app.get(Imports);
    const living = await imports.find(access, name);
    const record = living ?? (await imports.lastUndone(access, name));
    if (record === null) throw unknown;
    const { removed, stayed } = await app.get(ImportUndo).run(access, record);
    // Undone before, and nothing was left of it.
    if (living === null && removed === 0) throw unknown;
    print(`The import "${record.name}" is undone: ${removed} nodes deleted. Each of them can be restored.`);
    if (stayed.length === 0) return;
    print(
      `${stayed.length} stay, because they were changed, given a vector or related to another node since:`,
    );
    for (const title of stayed.slice(0, MAX_TITLES)) print(`  ${title}`);
    if (stayed.length > MAX_TITLES) print(`  … and ${stayed.length - MAX_TITLES} more`);
  });
}
