import { type ChangedFields } from '../../kernel/change-log/changed-fields.js';
import { Injectable } from '@nestjs/common';
import { factsOf, type NodeSnapshot } from '../../graph/index.js';
import { Database } from '../../kernel/database/database.js';
import { contentBytes, withinPageBytes } from '../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Access, compileVisibility, type NodeFacts, sees } from '../../privacy/index.js';
import { EVENT_ENTITIES, type EventEntity } from '../domain/events.js';
import { type Subscription, targetsOf, wantedEntities } from '../domain/subscription.js';
import { type SubscriptionKey } from './subscriptions.repository.js';

interface NodeFactsRow {
  tag_ids: string[];
  schema_id: string | null;
  node_type: string;
  node_created_at: Date;
}

interface Row extends Partial<NodeFactsRow> {
  sequence: number;
  entity: EventEntity;
  entity_id: string;
  action: string;
  version: number;
  changed_at: Date;
  app_id: string | null;
  version_before: number | null;
  changed_before: Date | null;
  before: Omit<NodeFactsRow, 'node_created_at'> | null;
  present: Omit<NodeFactsRow, 'node_created_at'> | null;
  is_answered: boolean | null;
  is_merged: boolean;
  changed_fields: ChangedFields | null;
  snapshot?: unknown;
}

/** The fields that every change of a node sets. */
interface Stamps {
  version: number;
  updated_at: string;
}

/** A row of the change log with all that decides which event, if any, it is for a receiver. */
export interface LoggedChange {
  sequence: number;
  entity: EventEntity;
  entityId: string;
  action: string;
  changedAt: Date;
  /** The app that made the proposal; null for other entities. */
  appId: string | null;
  /** Visibility facts of the node after the change (for a deletion: before it). */
  facts: NodeFacts | null;
  /** Facts before the change. */
  before: NodeFacts | null;
  /** Current facts; null: the node is deleted. */
  present: NodeFacts | null;
  /** Version and time after the change, and before it. */
  stamps: Stamps;
  stampsBefore: Stamps | null;
  /** True for a node that the change has merged into another. */
  isMerged: boolean;
  /** The receiver may have the node: an event of it was sent or is about to be. */
  mayHaveNode: boolean;
  /** The receiver certainly has the node, or will have. */
  hasNode: boolean;
  changedFields: ChangedFields | null;
}

/** The state that a change made and the current one: an event is shown as both allow (rules 3.20, 9.4). */
export const decidingFacts = ({ facts, present }: Pick<LoggedChange, 'facts' | 'present'>): NodeFacts[] =>
  [facts, present].filter((state) => state !== null);

/** A node in an earlier state, with its current visibility facts. */
export interface PastNode {
  state: NodeSnapshot;
  now: NodeFacts;
}

/** A logged change with the content of its event. */
export interface LoggedChangeWithContent extends LoggedChange {
  snapshot: NodeSnapshot & Record<string, unknown>;
}

/**
 * The most bytes of changed fields in a page, as the database stores them: compressed, they can be a hundred times as
 * much text, and twenty times as much memory again when parsed. A larger single change is a page of its own.
 */
const PAGE_BYTES = 32 * 1024;

/** The most nodes that one statement looks at. */
const AT_ONCE = 200;

const FACTS = (alias: string): Sql =>
  sql.raw(
    `jsonb_build_object('tag_ids', ${alias}.tag_ids, 'schema_id', ${alias}.schema_id, 'node_type', ${alias}.node_type)`,
  );

/** Reads the change log for receivers. */
@Injectable()
export class LoggedChanges {
  constructor(private readonly database: Database) {}

