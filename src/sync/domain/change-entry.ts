import { type WireNode } from '../../graph/index.js';

type Reason = 'deleted' | 'access_removed' | 'scope_left';

interface Entry {
  /** The time of the node's change, or of the change of a rule or tag name that caused the entry (rule 7.7). */
  timestamp: unknown;
  /** The owner's sequence number of the node's last change, or the entry's own number for this caller (rule 7.7). */
  version: number;
}

export interface Creation extends Entry {
  action: 'create';
  node: WireNode;
  nodeVersion: unknown;
}

interface Update extends Entry {
  action: 'update';
  changedFields: string[];
  node: WireNode;
  nodeVersion: unknown;
}

export interface Deletion extends Entry {
  action: 'delete';
  nodeId: string;
  deletedTitle: string | null;
  reason: Reason;
}

/** One step from the state that a client holds to the one it should hold. */
export type ChangeEntry = Creation | Update | Deletion;

export interface WireOptions {
  idsOnly: boolean;
  includeTags: boolean;
}

/**
 * An entry as clients receive it (rule 7.11e). It has a node version if the node itself shows one (not at detail
 * minimal).
 */
export function wireEntry(
  entry: ChangeEntry,
  { idsOnly, includeTags }: WireOptions,
): Record<string, unknown> {
  const { action, timestamp, version } = entry;
  const id = entry.action === 'delete' ? entry.nodeId : entry.node['id'];
  if (idsOnly) return { action, timestamp, version, node_id: id };
  if (entry.action === 'delete') {
    return {
      action,
      timestamp,
      version,
      node_id: id,
      deleted_title: entry.deletedTitle,
      reason: entry.reason,
    };
  }
  const node = includeTags ? entry.node : withoutTags(entry.node);
  return {
    action,
    timestamp,
    version,
    ...(entry.nodeVersion === undefined ? {} : { node_version: entry.nodeVersion }),
    ...(entry.action === 'update' ? { changed_fields: entry.changedFields } : {}),
    node,
  };
}

function withoutTags(shown: WireNode): WireNode {
  const node = { ...shown };
  delete node['tags'];
  return node;
}
