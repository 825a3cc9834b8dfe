import { Injectable } from '@nestjs/common';
import { FileImports, GraphImports, RelationshipsService, TagsService } from '../graph/index.js';
import { UnitOfWork } from '../kernel/change-log/unit-of-work.js';
import { requestContext } from '../kernel/request-context.js';
import { type Access } from '../privacy/index.js';
import { type EdgeTally, ImportEdgesWriter } from './import-edges-writer.js';
import { ImportFilesWriter } from './import-files-writer.js';
import { matchNodes } from './import-match.js';
import { ImportNodesWriter } from './import-nodes-writer.js';
import { emptyReport, type ImportProgress, type ImportReport } from './import-report.js';
import { importReason, marksOf } from './import-state.js';
import { ImportTags } from './import-tags.js';
import type { ImportedGraph } from './imported-graph.js';
import { ImportsQueries } from './imports.queries.js';
import { type SourceNode, sourceNodes } from './source-node.js';

export interface ImportOptions {
  /** The source among a person's sources: nodes are found again by it and by their place in it. */
  collection: string;
  /** The name in the change log, if it differs. */
  name?: string;
  /** Tags for every node, besides its own. */
  tags?: readonly string[];
  /** The maximum size of a new file. */
  maxFileBytes?: number;
  onProgress?: (progress: ImportProgress) => void;
}

/** The number of nodes that one transaction writes, and of nodes whose edges it writes. */
const BATCH = 100;

/**
 * Writes the output of a parser into a person's graph. Repeatable: a second import of the same source
 * changes only what has changed in the source, and keeps changes from the service (see `rebase`,
 * ImportTags, `planEdges`). An import that was interrupted is completed by the next one (rule 12.5).
 */
@Injectable()
export class Importer {
  constructor(
    private readonly imports: GraphImports,
    private readonly tags: TagsService,
    private readonly relationships: RelationshipsService,
    private readonly units: UnitOfWork,
    private readonly files: FileImports,
    private readonly states: ImportsQueries,
  ) {}

  /**
   * @param access the owner's own access
   * @throws ImportUndone when an undo runs at the same time
   */
  run(access: Access, graph: ImportedGraph, options: ImportOptions): Promise<ImportReport> {
    const context = { requestId: '', actor: access.actor, changeReason: reasonFor(options) };
    return requestContext.run(context, () => this.write(access, graph, options));
  }

  private async write(access: Access, graph: ImportedGraph, options: ImportOptions): Promise<ImportReport> {
    const { imports, states, units } = this;
    const report = emptyReport(graph.warnings);
    const sources = sourceNodes(graph, options.collection, options.tags ?? []);
    const prefix = marksOf(options.collection);
    const marked = (await imports.listMarked(access, graph.importer)).filter(({ ref }) =>
      ref.startsWith(prefix),
    );
    report.nodes.gone = (await matchNodes({ access, imports }, sources, marked)).length;
    const tags = await ImportTags.prepare({ access, imports, tags: this.tags, units }, graph.tags);
    const holdOpen = (): Promise<void> => states.holdOpen(access.ownerId, options.collection);
    const nodes = new ImportNodesWriter({ access, imports, states, tags, report, holdOpen });
    await inBatches(sources, (batch) => nodes.write(batch), shown(options, 'nodes'));
    const attachments = new ImportFilesWriter(
      { access, imports, states, files: this.files, tags, report, holdOpen },
      options,
    );
    const files = await attachments.write(graph, shown(options, 'files'));
    report.tags.created = tags.created;
    const tools = {
      access,
      imports,
      relationships: this.relationships,
      reason: reasonFor(options),
    };
    const edges = new ImportEdgesWriter(tools, marked, sources, files);
    const write = async (batch: SourceNode[]): Promise<void> =>
      add(
        report.relationships,
        await units.run(async () => {
          await holdOpen();
          return edges.write(batch);
        }),
      );
    await inBatches(sources, write, shown(options, 'relationships'));
    return report;
  }
}

const reasonFor = ({ name, collection }: ImportOptions): string => importReason(name ?? collection);

const shown =
  ({ onProgress }: ImportOptions, phase: ImportProgress['phase']) =>
  (done: number, total: number): void =>
    onProgress?.({ phase, done, total });

async function inBatches(
  sources: readonly SourceNode[],
  write: (batch: SourceNode[]) => Promise<void>,
  progress: (done: number, total: number) => void,
): Promise<void> {
  progress(0, sources.length);
  for (let start = 0; start < sources.length; start += BATCH) {
    const batch = sources.slice(start, start + BATCH);
    await write(batch);
    progress(start + batch.length, sources.length);
  }
}

function add(sum: EdgeTally, more: EdgeTally): void {
  sum.created += more.created;
  sum.updated += more.updated;
  sum.deleted += more.deleted;
  sum.unchanged += more.unchanged;
}
