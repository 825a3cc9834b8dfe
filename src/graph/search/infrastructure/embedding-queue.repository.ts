import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { isOwnerGone } from '../../../kernel/database/violations.js';
import { accountGone } from '../../../kernel/errors/account-gone.js';

/** The place before the first id of a node. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** The setting of an owner, as they are shown it. */
export interface EmbeddingSetting {
  /** Null: switched off, and vectors of the service are still being removed. */
  profileId: string | null;
  /** True if every node was looked at, and each change of one. */
  isComplete: boolean;
  /** The time of the next request, if it has to wait. */
  dueAt: Date | null;
}

/** The setting of an owner, leased by one worker. */
export interface LeasedSetting {
  ownerId: string;
  profileId: string | null;
  rules: string;
  model: string;
  checked: number;
  position: number;
  scannedTo: string | null;
  failures: number;
  dueAt: Date | null;
  /** The owner's counter when the lease was taken. */
  changes: number;
  /** The end of the lease, which identifies it. */
  until: Date;
}

/** The places up to which a worker has come. */
export type Progress = Partial<Pick<LeasedSetting, 'checked' | 'position' | 'scannedTo'>>;

/** The condition that there is something to do for owner `s` with the counters `q`. */
export const WAITS = sql.raw(
  `(s.profile_id IS NULL OR q.changes > s.checked OR q.changes > s.position OR s.scanned_to IS NOT NULL)`,
);

/** The condition that a change of nodes or rules has been marked: other changes move the counter, too. */
const IS_MARKED = sql.raw('EXISTS (SELECT FROM embedding_news n WHERE n.owner_id = s.owner_id)');

/**
 * The owners who have switched the service's vectors on, and up to where the change log was read for them: it is the queue
 * (ADR 80), as it is that of webhooks (ADR 13). Writes need a unit of work.
 */
@Injectable()
export class EmbeddingQueue {
  constructor(private readonly database: Database) {}

  async find(ownerId: string): Promise<EmbeddingSetting | null> {
    const [row] = await this.database.read<EmbeddingSetting>(
      sql`SELECT s.profile_id AS "profileId", NOT (${WAITS} AND ${IS_MARKED}) AS "isComplete", s.due_at AS "dueAt"
        FROM embedding_settings s JOIN sequences q ON q.id = s.owner_id WHERE s.owner_id = ${ownerId}`,
      'embedding-setting',
    );
    return row ?? null;
  }

  /**
   * Switches on with a profile, or with another one: all nodes are looked through. The same profile changes nothing.
   * @throws NOT_FOUND if the account is erased
   */
  async switchOn(ownerId: string, profileId: string, now: Date): Promise<void> {
    await this.follow(ownerId);
    const changes = sql`(SELECT q.changes FROM sequences q WHERE q.id = ${ownerId})`;
    await this.database.write(
      sql`INSERT INTO embedding_settings AS s (owner_id, profile_id, rules, model, checked, position, scanned_to,
          served_at, updated_at)
        VALUES (${ownerId}, ${profileId}, '', '', ${changes}, ${changes}, ${FIRST}, ${now}, ${now})
        ON CONFLICT (owner_id) DO UPDATE SET profile_id = EXCLUDED.profile_id, rules = '', scanned_to = EXCLUDED.scanned_to,
          failures = 0, due_at = NULL, updated_at = EXCLUDED.updated_at
        WHERE s.profile_id IS DISTINCT FROM EXCLUDED.profile_id`,
      'embedding-switch-on',
    );
    await this.announce(ownerId, now);
  }

  /** Switches off: from now on nothing is sent, and a worker removes what the service has made. */
  async switchOff(ownerId: string, now: Date): Promise<void> {
    const switched = await this.database.write(
      sql`UPDATE embedding_settings SET profile_id = NULL, updated_at = ${now}
        WHERE owner_id = ${ownerId} AND profile_id IS NOT NULL RETURNING owner_id`,
      'embedding-switch-off',
    );
    if (switched.length > 0) await this.announce(ownerId, now);
  }

