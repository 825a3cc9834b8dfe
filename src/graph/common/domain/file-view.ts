import { type Access, type NodeFacts } from '../../../privacy/index.js';
import { DATA_TYPES, type DataType, STRUCTURE_TYPES, type StructureType } from './file-facts.js';
import { discovers } from './known-tags.js';
import { type NodeSource, shownOf, decidingFacts } from './node-view.js';

/** A file as the raw-files family shows it (rule 6.3). Fields that the caller may not see are absent. */
export interface FileRecord {
  id: string;
  filename?: string | null;
  content_type?: string | null;
  size?: number | null;
  data_type: DataType;
  format?: string | null;
  structure_type: StructureType;
  owner_id?: string;
  tag_ids?: string[];
  metadata?: Record<string, unknown> | null;
  created_at: string;
  updated_at: string;
}

/**
 * Builds a file from the shown fields of its node; a past state is also cut by its current facts `now`.
 * Below detail full the metadata is absent except for the technical facts, which its transformations still
 * change.
 */
export function fileRecordOf(access: Access, node: NodeSource, now?: NodeFacts): FileRecord {
  const shown = shownOf(access, node, { now });
  const fact = (name: string) => shownFact(access, node, { name, now });
  const kinds = {
    data_type: oneOf(DATA_TYPES, fact('data_type')) ?? 'other',
    structure_type: oneOf(STRUCTURE_TYPES, fact('structure_type')) ?? 'unstructured',
  };
  const dates = { created_at: shown['created_at'] as string, updated_at: shown['updated_at'] as string };
  if (access.exposure.detail === 'minimal') return { id: node.id, ...kinds, ...dates };
  const size = fact('size_bytes');
  // Callers who are shown transformed tag names must not receive the ids.
  const showsTags = !access.exposure.transforms('tags');
  return {
    id: node.id,
    filename: text(shown['title']),
    content_type: text(fact('mime_type')),
    size: typeof size === 'number' ? size : null,
    ...kinds,
    format: text(fact('format')),
    ...('owner_id' in shown ? { owner_id: shown['owner_id'] as string } : {}),
    tag_ids: showsTags ? node.tag_ids.filter((id) => discovers(access, id)) : [],
    ...('metadata' in shown ? { metadata: shown['metadata'] as Record<string, unknown> | null } : {}),
    ...dates,
  };
}

/** The characters of the longest fact that the service records: a media type. */
const LONGEST_FACT = 255;

/** A fact of a file as it is shown at any detail; undefined when a transformation removes it. */
export function shownFact(
  access: Access,
  node: NodeSource,
  { name, now }: { name: string; now?: NodeFacts | undefined },
): unknown {
  const value = node.metadata?.[name];
  // Facts are short texts and numbers. Anything else may be large, and is shown with the metadata alone.
  if (typeof value === 'object') return undefined;
  if (typeof value === 'string' && value.length > LONGEST_FACT && !access.exposure.isIdentity)
    return undefined;
  return access.exposure.transformValue(`metadata.${name}`, value, decidingFacts(node, now));
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value);
