import type pg from 'pg';

/**
 * Tables that autovacuum would take now, by its own thresholds: PostgreSQL's defaults and the scale factors that a
 * table sets for itself.
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

/** More log than this is not left to be read again after a crash: about a second's work. */
const LOG_BYTES = 32 * 1024 * 1024;
const LOG_AGE_MS = 60_000;
const LOOK_EVERY_MS = 2_000;

/**
 * The work of a server's background processes, of which PGlite has none: VACUUM and ANALYZE of tables with enough changes,
 * so that plans and index-only scans stay good, and checkpoints, so that the log stays short. Each statement waits
 * for a moment without an open transaction, then keeps everybody else from the database while it runs, in its thread.
 */
export class Maintenance {
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #checkpointAt = performance.now();
  #checkpointLog = 0;

  /**
   * @param client gives a connection that is not the application's
   * @param logBytes written so far
   * @param isPaused because there is no room on the disk for what it writes
   */
  constructor(
    private readonly client: () => pg.Client,
    private readonly logBytes: () => number,
    private readonly isPaused: () => boolean,
  ) {}

  /** Runs from now on whenever there is reason to; failures become process warnings. */
  start(): void {
    this.#timer = setInterval(() => {
      if (this.isPaused() || !this.#isDue()) return;
      this.run().catch(warn);
    }, LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#running?.catch(() => undefined);
  }

  /** One round; a call during a round joins it. */
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
    // What it asks is rejected when the database stops; the event that comes on top would end the process.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await this.#tidy(client);
      // Last, since what comes first after a checkpoint is written into the log with the whole pages around it.
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
      // Each by itself, so that others have the database in between.
      if (has_dead) await client.query(`VACUUM ${name}`).catch(warn);
      // New rows leave nothing to take out of the indexes, for which others would wait.
      else if (has_new) await client.query(`VACUUM (INDEX_CLEANUP OFF) ${name}`).catch(warn);
      await client.query(`ANALYZE ${name}`).catch(warn);
    }
  }
}

function warn(error: unknown): void {
  process.emitWarning(`Maintenance of the embedded database failed: ${String(error)}`);
}
