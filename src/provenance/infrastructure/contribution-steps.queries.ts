import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/persistence/database.js';
import { contentBytes, withinPageBytes } from '../../kernel/persistence/page-bytes.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { type Access } from '../../privacy/index.js';
import { type ContributedStep } from '../domain/contribution-statuses.js';
import { type StoredStates } from '../domain/contribution-visibility.js';
import { type ContributionFilter, STATES, wholeSource } from './contributions.source.js';
import { CONTRIBUTED_TO, readableBefore, readableContribution } from './version-facts.js';

/** Rows at a time; fewer if their values are large. */
const ROWS = 500;
const BEGINNING: StepPlace = { node_id: '00000000-0000-0000-0000-000000000000', sequence: 0, path: '' };

interface StepPlace {
  node_id: string;
  sequence: number;
  path: string;
}

/** Contributions that are equal to transformations. */
export interface StepKind {
  path: string;
  states: StoredStates;
  agent: string | null;
}

/** A contribution that did not come with its node, and the values before and after it. */
export interface StepRow extends StepPlace, Pick<ContributedStep, 'version' | 'status'> {
  made_to: string;
  is_superseded: boolean;
  is_moved: boolean;
  is_cleared: boolean;
  /** True if the version and the one before pass the caller's rules. */
  is_readable: boolean;
  states: StoredStates;
  before: unknown;
  after: unknown;
}

/** The nodes to look at, as of one number of the change log. */
export interface StepScope {
  filter: ContributionFilter;
  changes: number;
}

/** Values before and after contributions, for callers who are shown masked values. */
@Injectable()
export class ContributionStepsQueries {
  constructor(private readonly database: Database) {}

  /** Few, for any number of contributions: they depend on paths, types and tags, not on values. */
  kinds(access: Access, { filter, changes }: StepScope, isByAgent: boolean): Promise<StepKind[]> {
    const agent = sql.raw(isByAgent ? 'c.contributor_id' : 'NULL::uuid');
    return this.database.read<StepKind>(
      sql`SELECT DISTINCT p.path, ${STATES} AS states, ${agent} AS agent ${wholeSource(access, filter, changes)}`,
    );
  }

  /** Steps to these paths: node by node, oldest first. At most a page's content is held at a time. */
  async *steps(access: Access, scope: StepScope, paths: readonly string[]): AsyncGenerator<StepRow> {
    let place = BEGINNING;
    for (;;) {
      const rows = await this.database.read<StepRow & { asked: number }>(
        after(place, access, { scope, paths }),
      );
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || (last.asked < ROWS && last.asked === rows.length)) return;
      place = last;
    }
  }
}

function after(place: StepPlace, access: Access, of: { scope: StepScope; paths: readonly string[] }): Sql {
  const { filter, changes } = of.scope;
  const path = sql.raw("string_to_array(p.path, '.')");
  const rows = sql`(
    SELECT c.node_id, c.sequence, c.version, c.status, p.path, ${CONTRIBUTED_TO} AS made_to, b.sequence AS before,
      p.status = 'superseded' AS is_superseded, c.came_from <> '{}' AS is_moved,
      (c.status = 'merged' AND c.came_from = '{}' AND coalesce(here.snapshot #> ${path}, 'null') = 'null') AS is_cleared,
      (${readableContribution(access)} AND ${readableBefore(access)}) AS is_readable, ${STATES} AS states
    ${wholeSource(access, filter, changes)} AND c.version > 1 AND p.path = ANY(${of.paths}::text[])
      AND (c.node_id, c.sequence) >= (${place.node_id}::uuid, ${place.sequence}::bigint)
      AND (c.node_id, c.sequence, p.path) > (${place.node_id}::uuid, ${place.sequence}::bigint, ${place.path}::text)
    ORDER BY c.node_id, c.sequence, p.path LIMIT ${ROWS}
  ) AS p`;
  return withinPageBytes({
    from: sql`${rows} JOIN changes AS h ON h.owner_id = ${access.ownerId} AND h.sequence = p.sequence
      LEFT JOIN changes AS b ON b.owner_id = ${access.ownerId} AND b.sequence = p.before
      CROSS JOIN LATERAL (SELECT b.snapshot #> ${path} AS before, h.snapshot #> ${path} AS after OFFSET 0) AS v`,
    columns: sql`p.node_id, p.sequence, p.version, p.status, p.path, p.made_to, p.is_superseded, p.is_moved, p.is_cleared,
      p.is_readable, p.states, v.before, v.after, count(*) OVER () AS asked`,
    order: sql`p.node_id, p.sequence, p.path`,
    bytes: contentBytes('v', { documents: ['before', 'after'] }),
    names: sql`page.*`,
  });
}
