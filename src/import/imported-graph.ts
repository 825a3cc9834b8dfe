/**
 * The output of every parser in this folder: plain data in the service's own terms, without database or
 * promises.
 */
export interface ImportedNode {
  /** Stable within one source: a second import of the same source finds the node by it. */
  ref: string;
  title: string;
  value: string | null;
  node_type: string;
  meaning_level: 'DATA' | 'CONTEXT' | 'IDENTITY';
  metadata: { properties: Record<string, unknown>; source: Record<string, unknown> };
  tags: string[];
  created_at?: Date;
  updated_at?: Date;
}

/** A file beside the nodes; its content is read when it is written. */
export interface ImportedFile {
  ref: string;
  name: string;
  /** The path on this machine. */
  location: string;
  tags: string[];
  source: Record<string, unknown>;
}

/** `from` and `to` are refs of nodes or files of the same graph. At most one per (from, to, type). */
export interface ImportedRelationship {
  from: string;
  to: string;
  type: string;
  context: string | null;
}

/** A tag that needs more than its name: a parent (named, listed before its children) or a category. */
export interface ImportedTag {
  name: string;
  parent: string | null;
  category: string | null;
}

export interface ImportWarning {
  code:
    | 'unreadable'
    | 'not_text'
    | 'too_large'
    | 'link_not_followed'
    | 'bad_front_matter'
    | 'bad_entry'
    | 'ambiguous_link'
    | 'unresolved_link'
    | 'ref_taken'
    | 'not_parsed'
    | 'shortened'
    | 'not_read';
  /** Path or place in the source. */
  ref: string;
  message: string;
}

export interface ImportedGraph {
  /** The name of the parser: part of the key by which imported nodes are found again. */
  importer: string;
  nodes: ImportedNode[];
  files?: ImportedFile[];
  relationships: ImportedRelationship[];
  tags: ImportedTag[];
  warnings: ImportWarning[];
}

/**
 * An error for a source that cannot be read at all (no such directory, not JSON). The message is one line
 * for the operator.
 */
export class UnreadableSource extends Error {}
