import { type WireNode } from '../../graph/index.js';
import { isSame } from '../../kernel/json/json-values.js';

export type Reason = 'deleted' | 'access_removed' | 'scope_left';

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

/** A thing beside nodes in wire form. */
export type WireThing = Record<string, unknown>;

/** A step of a relationship or tag (rule 7.13). */
export type PartEntry = Entry & { entity: 'relationship' | 'tag'; id: string } & (
    | { action: 'create'; shown: WireThing }
    | { action: 'update'; shown: WireThing; changedFields: string[] }
    | { action: 'delete'; reason: Reason }
  );

export type NodeEntry = Creation | Update | Deletion;

/** One step from the state that a client holds to the one it should hold. */
export type ChangeEntry = NodeEntry | PartEntry;

/** The fields that two shown states have with different values, or that one of them lacks. */
export const differing = (before: WireThing, after: WireThing): string[] =>
  [...new Set([...Object.keys(after), ...Object.keys(before)])].filter(
    (field) =>
      Object.hasOwn(before, field) !== Object.hasOwn(after, field) || !isSame(before[field], after[field]),
  );

export interface WireOptions {
  idsOnly: boolean;
  includeTags: boolean;
  /** True if the replica holds more than nodes: each entry then names its entity. */
  namesEntities: boolean;
}

/**
 * An entry as clients receive it (rule 7.11e). It has a node version if the node itself shows one (not at detail
 * minimal).
 */
export function wireEntry(entry: ChangeEntry, options: WireOptions): Record<string, unknown> {
  if ('entity' in entry) return wirePartEntry(entry, options);
  const wire = wireNodeEntry(entry, options);
  return options.namesEntities ? { entity: 'node', ...wire } : wire;
}

function wirePartEntry(entry: PartEntry, { idsOnly }: WireOptions): Record<string, unknown> {
  const { entity, action, timestamp, version, id } = entry;
  const step = { entity, action, timestamp, version };
  if (idsOnly) return { ...step, [`${entity}_id`]: id };
  if (entry.action === 'delete') return { ...step, [`${entity}_id`]: id, reason: entry.reason };
  const changed = entry.action === 'update' ? { changed_fields: entry.changedFields } : {};
  return { ...step, ...changed, [entity]: entry.shown };
}

function wireNodeEntry(entry: NodeEntry, { idsOnly, includeTags }: WireOptions): Record<string, unknown> {
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
