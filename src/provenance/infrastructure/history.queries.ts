import { Injectable } from '@nestjs/common';
import {
  type Counted,
  type CountedSteps,
  type HiddenVersions,
  type NodeSnapshot,
  NodeTotals,
  ShownVersions,
} from '../../graph/index.js';
import { Database } from '../../kernel/database/database.js';
import { contentBytes, withinPageBytes } from '../../kernel/database/page-bytes.js';
import { Lookup } from '../../kernel/database/lookup.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { rest } from '../../kernel/slices.js';
import { type Access, Authors, type NodeFacts } from '../../privacy/index.js';
import { changedAtShown } from '../domain/shown-times.js';
import { readableChange, readableNow } from './version-facts.js';

/** The visibility facts of a version. */
interface VersionFactsRow {
  tag_ids: string[];
  schema_id: string | null;
  node_type: string;
  node_created_at: Date;
}

/** One version of a node, as the change log has it. */
export interface VersionRow extends VersionFactsRow {
  sequence: number;
  node_id: string;
  version: number;
  action: string;
  changed_fields: Record<string, { old: unknown; new: unknown }> | null;
  agent_metadata: unknown;
  /** Null if it was not requested. */
  snapshot: NodeSnapshot | null;
  changed_by_type: string;
  changed_by_user_id: string | null;
  changed_by_app_id: string | null;
  changed_by_agent_id: string | null;
  proposal_id: string | null;
  reason: string | null;
  changed_at: Date;
  is_deletion: boolean;
  /** The present, or last, facts of the node. */
  now: Omit<VersionFactsRow, 'node_created_at'>;
  /** The facts of the version before; null for the first. */
  before: (Omit<VersionFactsRow, 'node_created_at'> & { node_created_at: string }) | null;
}

/** The versions to list: of one node that the caller may read, of one that they name, or of all. */
export interface HistoryFilter {
  located?: string;
  named?: string;
  from?: Date;
  to?: Date;
}

export interface HistoryListing {
  filter: HistoryFilter;
  withSnapshots: boolean;
  limit: number;
  offset: number;
}

const FACTS = sql.raw('c.tag_ids, c.schema_id, c.node_type, c.node_created_at');
const WITH_NODE = sql.raw(
  'JOIN nodes AS present ON present.owner_id = c.owner_id AND present.id = c.entity_id',
);
const NOW = sql.raw(
  `jsonb_build_object('tag_ids', present.tag_ids, 'schema_id', present.schema_id, 'node_type', present.node_type) AS now`,
);

type StatefulRow = VersionFactsRow & Pick<VersionRow, 'node_id' | 'now'>;

/** The version as it was, and the node now: a version is shown as both allow (rule 3.20). */
export function decidingFacts(row: StatefulRow): [then: NodeFacts, now: NodeFacts] {
  const { node_id: id, node_created_at: createdAt } = row;
  const factsOf = ({ tag_ids, schema_id, node_type }: StatefulRow['now']) => ({
    id,
    tagIds: tag_ids,
    schemaId: schema_id,
    nodeType: node_type,
    createdAt,
  });
  return [factsOf(row), factsOf(row.now)];
}

/** Versions by the change log, as far as the caller may read the node now and that version (rule 3.20). */
@Injectable()
export class HistoryQueries {
  constructor(
    private readonly database: Database,
    private readonly totals: NodeTotals,
    private readonly versions: ShownVersions,
    private readonly authors: Authors,
  ) {}

  /**
   * A page, newest first; shorter if versions are large. It takes two statements, for the page and the total, and one
   * more for new versions since the last request of a caller who is not shown all of each node.
   */
  async list(access: Access, listing: HistoryListing): Promise<{ rows: VersionRow[]; total: number }> {
    const { filter, withSnapshots, limit, offset } = listing;
    const steps = await this.versions.countedSteps(access);
    if (isByShownTime(access, filter)) return this.listByShownTime(access, listing, steps);
    const brings = await bringsShown(filter, steps);
    const shown = sql`${readable(access, filter)} AND ${brings}`;
    const page = sql`(SELECT c.* FROM changes AS c WHERE ${readable(access, filter, { isPage: true })} AND ${brings}
      ORDER BY c.sequence DESC LIMIT ${limit} OFFSET ${offset}) AS c`;
    const [rows, total] = await Promise.all([
      this.database.read<VersionRow>(versions(firstOf(page, withSnapshots), withSnapshots), 'history-page'),
      this.count(access, filter, { shown, steps }),
    ]);
    return { rows: await this.shown(access, rows, steps), total };
  }

