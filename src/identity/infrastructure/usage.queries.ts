import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { sql } from '../../kernel/database/sql.js';

export interface UsageRow {
  app_id: string;
  /** The beginning of the hour, ISO 8601. */
  hour: string;
  endpoint: string;
  /** First digit of the status. */
  status_class: number;
  requests: number;
  milliseconds: number;
}

interface Counts {
  requests: number;
  /** Answered with 4xx or 5xx. */
  errors: number;
}

export interface UsageSummary {
  total: Counts;
  endpoints: (Counts & { endpoint: string; average_ms: number })[];
  days: (Counts & { date: string })[];
  hours: (Counts & { hour_of_day: number })[];
}

const COUNTS = sql.raw(
  'sum(requests)::bigint AS requests, COALESCE(sum(requests) FILTER (WHERE status_class >= 4), 0)::bigint AS errors',
);

/** The counts of apps by the hour. */
@Injectable()
export class UsageQueries {
  constructor(private readonly database: Database) {}

  /** Adds to the counts of other processes. Rows are in one order, so that two processes cannot deadlock. */
  async add(rows: readonly UsageRow[]): Promise<void> {
    await this.database.write(
      sql`INSERT INTO app_usage AS u (app_id, hour, endpoint, status_class, requests, milliseconds)
        SELECT app_id, hour, endpoint, status_class, requests, milliseconds
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (app_id uuid, hour timestamptz, endpoint text,
          status_class smallint, requests bigint, milliseconds double precision)
        ORDER BY 1, 2, 3, 4
        ON CONFLICT (app_id, hour, endpoint, status_class) DO UPDATE
          SET requests = u.requests + EXCLUDED.requests, milliseconds = u.milliseconds + EXCLUDED.milliseconds`,
      'usage-add',
    );
  }

  async summary(appId: string, since: Date): Promise<UsageSummary> {
    const [row] = await this.database.read<{ summary: UsageSummary }>(
      sql`WITH used AS (SELECT * FROM app_usage WHERE app_id = ${appId} AND hour >= ${since})
        SELECT jsonb_build_object(
          'total', (SELECT jsonb_build_object('requests', COALESCE(t.requests, 0), 'errors', t.errors)
            FROM (SELECT ${COUNTS} FROM used) t),
          'endpoints', COALESCE((SELECT jsonb_agg(e ORDER BY e.requests DESC, e.endpoint) FROM (
            SELECT endpoint, ${COUNTS}, round((sum(milliseconds) / sum(requests))::numeric, 1)::float8 AS average_ms
            FROM used GROUP BY endpoint) e), '[]'),
          'days', COALESCE((SELECT jsonb_agg(d ORDER BY d.date) FROM (
            SELECT to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, ${COUNTS} FROM used GROUP BY 1) d), '[]'),
          'hours', COALESCE((SELECT jsonb_agg(h ORDER BY h.hour_of_day) FROM (
            SELECT extract(hour FROM hour AT TIME ZONE 'UTC')::integer AS hour_of_day, ${COUNTS} FROM used GROUP BY 1) h),
            '[]')) AS summary`,
      'usage-summary',
    );
    return (row as { summary: UsageSummary }).summary;
  }

  async sweep(before: Date): Promise<void> {
    await this.database.write(sql`DELETE FROM app_usage WHERE hour < ${before}`, 'usage-sweep');
  }
}
