import { agentOf, type RecordedChange } from './change.js';

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

const actorType = (entry: RecordedChange): string => (agentOf(entry) === null ? entry.actor.type : 'agent');
const jsonOf = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null);

/** The values of the columns of one change, in their order. */
export function changeValues(entry: RecordedChange): unknown[] {
  const { change, actor } = entry;
  return [
    change.entity,
    change.entityId,
    change.action,
    change.version,
    jsonOf(change.changedFields),
    jsonOf(change.snapshot),
    change.facts?.tagIds ?? null,
    change.facts?.schemaId ?? null,
    change.facts?.nodeType ?? null,
    change.facts?.createdAt ?? null,
    actorType(entry),
    actor.userId,
    actor.appId,
    agentOf(entry),
    actor.proposalId ?? null,
    change.reason ?? null,
  ];
}

/**
 * A change as a row of JSON, with its position among those of one statement: 1, 2, …. Null values are left out: the column
 * of a missing key is null.
 */
export function changeRow(entry: RecordedChange, position: number): object {
  const { change, actor } = entry;
  return {
    position,
    entity: change.entity,
    entity_id: change.entityId,
    action: change.action,
    version: change.version,
    changed_fields: change.changedFields ?? undefined,
    snapshot: change.snapshot ?? undefined,
    tag_ids: change.facts?.tagIds,
    schema_id: change.facts?.schemaId ?? undefined,
    node_type: change.facts?.nodeType,
    node_created_at: change.facts?.createdAt,
    changed_by_type: actorType(entry),
    changed_by_user_id: actor.userId ?? undefined,
    changed_by_app_id: actor.appId ?? undefined,
    changed_by_agent_id: agentOf(entry) ?? undefined,
    proposal_id: actor.proposalId ?? undefined,
    reason: change.reason ?? undefined,
  };
}