  /** The number of versions that the caller can read, and of their nodes. */
  async sizes(access: Access): Promise<{ versions: number; nodes: number }> {
    const shown = await shownRows(access, {}, await this.versions.countedSteps(access));
    const [sizes] = await this.database.read<{ versions: number; nodes: number }>(
      sql`SELECT count(*) AS versions, count(DISTINCT c.entity_id) AS nodes FROM changes AS c WHERE ${shown}`,
    );
    return sizes as { versions: number; nodes: number };
  }

  /** The version of a located node by its number for this caller (rule 7.2c); null if it is absent or hidden. */
  async version(access: Access, nodeId: string, number: number): Promise<VersionRow | null> {
    const steps = await this.versions.countedSteps(access);
    const version = steps?.counts.shownVersionOf(nodeId, number) ?? number;
    const shown = await shownRows(access, { located: nodeId }, steps);
    const one = sql`SELECT c.* FROM changes AS c WHERE ${shown} AND c.version = ${version} LIMIT 1`;
    const rows = await this.database.read<VersionRow>(versions(one, true), 'history-version');
    const [row] = await this.shown(access, rows, steps);
    return row ?? null;
  }

  /**
   * The version of that time. Null before the node was created, while it was deleted, and while it was hidden from the
   * caller: an older version is not the one of that time. If it differs from an older version in nothing that the
   * caller is shown, the older one is returned.
   */
  async at(access: Access, nodeId: string, time: Date): Promise<VersionRow | null> {
    const steps = await this.versions.countedSteps(access);
    const upTo = (alias: 'last' | 'c'): Sql =>
      steps === null ? sql`TRUE` : sql`${sql.raw(alias)}.sequence <= ${steps.position}`;
    const number = isTimeChanged(access)
      ? await this.lastByShownTime(access, { nodeId, time, upTo: upTo('c') })
      : sql`(SELECT last.sequence FROM changes AS last WHERE last.owner_id = ${access.ownerId} AND last.entity_id = ${nodeId}
          AND last.entity = 'node' AND last.changed_at <= ${time} AND ${upTo('last')} ORDER BY last.sequence DESC LIMIT 1)`;
    const stood = await this.shownAt(access, { nodeId, number, steps });
    const shown = await shownRows(access, { located: nodeId }, steps);
    const one = sql`SELECT c.* FROM changes AS c WHERE ${shown} AND ${stood}`;
    const rows = await this.database.read<VersionRow>(versions(one, true), 'history-at-time');
    const [row] = await this.shown(access, rows, steps);
    return row === undefined || row.is_deletion ? null : row;
  }

  /** The condition for the row that brought the content shown to the caller at a position of the log. */
  private async shownAt(
    { ownerId }: Access,
    { nodeId, number, steps }: { nodeId: string; number: Sql | number | null; steps: CountedSteps | null },
  ): Promise<Sql> {
    if (steps === null) return sql`c.sequence = ${number}`;
    const [last] = await this.database.read<{ version: number }>(
      sql`SELECT c.version FROM changes AS c WHERE c.owner_id = ${ownerId} AND c.sequence = ${number}`,
      'history-last',
    );
    return sql`c.version = ${last ? steps.counts.lastShown(nodeId, last.version) : null}`;
  }

  private count(
    access: Access,
    filter: HistoryFilter,
    { shown, steps }: { shown: Sql; steps: CountedSteps | null },
  ): Promise<number> {
    const count = async (): Promise<Counted> => {
      // Unnamed, so that it is planned for this owner: a generic plan may scan all nodes for each version.
      const [counted] = await this.database.read<Counted>(
        sql`SELECT count(*) AS total, coalesce((SELECT changes FROM sequences WHERE id = ${access.ownerId}), 0) AS changes
          FROM changes AS c WHERE ${shown}`,
      );
      const { total, changes } = counted as Counted;
      // The count ends at a position of the log, and excludes later writes.
      return { total, changes: steps === null ? changes : Math.min(changes, steps.position) };
    };
    return this.totals.total(access, `history ${JSON.stringify(filter)}`, count);
  }