  /** Switches off for a worker whose profile is deleted. @returns false if the owner has chosen another one meanwhile */
  async end({ ownerId, until, profileId }: LeasedSetting, now: Date): Promise<boolean> {
    const ended = await this.database.write(
      sql`UPDATE embedding_settings SET profile_id = NULL, updated_at = ${now}
        WHERE owner_id = ${ownerId} AND leased_until = ${until} AND profile_id = ${profileId}::uuid RETURNING owner_id`,
      'embedding-end',
    );
    return ended.length > 0;
  }

  /** Owners with work and without a worker, the one who was served longest ago first. */
  async ready(now: Date, { limit, except }: { limit: number; except: readonly string[] }): Promise<string[]> {
    const rows = await this.database.read<{ ownerId: string }>(
      sql`SELECT s.owner_id AS "ownerId" FROM embedding_news n
        JOIN embedding_settings s ON s.owner_id = n.owner_id JOIN sequences q ON q.id = n.owner_id
        WHERE (s.leased_until IS NULL OR s.leased_until <= ${now}) AND s.owner_id <> ALL(${[...except]}::uuid[])
          AND ${WAITS} AND (s.due_at IS NULL OR s.due_at <= ${now} OR s.profile_id IS NULL OR q.changes > s.checked)
        ORDER BY s.served_at, s.owner_id LIMIT ${limit}`,
      'embedding-ready',
    );
    return rows.map(({ ownerId }) => ownerId);
  }

  /** Null: another worker has the lease, or there is no setting. */
  async lease(ownerId: string, now: Date, until: Date): Promise<LeasedSetting | null> {
    const [row] = await this.database.write<LeasedSetting>(
      sql`UPDATE embedding_settings s SET leased_until = ${until}
        WHERE s.owner_id = ${ownerId} AND (s.leased_until IS NULL OR s.leased_until <= ${now})
        RETURNING s.owner_id AS "ownerId", s.profile_id AS "profileId", s.rules, s.model, s.checked, s.position,
          s.scanned_to AS "scannedTo", s.failures, s.due_at AS "dueAt", s.leased_until AS until,
          coalesce((SELECT q.changes FROM sequences q WHERE q.id = s.owner_id), 0) AS changes`,
      'embedding-lease',
    );
    return row ?? null;
  }

  /** @returns false if another worker has taken over */
  async renew({ ownerId, until }: LeasedSetting, longer: Date): Promise<boolean> {
    const rows = await this.database.write(
      sql`UPDATE embedding_settings SET leased_until = ${longer}
        WHERE owner_id = ${ownerId} AND leased_until = ${until} RETURNING owner_id`,
      'embedding-renew',
    );
    return rows.length === 1;
  }

  /** The condition that the lease holds, and that neither setting nor rules have changed since these were read. */
  isCurrent({ ownerId, until, profileId }: LeasedSetting, policy: number): Sql {
    return sql`EXISTS (SELECT FROM embedding_settings s JOIN sequences q ON q.id = s.owner_id
      WHERE s.owner_id = ${ownerId} AND s.leased_until = ${until} AND s.profile_id = ${profileId}::uuid
        AND q.policy = ${policy})`;
  }

  async stillHolds(setting: LeasedSetting, policy: number): Promise<boolean> {
    const [row] = await this.database.read<{ holds: boolean }>(
      sql`SELECT ${this.isCurrent(setting, policy)} AS holds`,
      'embedding-holds',
    );
    return row?.holds === true;
  }

  /** Looks through all nodes again, by these rules and for this model. */
  restart(
    { ownerId, until }: LeasedSetting,
    { rules, model }: { rules: string; model: string },
  ): Promise<unknown> {
    return this.database.write(
      sql`UPDATE embedding_settings SET rules = ${rules}, model = ${model}, scanned_to = ${FIRST}
        WHERE owner_id = ${ownerId} AND leased_until = ${until}`,
      'embedding-restart',
    );
  }

  /** Only if neither the owner has switched meanwhile nor another worker has taken over. */
  advance(setting: LeasedSetting, progress: Progress): Promise<unknown> {
    const { ownerId, until, profileId } = setting;
    const { checked, position, scannedTo } = { ...setting, ...progress };
    const isSent = progress.position !== undefined || progress.scannedTo !== undefined;
    return this.database.write(
      sql`UPDATE embedding_settings SET checked = ${checked}, position = ${position}, scanned_to = ${scannedTo}::uuid,
          failures = CASE WHEN ${isSent} THEN greatest(failures - 1, 0) ELSE failures END, due_at = CASE WHEN ${isSent} THEN NULL ELSE due_at END
        WHERE owner_id = ${ownerId} AND leased_until = ${until} AND profile_id = ${profileId}::uuid`,
      'embedding-advance',
    );
  }

