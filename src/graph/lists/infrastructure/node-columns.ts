import { contentBytes, withinPageBytes } from '../../../kernel/persistence/page-bytes.js';
import { type Sql, sql } from '../../../kernel/persistence/sql.js';
import { type NodeRecord } from '../../common/index.js';

/** Columns of a node and their types, in one place: the record's names are the table's. */
export const NODE_COLUMNS = {
  owner_id: 'uuid',
  id: 'uuid',
  title: 'text',
  value: 'text',
  node_type: 'text',
  meaning_level: 'text',
  graph_view: 'text',
  importance_score: 'double precision',
  metadata: 'jsonb',
  agent_metadata: 'jsonb',
  last_modified_by_agent_id: 'uuid',
  schema_id: 'uuid',
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

/** The size of a node's fields of unbounded size. It reveals nothing to callers who are shown nodes whole. */
export const nodeBytes = (alias: string): Sql =>
  contentBytes(alias, { texts: ['title', 'value'], documents: ['metadata', 'agent_metadata', 'tag_links'] });

/** The first of these `nodes AS n`, until they fill a page. */
export const nodesWithinBytes = (from: Sql, order: Sql): Sql =>
  withinPageBytes({
    from,
    columns: nodeColumns('n'),
    order,
    bytes: nodeBytes('n'),
    names: nodeColumns('page'),
  });
