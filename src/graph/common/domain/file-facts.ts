import { type JsonObject, type NodeFields } from './node-record.js';

export const DATA_TYPES = ['text', 'image', 'audio', 'video', 'document', 'other'] as const;
export type DataType = (typeof DATA_TYPES)[number];

export const STRUCTURE_TYPES = ['structured', 'unstructured'] as const;
export type StructureType = (typeof STRUCTURE_TYPES)[number];

/** The kind of a file (rule 6.2). */
export interface FileKind {
  /** Media type, lower case, without parameters. */
  mime_type: string;
  data_type: DataType;
  /** The extension without the dot; null when neither the name nor the bytes reveal it. */
  format: string | null;
  structure_type: StructureType;
}

/** The facts that the service records about a file in its node's metadata (specification, Raw-file node). */
export interface FileFacts extends FileKind {
  filename: string;
  size_bytes: number;
  /** A digest that names nothing elsewhere: the store's own key never leaves the service. */
  blob_key: string;
  /** Hexadecimal. */
  checksum_sha256: string;
  upload_source: string;
}

const FACTS: readonly (keyof FileFacts)[] = [
  'filename',
  'mime_type',
  'size_bytes',
  'blob_key',
  'checksum_sha256',
  'data_type',
  'format',
  'structure_type',
  'upload_source',
];

/** The client's metadata with the facts over it. */
export const withFacts = (metadata: JsonObject | null, facts: Partial<FileFacts>): JsonObject => ({
  ...metadata,
  ...facts,
});

const factsOf = (metadata: JsonObject | null): Partial<FileFacts> =>
  Object.fromEntries(
    FACTS.filter((fact) => metadata?.[fact] !== undefined).map((fact) => [fact, metadata?.[fact]]),
  );

/**
 * Keeps a file's facts in a change of its node: facts in the metadata, schema, type and level are read-only
 * (rule 4.2). The file name is the title and follows it.
 */
export function keepFacts(
  { metadata, title }: Pick<NodeFields, 'metadata' | 'title'>,
  changes: Partial<NodeFields>,
): Partial<NodeFields> {
  const fields = { ...changes };
  for (const fixed of ['schema_id', 'node_type', 'meaning_level'] as const) delete fields[fixed];
  if (fields.metadata === undefined && fields.title === undefined) return fields;
  const custom = fields.metadata === undefined ? metadata : fields.metadata;
  const facts = { ...factsOf(metadata), filename: fields.title ?? title };
  const others = Object.entries(custom ?? {}).filter(([key]) => !(FACTS as readonly string[]).includes(key));
  return { ...fields, metadata: withFacts(Object.fromEntries(others), facts) };
}
