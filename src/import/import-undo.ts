import { Injectable } from '@nestjs/common';
import { GraphImports, NodesBulkDeleteService } from '../graph/index.js';
import { Clock } from '../kernel/clock.js';
import { UnitOfWork } from '../kernel/change-log/unit-of-work.js';
import { requestContext } from '../kernel/request-context.js';
import { type Access } from '../privacy/index.js';
import { importReason, marksOf } from './import-state.js';
import { type ImportRecord, ImportsQueries, type MadeNode } from './imports.queries.js';

export interface UndoReport {
  removed: number;
  /** Titles of nodes that stay, because somebody has changed or related them since, or has given them a vector. */
  stayed: string[];
}

/** Nodes of one transaction. */
const BATCH = 100;

/**
 * Undoes an import: deletes its nodes, except those that somebody has changed, related or given a vector since,
 * as a person would, so that each can be restored. Tags stay, because rules refer to them, and a restored node must
 * have the tags that hide it.
 */
@Injectable()
export class ImportUndo {
  constructor(
    private readonly queries: ImportsQueries,
    private readonly imports: GraphImports,
    private readonly deletions: NodesBulkDeleteService,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @param access the owner's own access */
  run(access: Access, record: ImportRecord): Promise<UndoReport> {
    const changeReason = `undo of the ${importReason(record.name)}`;
    return requestContext.run({ requestId: '', actor: access.actor, changeReason }, () =>
      this.undo(access, record),
    );
  }

  /**
   * The import is marked first: from then on no import writes under its marks, so that the list of nodes is
   * complete. An undo that was interrupted, or runs beside another one, is completed by the next one; each
   * node is deleted once.
   */
  private async undo(access: Access, record: ImportRecord): Promise<UndoReport> {
    const { ownerId } = access;
    await this.units.run(() => this.queries.markUndone(ownerId, record.id, this.clock.now()));
    const reason = importReason(record.name);
    const made = await this.queries.made(ownerId, {
      importers: [record.importer, `${record.importer}-files`],
      prefix: marksOf(record.collection),
      reason,
    });
    const report: UndoReport = { removed: 0, stayed: [] };
    for (let start = 0; start < made.length; start += BATCH)
      await this.remove(access, made.slice(start, start + BATCH), { reason, report });
    return report;
  }

  /** Nodes are judged while they are locked, so that nothing that was added to them meanwhile is lost. */
  private async remove(
    access: Access,
    nodes: readonly MadeNode[],
    { reason, report }: { reason: string; report: UndoReport },
  ): Promise<void> {
    const ids = nodes.map(({ id }) => id);
    const { removed, stayed } = await this.units.run(async () => {
      const locked = await this.imports.lock(access, ids);
      const living = nodes.filter(({ id }) => locked.get(id)?.isDeleted === false);
      const touched = await this.queries.touched(access.ownerId, ids, reason);
      const own = living.filter(({ id }) => !touched.has(id));
      const { deleted } = await this.deletions.run(
        access,
        own.map(({ id }) => id),
      );
      return {
        removed: deleted,
        stayed: living.filter(({ id }) => touched.has(id)).map(({ title }) => title),
      };
    });
    report.removed += removed;
    report.stayed.push(...stayed);
  }
}
