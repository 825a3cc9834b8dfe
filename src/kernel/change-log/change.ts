import { type Actor } from '../request-context.js';

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

/** A change of the unit that is about to commit, and its actor. */
export interface RecordedChange {
  change: Change;
  actor: Actor;
}

/** The agent behind a change: the one the write names, else the one its actor names, as in a proposal. */
export const agentOf = ({ change, actor }: RecordedChange): string | null =>
  change.agentId ?? actor.agentId ?? null;
