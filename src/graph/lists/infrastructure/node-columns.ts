import { contentBytes, withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import {
  NODE_FIELD_NAMES,
  NODE_FIELDS,
  type NodeFieldTerms,
  type NodeRecord,
  termsOf,
  type WrittenField,
} from '../../common/index.js';

const WRITTEN = Object.fromEntries(
  NODE_FIELD_NAMES.map((field) => [field, NODE_FIELDS[field].column]),
) as Record<WrittenField, NodeFieldTerms['column']>;

/** Columns of a node and their types, in one place: the record's names are the table's. */
export const NODE_COLUMNS = {
  owner_id: 'uuid',
  id: 'uuid',
  ...WRITTEN,
  schema_version: 'integer',
  tag_ids: 'uuid[]',
  tag_links: 'jsonb',
  version: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  deleted_at: 'timestamptz',
  merged_into: 'uuid',
} satisfies Record<keyof NodeRecord, string>;

export const NODE_COLUMN_NAMES = Object.keys(NODE_COLUMNS) as (keyof NodeRecord)[];

/** All columns of a node, of the table with the given alias. */
export const nodeColumns = (alias: string): Sql =>
  sql.raw(NODE_COLUMN_NAMES.map((name) => `${alias}.${name}`).join(', '));

/** The size of a node's long texts and documents. It reveals nothing to callers who are shown nodes whole. */
export const nodeBytes = (alias: string): Sql =>
  contentBytes(alias, {
    texts: NODE_FIELD_NAMES.filter((field) => isLongText(termsOf(field))),
    documents: [...NODE_FIELD_NAMES.filter((field) => NODE_FIELDS[field].column === 'jsonb'), 'tag_links'],
  });

const SHORT_TEXT = 255;
const isLongText = ({ column, limits }: NodeFieldTerms): boolean =>
  column === 'text' && limits !== undefined && limits[1] > SHORT_TEXT;

/** The first of these `nodes AS n`, until they fill a page. */
export const nodesWithinBytes = (from: Sql, order: Sql): Sql =>
  withinPageBytes({
    from,
    columns: nodeColumns('n'),
    order,
    bytes: nodeBytes('n'),
    names: nodeColumns('page'),
  });
