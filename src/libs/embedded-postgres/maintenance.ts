import type pg from 'pg';

/**
 * Selects the tables that autovacuum would process now, by its own thresholds: PostgreSQL's defaults and the scale
 * factors of a table's own settings.
 */
const DUE_TABLES = `
  WITH tables AS (
    SELECT c.oid, format('%I.%I', n.nspname, c.relname) AS name, greatest(c.reltuples, 0) AS rows,
           coalesce(max(o.option_value) FILTER (WHERE o.option_name = 'autovacuum_vacuum_scale_factor'), '0.2')::float8
             AS vacuum_factor,
           coalesce(max(o.option_value) FILTER (WHERE o.option_name = 'autovacuum_analyze_scale_factor'), '0.1')::float8
             AS analyze_factor
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN LATERAL pg_options_to_table(c.reloptions) o ON true
     GROUP BY c.oid, n.nspname
  ), due AS (
    SELECT t.name,
           s.n_dead_tup > 50 + t.vacuum_factor * t.rows AS has_dead,
           s.n_ins_since_vacuum > 1000 + 0.2 * t.rows AS has_new,
           s.n_mod_since_analyze > 50 + t.analyze_factor * t.rows AS to_analyze
      FROM pg_stat_user_tables s
      JOIN tables t ON t.oid = s.relid
  )
  SELECT name, has_dead, has_new FROM due WHERE has_dead OR has_new OR to_analyze ORDER BY name`;

interface DueTable {
  name: string;
  has_dead: boolean;
  has_new: boolean;
}

/** The most log that a start after a crash may have to replay: about a second's work. */
const LOG_BYTES = 32 * 1024 * 1024;
const LOG_AGE_MS = 60_000;
const CHECK_EVERY_MS = 2_000;

/**
 * The work of a server's background processes, which PGlite lacks: VACUUM and ANALYZE of tables with enough changes, so
 * that plans and index-only scans stay good, and checkpoints, so that the log stays short. Each statement waits for a
 * moment without an open transaction, then blocks all callers of the database while it runs, in its thread.
 */
export class Maintenance {
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #checkpointAt = performance.now();
  #checkpointLog = 0;

  /**
   * @param client returns a connection besides the application's
   * @param logBytes the number of bytes written so far
   * @param isPaused true while the disk has no space for more
   */
  constructor(
    private readonly client: () => pg.Client,
    private readonly logBytes: () => number,
    private readonly isPaused: () => boolean,
  ) {}

  /** Runs from now on whenever work is due; failures become process warnings. */
  start(): void {
    this.#timer = setInterval(() => {
      if (this.isPaused() || !this.#isDue()) return;
      this.run().catch(warn);
    }, CHECK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#running?.catch(() => undefined);
  }

  /** Runs one round; a call during a round joins it. */
  run(): Promise<void> {
    this.#running ??= this.#round().finally(() => (this.#running = null));
    return this.#running;
  }

  #isDue(): boolean {
    const log = this.logBytes() - this.#checkpointLog;
    return log < 0 || log > LOG_BYTES || (log > 0 && performance.now() - this.#checkpointAt > LOG_AGE_MS);
  }

  async #round(): Promise<void> {
    const client = this.client();
    // Its queries are rejected when the database stops; the additional event would end the process.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await this.#tidy(client);
      // Last, because the first change of each page after a checkpoint writes the whole page to the log.
      await client.query('CHECKPOINT');
      this.#checkpointAt = performance.now();
      this.#checkpointLog = this.logBytes();
    } finally {
      await client.end();
    }
  }

  async #tidy(client: pg.Client): Promise<void> {
    // Sessions report their changes once a second at most.
    await client.query('SELECT pg_stat_force_next_flush()');
    const due = await client.query<DueTable>(DUE_TABLES);
    for (const { name, has_dead, has_new } of due.rows) {
      if (this.isPaused()) return;
      // One table at a time, so that other callers can use the database in between.
      if (has_dead) await client.query(`VACUUM ${name}`).catch(warn);
      // New rows leave no dead entries in the indexes, and cleaning them would only make other callers wait.
      else if (has_new) await client.query(`VACUUM (INDEX_CLEANUP OFF) ${name}`).catch(warn);
      await client.query(`ANALYZE ${name}`).catch(warn);
    }
  }
}

function warn(error: unknown): void {
  process.emitWarning(`Maintenance of the embedded database failed: ${String(error)}`);
}
