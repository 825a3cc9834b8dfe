export const MEANING_LEVELS = ['DATA', 'CONTEXT', 'IDENTITY'] as const;
export type MeaningLevel = (typeof MEANING_LEVELS)[number];

export const GRAPH_VIEWS = ['identity', 'neutral'] as const;
export type GraphView = (typeof GRAPH_VIEWS)[number];

/** The node types that a node of meaning level IDENTITY may have (specification, Node). */
export const IDENTITY_TYPES = ['EXPERIENCE', 'BELIEF', 'ENTITY', 'GOAL'] as const;
export type IdentityType = (typeof IDENTITY_TYPES)[number];

export type JsonObject = Record<string, unknown>;

/** The data of a tag link. Links without an entry were made with the node. */
export interface TagLink {
  relevance_score: number | null;
  is_auto_generated: boolean;
  /** ISO 8601. */
  created_at: string;
}

/**
 * The fields that callers may write, in the names of the wire. Tags are ids here: names are resolved
 * before.
 */
export interface NodeFields {
  title: string;
  value: string | null;
  node_type: string;
  meaning_level: MeaningLevel;
  graph_view: GraphView;
  /** 0 to 1. */
  importance_score: number | null;
  metadata: JsonObject | null;
  agent_metadata: JsonObject | null;
  last_modified_by_agent_id: string | null;
  schema_id: string | null;
  /**
   * Ids in the order in which they were sent. Ids of deleted tags stay until the owner removes them (rule
   * 3.11b).
   */
  tag_ids: readonly string[];
}

/**
 * The state of a node. One set of names for table row, state and wire form: rows become nodes, and nodes
 * become answers, without a mapping in between.
 */
export interface NodeRecord extends NodeFields {
  owner_id: string;
  id: string;
  schema_version: number | null;
  tag_links: Record<string, TagLink>;
  version: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  merged_into: string | null;
}

/**
 * A node's whole state in the change log: the complete wire form, with `graph_view` and the ids of the
 * tags. Only NodePresenter turns it into an answer.
 */
export interface NodeSnapshot extends NodeFields {
  id: string;
  owner_id: string;
  schema_version: number | null;
  version: number;
  created_at: string;
  updated_at: string;
  /** Present on a deleted node only. */
  deleted_at?: string;
  merged_into?: string;
}
