import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type PropertyComparison, type PropertyFilter, type PropertyOperator } from '../../common/index.js';
import { compareText } from './list-positions.js';

/* The two faces of filters by properties, which must agree: one for stored and one for shown metadata. */

const SQL_OPERATORS: Readonly<Record<PropertyOperator, Sql>> = {
  eq: sql.raw('='),
  gt: sql.raw('>'),
  gte: sql.raw('>='),
  lt: sql.raw('<'),
  lte: sql.raw('<='),
};

/** True if the metadata in this column passes all filters; never NULL. The document is unpacked once for a row. */
export function propertiesPass(metadata: Sql, filters: readonly PropertyFilter[]): Sql {
  const all = filters.flatMap(({ path, comparisons }) => {
    // Only the text form of the operator is used, which never counts the elements of an array.
    const value = sql.join([sql.raw('held.properties'), ...path.map((key) => sql`${key}::text`)], ' -> ');
    return comparisons.map((comparison) => passes(value, comparison));
  });
  return sql`EXISTS (SELECT FROM (SELECT ${metadata} -> 'properties' AS properties OFFSET 0) AS held WHERE ${sql.and(all)})`;
}

function passes(at: Sql, { operator, value }: PropertyComparison): Sql {
  const by = SQL_OPERATORS[operator];
  if (typeof value !== 'string')
    return sql`CASE WHEN jsonb_typeof(${at}) = ${typeof value} THEN ${at} ${by} ${JSON.stringify(value)}::jsonb ELSE FALSE END`;
  return sql`CASE WHEN jsonb_typeof(${at}) = 'string' THEN (${at}) #>> '{}' COLLATE "C" ${by} ${value}::text ELSE FALSE END`;
}

/** The counterpart of {@link propertiesPass} for metadata in memory. */
export const passesProperties = (metadata: unknown, filters: readonly PropertyFilter[]): boolean =>
  filters.every(({ path, comparisons }) => {
    const value = ['properties', ...path].reduce(memberOf, metadata);
    return comparisons.every((comparison) => isPassed(value, comparison));
  });

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function isPassed(held: unknown, { operator, value }: PropertyComparison): boolean {
  if (typeof held !== typeof value) return false;
  if (operator === 'eq') return held === value;
  const order =
    typeof value === 'string' ? compareText(held as string, value) : (held as number) - (value as number);
  if (operator === 'gt') return order > 0;
  if (operator === 'gte') return order >= 0;
  return operator === 'lt' ? order < 0 : order <= 0;
}
