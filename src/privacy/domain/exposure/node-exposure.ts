import { DETAIL_LEVELS, type DetailLevel } from '../profile-rules.js';
import { type TransformationType } from './transformation.js';

/** The exposure of a field of a node. */
interface FieldTerms {
  /** The lowest detail level that shows the field; null: it never leaves the service. */
  shownFrom: DetailLevel | null;
  /** The transformations that can change it; absent: none. */
  maskedBy?: readonly TransformationType[];
}

const TEXT = ['pii_redaction', 'field_mask', 'truncate', 'round_date', 'pseudonymize'] as const;

/**
 * The one list of who is shown which field of a node, and of a list's entry about it (rules 3.14, 3.15). A field that
 * is not in it is not shown. Transformations never change ids, type, schema, version or tags: the permission to
 * discover a tag decides about its name, on the tag endpoints as in nodes.
 */
export const NODE_EXPOSURE = {
  id: { shownFrom: 'minimal' },
  title: { shownFrom: 'summary', maskedBy: TEXT },
  value: { shownFrom: 'full', maskedBy: TEXT },
  metadata: { shownFrom: 'full', maskedBy: TEXT },
  agent_metadata: { shownFrom: 'full', maskedBy: TEXT },
  node_type: { shownFrom: 'minimal' },
  meaning_level: { shownFrom: 'minimal' },
  graph_view: { shownFrom: null },
  importance_score: { shownFrom: 'summary', maskedBy: ['field_mask'] },
  last_modified_by_agent_id: { shownFrom: 'full', maskedBy: ['field_mask', 'pseudonymize'] },
  schema_id: { shownFrom: 'minimal' },
  schema_version: { shownFrom: 'full' },
  tags: { shownFrom: 'summary' },
  owner_id: { shownFrom: 'summary' },
  version: { shownFrom: 'summary' },
  created_at: { shownFrom: 'minimal', maskedBy: ['round_date'] },
  updated_at: { shownFrom: 'minimal', maskedBy: ['round_date'] },
  deleted_at: { shownFrom: 'full' },
  is_shared: { shownFrom: 'summary' },
  owner: { shownFrom: 'summary' },
  similarity_score: { shownFrom: 'full' },
} as const satisfies Readonly<Record<string, FieldTerms>>;

const ENTRIES: readonly (readonly [string, FieldTerms])[] = Object.entries(NODE_EXPOSURE);

const shownAt = (level: DetailLevel): ReadonlySet<string> => {
  const levels: readonly (DetailLevel | null)[] = DETAIL_LEVELS.slice(DETAIL_LEVELS.indexOf(level));
  return new Set(ENTRIES.filter(([, { shownFrom }]) => levels.includes(shownFrom)).map(([field]) => field));
};

/** The fields that each detail level shows, and no others. */
export const FIELDS_AT: Readonly<Record<DetailLevel, ReadonlySet<string>>> = {
  full: shownAt('full'),
  summary: shownAt('summary'),
  minimal: shownAt('minimal'),
};

const maskedBy = (type: TransformationType): readonly string[] =>
  ENTRIES.filter(([, terms]) => terms.maskedBy?.includes(type) === true).map(([field]) => field);

/** The fields of a node that each type can change. */
export const FIELDS_OF_TYPE: Readonly<Record<TransformationType, readonly string[]>> = {
  pii_redaction: maskedBy('pii_redaction'),
  field_mask: maskedBy('field_mask'),
  truncate: maskedBy('truncate'),
  round_date: maskedBy('round_date'),
  pseudonymize: maskedBy('pseudonymize'),
};

/** Fields that are not texts: a masked value in one of them could not be written back. */
export const ONLY_REMOVED_OR_NULL: readonly string[] = FIELDS_OF_TYPE.field_mask.filter(
  (field) => !FIELDS_OF_TYPE.truncate.includes(field),
);
