import { type FieldError } from '../../../kernel/errors/domain-error.js';
import { containersIn, jsonBytes, numberBytes } from '../../../kernel/json/json-size.js';
import { isObject } from '../../../kernel/json/json-values.js';
import { TAG_NAME_LENGTH, tagNameKey } from '../../../privacy/index.js';
import {
  between,
  BOOLEAN,
  DATE,
  INTEGER,
  type JsonObject,
  violations,
  NODE_FIELD_NAMES,
  NODE_FIELDS,
  type NodeFieldTerms,
  NUMBER,
  object,
  oneOf,
  orNull,
  type Shape,
  STRING,
  STRINGS,
  termsOf,
  text,
  UUID,
  type WrittenField,
} from '../../common/index.js';

/** Limits of rule 4.13. */
export const NODE_LIMITS = {
  title: NODE_FIELDS.title.limits[1],
  value: NODE_FIELDS.value.limits[1],
  nodeType: NODE_FIELDS.node_type.limits[1],
  /** Bytes of the JSON text, with numbers as {@link jsonBytes} counts them. */
  metadataBytes: 256 * 1024,
  /**
   * The limit with the parts that a writer is not shown: they must not count against the writer, but cannot
   * grow without limit either.
   */
  wholeMetadataBytes: 512 * 1024,
  /** Objects and arrays in metadata: as values they take up to twenty times the bytes of their text. */
  metadataContainers: 10_000,
  metadataDepth: 32,
  tags: 50,
  changeReason: 1_000,
  /** A text by which an agent names itself, its method or its session; lists show it for each entry. */
  agentText: 1_000,
} as const;

/** The limits of the free objects of a node. */
interface ObjectLimits {
  bytes: number;
  containers: number;
  agentText: number;
}

const WRITTEN: ObjectLimits = {
  bytes: NODE_LIMITS.metadataBytes,
  containers: NODE_LIMITS.metadataContainers,
  agentText: NODE_LIMITS.agentText,
};

/**
 * The limits of what may be stored: with parts that a writer was not shown, and with texts of agents that
 * were accepted before they had a limit.
 */
export const STORED_LIMITS: ObjectLimits = {
  bytes: NODE_LIMITS.wholeMetadataBytes,
  containers: 2 * NODE_LIMITS.metadataContainers,
  agentText: Infinity,
};

const AGENT_METADATA = object({
  agent_id: orNull(UUID),
  agent_name: orNull(STRING),
  agent_type: orNull(STRING),
  agent_version: orNull(STRING),
  processing_time_ms: orNull(INTEGER),
  confidence_score: orNull(NUMBER),
  source_models: orNull(STRINGS),
  extraction_method: orNull(STRING),
  validation_status: orNull(oneOf('verified', 'pending', 'rejected')),
  timestamp: orNull(DATE),
  session_id: orNull(STRING),
  contribution_details: orNull(
    object({
      fields_extracted: orNull(STRINGS),
      verification_passed: orNull(BOOLEAN),
      quality_score: orNull(NUMBER),
    }),
  ),
});

/** The shapes that say more than the terms of the field. An unknown schema is refused by its look-up. */
const SPECIAL: Readonly<Partial<Record<WrittenField, Shape>>> = {
  metadata: object({ properties: object() }),
  agent_metadata: AGENT_METADATA,
  schema_id: STRING,
};

function shapeOf(field: WrittenField): Shape {
  const terms = termsOf(field);
  const shape = SPECIAL[field] ?? plainShape(terms);
  return terms.default === undefined ? shape : orNull(shape);
}

function plainShape({ column, limits: [least, most] = [0, Infinity], values }: NodeFieldTerms): Shape {
  if (values !== undefined) return oneOf(...values);
  if (column === 'text') return text(least, most);
  if (column === 'double precision') return between(least, most);
  return column === 'uuid' ? UUID : object();
}

const FIELDS: Readonly<Record<string, Shape>> = {
  ...Object.fromEntries(NODE_FIELD_NAMES.map((field) => [field, shapeOf(field)])),
  tags: orNull(STRINGS),
  change_reason: orNull(text(0, NODE_LIMITS.changeReason)),
};

const NODE_BODY = object(FIELDS);

