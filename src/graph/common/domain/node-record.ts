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

/** A field that callers write under its own name; tags are written by their names. */
export type WrittenField = Exclude<keyof NodeFields, 'tag_ids'>;

/** The terms of a field: its column, the values that it may have, and its part in history. */
export interface NodeFieldTerms {
  column: 'text' | 'uuid' | 'double precision' | 'jsonb';
  /** The least and the most characters of a text; the least and the greatest number. */
  limits?: readonly [least: number, most: number];
  /** The only values of a text. */
  values?: readonly string[];
  /** The value of a new node without the field, and the meaning of null. Absent: the field is required. */
  default?: string | null;
  /** True for personal content: a write of it is a contribution, and a proposal names who will see it. */
  isContent: boolean;
}

/**
 * The one list of the fields that callers write. Columns, checks of values, snapshots, answers, history and
 * archives are derived from it; the detail level and the masks of each field are in privacy's NODE_EXPOSURE.
 */
export const NODE_FIELDS = {
  title: { column: 'text', limits: [1, 1_000], isContent: true },
  value: { column: 'text', limits: [0, 100_000], default: null, isContent: true },
  /** Bounded, because the list index contains it. */
  node_type: { column: 'text', limits: [1, 255], isContent: true },
  meaning_level: { column: 'text', values: MEANING_LEVELS, default: 'CONTEXT', isContent: true },
  graph_view: { column: 'text', values: GRAPH_VIEWS, default: 'identity', isContent: false },
  importance_score: { column: 'double precision', limits: [0, 1], default: null, isContent: true },
  metadata: { column: 'jsonb', default: null, isContent: true },
  agent_metadata: { column: 'jsonb', default: null, isContent: true },
  last_modified_by_agent_id: { column: 'uuid', default: null, isContent: false },
  schema_id: { column: 'uuid', default: null, isContent: true },
} as const satisfies Readonly<Record<WrittenField, NodeFieldTerms>>;

export const NODE_FIELD_NAMES = Object.keys(NODE_FIELDS) as readonly WrittenField[];

export const isNodeField = (name: string): name is WrittenField => Object.hasOwn(NODE_FIELDS, name);

export const termsOf = (name: WrittenField): NodeFieldTerms => NODE_FIELDS[name];

const DEFAULTS = NODE_FIELD_NAMES.map((name) => [name, termsOf(name).default ?? null] as const);

/** The written fields of a node; an absent one, also of a snapshot that is older than the field, has its default. */
export function writtenFields(node: Readonly<Partial<NodeFields>>): Pick<NodeFields, WrittenField> {
  const fields: Partial<Record<WrittenField, unknown>> = {};
  for (const [name, absent] of DEFAULTS) fields[name] = node[name] ?? absent;
  return fields as Pick<NodeFields, WrittenField>;
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
