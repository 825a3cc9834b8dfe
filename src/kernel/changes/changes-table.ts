/**
 * Columns of `changes` between an owner's number and the time, with their types. Rows sent as JSON use the same names.
 */
const COLUMNS = {
  entity: 'text',
  entity_id: 'uuid',
  action: 'text',
  version: 'integer',
  changed_fields: 'jsonb',
  snapshot: 'jsonb',
  tag_ids: 'uuid[]',
  schema_id: 'uuid',
  node_type: 'text',
  node_created_at: 'timestamptz',
  changed_by_type: 'text',
  changed_by_user_id: 'uuid',
  changed_by_app_id: 'uuid',
  changed_by_agent_id: 'uuid',
  proposal_id: 'uuid',
  reason: 'text',
};

const names = Object.keys(COLUMNS);

/** The insert into `changes`: owner and number go before these columns, the time after them. */
export const CHANGES_INSERT = `INSERT INTO changes (owner_id, sequence, ${names.join(', ')}, changed_at)`;

/** The columns of rows `r`. */
export const CHANGES_SELECT = names.map((name) => `r.${name}`).join(', ');

/** One such row made of parameters, the first of which is `$first`. */
export const changesParameters = (first: number): string =>
  Object.entries(COLUMNS)
    .map(([name, type], index) => `$${first + index}::${type} AS ${name}`)
    .join(', ');

/** The columns of such rows sent as JSON, with their positions among an owner's changes of one statement: 1, 2, …. */
export const CHANGES_RECORD = [
  'position bigint',
  ...Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`),
].join(', ');
