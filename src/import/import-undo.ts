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
  /** Titles of nodes that stay, because somebody has changed or related them since. */
  stayed: string[];
}

/** Nodes of one transaction. */
const BATCH = 100;

/**
 * Undoes an import: deletes its nodes, except those that somebody has changed or related since, as a person
 * would, so that each can be restored. Tags stay, because rules refer to them, and a restored node must
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
    const made = await this.queries.made(ownerId, {
      importers: [record.importer, `${record.importer}-files`],
      prefix: marksOf(record.collection),
      reason: importReason(record.name),
    });
    const report: UndoReport = {
      removed: 0,
      stayed: made.filter(({ is_touched }) => is_touched).map(({ title }) => title),
    };
    const untouched = made.filter(({ is_touched }) => !is_touched);
    for (let start = 0; start < untouched.length; start += BATCH)
      await this.remove(access, untouched.slice(start, start + BATCH), report);
    return report;
  }

  /** Skips nodes that have been changed since they were listed. */
  private async remove(access: Access, nodes: readonly MadeNode[], report: UndoReport): Promise<void> {
    const { removed, stayed } = await this.units.run(async () => {
      const locked = await this.imports.lock(
        access,
        nodes.map(({ id }) => id),
      );
      const living = nodes.filter(({ id }) => locked.get(id)?.isDeleted === false);
      const same = living.filter(({ id, version }) => locked.get(id)?.version === version);
      const { deleted } = await this.deletions.run(
        access,
        same.map(({ id }) => id),
      );
      return {
        removed: deleted,
        stayed: living.filter((node) => !same.includes(node)).map(({ title }) => title),
      };
    });
    report.removed += removed;
    report.stayed.push(...stayed);
  }
}
