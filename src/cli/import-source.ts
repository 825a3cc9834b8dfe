import { type INestApplicationContext } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { MAX_FILE_BYTES } from '../graph/index.js';
import { type User } from '../identity/index.js';
import {
  type ChosenImport,
  type ImportedGraph,
  Importer,
  type ImportProgress,
  type ImportReport,
  Imports,
  type ImportWarning,
  readJsonResume,
  readMarkdownVault,
  reasonOf,
  type VaultGraph,
} from '../import/index.js';
import { hasUnseen, withoutUnseen } from '../kernel/text/unseen-characters.js';
import { Accesses } from '../privacy/index.js';
import { fromCaller, print, UsageError, withService } from './operator.js';
import { ImportWatch } from './progress.js';
import { userNamed } from './user-named.js';

export interface ImportArguments {
  path: string;
  user: string;
  collection?: string;
  tag?: string[];
  warnings?: boolean;
  anySize?: boolean;
}

interface Source {
  graph: ImportedGraph;
  /** The default name: that of the folder, or one name for every résumé of a person. */
  name: string;
  /** A hash of the folder's path: many folders are called `notes`. */
  place: string | null;
}

/** The command `import`. It reads the source first, so that a wrong path is reported before the database is opened. */
export async function importSource({
  path,
  user,
  collection,
  tag,
  warnings,
  anySize,
}: ImportArguments): Promise<void> {
  const chosenName = collection === undefined ? null : collectionName(collection);
  const watch = new ImportWatch();
  await watch.during(async () => {
    const source = await readSource(fromCaller(path), new Date(), watch.show);
    const report = await withService(async (app) => {
      const owner = await userNamed(app, user);
      watch.check();
      const maxFileBytes = anySize ? MAX_FILE_BYTES.enterprise : MAX_FILE_BYTES[owner.tier];
      const options = { chosenName, tags: tag ?? [], maxFileBytes, onProgress: watch.show };
      return importFor(app, owner, {
        ...source,
        ...options,
        onChosen: (chosen) => print(describeChoice(chosen)),
      });
    });
    const { graph } = source;
    for (const line of describeImport(graph, report, { listsWarnings: warnings })) print(line);
    const listed = warnings ? [...report.warnings, ...unreadOf(graph, 'not_read')] : [];
    for (const { code, ref, message } of listed) print(`  ${code} ${ref}: ${message}`);
  });
}

/** Checks a name that appears in lines of the history. @throws UsageError */
function collectionName(name: string): string {
  if (name.trim() === '' || name.length > 200 || hasUnseen(name))
    throw new UsageError(
      '--collection must be a name of at most 200 characters, without invisible characters',
    );
  return name;
}

/** Reads a folder as a vault, a .json file as a résumé. @throws UsageError, UnreadableSource */
export async function readSource(
  path: string,
  now: Date,
  onProgress: (progress: ImportProgress) => void = () => undefined,
): Promise<Source> {
  if ((await statOf(path)).isDirectory()) {
    const folder = await realpath(path);
    const graph = await readMarkdownVault(folder, onProgress);
    return { graph, name: nameOf(folder), place: placeOf(folder) };
  }
  if (path.toLowerCase().endsWith('.json'))
    return { graph: await readJsonResume(path, now), name: 'resume', place: null };
  throw new UsageError(
    `${path} is neither a folder of Markdown notes nor a JSON Résumé (.json) nor an archive (.zip)`,
  );
}

/** @throws UsageError */
export const statOf = (path: string): Promise<Stats> =>
  stat(path).catch((error: unknown) => {
    throw new UsageError(`cannot read ${path}: ${reasonOf(error)}`);
  });

/** The name of the folder without its path, which the history stores. */
const nameOf = (folder: string): string => withoutUnseen(basename(folder)).slice(0, 100).trim() || 'notes';

/** The path itself stays out of the database. */
const placeOf = (folder: string): string => createHash('sha256').update(folder).digest('hex').slice(0, 12);

function describeChoice({ record: { name }, found }: ChosenImport): string {
  if (found === 'new') return `Importing as "${name}"`;
  if (found === 'known') return `Going on with the import "${name}"`;
  return `This is the source that you imported as "${name}" from another place: going on with it`;
}

interface ImportRun extends Source {
  chosenName?: string | null;
  tags?: string[];
  maxFileBytes?: number;
  onProgress?: (progress: ImportProgress) => void;
  /** Called before anything else is written. */
  onChosen?: (chosen: ChosenImport) => void;
}

/** Writes a graph in the owner's name. @throws AmbiguousSource */
export async function importFor(
  app: INestApplicationContext,
  owner: User,
  { graph, name: usual, place, chosenName = null, onChosen, ...options }: ImportRun,
): Promise<ImportReport> {
  const access = await app.get(Accesses).ofOwner(owner.id);
  const chosen = await app.get(Imports).choose(access, graph, { chosenName, usual, place });
  onChosen?.(chosen);
  const { collection, name } = chosen.record;
  return app.get(Importer).run(access, graph, { ...options, collection, name });
}

export function describeImport(
  graph: ImportedGraph,
  { nodes, files, relationships, tags, warnings }: ImportReport,
  { listsWarnings = false }: { listsWarnings?: boolean } = {},
): string[] {
  const attached = new Set((graph.files ?? []).map(({ ref }) => ref));
  const leftOut = warnings.filter(({ code, ref }) => code === 'too_large' && attached.has(ref));
  const lines = [
    `Nodes: ${listing(nodes)}`,
    `Relationships: ${listing(relationships)}`,
    ...(graph.files === undefined ? [] : [`Files: ${listing(files)}`]),
    `Tags: ${listing(tags)}`,
  ];
  if ('links' in graph) lines.push(`Links: ${listing((graph as VaultGraph).links)}`);
  lines.push(...describeUnread([...unreadOf(graph), ...leftOut]), ...leftOut.map(tooLarge));
  if (warnings.length > 0)
    lines.push(`Warnings: ${warnings.length}${listsWarnings ? '' : ' (--warnings lists them)'}`);
  return lines;
}

const unreadOf = (graph: ImportedGraph, code?: ImportWarning['code']): ImportWarning[] =>
  'unread' in graph
    ? (graph as VaultGraph).unread.filter((warning) => code === undefined || warning.code === code)
    : [];

const tooLarge = ({ ref, message }: ImportWarning): string =>
  `  left out: ${ref}: ${message} (--any-size takes it; set-tier changes the plan)`;

/** Example: `4 files not read: 2 .canvas, 1 .csv, 1 too large`. */
function describeUnread(unread: readonly ImportWarning[]): string[] {
  if (unread.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { code, ref } of unread) {
    const kind = code === 'not_read' ? extname(ref).toLowerCase() || 'without extension' : UNREAD_AS[code];
    if (kind !== undefined) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${count} ${kind}`);
  return [`${unread.length} ${unread.length === 1 ? 'file' : 'files'} not read: ${kinds.join(', ')}`];
}

const UNREAD_AS: Partial<Record<ImportWarning['code'], string>> = {
  unreadable: 'unreadable',
  not_text: 'not UTF-8',
  too_large: 'too large',
  link_not_followed: 'symbolic links',
};

/** Example: `3 created, 1 left deleted`; zeros are left out. */
function listing(counts: object): string {
  const positive = Object.entries(counts as Record<string, number>).filter(([, count]) => count > 0);
  return positive.map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`).join(', ') || 'none';
}
