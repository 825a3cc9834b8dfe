import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { contentBytes, type Room, withinPageBytes } from '../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Access, seesEverything } from '../../privacy/index.js';
import { type Session, SESSION_TEXTS, type SessionStatus } from '../domain/session.js';
import { ContributionsQueries } from './contributions.queries.js';

const TEXTS = Object.keys(SESSION_TEXTS);
const PLAIN = [
  'owner_id',
  'id',
  'key',
  'app_id',
  'agent_id',
  'status',
  'created_at',
  'started_at',
  'completed_at',
];
const NAMES = sql.raw([...PLAIN, ...TEXTS].join(', '));

/** The columns of `s` and its texts; earlier releases and archives have stored longer ones than lists can show. */
const CUT = sql.raw(
  Object.entries(SESSION_TEXTS)
    .map(([text, most]) => `left(s.${text}, ${most}) AS ${text}`)
    .join(', '),
);
const COLUMNS = sql`${sql.raw(PLAIN.map((name) => `s.${name}`).join(', '))}, ${CUT}`;

/** Sessions of one owner. Their texts are read as they are shown: cut ({@link SESSION_TEXTS}). The statement decides which of them a caller sees (rule 7.5). Writes need a unit of work. */
@Injectable()
export class SessionsRepository {
  constructor(
    private readonly database: Database,
    private readonly contributions: ContributionsQueries,
  ) {}

  /** A page in the caller's order ({@link orderFor}); shorter if the texts are large. */
  async list(
    access: Access,
    { status, limit, offset }: Room & { status: SessionStatus | undefined },
  ): Promise<{ rows: Session[]; total: number }> {
    const condition = sql.and([await this.seen(access), status !== undefined && sql`s.status = ${status}`]);
    const order = orderFor(access);
    const [rows, [counted]] = await Promise.all([
      this.database.read<Session>(
        withinPageBytes({
          from: sql`(SELECT * FROM sessions AS s WHERE ${condition} ORDER BY ${order}
            LIMIT ${limit} OFFSET ${offset}) AS s CROSS JOIN LATERAL (SELECT ${CUT} OFFSET 0) AS v`,
          columns: sql.raw(
            [...PLAIN.map((name) => `s.${name}`), ...TEXTS.map((name) => `v.${name}`)].join(', '),
          ),
          order,
          bytes: contentBytes('v', { texts: TEXTS }),
          names: NAMES,
        }),
        'sessions-page',
      ),
      this.database.read<{ total: number }>(
        sql`SELECT count(*) AS total FROM sessions AS s WHERE ${condition}`,
        'sessions-count',
      ),
    ]);
    return { rows, total: counted?.total ?? 0 };
  }

  async find(access: Access, id: string): Promise<Session | null> {
    const [session = null] = await this.database.read<Session>(
      sql`SELECT ${COLUMNS} FROM sessions AS s WHERE s.owner_id = ${access.ownerId} AND s.id = ${id}`,
      'session',
    );
    if (access.isOwner || session?.app_id === access.actor.appId) return session;
    // An absent session takes the same statements as one that is hidden.
    const shown = await this.contributions.ofSessions(access, [id]);
    return shown.has(id) ? session : null;
  }

  async sizes(access: Access): Promise<{ all: number; completed: number; failed: number }> {
    const [sizes] = await this.database.read<{ all: number; completed: number; failed: number }>(
      sql`SELECT count(*) AS all, count(*) FILTER (WHERE s.status = 'completed') AS completed,
          count(*) FILTER (WHERE s.status = 'failed') AS failed FROM sessions AS s WHERE ${await this.seen(access)}`,
      'sessions-sizes',
    );
    return sizes as { all: number; completed: number; failed: number };
  }

  /** @returns the session that its maker has already begun under that external id, or null if it was saved */
  async insert(session: Session): Promise<Session | null> {
    const { owner_id, id, key, app_id, external_id, agent_id, agent_name, status, created_at } = session;
    const made = await this.database.write(
      sql`INSERT INTO sessions (owner_id, id, key, app_id, external_id, agent_id, agent_name, status, created_at, is_empty)
        VALUES (${owner_id}, ${id}, ${key}, ${app_id}, ${external_id}, ${agent_id}, ${agent_name}, ${status}, ${created_at}, true)
        ON CONFLICT (owner_id, key) DO NOTHING RETURNING id`,
      'session-insert',
    );
    if (made.length === 1) return null;
    const [before] = await this.database.read<Session>(
      sql`SELECT ${COLUMNS} FROM sessions AS s WHERE s.owner_id = ${owner_id} AND s.key = ${key}`,
      'session-by-key',
    );
    return before as Session;
  }

  /** The number of the maker's sessions that no write has named, up to a most. */
  async countEmpty({ owner_id, app_id }: Session, most: number): Promise<number> {
    // The expression must equal that of the index `sessions_empty`.
    const [row] = await this.database.write<{ count: number }>(
      sql`SELECT count(*) AS count FROM (SELECT FROM sessions AS s WHERE s.owner_id = ${owner_id}
        AND coalesce(s.app_id, s.owner_id) = ${app_id ?? owner_id}::uuid AND s.is_empty LIMIT ${most}) AS s`,
      'sessions-empty',
    );
    return row?.count ?? 0;
  }

  async lock(ownerId: string, id: string): Promise<Session> {
    const [session] = await this.database.write<Session>(
      sql`SELECT ${COLUMNS} FROM sessions AS s WHERE s.owner_id = ${ownerId} AND s.id = ${id} FOR UPDATE`,
      'session-lock',
    );
    return session as Session;
  }

  /** @param error null leaves the stored one, which may be longer than was read */
  async update(
    { owner_id, id, status, started_at, completed_at }: Session,
    error: string | null,
  ): Promise<void> {
    await this.database.write(
      sql`UPDATE sessions SET status = ${status}, error = coalesce(${error}, error), started_at = ${started_at}, completed_at = ${completed_at}
        WHERE owner_id = ${owner_id} AND id = ${id}`,
      'session-update',
    );
  }

  /** An app sees sessions that it began, and those that changed something that it is shown (rule 7.5). */
  private async seen(access: Access): Promise<Sql> {
    const own = sql`s.owner_id = ${access.ownerId}`;
    if (access.isOwner) return own;
    const shown = await this.contributions.shownSessions(access);
    return sql`${own} AND (s.app_id = ${access.actor.appId} OR s.id IN (${shown}))`;
  }
}

/** Newest first. Sessions whose times the caller is not shown come last and by id, which tells nothing (rule 7.5). */
function orderFor(access: Access): Sql {
  if (seesEverything(access)) return sql`s.created_at DESC, s.id DESC`;
  const ownTime = sql`CASE WHEN s.app_id = ${access.actor.appId} THEN s.created_at END`;
  return sql`${ownTime} DESC NULLS LAST, s.id`;
}
