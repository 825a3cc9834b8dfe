import { Injectable } from '@nestjs/common';
import { NodesBulkDeleteService } from '../graph/index.js';
import { Clock } from '../kernel/clock.js';
import { UnitOfWork } from '../kernel/persistence/unit-of-work.js';
import { requestContext } from '../kernel/request-context.js';
import { type Access } from '../privacy/index.js';
import { importReason, marksOf } from './import-state.js';
import { type ImportRecord, ImportsQueries } from './imports.queries.js';

export interface UndoReport {
  removed: number;
  /** Titles of nodes that stay, because somebody changed them or related them to something since. */
  stayed: string[];
}

/** Nodes of one transaction. */
const BATCH = 100;

/**
 * Takes an import back: what it made and nobody else had a part in since is deleted, as a person would, so that each
 * node can be restored. Tags stay, because rules go by them, and a restored node must find those that hide it.
 */
@Injectable()
export class ImportUndo {
  constructor(
    private readonly queries: ImportsQueries,
    private readonly deletions: NodesBulkDeleteService,
    private readonly units: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @param access the owner's own */
  run(access: Access, record: ImportRecord): Promise<UndoReport> {
    const changeReason = `undo of the ${importReason(record.name)}`;
    return requestContext.run({ requestId: '', actor: access.actor, changeReason }, () =>
      this.undo(access, record),
    );
  }

  private async undo(access: Access, record: ImportRecord): Promise<UndoReport> {
    const { ownerId } = access;
    const made = await this.queries.made(ownerId, {
      importers: [record.importer, `${record.importer}-files`],
      prefix: marksOf(record.collection),
      reason: importReason(record.name),
    });
    const ids = made.filter(({ is_touched }) => !is_touched).map(({ id }) => id);
    let removed = 0;
    for (let start = 0; start < ids.length; start += BATCH)
      removed += (await this.deletions.run(access, ids.slice(start, start + BATCH))).deleted;
    await this.units.run(() => this.queries.markUndone(ownerId, record.id, this.clock.now()));
    return { removed, stayed: made.filter(({ is_touched }) => is_touched).map(({ title }) => title) };
  }
}
