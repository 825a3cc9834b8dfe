import { type FileImports, type GraphImports } from '../graph/index.js';
import { DomainError, isFaultOfPart } from '../kernel/errors/domain-error.js';
import { type Access } from '../privacy/index.js';
import { type ImportReport } from './import-report.js';
import {
  lastStateOf,
  markOf,
  marksOf,
  type NodeState,
  rebaseTags,
  sourceStateOf,
  stateWithoutTags,
} from './import-state.js';
import { type ImportTags } from './import-tags.js';
import { type ImportsQueries } from './imports.queries.js';
import { type ImportedFile, type ImportedGraph } from './imported-graph.js';
import { reasonOf } from './reason.js';

interface Tools {
  access: Access;
  imports: GraphImports;
  states: ImportsQueries;
  files: FileImports;
  tags: ImportTags;
  report: ImportReport;
  /** Runs first in each unit of work. @throws ImportUndone */
  holdOpen: () => Promise<void>;
}

/** A file of the source and its current node, or null. */
export interface SourceFile {
  mark: { ref: string };
  id: string | null;
}

/** Nodes of one transaction. */
const BATCH = 100;

interface ImportedBefore {
  id: string;
  is_deleted: boolean;
}

/**
 * Writes files of a source into the graph, one after the other. Files are recognised by their marks: a file
 * with new content becomes the next version of its node; one that was deleted in the service stays deleted;
 * names and tags that a person changed stay.
 */
export class ImportFilesWriter {
  constructor(
    private readonly tools: Tools,
    private readonly options: { collection: string; tags?: readonly string[]; maxFileBytes?: number },
  ) {}

  async write(graph: ImportedGraph, progress: (done: number, total: number) => void): Promise<SourceFile[]> {
    const { files = [] } = graph;
    if (files.length === 0) return [];
    const importer = `${graph.importer}-files`;
    const known = await this.known(importer);
    const written: SourceFile[] = [];
    for (const [index, file] of files.entries()) {
      progress(index, files.length);
      const mark = { importer, ref: markOf(this.options.collection, file.ref), version: 1 };
      written.push({ mark, id: await this.writeOne(file, mark, known.get(mark.ref)) });
    }
    progress(files.length, files.length);
    const ids = written.flatMap(({ id }) => (id === null ? [] : [id]));
    for (let start = 0; start < ids.length; start += BATCH)
      await this.addTags(ids.slice(start, start + BATCH));
    return written;
  }

  /** Adds the tags of this run's option, except those that a person has removed since an earlier run. */
  private async addTags(ids: readonly string[]): Promise<void> {
    const { access, imports, states, tags } = this.tools;
    const added = await tags.idsOf(this.options.tags ?? [], []);
    if (added.length === 0) return;
    await imports.unit(access, async (checks) => {
      await this.tools.holdOpen();
      const nodes = [...(await imports.lock(access, ids)).values()].filter(({ isDeleted }) => !isDeleted);
      const kept = await states.statesOf(access.ownerId, ids);
      const born = await imports.statesAt(
        access,
        nodes.map(({ id }) => ({ id, version: 1 })),
      );
      const moves = nodes.map((node) => {
        const current: NodeState = node.record;
        const state = kept.get(node.id);
        const last = state ? lastStateOf(state) : stateWithoutTags(born.get(node.id) ?? current);
        const tag_ids = rebaseTags({ ...last, tag_ids: [] }, current.tag_ids, { next: [], added });
        const source = sourceStateOf({ ...current, tag_ids: [] }, [
          ...new Set([...added, ...last.added_tag_ids]),
        ]);
        return { node, step: { ...node.record, tag_ids }, state: { node_id: node.id, source } };
      });
      await imports.update(access, moves, checks);
      await states.keepStates(
        access.ownerId,
        moves.map(({ state }) => state),
      );
    });
  }

  private async known(importer: string): Promise<Map<string, ImportedBefore>> {
    const { access, imports } = this.tools;
    const prefix = marksOf(this.options.collection);
    const known = new Map<string, ImportedBefore>();
    for (const node of await imports.listMarked(access, importer)) {
      const first = known.get(node.ref);
      // The oldest living one of several nodes with one mark is the imported one.
      const isBetter = first === undefined || (first.is_deleted && !node.is_deleted);
      if (node.ref.startsWith(prefix) && isBetter) known.set(node.ref, node);
    }
    return known;
  }

  private async writeOne(
    file: ImportedFile,
    mark: { importer: string; ref: string; version: number },
    known: ImportedBefore | undefined,
  ): Promise<string | null> {
    const { access, files, tags, report } = this.tools;
    if (known?.is_deleted) {
      report.files.left_deleted += 1;
      return null;
    }
    const { location, name: filename } = file;
    const { maxFileBytes: maxBytes } = this.options;
    const metadata = { source: { ...file.source, ...mark } };
    const given = {
      filename,
      location,
      metadata,
      first: this.tools.holdOpen,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    };
    try {
      if (known) {
        report.files[await files.update(access, known.id, given)] += 1;
        return known.id;
      }
      const tagIds = await tags.idsOf([...file.tags, ...(this.options.tags ?? [])], []);
      const id = await files.create(access, given, tagIds);
      report.files.created += 1;
      return id;
    } catch (error) {
      if (!isOfTheFile(error)) throw error;
      report.files.refused += 1;
      const code =
        error instanceof DomainError && error.code === 'FILE_TOO_LARGE' ? 'too_large' : 'unreadable';
      const message = error instanceof DomainError ? error.message : reasonOf(error);
      report.warnings.push({ code, ref: file.ref, message });
      return known?.id ?? null;
    }
  }
}

/**
 * True for a fault of one file, which does not stop the others. A store or a database that is unavailable
 * stops the import.
 */
function isOfTheFile(error: unknown): boolean {
  if (error instanceof DomainError) return isFaultOfPart(error);
  return ['ENOENT', 'EACCES', 'EISDIR', 'EPERM', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '');
}
