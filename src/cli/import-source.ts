import { type INestApplicationContext } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { type Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type User } from '../identity/index.js';
import {
  type ImportedGraph,
  Importer,
  type ImportReport,
  readJsonResume,
  readMarkdownVault,
  reasonOf,
  type VaultGraph,
} from '../import/index.js';
import { Accesses } from '../privacy/index.js';
import { fromCaller, print, UsageError, withService } from './operator.js';
import { ProgressBar } from './progress.js';
import { userNamed } from './user-named.js';

export interface ImportArguments {
  path: string;
  user: string;
  collection?: string;
  tag?: string[];
  warnings?: boolean;
}

interface Source {
  graph: ImportedGraph;
  /**
   * What this source is called unless the operator says otherwise: the same name finds the same nodes again. A folder by
   * where it is, since many are called `notes`; a person has one résumé, whatever its file is called.
   */
  collection: string;
}

/** The command `import`: reads first, so that a wrong path is told before the database is opened. */
export async function importSource({
  path,
  user,
  collection,
  tag,
  warnings,
}: ImportArguments): Promise<void> {
  const source = await readSource(fromCaller(path), new Date());
  const options = { collection: collection ?? source.collection, tags: tag ?? [] };
  const report = await withService(async (app) =>
    importFor(app, await userNamed(app, user), { ...options, graph: source.graph }),
  );
  for (const line of describeImport(source.graph, report, { listsWarnings: warnings })) print(line);
  for (const { code, ref, message } of warnings ? report.warnings : []) print(`  ${code} ${ref}: ${message}`);
}

/** A folder is a vault, a .json file a résumé. @throws UsageError, UnreadableSource */
export async function readSource(path: string, now: Date): Promise<Source> {
  if ((await statOf(path)).isDirectory()) {
    const folder = await realpath(path);
    return { graph: await readMarkdownVault(folder), collection: nameOf(folder) };
  }
  if (path.toLowerCase().endsWith('.json'))
    return { graph: await readJsonResume(path, now), collection: 'resume' };
  throw new UsageError(
    `${path} is neither a folder of Markdown notes nor a JSON Résumé (.json) nor an archive (.zip)`,
  );
}

/** @throws UsageError */
export const statOf = (path: string): Promise<Stats> =>
  stat(path).catch((error: unknown) => {
    throw new UsageError(`cannot read ${path}: ${reasonOf(error)}`);
  });

/** The path itself stays out: the name is kept in the history. */
const nameOf = (folder: string): string =>
  `${basename(folder)} ${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;

/** Writes a graph in the owner's name, with a progress bar on a terminal. */
export async function importFor(
  app: INestApplicationContext,
  owner: User,
  { graph, collection, tags }: { graph: ImportedGraph; collection: string; tags?: string[] },
): Promise<ImportReport> {
  const bar = new ProgressBar();
  const access = await app.get(Accesses).ofOwner(owner.id);
  try {
    return await app.get(Importer).run(access, graph, { collection, tags: tags ?? [], onProgress: bar.show });
  } finally {
    bar.stop();
  }
}

export function describeImport(
  graph: ImportedGraph,
  { nodes, files, relationships, tags, warnings }: ImportReport,
  { listsWarnings = false }: { listsWarnings?: boolean } = {},
): string[] {
  const lines = [
    `Nodes: ${listing(nodes)}`,
    `Relationships: ${listing(relationships)}`,
    ...(graph.files === undefined ? [] : [`Files: ${listing(files)}`]),
    `Tags: ${listing(tags)}`,
  ];
  if ('links' in graph) lines.push(`Links: ${listing((graph as VaultGraph).links)}`);
  if (warnings.length > 0)
    lines.push(`Warnings: ${warnings.length}${listsWarnings ? '' : ' (--warnings lists them)'}`);
  return lines;
}

/** `3 created, 1 left deleted`; what is zero is left out. */
function listing(counts: object): string {
  const told = Object.entries(counts as Record<string, number>).filter(([, count]) => count > 0);
  return told.map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`).join(', ') || 'none';
}
