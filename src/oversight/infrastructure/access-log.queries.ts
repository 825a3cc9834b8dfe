import { Injectable } from '@nestjs/common';
import { isId } from '../../kernel/ids.js';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type UseSpan } from '../../privacy/index.js';
import {
  type AccessAction,
  type AccessEntry,
  type AccessWay,
  type StoredEntry,
} from '../domain/access-entry.js';

export interface AccessLogFilter {
  appId?: string | undefined;
  nodeId?: string | undefined;
  sessionId?: string | undefined;
  via?: AccessWay | undefined;
  action?: AccessAction | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  limit: number;
  offset: number;
}

export interface AccessLogPage {
  entries: StoredEntry[];
  total: number;
}

/** The most ids that are shown of one entry. */
const SHOWN_IDS = 100;
const AT_ONCE = 500;
/** Rows from before ways were stored have `rest`, those of webhooks too. */
const VIA = sql`CASE WHEN endpoint = 'webhook' THEN endpoint ELSE via END`;
const COLUMNS = sql`owner_id AS "ownerId", id, since, at, by_type AS "byType", app_id AS "appId",
  app_name AS "appName",
  reader_id AS "readerId", session_id AS "sessionId", ${VIA} AS via, tool, action, endpoint, status, requests, node_count AS "nodeCount",
  node_ids[1:${SHOWN_IDS}] AS "nodeIds",
  node_count > cardinality(node_ids) AS "isWithoutIds"`;
/** The sum as an integer, which the rates of an hour could exceed. */
const atMost = (sum: Sql): Sql => sql`least(${sum}, 2147483647)::integer`;

@Injectable()
export class AccessLogQueries {
  constructor(private readonly database: Database) {}

  /**
   * Inserts entries of persons only: a group's graph belongs to all its members, and an erased account reads no log.
   * @param isLast true where nothing is written later: then locked rows are waited for
   * @returns entries of persons whose row is locked now: nobody's log waits for another person's write
   */
  async add(entries: readonly AccessEntry[], isLast: boolean): Promise<readonly AccessEntry[]> {
    const ids = [...new Set(entries.map(({ ownerId }) => ownerId))];
    const { open, busy } = await this.owners(ids, isLast);
    const written = entries.filter(({ ownerId }) => open.has(ownerId));
    for (const part of parts(written.filter(({ isByHour }) => !isByHour))) await this.insert(part);
    for (const part of parts(written.filter(({ isByHour }) => isByHour))) await this.count(part);
    return entries.filter(({ ownerId }) => busy.has(ownerId));
  }

  /** The persons among these ids, by whether their row can be referred to without waiting. */
  private async owners(
    ids: readonly string[],
    waits: boolean,
  ): Promise<{ open: Set<string>; busy: Set<string> }> {
    const held = await this.database.write<{ id: string }>(
      sql`SELECT id FROM users WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR KEY SHARE
        ${waits ? sql`` : sql`SKIP LOCKED`}`,
      waits ? 'access-log-owners-last' : 'access-log-owners',
    );
    const open = new Set(held.map(({ id }) => id));
    const rest = ids.filter((id) => !open.has(id));
    if (rest.length === 0) return { open, busy: new Set() };
    const persons = await this.database.write<{ id: string }>(
      sql`SELECT id FROM users WHERE id = ANY(${rest}::uuid[])`,
      'access-log-busy-owners',
    );
    return { open, busy: new Set(persons.map(({ id }) => id)) };
  }

