import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/database/database.js';
import { contentBytes, withinPageBytes } from '../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Access } from '../../privacy/index.js';
import { type ContributedStep } from '../domain/contribution-statuses.js';
import { type StoredStates } from '../domain/contribution-visibility.js';
import { type ContributionFilter, pathsOf, STATES, wholeSource, withStates } from './contributions.source.js';
import { changeAt, CONTRIBUTED_TO, readableBefore, readableContribution } from './version-facts.js';

/** Contributions at a time, and their paths before the last one; fewer if their values are large. */
const [ROWS, PATHS] = [500, 500];
const BEGINNING: StepPlace = { node_id: '00000000-0000-0000-0000-000000000000', sequence: 0 };

interface StepPlace {
  node_id: string;
  sequence: number;
}

/** Contributions that are equal to transformations. */
export interface StepKind {
  path: string;
  /** {@link StoredStates} as the text that PostgreSQL makes of them. */
  states: string;
  agent: string | null;
}

/** A contribution that did not come with its node. */
interface ContributionSteps extends StepPlace, Pick<ContributedStep, 'version' | 'status'> {
  made_to: string;
  is_moved: boolean;
  /** True if the version and the one before pass the caller's rules. */
  is_readable: boolean;
  states: StoredStates;
}

/** One of its paths, and the values before and after it. */
interface StepOfPath {
  path: string;
  is_superseded: boolean;
  is_cleared: boolean;
  before: unknown;
  after: unknown;
}

export type StepRow = ContributionSteps & StepOfPath;

/** The nodes to look at, as of one number of the change log. */
export interface StepScope {
  filter: ContributionFilter;
  changes: number;
}

/** Values before and after contributions, for callers who are shown masked values. */
@Injectable()
export class ContributionStepsQueries {
  constructor(private readonly database: Database) {}

  /** They depend on paths, types and tags, not on values. There are few, unless a writer has new paths each time. */
  kinds(access: Access, { filter, changes }: StepScope, isByAgent: boolean): Promise<StepKind[]> {
    const agent = sql.raw(isByAgent ? 'c.contributor_id' : 'NULL::uuid');
    return this.database.read<StepKind>(
      sql`WITH k AS MATERIALIZED (
          SELECT k.*, dense_rank() OVER (ORDER BY k.states, k.agent) AS kind FROM (
            SELECT c.standing || c.superseded AS paths, ${STATES} AS states, ${agent} AS agent
            FROM (SELECT c.* ${wholeSource(access, filter, { changes })}) AS c ${withStates(changes)}) AS k)
        SELECT p.path, k.states::text AS states, k.agent
        FROM (SELECT DISTINCT k.kind, path FROM k CROSS JOIN LATERAL unnest(k.paths) AS path) AS p
        JOIN (SELECT DISTINCT ON (k.kind) k.kind, k.states, k.agent FROM k) AS k ON k.kind = p.kind`,
    );
  }

  /**
   * Steps to these paths: node by node, oldest first. At most a page's content is held at a time. Without any step
   * there is a second statement, too: one less would reveal that nothing was changed in secret (ADR 54).
   */
  async *steps(access: Access, scope: StepScope, paths: readonly string[]): AsyncGenerator<StepRow> {
    let place = BEGINNING;
    for (let page = 1; ; page++) {
      const rows = await this.database.read<ContributionSteps & { steps: StepOfPath[] }>(
        after(place, access, { scope, paths }),
      );
      for (const { steps, ...contribution } of rows)
        for (const step of steps) yield { ...contribution, ...step };
      const last = rows.at(-1);
      if (last !== undefined) place = last;
      else if (page > 1) return;
    }
  }
}

/** Each version is unpacked once for all of its paths: it can have hundreds of them. */
function after(place: StepPlace, access: Access, of: { scope: StepScope; paths: readonly string[] }): Sql {
  const { filter, changes } = of.scope;
  const wanted = sql`${of.paths}::text[]`;
  const condition = sql`c.version > 1 AND (c.standing && ${wanted} OR c.superseded && ${wanted})
    AND (c.node_id, c.sequence) > (${place.node_id}::uuid, ${place.sequence}::bigint)`;
  // The contributions are chosen before their states are looked up.
  const chosen = sql`(
    SELECT * FROM (
      SELECT c.*, sum(cardinality(c.standing || c.superseded)) OVER (
        ORDER BY c.node_id, c.sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS paths_before
      ${wholeSource(access, filter, { changes, condition })} ORDER BY c.node_id, c.sequence LIMIT ${ROWS}
    ) AS c WHERE coalesce(c.paths_before, 0) < ${PATHS}
  ) AS c`;
  const rows = sql`(
    SELECT c.*, ${CONTRIBUTED_TO} AS made_to, b.sequence AS before, c.came_from <> '{}' AS is_moved,
      CASE WHEN c.status = 'merged' AND c.came_from = '{}' THEN here.snapshot END AS merged,
      (${readableContribution(access)} AND ${readableBefore(access)}) AS is_readable, ${STATES} AS states
    FROM ${chosen} ${withStates(changes)}
  ) AS c`;
  const path = sql.raw("string_to_array(p.path, '.')");
  return withinPageBytes({
    from: sql`${rows} CROSS JOIN LATERAL ${changeAt(access, 'c.sequence')} AS h
      LEFT JOIN LATERAL ${changeAt(access, 'c.before')} AS b ON TRUE
      CROSS JOIN LATERAL (SELECT b.snapshot || '{}' AS before, h.snapshot || '{}' AS after, c.merged || '{}' AS merged OFFSET 0) AS s
      CROSS JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('path', p.path, 'is_superseded', p.status = 'superseded',
          'is_cleared', s.merged IS NOT NULL AND coalesce(s.merged #> ${path}, 'null') = 'null',
          'before', s.before #> ${path}, 'after', s.after #> ${path})) AS steps
        FROM (${pathsOf(undefined)}) AS p WHERE p.path = ANY(${wanted}) OFFSET 0) AS v`,
    columns: sql`c.node_id, c.sequence, c.version, c.status, c.made_to, c.is_moved, c.is_readable, c.states, v.steps`,
    order: sql`c.node_id, c.sequence`,
    bytes: contentBytes('v', { documents: ['steps'] }),
    names: sql`page.node_id, page.sequence, page.version, page.status, page.made_to, page.is_moved, page.is_readable, page.states, page.steps`,
  });
}