  /** Callers who are shown masked times must not learn the true ones from the results of a time range (rule 3.16). */
  private async listByShownTime(
    access: Access,
    { filter, withSnapshots, limit, offset }: HistoryListing,
    steps: CountedSteps | null,
  ): Promise<{ rows: VersionRow[]; total: number }> {
    const { from, to, ...others } = filter;
    const times = await this.times(await shownRows(access, others, steps));
    const inside: number[] = [];
    for (const row of times) {
      await rest();
      const shown = changedAtShown(access, row, decidingFacts(row));
      if ((from === undefined || shown >= from) && (to === undefined || shown <= to))
        inside.push(row.sequence);
    }
    const numbers = inside.slice(offset, offset + limit);
    const page = sql`changes AS c WHERE c.owner_id = ${access.ownerId} AND c.sequence = ANY(${numbers}::bigint[])`;
    const rows = await this.database.read<VersionRow>(
      versions(firstOf(page, withSnapshots), withSnapshots),
      'history-shown',
    );
    return { rows: await this.shown(access, rows, steps), total: inside.length };
  }

  private async lastByShownTime(
    access: Access,
    { nodeId, time, upTo }: { nodeId: string; time: Date; upTo: Sql },
  ): Promise<number | null> {
    const all = sql`c.owner_id = ${access.ownerId} AND c.entity = 'node' AND c.entity_id = ${nodeId} AND ${upTo}`;
    for (const row of await this.times(all)) {
      await rest();
      if (changedAtShown(access, row, decidingFacts(row)) <= time) return row.sequence;
    }
    return null;
  }

  /** Rows with the numbers and the authors that the caller is shown. */
  private async shown(
    access: Access,
    rows: readonly VersionRow[],
    steps: CountedSteps | null,
  ): Promise<VersionRow[]> {
    const stored = rows.map((row) => ({ userId: row.changed_by_user_id, appId: row.changed_by_app_id }));
    const authors = await this.authors.asShown(access, stored);
    return rows.map((row, index) => ({
      ...row,
      version: steps?.counts.numberOf(row.node_id, row.version) ?? row.version,
      changed_by_user_id: authors[index]?.userId ?? null,
      changed_by_app_id: authors[index]?.appId ?? null,
    }));
  }

  /** Newest first. */
  private times(condition: Sql): Promise<(StatefulRow & Pick<VersionRow, 'sequence' | 'changed_at'>)[]> {
    return this.database.read(
      sql`SELECT c.sequence, c.entity_id AS node_id, c.changed_at, ${FACTS}, ${NOW} FROM changes AS c ${WITH_NODE}
        WHERE ${condition} ORDER BY c.sequence DESC`,
      'history-times',
    );
  }
}

const isTimeChanged = ({ exposure }: Access): boolean => exposure.transforms('updated_at');
const isByShownTime = (access: Access, { from, to }: HistoryFilter): boolean =>
  (from !== undefined || to !== undefined) && isTimeChanged(access);

/**
 * Versions that the caller may read. Only the owner may read the history of a deleted node (rule 4.12).
 * @param isPage true for the first few in order: the planner expects rules to pass a few versions of a few nodes, and
 *   would read them all
 */
function readable(access: Access, { located, named, from, to }: HistoryFilter, { isPage = false } = {}): Sql {
  const nodeId = located ?? named;
  const isOpen = located !== undefined || access.isOwner;
  const shown = readableChange(access);
  return sql.and([
    sql`c.owner_id = ${access.ownerId} AND c.entity = 'node'`,
    nodeId !== undefined && sql`c.entity_id = ${nodeId}`,
    isPage ? sql`CASE WHEN ${shown} THEN TRUE END` : shown,
    !isOpen &&
      sql`EXISTS (SELECT FROM nodes AS n WHERE n.owner_id = c.owner_id AND n.id = c.entity_id AND ${readableNow(access)}
        ${isPage ? sql.raw('OFFSET 0') : sql.empty})`,
    from !== undefined && sql`c.changed_at >= ${from}`,
    to !== undefined && sql`c.changed_at <= ${to}`,
  ]);
}

