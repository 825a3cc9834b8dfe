import type { PiiEntity } from '../../../libs/pii/entities.js';

/**
 * The scope of a transformation (rule 3.15). Lists are ANDed, their entries ORed; an empty or absent list
 * does not restrict.
 */
export interface ApplyTo {
  /** Nodes with at least one of these tags; a deleted tag still counts for the nodes that carried it. */
  tag_ids?: string[];
  node_types?: string[];
  /** Paths: only what is at or below one of them. */
  fields?: string[];
}

export const MASK_STRATEGIES = ['remove', 'null', 'hash', 'last4'] as const;
type MaskStrategy = (typeof MASK_STRATEGIES)[number];

export const GRANULARITIES = ['day', 'month', 'year'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/**
 * A transformation as it is stored and shown: as written, a bare string as `{type}`; omitted keys stay
 * omitted and mean: every entity, `[REDACTED:<entity>]`, strategy `remove`, granularity `day`.
 */
export type Transformation = (
  | { type: 'pii_redaction'; config?: { entities?: PiiEntity[]; replacement?: string } }
  | { type: 'field_mask'; config: { paths: string[]; strategy?: MaskStrategy } }
  | { type: 'truncate'; config: { field: string; max: number } }
  | { type: 'round_date'; config?: { granularity?: Granularity } }
  | { type: 'pseudonymize'; config: { paths: string[] } }
) & { apply_to?: ApplyTo };

export type TransformationType = Transformation['type'];

const TEXT_FIELDS = ['title', 'value', 'metadata', 'agent_metadata'];

/**
 * The fields of a node that each type can change. Never ids, type, schema, version or tags: the permission to
 * discover a tag decides about its name, on the tag endpoints as in nodes.
 */
export const FIELDS_OF_TYPE: Readonly<Record<TransformationType, readonly string[]>> = {
  pii_redaction: TEXT_FIELDS,
  field_mask: [...TEXT_FIELDS, 'importance_score', 'last_modified_by_agent_id'],
  truncate: TEXT_FIELDS,
  round_date: [...TEXT_FIELDS, 'created_at', 'updated_at'],
  pseudonymize: [...TEXT_FIELDS, 'last_modified_by_agent_id'],
};

/** Fields that are not texts: a masked value in one of them could not be written back. */
export const ONLY_REMOVED_OR_NULL: readonly string[] = ['importance_score', 'last_modified_by_agent_id'];
