import { Injectable } from '@nestjs/common';
import { requestContext } from '../request-context.js';
import { currentBuffer } from '../persistence/unit-of-work.js';
import { type Expected } from './change-buffer.js';
import { type Amounts } from './quota-statements.js';

/** What a visibility expression looks at, kept beside the snapshot as columns. */
export interface ChangeFacts {
  tagIds: readonly string[];
  schemaId: string | null;
  nodeType: string;
  createdAt: Date;
}

export interface Change {
  /** Whose graph, or whose rules. */
  ownerId: string;
  entity: string;
  entityId: string;
  /** created, updated, deleted, restored, tag_added, tag_removed, merged (decisions 7.1). */
  action: string;
  version: number;
  changedFields?: Record<string, { old: unknown; new: unknown }> | null;
  /** The whole state after the change; for a deletion the last one. */
  snapshot: object | null;
  facts?: ChangeFacts | null;
  /**
   * The facts of something that was there before, where they change; `from` is null where it was deleted and is restored.
   * Read by those who judge the unit, not stored.
   */
  moved?: { from: ChangeFacts | null; to: ChangeFacts };
  agentId?: string | null;
  /** What the write itself said of the agent at work; not kept with the change, for those who follow it. */
  agentMetadata?: Readonly<Record<string, unknown>> | null;
  /**
   * Present when a merge has put it into another of its kind: that one's id; null when it has come out of it again. The
   * snapshot tells the same; this is for those who follow the change.
   */
  livesOnIn?: string | null;
  /** The version whose change this one takes back, as far as it does; what was said of it holds again as before. */
  takesBack?: number | null;
  reason?: string | null;
}

/**
 * The one record of what happened, written in the transaction that made it happen. Rows are numbered per owner
 * without gaps and in commit order (decisions 7.7).
 */
@Injectable()
export class ChangeLog {
  /** Needs an open unit of work. Who did it is taken from the request. */
  append(change: Change): void {
    const { actor, changeReason } = requestContext.current();
    const own = change.reason ?? null;
    currentBuffer().add(
      own === null && changeReason !== null ? { ...change, reason: changeReason } : change,
      actor,
    );
  }

  /**
   * For a unit that makes something, having looked without a lock: it is written if the owner's counter still stands as
   * it did then and nobody holds the lock, and else not at all.
   * @throws GraphMoved at the end of the unit
   */
  expect(expected: Expected): void {
    currentBuffer().expect(expected);
  }

  /**
   * Raises the policy counter of a graph owner or of an app. Whatever changes what a guard would decide calls
   * this in its own transaction; the next request then decides anew, in every process (decisions 2.8).
   */
  touchPolicy(id: string): void {
    currentBuffer().touch(id);
  }

  /**
   * Adds to an owner's counters what no change tells: apps, groups, bytes of files; less is negative. Nothing is counted
   * for an owner who is gone.
   * @throws QUOTA_EXCEEDED at the end of the unit
   */
  count(ownerId: string, added: Amounts): void {
    currentBuffer().count(ownerId, added);
  }
}
