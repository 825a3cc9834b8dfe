import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, compileVisibility, hasType } from '../../../privacy/index.js';
import { DATA_TYPES, type GraphView, type MeaningLevel, type PropertyFilter } from '../../common/index.js';
import { propertiesPass } from './property-matches.js';

/** The filter of a list or a count; an absent field does not restrict. */
export interface NodeFilter {
  nodeType?: string;
  meaningLevel?: MeaningLevel;
  view?: GraphView;
  /** Nodes with any of these tags. */
  tagIds?: readonly string[];
  /** Nodes that also have any of these tags. */
  alsoTagIds?: readonly string[];
  /** Nodes with any of these schemas; null is a node without a schema. */
  schemaIds?: readonly (string | null)[];
  /** Part of the title or the value, letter case aside. */
  search?: string;
  /** Values of `metadata.properties`, as the caller is shown them. */
  properties?: readonly PropertyFilter[] | undefined;
  /** Only files of this kind, as the caller is shown it. */
  dataType?: string;
  contentType?: string;
  /** Only deleted nodes instead of only living ones. */
  deleted?: boolean;
  /** The filter names something impossible, or something that the caller may not know: no node passes. */
  matchesNothing?: boolean;
}

/** The columns of nodes that a Visibility looks at; all of them are in the list index. */
export const FACT_COLUMNS = {
  id: sql.raw('n.id'),
  tagIds: sql.raw('n.tag_ids'),
  schemaId: sql.raw('n.schema_id'),
  nodeType: sql.raw('n.node_type'),
  createdAt: sql.raw('n.created_at'),
};

/** The caller's readable nodes that pass a filter, as the condition of a query over `nodes AS n`. */
export function readableNodes(access: Access, filter: NodeFilter): Sql {
  const readable = compileVisibility(access.nodes.read, FACT_COLUMNS);
  const allowed = access.nodes.read.kind === 'all' ? null : readable;
  return sql`n.owner_id = ${access.ownerId} AND ${passing(filter, access.exposure.detail, allowed)} AND ${readable}`;
}

/**
 * The filter alone, for callers who are shown nodes at this detail.
 * @param allowed the condition of the nodes whose texts and documents may be looked into; null: all
 */
export function passing(filter: NodeFilter, detail: Access['exposure']['detail'], allowed: Sql | null): Sql {
  return sql.and([
    filter.matchesNothing && sql`FALSE`,
    filter.deleted ? sql`n.deleted_at IS NOT NULL` : sql`n.deleted_at IS NULL`,
    filter.nodeType !== undefined && hasType(FACT_COLUMNS.nodeType, [filter.nodeType]),
    filter.meaningLevel !== undefined && sql`n.meaning_level = ${filter.meaningLevel}`,
    filter.view !== undefined && sql`n.graph_view = ${filter.view}`,
    filter.tagIds !== undefined && sql`n.tag_ids && ${filter.tagIds}::uuid[]`,
    filter.alsoTagIds !== undefined && sql`n.tag_ids && ${filter.alsoTagIds}::uuid[]`,
    filter.schemaIds !== undefined && anySchema(filter.schemaIds),
    filter.dataType !== undefined && ofDataType(filter.dataType),
    filter.contentType !== undefined && sql`n.metadata ->> 'mime_type' = ${filter.contentType}`,
    asksTexts(filter) && among(allowed, inTexts(filter, detail)),
  ]);
}

/** The filter in two conditions: its facts, and what it asks of texts, if anything. */
export function inFactsAndTexts(
  { search, properties, ...facts }: NodeFilter,
  detail: Access['exposure']['detail'],
): { facts: Sql; texts: Sql | null } {
  const asked = { search, properties };
  return { facts: passing(facts, detail, null), texts: asksTexts(asked) ? inTexts(asked, detail) : null };
}

/**
 * A condition on texts that is looked at for these nodes only: the amount of text in others, and matches in it, must not
 * show in the time.
 */
export const among = (allowed: Sql | null, texts: Sql): Sql =>
  allowed === null ? texts : sql`CASE WHEN ${allowed} THEN ${texts} ELSE FALSE END`;

type InTexts = Pick<NodeFilter, 'search' | 'properties'>;

const asksTexts = ({ search, properties }: InTexts): boolean =>
  search !== undefined || properties !== undefined;

/** The parts of a filter that look into texts and documents. */
const inTexts = ({ search, properties }: InTexts, detail: Access['exposure']['detail']): Sql =>
  sql.and([
    search !== undefined && containing(search, detail),
    properties !== undefined &&
      (detail === 'full' ? propertiesPass(sql.raw('n.metadata'), properties) : sql`FALSE`),
  ]);

/** Unknown types are shown as `other`. */
function ofDataType(dataType: string): Sql {
  if (dataType !== 'other') return sql`n.metadata ->> 'data_type' = ${dataType}`;
  const others = DATA_TYPES.filter((type) => type !== 'other');
  return sql`(n.metadata ->> 'data_type' = ANY(${others}::text[])) IS NOT TRUE`;
}

function anySchema(schemaIds: readonly (string | null)[]): Sql {
  const named = schemaIds.filter((id) => id !== null);
  const freeform = schemaIds.includes(null) ? sql`OR n.schema_id IS NULL` : sql.empty;
  return sql`(n.schema_id = ANY(${named}::uuid[]) ${freeform})`;
}

/**
 * Upper case by the rules of Unicode: the same on every database, and equal to JavaScript's for the search
 * text. Upper rather than lower, because it has no final sigma, and ß equals SS.
 */
const folded = (column: string): Sql => sql.raw(`upper(n.${column} COLLATE "und-x-icu")`);

/** Searches only the fields shown at this detail (rules 3.14, 3.16). Every character is literal. */
function containing(search: string, detail: Access['exposure']['detail']): Sql {
  const sought = foldCase(search);
  if (detail === 'minimal') return sql`FALSE`;
  if (detail === 'summary') return sql`strpos(${folded('title')}, ${sought}) > 0`;
  return sql`(strpos(${folded('title')}, ${sought}) > 0 OR strpos(${folded('value')}, ${sought}) > 0)`;
}

export const foldCase = (text: string): string => text.toUpperCase();
