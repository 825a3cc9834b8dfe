import { Injectable } from '@nestjs/common';
import { isId } from '../../kernel/ids.js';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type AccessAction, type AccessEntry } from '../domain/access-entry.js';

export interface AccessLogFilter {
  appId?: string | undefined;
  nodeId?: string | undefined;
  action?: AccessAction | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  limit: number;
  offset: number;
}

export interface AccessLogPage {
  entries: AccessEntry[];
  total: number;
}

/** The most ids that are shown of one entry. */
const SHOWN_IDS = 100;
const AT_ONCE = 500;
const COLUMNS = sql`owner_id AS "ownerId", id, since, at, by_type AS "byType", app_id AS "appId",
  app_name AS "appName",
  reader_id AS "readerId", action, endpoint, status, requests, node_count AS "nodeCount",
  node_ids[1:${SHOWN_IDS}] AS "nodeIds"`;

@Injectable()
export class AccessLogQueries {
  constructor(private readonly database: Database) {}

  /**
   * Inserts entries of persons only: a group's graph belongs to all its members, and an erased account reads no log.
   */
  async add(entries: readonly AccessEntry[]): Promise<void> {
    const refused = entries.filter(({ action }) => action === 'refused');
    const answered = entries.filter(({ action }) => action !== 'refused');
    for (const part of parts(answered)) await this.insert(part);
    for (const part of parts(refused)) await this.count(part);
  }

  /** Newest first. */
  async list(ownerId: string, { limit, offset, ...filter }: AccessLogFilter): Promise<AccessLogPage> {
    const where = sql`owner_id = ${ownerId} AND ${passing(filter)}`;
    const entries = await this.database.read<AccessEntry>(
      sql`SELECT ${COLUMNS} FROM access_log WHERE ${where} ORDER BY at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
      'access-log-page',
    );
    const [count] = await this.database.read<{ total: number }>(
      sql`SELECT count(*) AS total FROM access_log WHERE ${where}`,
      'access-log-count',
    );
    return { entries, total: count?.total ?? 0 };
  }

  async sweep(before: Date): Promise<void> {
    await this.database.write(sql`DELETE FROM access_log WHERE at < ${before}`, 'access-log-sweep');
  }

  /** Refusals of an app are one row for each hour, endpoint and status: a probe must not fill its owner's log. */
  private async count(entries: readonly AccessEntry[]): Promise<void> {
    await this.database.write(
      sql`INSERT INTO access_log (owner_id, at, id, since, by_type, app_id, app_name, reader_id, action, endpoint, status, requests,
          node_count, node_ids)
        SELECT e."ownerId", max(e.at), min(e.id::text)::uuid, date_trunc('hour', e.since, 'UTC'), 'app', e."appId",
          max(e."appName"), NULL, 'refused', e.endpoint, e.status, sum(e.requests), 0, '{}'
        FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS e ("ownerId" uuid, at timestamptz, id uuid,
          since timestamptz, "appId" uuid, "appName" text, endpoint text, status smallint, requests integer)
        JOIN users AS u ON u.id = e."ownerId"
        GROUP BY 1, 4, 6, 10, 11
        ORDER BY 1, 4, 6, 10, 11
        ON CONFLICT (owner_id, app_id, since, endpoint, status) WHERE action = 'refused'
        DO UPDATE SET at = greatest(access_log.at, excluded.at), app_name = excluded.app_name,
          requests = access_log.requests + excluded.requests`,
      'access-log-count-refused',
    );
  }

  private async insert(entries: readonly AccessEntry[]): Promise<void> {
    await this.database.write(
      sql`INSERT INTO access_log (owner_id, at, id, since, by_type, app_id, app_name, reader_id, action, endpoint, status, requests,
          node_count, node_ids)
        SELECT e."ownerId", e.at, e.id, e.since, e."byType", e."appId", e."appName", e."readerId", e.action, e.endpoint, e.status,
          e.requests, e."nodeCount", e."nodeIds"
        FROM jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS e ("ownerId" uuid, at timestamptz, id uuid,
          since timestamptz, "byType" text, "appId" uuid, "appName" text, "readerId" uuid, action text, endpoint text, status smallint,
          requests integer, "nodeCount" integer, "nodeIds" uuid[])
        JOIN users AS u ON u.id = e."ownerId"`,
      'access-log-add',
    );
  }
}

function* parts(entries: readonly AccessEntry[]): Iterable<AccessEntry[]> {
  for (let from = 0; from < entries.length; from += AT_ONCE) yield entries.slice(from, from + AT_ONCE);
}

/** A malformed id matches nothing (rule 11). */
function passing({ appId, nodeId, action, from, to }: Omit<AccessLogFilter, 'limit' | 'offset'>): Sql {
  const named = [appId, nodeId].filter((id) => id !== undefined);
  if (!named.every(isId)) return sql`FALSE`;
  return sql.and([
    appId !== undefined && sql`app_id = ${appId}`,
    nodeId !== undefined && sql`node_ids @> ARRAY[${nodeId}::uuid]`,
    action !== undefined && sql`action = ${action}`,
    from !== undefined && sql`at >= ${from}`,
    to !== undefined && sql`at <= ${to}`,
  ]);
}