/** The fields of a node write's body. */
export const NODE_BODY_FIELDS: readonly string[] = Object.keys(FIELDS);

const REQUIRED = NODE_FIELD_NAMES.filter((field) => termsOf(field).default === undefined);
const DOCUMENTS = NODE_FIELD_NAMES.filter((field) => termsOf(field).column === 'jsonb');

/**
 * All errors in the fields of a node body (rules 4.2, 4.3, 4.13); only present fields are checked. Accepts
 * any value, because batch items arrive unchecked.
 */
export function nodeFieldErrors(body: unknown, limits = WRITTEN): FieldError[] {
  if (!isObject(body)) return [{ field: '', message: 'must be an object' }];
  const errors = violations(body, NODE_BODY, '');
  if (errors.length > 0) return errors;
  return [...nodeSizeErrors(body, limits), ...tagNameErrors(body['tags'] as string[] | null | undefined)];
}

/** The errors about the size of free objects, and of the texts of agents in them, only. */
export const nodeSizeErrors = (body: JsonObject, limits = WRITTEN): FieldError[] => [
  ...DOCUMENTS.flatMap((field) => freeObjectErrors(body[field], field, limits)),
  ...agentTextErrors(body['agent_metadata'], limits.agentText),
];

const AGENT_TEXTS = ['agent_name', 'agent_type', 'agent_version', 'extraction_method', 'session_id'];

function agentTextErrors(agentMetadata: unknown, limit: number): FieldError[] {
  if (!isObject(agentMetadata)) return [];
  const shape = text(0, limit);
  return AGENT_TEXTS.filter(
    (key) => typeof agentMetadata[key] === 'string' && !shape.fits(agentMetadata[key]),
  ).map((key) => ({ field: `agent_metadata.${key}`, message: shape.says }));
}

/** The same for a new node: required fields must be present. */
export function newNodeErrors(body: unknown, limits = WRITTEN): FieldError[] {
  if (!isObject(body)) return nodeFieldErrors(body);
  const missing = REQUIRED.filter((field) => body[field] === undefined);
  return [...missing.map((field) => ({ field, message: 'is required' })), ...nodeFieldErrors(body, limits)];
}

function freeObjectErrors(value: unknown, field: string, { bytes, containers }: ObjectLimits): FieldError[] {
  if (value === undefined || value === null) return [];
  if (isDeeperThan(value, NODE_LIMITS.metadataDepth)) {
    return [{ field, message: `must not be nested deeper than ${NODE_LIMITS.metadataDepth} levels` }];
  }
  if (bytesAtMost(value) > bytes && jsonBytes(value) > bytes) {
    return [{ field, message: `must not be larger than ${bytes} bytes of JSON` }];
  }
  if (containersIn(value) > containers)
    return [{ field, message: `must not have more than ${containers} objects and arrays` }];
  return [];
}

/** Stops at the limit, so that no input can exhaust the stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1));
  for (const key in value) if (isDeeperThan((value as JsonObject)[key], levels - 1)) return true;
  return false;
}

/** An upper bound for the bytes of the JSON text, computed without making it. */
function bytesAtMost(value: unknown): number {
  if (typeof value === 'string') return 6 * value.length + 2;
  if (typeof value === 'number') return numberBytes(value);
  if (typeof value !== 'object' || value === null) return LONGEST_LITERAL;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const item of value) bytes += 1 + bytesAtMost(item);
    return bytes;
  }
  for (const key in value) bytes += 6 * key.length + 4 + bytesAtMost((value as JsonObject)[key]);
  return bytes;
}

const LONGEST_LITERAL = 'false'.length;

const TAG_NAME = text(1, TAG_NAME_LENGTH);

function tagNameErrors(names: readonly string[] | null | undefined): FieldError[] {
  if (names === null || names === undefined) return [];
  if (names.length > NODE_LIMITS.tags && new Set(names.map(tagNameKey)).size > NODE_LIMITS.tags) {
    return [{ field: 'tags', message: `must have at most ${NODE_LIMITS.tags} tags` }];
  }
  return names.flatMap((name, index) =>
    TAG_NAME.fits(name.trim()) ? [] : [{ field: `tags.${index}`, message: TAG_NAME.says }],
  );
}
