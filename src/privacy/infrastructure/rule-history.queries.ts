import { Injectable } from '@nestjs/common';
import { type RequestedPermissions, requestedPermissionsFrom } from '../../identity/index.js';
import { Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type KnownTag } from '../domain/tags/tag-vocabulary.js';

/** A past state of a tag, and since when it applied. */
interface PastTag extends KnownTag {
  since: Date;
}

/** A change of a rule: of a tag with its name after it, or of an authorization or profile by its id alone. */
export interface RuleStep {
  sequence: number;
  entity: 'authorization' | 'exposure_profile' | 'tag';
  id: string;
  deleted: boolean;
  /** Null: no tag. */
  name: string | null;
  at: Date;
}

/** A past state of an authorization or a profile, and since when it applied. */
export interface PastRecord {
  id: string;
  action: string;
  since: Date;
  snapshot: Record<string, unknown>;
}

// The text must equal the condition of the index `changes_rules`.
const OF_RULES = sql.raw(`entity IN ('authorization', 'exposure_profile', 'tag')`);

/** The requests of an app at one moment, and since when it had them; null: always. */
export interface PastRequest {
  requested: RequestedPermissions;
  since: Date | null;
}

/** The most steps that one statement reads. */
const STEPS_AT_ONCE = 1_000;

/** True for a row of a profile that changes more than its description for people. */
const CHANGES_RULES = sql.raw(
  `changed_fields - '{name,description,is_default,version,updated_at}'::text[] IS DISTINCT FROM '{}'`,
);

/**
 * The rules of one graph at a position of its change log: each method reads the log up to there and nothing
 * else.
 */
@Injectable()
export class RuleHistoryQueries {
  constructor(private readonly database: Database) {}

  /**
   * The position of the last rule change up to the given one; 0 if there was none. Equal answers mean equal
   * rules.
   */
  async lastChange(ownerId: string, upTo: number): Promise<number> {
    const [row] = await this.database.read<{ last: number | null }>(
      sql`SELECT max(sequence) AS last FROM changes WHERE owner_id = ${ownerId} AND sequence <= ${upTo} AND ${OF_RULES}`,
      'rules-last',
    );
    return row?.last ?? 0;
  }

  /** All tags that existed by then, each with the time of its name or deletion. */
  async tags(ownerId: string, upTo: number): Promise<PastTag[]> {
    return this.database.read<PastTag>(
      sql`SELECT DISTINCT ON (id) id, name, deleted, since FROM (
          SELECT id, name, deleted, since, sequence,
            (lag(name) OVER earlier, lag(deleted) OVER earlier) IS DISTINCT FROM (name, deleted) AS turns
          FROM (
            SELECT entity_id AS id, snapshot->>'name' AS name, action = 'deleted' AS deleted, changed_at AS since, sequence
            FROM changes WHERE ${this.rows(ownerId, 'tag', upTo)}
          ) AS rows WINDOW earlier AS (PARTITION BY id ORDER BY sequence)
        ) AS told WHERE turns ORDER BY id, sequence DESC`,
      'rules-tags',
    );
  }

  /** The changes of rules above one position and up to another, in their order. */
  async *steps(ownerId: string, { after, upTo }: { after: number; upTo: number }): AsyncGenerator<RuleStep> {
    for (let from = after; from < upTo;) {
      const rows = await this.database.read<RuleStep>(
        sql`SELECT sequence, entity, entity_id AS id, action = 'deleted' AS deleted, changed_at AS at,
            CASE WHEN entity = 'tag' THEN snapshot->>'name' END AS name
          FROM changes WHERE owner_id = ${ownerId} AND sequence > ${from} AND sequence <= ${upTo} AND ${OF_RULES}
          ORDER BY sequence LIMIT ${STEPS_AT_ONCE}`,
        'rules-steps',
      );
      yield* rows;
      from = rows.length < STEPS_AT_ONCE ? upTo : (rows.at(-1) as RuleStep).sequence;
    }
  }

  /** All authorizations of an app that existed by then. */
  async authorizations(pair: { ownerId: string; appId: string }, upTo: number): Promise<PastRecord[]> {
    return this.database.read<PastRecord>(
      sql`SELECT DISTINCT ON (entity_id) entity_id AS id, action, changed_at AS since, snapshot
        FROM changes
        WHERE ${this.rows(pair.ownerId, 'authorization', upTo)} AND snapshot->>'app_id' = ${pair.appId}
        ORDER BY entity_id, sequence DESC`,
      'rules-authorizations',
    );
  }

  /** A profile, and since when its rules are these: another name of it changes none. */
  async profile(ownerId: string, id: string, upTo: number): Promise<PastRecord | null> {
    const rows = sql`FROM changes WHERE ${this.rows(ownerId, 'exposure_profile', upTo)} AND entity_id = ${id}`;
    const [row] = await this.database.read<PastRecord>(
      sql`SELECT entity_id AS id, action, snapshot,
          (SELECT changed_at ${rows} AND ${CHANGES_RULES} ORDER BY sequence DESC LIMIT 1) AS since
        ${rows} ORDER BY sequence DESC LIMIT 1`,
      'rules-profile',
    );
    return row ?? null;
  }

  /**
   * The app's requests at a position of its own log, and since when; an app that never changed them has its
   * current ones.
   */
  async requested(appId: string, upTo: number): Promise<PastRequest> {
    const rows = sql`FROM changes WHERE owner_id = ${appId} AND entity = 'app'`;
    const [row] = await this.database.read<{ requested: unknown; since: Date | null }>(
      sql`SELECT coalesce(
          (SELECT snapshot->'requested_permissions' ${rows} AND sequence <= ${upTo} ORDER BY sequence DESC LIMIT 1),
          (SELECT changed_fields->'requested_permissions'->'old' ${rows} AND sequence > ${upTo} ORDER BY sequence LIMIT 1),
          (SELECT requested_permissions FROM apps WHERE id = ${appId})) AS requested,
        (SELECT max(changed_at) ${rows} AND sequence <= ${upTo}) AS since`,
      'rules-requested',
    );
    return { requested: requestedPermissionsFrom(row?.requested), since: row?.since ?? null };
  }

  /** The positions of the app's own log at these times, in their order. */
  async appPositions(appId: string, times: readonly Date[]): Promise<number[]> {
    const rows = await this.database.read<{ last: number | null }>(
      sql`SELECT (SELECT max(sequence) FROM changes
          WHERE owner_id = ${appId} AND entity = 'app' AND changed_at <= asked.at) AS last
        FROM unnest(${[...times]}::timestamptz[]) WITH ORDINALITY AS asked (at, place) ORDER BY asked.place`,
      'rules-app-positions',
    );
    return rows.map(({ last }) => last ?? 0);
  }

  private rows(ownerId: string, entity: 'tag' | 'authorization' | 'exposure_profile', upTo: number): Sql {
    return sql`owner_id = ${ownerId} AND sequence <= ${upTo} AND entity = ${sql.raw(`'${entity}'`)} AND ${OF_RULES}`;
  }
}
