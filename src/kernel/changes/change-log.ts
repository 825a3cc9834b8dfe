import { Injectable } from '@nestjs/common';
import { requestContext } from '../request-context.js';
import { currentBuffer } from '../persistence/unit-of-work.js';
import { type Expected } from './change-buffer.js';
import { type Amounts } from './quota-statements.js';
import { callersReason } from './reasons.js';

/** The node facts that a visibility reads, stored beside the snapshot as columns. */
export interface ChangeFacts {
  tagIds: readonly string[];
  schemaId: string | null;
  nodeType: string;
  createdAt: Date;
}

export interface Change {
  /** The owner of the graph, or of the rules, that changed. */
  ownerId: string;
  entity: string;
  entityId: string;
  /** created, updated, deleted, restored, tag_added, tag_removed, merged (rule 7.1a). */
  action: string;
  version: number;
  changedFields?: Record<string, { old: unknown; new: unknown }> | null;
  /** The whole state after the change; for a deletion the last state. */
  snapshot: object | null;
  facts?: ChangeFacts | null;
  /**
   * The facts of an existing entity before and after a change of them; `from` is null where a deleted entity is
   * restored. Checks of the unit read it; it is not stored.
   */
  moved?: { from: ChangeFacts | null; to: ChangeFacts };
  agentId?: string | null;
  /** The metadata that the write sent about its agent. It is for followers and is not stored with the change. */
  agentMetadata?: Readonly<Record<string, unknown>> | null;
  /**
   * Present when a merge has put the entity into another of its kind: the id of that one; null when the merge was
   * undone. The snapshot holds the same; this field is for followers.
   */
  livesOnIn?: string | null;
  /** The version whose change this one reverts, in part or in full; its contributions count again. */
  takesBack?: number | null;
  /**
   * True for a change that is never refused for the bytes of the graph, although others of its kind are: it narrows, or
   * another person's act brings it into this log.
   */
  isNeverRefused?: boolean;
  /** From the body of a request; absent: the reason of the whole request, or of the service's own work. */
  reason?: string | null;
}

/**
 * The one record of all changes, written in the transaction that makes them. Rows are numbered per owner without gaps
 * and in commit order (rule 7.7a).
 */
@Injectable()
export class ChangeLog {
  /** Needs an open unit of work. The actor is taken from the request. */
  append(change: Change): void {
    const { actor, changeReason } = requestContext.current();
    const own = change.reason ?? null;
    const reason = own === null ? changeReason : callersReason(own);
    currentBuffer().add(reason === own ? change : { ...change, reason }, actor);
  }

  /**
   * Makes the unit conditional, for creates that read without a lock: the unit is written if the owner's counter still
   * has the expected value and the lock is free, else not at all.
   * @throws GraphMoved at the end of the unit
   */
  expect(expected: Expected): void {
    currentBuffer().expect(expected);
  }

  /**
   * Raises the policy version of a graph owner or of an app. Every write that changes a decision of a guard calls this
   * in its own transaction; the next request then decides again, in every process (rule 2.8).
   */
  touchPolicy(id: string): void {
    currentBuffer().touch(id);
  }

  /**
   * Adds to an owner's counters amounts that do not follow from a change: apps, groups, bytes of files; negative for a
   * decrease. Nothing is counted for an owner whose account is closed.
   * @throws QUOTA_EXCEEDED at the end of the unit
   */
  count(ownerId: string, added: Amounts): void {
    currentBuffer().count(ownerId, added);
  }
}
