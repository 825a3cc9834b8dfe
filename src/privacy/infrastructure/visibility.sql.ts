import { type Sql, sql } from '../../kernel/database/sql.js';
import { isPlainType } from '../domain/node-type.js';
import { FREEFORM, keysOf, type Visibility } from '../domain/visibility.js';

/** The columns of a query that hold the facts of a node. Only schemaId may be NULL in the rows. */
export interface VisibilityColumns {
  id: Sql;
  tagIds: Sql;
  schemaId: Sql;
  nodeType: Sql;
  createdAt: Sql;
}

const TRUE = sql.raw('TRUE');
const FALSE = sql.raw('FALSE');
const compiled = new WeakMap<Visibility, WeakMap<VisibilityColumns, Sql>>();

/**
 * Compiles a visibility to SQL: a condition in parentheses, true exactly where `sees` is, never NULL. Every
 * list is one array parameter, so that policies of one shape share one text and PostgreSQL's plan of it.
 * Cached for each expression and set of columns: keep the columns object in a constant.
 */
export function compileVisibility(expression: Visibility, columns: VisibilityColumns): Sql {
  let byColumns = compiled.get(expression);
  if (byColumns === undefined) compiled.set(expression, (byColumns = new WeakMap()));
  let text = byColumns.get(columns);
  if (text === undefined) byColumns.set(columns, (text = compile(expression, columns)));
  return text;
}

function compile(expression: Visibility, columns: VisibilityColumns): Sql {
  switch (expression.kind) {
    case 'all':
      return TRUE;
    case 'none':
      return FALSE;
    case 'and':
      return joined(expression.parts, ' AND ', columns);
    case 'or':
      return joined(expression.parts, ' OR ', columns);
    case 'not':
      return sql`(NOT ${compile(expression.part, columns)})`;
    case 'tagged-any':
      return carriesAnyOf(columns.tagIds, expression.tagIds);
    case 'tagged-all':
      return sql`(${columns.tagIds} @> ${[...expression.tagIds]}::uuid[])`;
    case 'untagged':
      return sql`(cardinality(${columns.tagIds}) = 0)`;
    case 'type-in':
      return hasType(columns.nodeType, expression.types);
    case 'schema-in':
      return schemaIn(expression.schemaIds, columns.schemaId);
    case 'created-between':
      return between(expression.from, expression.to, columns.createdAt);
    case 'id-in':
      return isOneOf(columns.id, expression.ids, UUIDS);
  }
}

const joined = (parts: readonly Visibility[], separator: string, columns: VisibilityColumns): Sql =>
  sql`(${sql.join(
    parts.map((part) => compile(part, columns)),
    separator,
  )})`;

/**
 * `NULL = ANY(…)` is NULL; the test for NULL beside it decides: FALSE AND NULL is FALSE, TRUE OR NULL is
 * TRUE.
 */
function schemaIn(schemaIds: readonly string[], column: Sql): Sql {
  const ids = schemaIds.filter((id) => id !== FREEFORM);
  if (ids.length === schemaIds.length) return sql`(${column} IS NOT NULL AND ${isOneOf(column, ids, UUIDS)})`;
  if (ids.length === 0) return sql`(${column} IS NULL)`;
  return sql`(${column} IS NULL OR ${isOneOf(column, ids, UUIDS)})`;
}

/**
 * The number of entries from which a list is hashed: once for a statement, under a generic plan as well.
 * Compared one by one, each of a node's tags is compared with each entry. `IS TRUE` keeps the planner from
 * making a join of it, which it would run for each node again.
 */
const HASHED_FROM = 50;
const UUIDS = sql.raw('uuid[]');
const TEXTS = sql.raw('text[]');

/** True if an array column, never NULL, contains one of these ids. */
export function carriesAnyOf(column: Sql, ids: readonly string[]): Sql {
  if (ids.length < HASHED_FROM) return sql`(${column} && ${[...ids]}::uuid[])`;
  return sql`EXISTS (SELECT FROM unnest(${column}) AS carried (id)
    WHERE (carried.id IN (SELECT unnest(${[...ids]}::uuid[]))) IS TRUE)`;
}

/**
 * True if a node type, never NULL, is one of these: it has a key of theirs, or is spelled as one that the
 * database may fold otherwise.
 */
export function hasType(column: Sql, types: readonly string[]): Sql {
  const keyed = isOneOf(sql`node_type_key(${column})`, [...keysOf(types)], TEXTS);
  const others = types.filter((type) => !isPlainType(type));
  return others.length === 0 ? keyed : sql`(${keyed} OR ${isOneOf(column, others, TEXTS)})`;
}

function isOneOf(column: Sql, values: readonly string[], type: Sql): Sql {
  if (values.length < HASHED_FROM) return sql`(${column} = ANY(${[...values]}::${type}))`;
  return sql`((${column} IN (SELECT unnest(${[...values]}::${type}))) IS TRUE)`;
}

function between(from: Date | null, to: Date | null, column: Sql): Sql {
  if (from === null) return sql`(${column} <= ${to}::timestamptz)`;
  if (to === null) return sql`(${column} >= ${from}::timestamptz)`;
  return sql`(${column} BETWEEN ${from}::timestamptz AND ${to}::timestamptz)`;
}