  /** Changes after a position, oldest first, and the last number that was looked at. */
  async after(
    subscription: Subscription,
    limit: number,
  ): Promise<{ changes: LoggedChange[]; position: number }> {
    const { ownerId, position } = subscription;
    // Only this event carries changed fields.
    const changed = targetsOf(subscription, 'node.updated').length > 0 ? CHANGED : sql.raw('NULL::jsonb');
    const [end] = await this.database.read<{ last: number | null }>(
      sql`SELECT max(sequence) AS last FROM (
          SELECT sequence, row_number() OVER so_far AS place, sum(coalesce(pg_column_size(changed), 0)) OVER so_far AS bytes
          FROM (SELECT c.sequence, ${changed} AS changed FROM changes c
            WHERE c.owner_id = ${ownerId} AND c.sequence > ${position} ORDER BY c.sequence LIMIT ${limit}) next
          WINDOW so_far AS (ORDER BY sequence)) page
        WHERE place = 1 OR bytes <= ${PAGE_BYTES}`,
      'logged-changes-end',
    );
    const last = end?.last ?? position;
    const which = sql`c.sequence > ${position} AND c.sequence <= ${last} AND c.entity = ANY(${entitiesFor(subscription)}::text[])`;
    const rows = await this.rows(subscription, which, sql`${changed} AS changed_fields`);
    return { changes: rows.map(loggedChangeOf), position: last };
  }

  async at(subscription: SubscriptionKey, sequence: number): Promise<LoggedChangeWithContent | null> {
    const whole = sql.raw('c.changed_fields, c.snapshot');
    const [row] = await this.rows(subscription, sql`c.sequence = ${sequence}`, whole);
    if (!row) return null;
    const snapshot = (row.snapshot ?? {}) as LoggedChangeWithContent['snapshot'];
    return { ...loggedChangeOf(row), snapshot };
  }

  /**
   * Nodes as of a position of the log: those that the caller could read there and can read now, in the order of the
   * ids. Each part holds few bytes, and is read when the one before has been used.
   */
  async *readable(access: Access, ids: readonly string[], position: number): AsyncGenerator<PastNode[]> {
    for (let from = 0; from < ids.length;) {
      const rows = await this.database.read<{ snapshot: NodeSnapshot | null } & NodeFactsRow>(
        pastNodes(access, ids.slice(from, from + AT_ONCE), position),
        'logged-nodes-readable',
      );
      yield rows.flatMap(({ snapshot: state, ...now }) => {
        const isReadable = state && !state.deleted_at && sees(access.nodes.read, factsOf(state));
        return isReadable ? [{ state, now: factsIn(state.id, now) }] : [];
      });
      from += rows.length;
    }
  }

  /** The ids of the same nodes, without their content. */
  async readableIds(access: Access, ids: readonly string[], position: number): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.read<NodeFactsRow & { id: string }>(
      sql`SELECT past.* FROM (
          SELECT DISTINCT ON (c.entity_id) c.entity_id AS id, c.tag_ids, c.schema_id, c.node_type, c.node_created_at,
            c.snapshot ->> 'deleted_at' AS deleted_at FROM changes c JOIN nodes n ON n.owner_id = c.owner_id AND n.id = c.entity_id
          WHERE c.owner_id = ${access.ownerId} AND c.entity = 'node' AND c.entity_id = ANY(${[...ids]}::uuid[])
            AND c.sequence <= ${position} AND n.deleted_at IS NULL AND ${compileVisibility(access.nodes.read, NODE_COLUMNS)}
          ORDER BY c.entity_id, c.sequence DESC) AS past WHERE past.deleted_at IS NULL`,
      'logged-nodes-readable-ids',
    );
    const readable = new Set(
      rows.filter((row) => sees(access.nodes.read, factsIn(row.id, row))).map(({ id }) => id),
    );
    return ids.filter((id) => readable.has(id));
  }

  private rows({ ownerId, id }: SubscriptionKey, which: Sql, contents: Sql): Promise<Row[]> {
    return this.database.read<Row>(
      sql`SELECT c.sequence, c.entity, c.entity_id, c.action, c.version, c.changed_at, c.tag_ids, c.schema_id, c.node_type,
          c.node_created_at, ${contents}, before.facts AS before, before.version AS version_before,
          before.changed_at AS changed_before, CASE WHEN n.id IS NOT NULL THEN ${FACTS('n')} END AS present,
          c.entity = 'node' AND c.action = 'deleted' AND c.snapshot ->> 'merged_into' IS NOT NULL AS is_merged,
          CASE WHEN c.entity = 'proposal' THEN c.snapshot ->> 'app_id' END AS app_id,
          (SELECT t.is_answered FROM webhook_told_nodes t
            WHERE t.owner_id = c.owner_id AND t.subscription_id = ${id} AND t.node_id = c.entity_id) AS is_answered
        FROM changes c
        LEFT JOIN nodes n ON n.owner_id = c.owner_id AND n.id = c.entity_id AND n.deleted_at IS NULL
        LEFT JOIN LATERAL (
          SELECT ${FACTS('p')} AS facts, p.version, p.changed_at FROM changes p
          WHERE p.owner_id = c.owner_id AND p.entity_id = c.entity_id AND p.entity = 'node' AND p.sequence < c.sequence
          ORDER BY p.sequence DESC LIMIT 1) before ON c.entity = 'node'
        WHERE c.owner_id = ${ownerId} AND ${which} AND c.entity = ANY(${EVENT_ENTITIES}::text[]) ORDER BY c.sequence`,
      'logged-changes',
    );
  }
}