/** The readable versions that brought something that the caller is shown. */
async function shownRows(access: Access, filter: HistoryFilter, steps: CountedSteps | null): Promise<Sql> {
  return sql`${readable(access, filter)} AND ${await bringsShown(filter, steps)}`;
}

/**
 * The condition that a version brought something that the caller is shown: the existence and time of others are hidden
 * (rule 3.14e). It costs each version the same, however many are hidden.
 */
async function bringsShown(
  { located, named }: Pick<HistoryFilter, 'located' | 'named'>,
  steps: CountedSteps | null,
): Promise<Sql> {
  if (steps === null) return sql`TRUE`;
  const hidden = await Lookup.of(blocksOf(steps.counts.hiddenVersions(located ?? named)));
  const bits = hidden.at(sql.raw(`concat_ws(' ', c.entity_id, c.version / ${BLOCK})`));
  // The planner would expect a comparison to pass hardly any rows; it expects half of a CASE.
  return sql`c.sequence <= ${steps.position}
    AND CASE WHEN (${bits}::bigint >> (c.version % ${sql.raw(String(BLOCK))})) & 1 = 1 THEN FALSE ELSE TRUE END`;
}

/** The versions in one entry of a lookup, as bits of a number. */
const BLOCK = 32;

function* blocksOf(runs: Iterable<HiddenVersions>): Generator<[key: string, bits: number]> {
  let key: string | null = null;
  let bits = 0;
  for (const { id, from, to } of runs) {
    for (let version = from; version <= to; version++) {
      const block = `${id} ${Math.floor(version / BLOCK)}`;
      if (key !== null && key !== block) {
        yield [key, bits];
        bits = 0;
      }
      key = block;
      bits += 2 ** (version % BLOCK);
    }
  }
  if (key !== null) yield [key, bits];
}

/** The newest of these `changes AS c`, until they fill a page. */
const firstOf = (from: Sql, withSnapshots: boolean): Sql =>
  withinPageBytes({
    from,
    columns: sql`c.*`,
    order: sql`c.sequence DESC`,
    // The agent metadata is taken out of the snapshot in any case.
    bytes: contentBytes('c', {
      texts: ['reason'],
      documents: [...(withSnapshots ? ['snapshot'] : []), 'changed_fields', `snapshot -> 'agent_metadata'`],
    }),
    names: sql`page.*`,
  });

/** Rows of `changes AS c` in full, each with the facts of the version before it. */
function versions(page: Sql, withSnapshots: boolean): Sql {
  const snapshot = sql.raw(withSnapshots ? 'c.snapshot' : 'NULL::jsonb AS snapshot');
  return sql`SELECT c.sequence, c.entity_id AS node_id, c.version, c.action, c.changed_fields, ${snapshot},
      c.snapshot -> 'agent_metadata' AS agent_metadata, c.changed_by_type, c.changed_by_user_id, c.changed_by_app_id,
      c.changed_by_agent_id, c.proposal_id, c.reason, c.changed_at, c.action = 'deleted' OR c.snapshot ? 'deleted_at' AS is_deletion,
      ${FACTS}, ${NOW}, before.facts AS before
    FROM (${page}) AS c ${WITH_NODE}
    LEFT JOIN LATERAL (
      SELECT jsonb_build_object('tag_ids', p.tag_ids, 'schema_id', p.schema_id, 'node_type', p.node_type,
        'node_created_at', p.node_created_at) AS facts
      FROM changes AS p WHERE p.owner_id = c.owner_id AND p.entity_id = c.entity_id AND p.entity = 'node' AND p.sequence < c.sequence
      ORDER BY p.sequence DESC LIMIT 1
    ) AS before ON TRUE
    ORDER BY c.sequence DESC`;
}
