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

/** True if it shows hashes, which the key of an app and user makes. */
export const hashes = ({ type, config }: Transformation): boolean =>
  type === 'pseudonymize' || (type === 'field_mask' && config.strategy === 'hash');

export type TransformationType = Transformation['type'];