/** A row for each id, with nulls for a node that is deleted or that the caller cannot read now. */
const pastNodes = (access: Access, ids: readonly string[], position: number): Sql =>
  withinPageBytes({
    from: sql`unnest(${ids}::uuid[]) WITH ORDINALITY AS named (id, place)
      LEFT JOIN nodes AS n ON n.owner_id = ${access.ownerId} AND n.id = named.id AND n.deleted_at IS NULL
        AND ${compileVisibility(access.nodes.read, NODE_COLUMNS)}
      LEFT JOIN LATERAL (
        SELECT c.snapshot, c.node_created_at FROM changes AS c
        WHERE c.owner_id = n.owner_id AND c.entity = 'node' AND c.entity_id = n.id AND c.sequence <= ${position}
        ORDER BY c.sequence DESC LIMIT 1) AS c ON TRUE`,
    columns: sql`c.snapshot, n.tag_ids, n.schema_id, n.node_type, c.node_created_at`,
    order: sql`named.place`,
    bytes: contentBytes('c', { documents: ['snapshot'] }),
    names: sql`page.snapshot, page.tag_ids, page.schema_id, page.node_type, page.node_created_at`,
  });

const CHANGED = sql.raw("CASE WHEN c.entity = 'node' THEN c.changed_fields END");

const NODE_COLUMNS = {
  id: sql.raw('n.id'),
  tagIds: sql.raw('n.tag_ids'),
  schemaId: sql.raw('n.schema_id'),
  nodeType: sql.raw('n.node_type'),
  createdAt: sql.raw('n.created_at'),
};

/** The entities that are read: changes of nodes are looked at for their relationships. */
const entitiesFor = (subscription: Subscription): EventEntity[] => {
  const wanted = wantedEntities(subscription);
  return [...new Set<EventEntity>([...wanted, ...(wanted.has('relationship') ? (['node'] as const) : [])])];
};

const stampsOf = (version: number, changedAt: Date): Stamps => ({
  version,
  updated_at: changedAt.toISOString(),
});

const factsIn = (id: string, stored: NodeFactsRow): NodeFacts => ({
  id,
  tagIds: stored.tag_ids,
  schemaId: stored.schema_id,
  nodeType: stored.node_type,
  createdAt: stored.node_created_at,
});

function loggedChangeOf(row: Row): LoggedChange {
  const { node_created_at } = row;
  const factsOf = (stored: Omit<NodeFactsRow, 'node_created_at'> | null): NodeFacts | null =>
    stored === null || !node_created_at ? null : factsIn(row.entity_id, { ...stored, node_created_at });
  const own =
    row.tag_ids && row.node_type ? { ...(row as NodeFactsRow), schema_id: row.schema_id ?? null } : null;
  return {
    sequence: row.sequence,
    entity: row.entity,
    entityId: row.entity_id,
    action: row.action,
    changedAt: row.changed_at,
    appId: row.app_id,
    facts: factsOf(own),
    before: factsOf(row.before),
    present: factsOf(row.present),
    stamps: stampsOf(row.version, row.changed_at),
    stampsBefore:
      row.version_before === null || row.changed_before === null
        ? null
        : stampsOf(row.version_before, row.changed_before),
    isMerged: row.is_merged,
    mayHaveNode: row.is_answered !== null,
    hasNode: row.is_answered === true,
    changedFields: row.changed_fields,
  };
}
