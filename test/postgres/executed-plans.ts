import type pg from 'pg';
import { Database } from '../../src/kernel/database/database.js';
import { type World } from '../support/world.js';

/** A node of an executed plan; its counts are for one loop, and have to be multiplied by the loops. */
interface PlanNode {
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  'Temp Read Blocks'?: number;
  'Temp Written Blocks'?: number;
  Plans?: PlanNode[];
}

export interface Execution {
  /** The statement, without its values. */
  text: string;
  /** Rows that any node of the plan passed on or dropped. */
  rows: number;
  /** Pages touched, in memory or not. */
  pages: number;
}

const HEAD = /^duration: .* plan:\n/;

/**
 * The plans that PostgreSQL executes for a world, as reported by its own auto_explain, for statements of any
 * origin. Each is planned for its values, and runs in one process: the generic plan of a named statement
 * depends on earlier executions, and workers depend on other load.
 */
export class ExecutedPlans {
  private executions: Execution[] = [];

  private constructor() {}

  /** @throws if the server does not permit loading auto_explain, which is part of PostgreSQL */
  static async of(world: World): Promise<ExecutedPlans> {
    const plans = new ExecutedPlans();
    const { driver } = world.nest.get(Database).dataSource;
    const pool = (driver as unknown as { master: pg.Pool }).master;
    const reporting = new Set<pg.PoolClient>();
    pool.on('connect', (client) => {
      reporting.add(client);
      client.on('notice', ({ message }) => plans.note(message ?? ''));
    });
    await pool.query(REPORT);
    // Earlier connections end, and new ones replace them.
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    for (const client of taken) client.release(!reporting.has(client));
    await pool.query('SELECT 1');
    if (plans.taken().length !== 1) throw new Error('PostgreSQL reports no plans');
    return plans;
  }

  /** The executions since the last call. */
  taken(): Execution[] {
    const { executions } = this;
    this.executions = [];
    return executions;
  }

  private note(message: string): void {
    if (!HEAD.test(message)) return;
    const { 'Query Text': text, Plan: plan } = JSON.parse(message.replace(HEAD, '')) as {
      'Query Text': string;
      Plan: PlanNode;
    };
    this.executions.push({ text, rows: rowsOf(plan), pages: pagesOf(plan) });
  }
}

/** Settings for new connections. */
const REPORT = `
  DO $$ BEGIN EXECUTE (
    SELECT string_agg(format('ALTER DATABASE %I SET %s', current_database(), setting), ';') FROM unnest(ARRAY[
      'session_preload_libraries = auto_explain', 'auto_explain.log_min_duration = 0', 'auto_explain.log_analyze = on',
      'auto_explain.log_buffers = on', 'auto_explain.log_timing = off', 'auto_explain.log_format = json',
      'auto_explain.log_level = notice', 'plan_cache_mode = force_custom_plan', 'max_parallel_workers_per_gather = 0']) AS setting); END $$`;

function rowsOf(node: PlanNode): number {
  const own =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return (node.Plans ?? []).reduce((sum, below) => sum + rowsOf(below), own * (node['Actual Loops'] ?? 1));
}

/** A node's pages include those of the nodes below it. */
const pagesOf = (node: PlanNode): number =>
  (node['Shared Hit Blocks'] ?? 0) +
  (node['Shared Read Blocks'] ?? 0) +
  (node['Temp Read Blocks'] ?? 0) +
  (node['Temp Written Blocks'] ?? 0);
