/** Columns of `changes` between an owner's number and the time, and their types, as rows that travel as JSON name them. */
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

/** Owner and number go before these columns, the time after them. */
export const CHANGES_INSERT = `INSERT INTO changes (owner_id, sequence, ${names.join(', ')}, changed_at)`;

/** The columns of rows `r`. */
export const CHANGES_SELECT = names.map((name) => `r.${name}`).join(', ');

/** Such a row of parameters, the first of which is `$first`. */
export const changesParameters = (first: number): string =>
  Object.entries(COLUMNS)
    .map(([name, type], index) => `$${first + index}::${type} AS ${name}`)
    .join(', ');

/** What such rows are made of, with their places among an owner's changes of one statement: 1, 2, …. */
export const CHANGES_RECORD = [
  'position bigint',
  ...Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`),
].join(', ');
