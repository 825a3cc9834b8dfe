import { type FieldError } from '../../kernel/errors/domain-error.js';
import { isId } from '../../kernel/ids.js';
import { containersIn } from '../../kernel/json/json-size.js';
import { isObject, picked } from '../../kernel/json/json-values.js';
import { Slices, type Steps } from '../../kernel/slices.js';
import {
  isMediaType,
  isNodeField,
  isSchemaUri,
  newNodeErrors,
  NODE_FIELD_NAMES,
  nodeFieldErrors,
  relationshipFieldErrors,
  STORED_LIMITS,
} from '../../graph/index.js';
import { refuseUnstoredRules, rulesOfSnapshot, tagNameKey } from '../../privacy/index.js';
import { dimensionsOf, fits, fittingBytes, squaresOf, storedBytes } from '../domain/column-kinds.js';
import { type OwnedTable, TIMES } from '../domain/owned-table.js';
import { OMITTED, RESTORED_ENTITIES, RULES_BYTES, SCHEMA_FIELDS } from '../domain/restored-tables.js';
import { type ArchivedRow } from '../infrastructure/restored-rows.queries.js';

type Row = Record<string, unknown>;

/** The fault of a row of an archive, or null. Accepts any value; others are served meanwhile. */
export const faultInSlices = (owned: OwnedTable, row: unknown, ownerId: string): Promise<string | null> =>
  new Slices(Infinity).run(faultSteps(owned, row, ownerId));

function* faultSteps(owned: OwnedTable, row: unknown, ownerId: string): Steps<string | null> {
  if (!isObject(row)) return 'is not an object';
  const columns = Object.keys(owned.columns);
  if (!hasExactly(row, columns)) return `must have the fields ${columns.join(', ')}`;
  for (const column of columns) {
    const bytes = yield* fittingBytes(owned.columns[column] as string, row[column]);
    if (bytes === null) return `${column} is not what it may be`;
    if (owned.table !== 'changes' || bytes === 0) continue;
    const fault = yield* valuesFault(row, { column, bytes });
    if (fault !== null) return fault;
  }
  yield undefined;
  const fault = MEANINGS[owned.table]?.(row, ownerId) ?? null;
  const isOfNode = owned.table === 'changes' && row['entity'] === 'node';
  return fault ?? (isOfNode ? yield* stepsFault(row['changed_fields']) : null);
}

const hasExactly = (row: Row, fields: readonly string[]): boolean =>
  Object.keys(row).length === fields.length && fields.every((field) => Object.hasOwn(row, field));

/** More than any entity has fields. */
const MOST_FIELDS = 100;

/**
 * The fault of a snapshot or of changed fields by their size: no field is larger than one that the API stores, so that
 * no reader of one value holds the others up for longer than it does after a write.
 */
function* valuesFault(row: Row, { column, bytes }: { column: string; bytes: number }): Steps<string | null> {
  const fields = row[column] as Row;
  if (Object.keys(fields).length > MOST_FIELDS) return `${column} must have at most ${MOST_FIELDS} fields`;
  const most = row['entity'] === 'exposure_profile' ? RULES_BYTES : STORED_LIMITS.bytes;
  const containers = row['entity'] === 'node' ? STORED_LIMITS.containers : Infinity;
  // An object or array has two bytes at least.
  if (bytes <= Math.min(most, 2 * containers)) return null;
  for (const [field, value] of Object.entries(fields)) {
    const parts = column === 'changed_fields' && isObject(value) ? Object.values(value) : [value];
    for (const part of parts) {
      if ((yield* storedBytes(part)) > most) return `${column}.${field} must have at most ${most} bytes`;
      if (containersIn(part) > containers)
        return `${column}.${field} must have at most ${containers} objects and arrays`;
    }
  }
  return null;
}

/** The row with its derived columns. */
export const completed = ({ hidden }: OwnedTable, row: ArchivedRow): ArchivedRow =>
  hidden.includes('name_key') ? { ...row, name_key: tagNameKey(row['name'] as string) } : row;

const first = ([error]: readonly FieldError[]): string | null =>
  error === undefined ? null : `${error.field} ${error.message}`;

const nodeFault = (row: Row): string | null =>
  first(newNodeErrors(picked(row, NODE_FIELD_NAMES), STORED_LIMITS));

const UNIT_TOLERANCE = 1e-3;

const MEANINGS: Readonly<Record<string, (row: Row, ownerId: string) => string | null>> = {
  nodes: (row) => nodeFault(row) ?? linksFault(row['tag_links'] as Row),
  tags: ({ name, color }) =>
    (name as string).trim() !== name || name === ''
      ? 'name is not what it may be'
      : color === null || /^#[0-9A-Fa-f]{6}$/.test(color as string)
        ? null
        : 'color is not what it may be',
  relationships: (row) => first(relationshipFieldErrors(row)),
  schemas: (row) =>
    isSchemaUri(row['schema_uri'] as string) ? audienceFault(row) : 'schema_uri is not what it may be',
  schema_versions: recordFault,
  exposure_profiles: ({ rules }) => rulesFault(rules),
  files: ({ media_type }) => (isMediaType(media_type as string) ? null : 'media_type is not what it may be'),
  embeddings: ({ dimensions, unit }) =>
    dimensionsOf(unit as string) !== dimensions
      ? 'unit has other dimensions'
      : Math.abs(squaresOf(unit as string) - 1) <= UNIT_TOLERANCE
        ? null
        : 'unit is not of length one',
  changes: changeFault,
};

