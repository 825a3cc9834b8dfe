import { laterTime } from '../../../kernel/later-time.js';
import { changedFields, type ChangedFields } from '../../../kernel/change-log/changed-fields.js';
import { type GraphView } from '../../common/index.js';

/** The fields of an edge that can be written; its two ends never change. */
export interface RelationshipFields {
  relationship_type: string;
  /** 0 to 1 */
  strength: number | null;
  /** 0 to 1 */
  confidence: number | null;
  context: string | null;
  graph_view: GraphView;
  emotion_type: string | null;
  /** -1 to 1 */
  sentiment_score: number | null;
}

/**
 * A directed edge between two different nodes of one owner. Parallel edges are allowed (rule 4.16). The names
 * are the table's and the wire's.
 */
export interface Relationship extends RelationshipFields {
  owner_id: string;
  id: string;
  from_node_id: string;
  to_node_id: string;
  /** True if it was made together with the reverse edge; the two are independent since. */
  bidirectional: boolean;
  version: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

/** A relationship with all its fields, as its owner sees it and as the change log stores it. */
export type RelationshipRecord = Omit<Relationship, 'deleted_at'>;

export const RELATIONSHIP_LIMITS = { type: 100, context: 10_000, emotionType: 100 } as const;

export interface RelationshipBirth {
  owner_id: string;
  id: string;
  from_node_id: string;
  to_node_id: string;
  at: Date;
}

/** An unsaved edge; absent fields get their defaults. */
export function newRelationship(
  birth: RelationshipBirth,
  fields: Partial<RelationshipFields> & { relationship_type: string; bidirectional?: boolean },
): Relationship {
  const { at, ...ends } = birth;
  return {
    ...ends,
    relationship_type: fields.relationship_type,
    strength: fields.strength ?? null,
    confidence: fields.confidence ?? null,
    context: fields.context ?? null,
    bidirectional: fields.bidirectional ?? false,
    graph_view: fields.graph_view ?? 'identity',
    emotion_type: fields.emotion_type ?? null,
    sentiment_score: fields.sentiment_score ?? null,
    version: 1,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  };
}

/** The edge in the other direction, with everything else the same. */
export function reverseOf(edge: Relationship, id: string): Relationship {
  return { ...edge, id, from_node_id: edge.to_node_id, to_node_id: edge.from_node_id };
}

/**
 * The next version of an edge: absent fields stay, null clears. Returns null, and so no new version, when
 * nothing would differ (rule 4.2).
 * @param how `unseen`: fields that make a version, and are named in it, even if they do not differ (rule
 * 3.16f)
 */
export function changeRelationship(
  edge: Relationship,
  given: Partial<RelationshipFields & Ends>,
  { at, unseen = [] }: { at: Date; unseen?: readonly string[] },
): { edge: Relationship; changed: ChangedFields } | null {
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const next: Relationship = { ...edge, ...present };
  const changed = changedFields(relationshipRecord(edge), relationshipRecord(next), unseen);
  if (Object.keys(changed).length === 0) return null;
  return {
    edge: { ...next, version: edge.version + 1, updated_at: laterTime(edge.updated_at, at) },
    changed,
  };
}

export interface Ends {
  from_node_id: string;
  to_node_id: string;
}

/** The next version of an edge between other nodes, for a merge of nodes and its undo. */
export function moveRelationship(
  edge: Relationship,
  ends: Ends,
  at: Date,
): { edge: Relationship; changed: ChangedFields } {
  const next: Relationship = { ...edge, from_node_id: ends.from_node_id, to_node_id: ends.to_node_id };
  const changed = changedFields(relationshipRecord(edge), relationshipRecord(next));
  return {
    edge: { ...next, version: edge.version + 1, updated_at: laterTime(edge.updated_at, at) },
    changed,
  };
}

/** The next version of a deleted edge, restored. */
export function restoredRelationship(edge: Relationship, at: Date): Relationship {
  return { ...edge, version: edge.version + 1, updated_at: laterTime(edge.updated_at, at), deleted_at: null };
}

/** The last version of an edge, marked as deleted. */
export function deletedRelationship(edge: Relationship, at: Date): Relationship {
  return { ...edge, version: edge.version + 1, updated_at: laterTime(edge.updated_at, at), deleted_at: at };
}

export function relationshipRecord(edge: Relationship): RelationshipRecord {
  return {
    id: edge.id,
    from_node_id: edge.from_node_id,
    to_node_id: edge.to_node_id,
    relationship_type: edge.relationship_type,
    strength: edge.strength,
    confidence: edge.confidence,
    context: edge.context,
    bidirectional: edge.bidirectional,
    graph_view: edge.graph_view,
    emotion_type: edge.emotion_type,
    sentiment_score: edge.sentiment_score,
    owner_id: edge.owner_id,
    created_at: edge.created_at,
    updated_at: edge.updated_at,
    version: edge.version,
  };
}