  postpone(
    { ownerId, until }: LeasedSetting,
    { failures, dueAt }: { failures: number; dueAt: Date },
  ): Promise<unknown> {
    return this.database.write(
      sql`UPDATE embedding_settings SET failures = ${failures}, due_at = ${dueAt}
        WHERE owner_id = ${ownerId} AND leased_until = ${until}`,
      'embedding-postpone',
    );
  }

  /** Needs all vectors of the service to be removed; does nothing if the owner has switched it on again. */
  remove({ ownerId, until }: LeasedSetting): Promise<unknown> {
    return this.database.write(
      sql`DELETE FROM embedding_settings WHERE owner_id = ${ownerId} AND leased_until = ${until} AND profile_id IS NULL`,
      'embedding-remove',
    );
  }

  /**
   * Ends the lease, and takes the owner from the queue if nothing is left to do. The setting is locked first: the second
   * statement must see everything that was committed while it waited. A mark that a writer holds stays.
   */
  async release({ ownerId, until }: LeasedSetting, now: Date): Promise<void> {
    await this.database.write(
      sql`UPDATE embedding_settings SET leased_until = NULL, served_at = ${now}
        WHERE owner_id = ${ownerId} AND leased_until = ${until}`,
      'embedding-release',
    );
    const marks = await this.database.write(
      sql`SELECT 1 FROM embedding_news WHERE owner_id = ${ownerId} FOR UPDATE SKIP LOCKED`,
      'embedding-news-lock',
    );
    if (marks.length === 0) return;
    await this.database.write(
      sql`DELETE FROM embedding_news n WHERE n.owner_id = ${ownerId} AND NOT EXISTS (
          SELECT FROM embedding_settings s JOIN sequences q ON q.id = s.owner_id WHERE s.owner_id = n.owner_id AND ${WAITS})`,
      'embedding-news-clear',
    );
  }

  /** Marks owners whose changes nobody has marked, and removes marks of those without a setting. */
  async sweep(now: Date): Promise<void> {
    await this.database.write(
      sql`DELETE FROM embedding_news n WHERE n.owner_id IN (
          SELECT idle.owner_id FROM embedding_news idle
          WHERE NOT EXISTS (SELECT FROM embedding_settings s WHERE s.owner_id = idle.owner_id)
          ORDER BY 1 FOR UPDATE SKIP LOCKED)`,
      'embedding-news-sweep',
    );
    await this.database.write(
      sql`INSERT INTO embedding_news (owner_id, changed_at)
        SELECT s.owner_id, ${now} FROM embedding_settings s JOIN sequences q ON q.id = s.owner_id
        WHERE ${WAITS} AND NOT EXISTS (SELECT FROM embedding_news n WHERE n.owner_id = s.owner_id) ORDER BY 1
        ON CONFLICT DO NOTHING`,
      'embedding-news-mark',
    );
  }

  /**
   * Sets the flag by which writers mark this owner, behind the lock of their counter: changes under way are counted in what
   * follows, and later ones are marked.
   */
  private async follow(ownerId: string): Promise<void> {
    try {
      await this.database.write(
        sql`INSERT INTO sequences (id, changes, policy, is_followed) VALUES (${ownerId}, 0, 0, true)
          ON CONFLICT (id) DO UPDATE SET is_followed = true`,
        'embedding-follow',
      );
    } catch (error) {
      throw isOwnerGone(error) ? accountGone() : error;
    }
  }

  private async announce(ownerId: string, now: Date): Promise<void> {
    await this.database.write(
      sql`INSERT INTO embedding_news AS n (owner_id, changed_at) VALUES (${ownerId}, ${now})
        ON CONFLICT (owner_id) DO UPDATE SET changed_at = n.changed_at`,
      'embedding-announce',
    );
  }
}