const audienceFault = ({ scope, private_to }: Row): string | null =>
  (scope === 'private') === (private_to === 'user') ? null : 'private_to does not fit the scope';

/** An old version is shown as the record says; so it must belong to this very schema, and have its form. */
function recordFault(row: Row, ownerId: string): string | null {
  const { schema_id: id, version, scope, private_to } = row;
  const record = row['record'] as Row;
  const identity = { owner_id: ownerId, id, version, scope, private_to };
  if (Object.entries(identity).some(([field, value]) => record[field] !== value))
    return 'record is of another version';
  const fields = [...Object.keys(RECORD), ...Object.keys(TIMES)];
  if (!hasExactly(record, fields)) return `record must have the fields ${fields.join(', ')}`;
  if (!isSchemaUri(String(record['schema_uri']))) return 'record.schema_uri is not what it may be';
  const fault = audienceFault(row) ?? shapeFault(record, RECORD) ?? dated(record);
  return fault?.replace(/^(the )?snapshot/, 'record') ?? null;
}

const RECORD: Record<string, string> = { ...SCHEMA_FIELDS, owner_id: 'uuid', created_by_app_id: 'uuid?' };

function linksFault(links: Row): string | null {
  const isLink = (link: unknown): boolean =>
    isObject(link) &&
    hasExactly(link, ['relevance_score', 'is_auto_generated', 'created_at']) &&
    // Unbounded: before the bound existed, every number was accepted.
    fits('real?', link['relevance_score']) &&
    typeof link['is_auto_generated'] === 'boolean' &&
    isTimeText(link['created_at']);
  return Object.entries(links).every(([id, link]) => isId(id) && isLink(link))
    ? null
    : 'tag_links must have relevance_score, is_auto_generated and created_at for each tag id';
}

function rulesFault(rules: unknown): string | null {
  try {
    refuseUnstoredRules(rules);
    return null;
  } catch (error) {
    return `rules: ${(error as Error).message}`;
  }
}

/** A change is shown in the form of its entity; so its snapshot must have it. */
function changeFault(row: Row): string | null {
  const { entity, entity_id, snapshot } = row;
  if (entity === OMITTED) return snapshot === null ? null : 'what is omitted has no snapshot';
  if (!RESTORED_ENTITIES.includes(entity as string)) return 'is of no kind that is brought back';
  if (!isObject(snapshot)) return 'has no snapshot';
  if (entity !== 'embedding' && snapshot['id'] !== entity_id) return 'has the snapshot of another thing';
  return changedFieldsFault(row['changed_fields']) ?? SNAPSHOTS[entity as string]?.(snapshot, row) ?? null;
}

function changedFieldsFault(fields: unknown): string | null {
  if (fields === null) return null;
  const isPair = (pair: unknown): boolean => isObject(pair) && 'old' in pair && 'new' in pair;
  return Object.values(fields as Row).every(isPair) ? null : 'changed_fields are none';
}

const SNAPSHOTS: Readonly<Record<string, (snapshot: Row, row: Row) => string | null>> = {
  node: (snapshot, row) =>
    factsFault(row) ?? nodeFault(snapshot) ?? shapeFault(snapshot, NODE_SNAPSHOT) ?? dated(snapshot),
  embedding: (snapshot, row) =>
    factsFault(row) ??
    shapeFault(snapshot, { node_id: 'uuid', model: 'text?:1000', dimensions: 'int:1:4096' }),
  relationship: (snapshot) =>
    first(relationshipFieldErrors(snapshot)) ??
    shapeFault(snapshot, { from_node_id: 'uuid', to_node_id: 'uuid' }) ??
    dated(snapshot),
  tag: (snapshot) => shapeFault(snapshot, { name: 'text:100' }),
  schema: () => null,
  exposure_profile: (snapshot) => rulesFault(rulesOfSnapshot(snapshot)),
};

const NODE_SNAPSHOT = {
  id: 'uuid',
  owner_id: 'uuid',
  version: 'int:1:2147483647',
  tag_ids: 'tags',
  title: 'text:1000',
};

/** Lists read these facts beside the snapshot. */
const factsFault = ({ tag_ids, node_type, node_created_at }: Row): string | null =>
  tag_ids === null || node_type === null || node_created_at === null ? 'lacks facts of its node' : null;

function shapeFault(snapshot: Row, kinds: Record<string, string>): string | null {
  const wrong = Object.entries(kinds).find(([field, kind]) => !fits(kind, snapshot[field] ?? null))?.[0];
  return wrong === undefined ? null : `snapshot.${wrong} is not what it may be`;
}

const dated = (snapshot: Row): string | null =>
  isTimeText(snapshot['created_at']) && isTimeText(snapshot['updated_at'])
    ? null
    : 'the snapshot has no times';

const isTimeText = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00:00)$/.test(value) &&
  !Number.isNaN(Date.parse(value));

/** Values of a step are shown like a node's own. */
function* stepsFault(fields: unknown): Steps<string | null> {
  for (const [field, { old: was, new: is }] of Object.entries(
    (fields ?? {}) as Record<string, { old: unknown; new: unknown }>,
  )) {
    for (const value of [was, is]) {
      if (value === null) continue;
      yield undefined;
      if (field === 'tag_ids' && !fits('tags', value)) return 'changed_fields.tag_ids is not what it may be';
      if (isNodeField(field) && nodeFieldErrors({ [field]: value }, STORED_LIMITS).length > 0)
        return `changed_fields.${field} is not what it may be`;
    }
  }
  return null;
}