  /** Newest first. */
  async list(ownerId: string, { limit, offset, ...filter }: AccessLogFilter): Promise<AccessLogPage> {
    const where = sql`owner_id = ${ownerId} AND ${passing(filter)}`;
    const entries = await this.database.read<StoredEntry>(
      sql`SELECT ${COLUMNS} FROM access_log WHERE ${where} ORDER BY at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
      'access-log-page',
    );
    const [count] = await this.database.read<{ total: number }>(
      sql`SELECT count(*) AS total FROM access_log WHERE ${where}`,
      'access-log-count',
    );
    return { entries, total: count?.total ?? 0 };
  }

  /** The last use of an app in each span, in their order; refusals are no use. */
  async lastUses(ownerId: string, spans: readonly UseSpan[]): Promise<(Date | null)[]> {
    const rows = await this.database.read<{ at: Date | null }>(
      sql`SELECT (SELECT max(l.at) FROM access_log AS l WHERE l.owner_id = ${ownerId} AND l.app_id = s.app_id
            AND l.action <> 'refused' AND l.at >= s.since AND (s.until IS NULL OR l.at <= s.until)) AS at
        FROM unnest(${spans.map(({ appId }) => appId)}::uuid[], ${spans.map(({ from }) => from)}::timestamptz[],
          ${spans.map(({ until }) => until)}::timestamptz[]) WITH ORDINALITY AS s (app_id, since, until, place)
        ORDER BY s.place`,
      'access-log-last-uses',
    );
    return rows.map(({ at }) => at);
  }

  async sweep(before: Date): Promise<void> {
    await this.database.write(sql`DELETE FROM access_log WHERE at < ${before}`, 'access-log-sweep');
  }

  /** Counts are one row for each hour, actor, way, action, endpoint and status: what apps repeat must not fill the log. */
  private async count(entries: readonly AccessEntry[]): Promise<void> {
    await this.database.write(
      sql`INSERT INTO access_log (owner_id, at, id, since, by_type, app_id, app_name, reader_id, session_id, via, tool,
          action, endpoint, status, requests, node_count, node_ids, by_hour)
        SELECT e."ownerId", max(e.at), min(e.id::text)::uuid, date_trunc('hour', e.since, 'UTC'), e."byType", e."appId",
          max(e."appName"), e."readerId", e."sessionId", e.via, e.tool, e.action, e.endpoint, e.status,
          ${atMost(sql`sum(e.requests)`)}, ${atMost(sql`sum(e."nodeCount")`)}, '{}', true
        FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS e ("ownerId" uuid, at timestamptz, id uuid,
          since timestamptz, "byType" text, "appId" uuid, "appName" text, "readerId" uuid, "sessionId" uuid, via text,
          tool text, action text, endpoint text, status smallint, requests bigint, "nodeCount" bigint)
        GROUP BY 1, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14
        ORDER BY 1, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14
        ON CONFLICT (owner_id, since, (coalesce(app_id, reader_id, owner_id)), (coalesce(session_id, owner_id)), by_type,
            action, endpoint, status, via, (coalesce(tool, '')))
          WHERE by_hour OR action = 'refused'
        DO UPDATE SET at = greatest(access_log.at, excluded.at), app_name = excluded.app_name,
          requests = ${atMost(sql`access_log.requests::bigint + excluded.requests`)},
          node_count = ${atMost(sql`access_log.node_count::bigint + excluded.node_count`)}`,
      'access-log-count-by-hour',
    );
  }

  private async insert(entries: readonly AccessEntry[]): Promise<void> {
    await this.database.write(
      sql`INSERT INTO access_log (owner_id, at, id, since, by_type, app_id, app_name, reader_id, session_id, via, tool,
          action, endpoint, status, requests, node_count, node_ids)
        SELECT e."ownerId", e.at, e.id, e.since, e."byType", e."appId", e."appName", e."readerId", e."sessionId", e.via, e.tool,
          e.action, e.endpoint, e.status, e.requests, e."nodeCount", e."nodeIds"
        FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS e ("ownerId" uuid, at timestamptz, id uuid,
          since timestamptz, "byType" text, "appId" uuid, "appName" text, "readerId" uuid, "sessionId" uuid, via text,
          tool text, action text, endpoint text, status smallint, requests integer, "nodeCount" integer, "nodeIds" uuid[])`,
      'access-log-add',
    );
  }
}

function* parts(entries: readonly AccessEntry[]): Iterable<AccessEntry[]> {
  for (let from = 0; from < entries.length; from += AT_ONCE) yield entries.slice(from, from + AT_ONCE);
}

/** A malformed id matches nothing (rule 11). */
function passing(filter: Omit<AccessLogFilter, 'limit' | 'offset'>): Sql {
  const { appId, nodeId, sessionId, via, action, from, to } = filter;
  const named = [appId, nodeId, sessionId].filter((id) => id !== undefined);
  if (!named.every(isId)) return sql`FALSE`;
  return sql.and([
    appId !== undefined && sql`app_id = ${appId}`,
    nodeId !== undefined && sql`node_ids @> ARRAY[${nodeId}::uuid]`,
    sessionId !== undefined && sql`session_id = ${sessionId}`,
    via !== undefined && sql`${VIA} = ${via}`,
    action !== undefined && sql`action = ${action}`,
    from !== undefined && sql`at >= ${from}`,
    to !== undefined && sql`at <= ${to}`,
  ]);
}
