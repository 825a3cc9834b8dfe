import { Injectable } from '@nestjs/common';
import { type Counted, NodeTotals } from '../../graph/index.js';
import { Database } from '../../kernel/persistence/database.js';
import { contentBytes, type Room, withinPageBytes } from '../../kernel/persistence/page-bytes.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { type Access } from '../../privacy/index.js';
import { type ContributionStatus, type ContributorType } from '../domain/contribution.js';
import { shownAgentId } from '../domain/shown-agents.js';
import { CONTRIBUTED_FIELDS } from '../domain/written-paths.js';
import {
  CONTRIBUTED_TO,
  readableBefore,
  readableContribution,
  readableNow,
  WITH_VERSION_BEFORE,
} from './version-facts.js';

export interface ContributionFilter {
  /** Of a node that the caller was found to be allowed; else of all that he can read. */
  nodeId?: string;
  agentId?: string;
  status?: ContributionStatus;
  contributorType?: ContributorType;
}

export interface ContributionRow {
  node_id: string;
  /** To which node it was made; another one than `node_id` when that was merged into this. */
  made_to: string;
  version: number;
  path: string;
  status: ContributionStatus;
  contributor_type: ContributorType;
  contributor_id: string | null;
  confidence: number | null;
  contributed_at: Date;
  value: unknown;
  tag_ids: string[];
  node_type: string;
  schema_id: string | null;
  /** The node as it is now. */
  title: string;
  node_now: StoredFacts;
  /** The node to which it was made as it is now, or was at last. */
  made_to_now: StoredFacts;
}

/** What transformations ask of a node. */
export interface StoredFacts {
  tag_ids: string[];
  node_type: string;
  schema_id: string | null;
}

/** A version as far as its time and its agent are shown by it. */
export interface ToldBy {
  changed_at: Date;
  tag_ids: string[];
  node_type: string;
  agent_metadata: Record<string, unknown> | null;
  /** The node as it is now, or was at last. */
  node_now: Pick<StoredFacts, 'tag_ids' | 'node_type'>;
}

export interface AgentRow {
  agent_id: string;
  contributions: number;
  active: number;
  superseded: number;
  nodes: number;
  confidence: number | null;
  first: ToldBy;
  last: ToldBy;
  /** Where the agent last said what it is called. */
  named: ToldBy | null;
}

/**
 * Contributions that the caller is shown: of nodes readable now, made in versions that pass their rules, to fields that
 * they see (rules 3.20, 7.5). All that is counted is counted over these. A contribution exists only where a value
 * changed, so those that compare with something hidden are left out, whatever it was: with a version before that the
 * caller may not read, or with a value that a transformation concerned no longer.
 */
@Injectable()
export class ContributionsQueries {
  constructor(
    private readonly database: Database,
    private readonly totals: NodeTotals,
  ) {}

  /** Newest first; where they are large, not all of the page. The page, and the total unless it is known; one statement more where a profile changes values. */
  async list(
    access: Access,
    { filter, limit, offset }: Room & { filter: ContributionFilter },
  ): Promise<{ rows: ContributionRow[]; total: number }> {
    const source = await this.source(access, filter);
    const count = async (): Promise<Counted> => {
      const [counted] = await this.database.read<Counted>(
        sql`SELECT count(*) AS total, coalesce((SELECT changes FROM sequences WHERE id = ${access.ownerId}), 0) AS changes
          ${source}`,
        'contributions-count',
      );
      return counted as Counted;
    };
    const [rows, total] = await Promise.all([
      this.database.read<ContributionRow>(
        withinPageBytes({
          from: sql`(
            SELECT c.node_id, c.sequence, c.version, p.path, p.status, c.contributor_type, c.contributor_id, c.confidence,
              c.contributed_at, c.tag_ids, c.node_type, c.schema_id, ${CONTRIBUTED_TO} AS made_to
            ${source} ORDER BY c.sequence DESC, p.path LIMIT ${limit} OFFSET ${offset}
          ) AS p
          JOIN changes AS h ON h.owner_id = ${access.ownerId} AND h.sequence = p.sequence
          JOIN nodes AS n ON n.owner_id = ${access.ownerId} AND n.id = p.node_id
          JOIN nodes AS m ON m.owner_id = ${access.ownerId} AND m.id = p.made_to
          CROSS JOIN LATERAL (SELECT h.snapshot #> string_to_array(p.path, '.') AS value OFFSET 0) AS v`,
          columns: sql`p.*, v.value, n.title, ${factsIn('n')} AS node_now, ${factsIn('m')} AS made_to_now`,
          order: sql`p.sequence DESC, p.path`,
          bytes: contentBytes('v', { documents: ['value'] }),
          names: sql`page.*`,
        }),
        'contributions-page',
      ),
      this.totals.total(access, `contributions ${JSON.stringify(filter)}`, count),
    ]);
    return { rows, total };
  }

  /** By how much they contributed. */
  async agents(access: Access, filter: Pick<ContributionFilter, 'nodeId'>): Promise<AgentRow[]> {
    const source = await this.source(access, { ...filter, contributorType: 'agent' }, true);
    const rows = await this.database.read<Omit<AgentRow, 'confidence'> & { confidence: string | null }>(
      sql`SELECT a.agent_id, a.contributions, a.active, a.superseded, a.nodes, a.confidence, ${toldBy('first')},
          ${toldBy('last')}, CASE WHEN named.sequence IS NOT NULL THEN ${toldBy('named', false)} END AS named
        FROM (
          SELECT c.contributor_id AS agent_id, count(*) AS contributions, count(*) FILTER (WHERE p.status = 'active') AS active,
            count(*) FILTER (WHERE p.status = 'superseded') AS superseded, count(DISTINCT c.node_id) AS nodes,
            avg(c.confidence::text::numeric)::text AS confidence, min(c.sequence) AS first, max(c.sequence) AS last,
            max(c.sequence) FILTER (WHERE c.is_named) AS named
          ${source} GROUP BY c.contributor_id
        ) AS a
        JOIN changes AS first ON first.owner_id = ${access.ownerId} AND first.sequence = a.first
        JOIN changes AS last ON last.owner_id = ${access.ownerId} AND last.sequence = a.last
        LEFT JOIN changes AS named ON named.owner_id = ${access.ownerId} AND named.sequence = a.named
        ORDER BY a.contributions DESC, a.agent_id`,
      'contributions-agents',
    );
    // Exact, for sums and squares of what agents may say would not fit into a double.
    return rows.map((row) => ({
      ...row,
      confidence: row.confidence === null ? null : Number(row.confidence),
    }));
  }

  async sizes(access: Access): Promise<{ all: number; agents: number; users: number }> {
    const [sizes] = await this.database.read<{ all: number; agents: number; users: number }>(
      sql`SELECT count(*) AS all, count(*) FILTER (WHERE c.contributor_type = 'agent') AS agents,
          count(*) FILTER (WHERE c.contributor_type = 'user') AS users ${await this.source(access, {})}`,
      'contributions-sizes',
    );
    return sizes as { all: number; agents: number; users: number };
  }

  /** What each of these sessions contributed, as far as the caller is shown it. */
  async ofSessions(
    access: Access,
    ids: readonly string[],
  ): Promise<Map<string, { contributions: number; nodes: number; contributors: number }>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.read<{
      id: string;
      contributions: number;
      nodes: number;
      contributors: number;
    }>(
      sql`SELECT c.session_id AS id, count(*) AS contributions, count(DISTINCT c.node_id) AS nodes,
          count(DISTINCT (c.contributor_type, c.contributor_id)) AS contributors
        ${await this.source(access, {})} AND c.session_id = ANY(${ids}::uuid[]) GROUP BY c.session_id`,
      'contributions-sessions',
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /**
   * @param byAgent agents are told apart: what an agent did whose id the caller is shown changed or not at all is left
   *   out, for neither a list nor an answer to a guess may tell it
   */
  private async source(access: Access, filter: ContributionFilter, byAgent = false): Promise<Sql> {
    const isByAgent = byAgent || filter.agentId !== undefined;
    const fields = isByAgent
      ? [...CONTRIBUTED_FIELDS, 'last_modified_by_agent_id', 'agent_metadata.agent_id']
      : CONTRIBUTED_FIELDS;
    const plain = shownSource(access, filter);
    if (!fields.some((field) => access.exposure.transforms(field))) return plain;
    const source = shownSource(access, filter, { withStates: true });
    const hidden = await this.hidden(access, source, isByAgent);
    if (hidden.length === 0) return plain;
    return sql`${source} AND NOT EXISTS (
      SELECT 1 FROM jsonb_to_recordset(${JSON.stringify(hidden)}::jsonb) AS h (path text, states jsonb, agent uuid)
      WHERE h.path = p.path AND h.states = ${STATES} AND (h.agent IS NULL OR h.agent = c.contributor_id))`;
  }

  /**
   * What transformations take away. Whether they do depends on the path and on the types and tags of the version before,
   * of the version and of its nodes now, not on the value: few kinds are looked at, however many contributions there are.
   */
  private async hidden(access: Access, source: Sql, isByAgent: boolean): Promise<object[]> {
    const agent = sql.raw(isByAgent ? 'c.contributor_id' : 'NULL::uuid');
    const kinds = await this.database.read<{
      path: string;
      states: [before: StoredFacts | null, then: StoredFacts, ...now: StoredFacts[]];
      agent: string | null;
    }>(sql`SELECT DISTINCT p.path, ${STATES} AS states, ${agent} AS agent ${source}`, 'contributions-kinds');
    return kinds.filter(({ path, states: stored, agent: id }) => {
      const [before, then, ...now] = stored;
      const states = [then, ...now].map(factsOf);
      if (id !== null && shownAgentId(access, id, states) !== id) return true;
      const { exposure } = access;
      if (before !== null && exposure.unmasks(path, factsOf(before), factsOf(then))) return true;
      // Whether it was superseded would tell whether what came in its place is another value.
      if (exposure.unmasks(path, factsOf(then), now.map(factsOf))) return true;
      // A contribution to a field that is always null says only that the hidden value changed, or that a guess was wrong.
      return (exposure.exposeValue(path, '', states) ?? null) === null;
    });
  }
}

const factsOf = ({ tag_ids, node_type }: StoredFacts) => ({ tagIds: tag_ids, nodeType: node_type });

function factsIn(alias: 'n' | 'm' | 'b' | 'c' | 'here' | 'there'): Sql {
  const of = (column: string) => `'${column}', ${alias}.${column}`;
  return sql.raw(`jsonb_build_object(${of('tag_ids')}, ${of('node_type')}, ${of('schema_id')})`);
}

/** The node of a contribution, and the one to which it was made: another one where that was merged into it. */
const WITH_NODES_NOW = sql`JOIN nodes AS here ON here.owner_id = c.owner_id AND here.id = c.node_id
  JOIN nodes AS there ON there.owner_id = c.owner_id AND there.id = ${CONTRIBUTED_TO}`;
/** The version before, null for none; then those by which a contributed value is shown (rule 3.20). */
const STATES = sql`jsonb_build_array(
  CASE WHEN b.is_there THEN ${factsIn('b')} END, ${factsIn('c')}, ${factsIn('here')}, ${factsIn('there')})`;

/** One row `p` for each path of each contribution `c`. */
function shownSource(
  access: Access,
  { nodeId, agentId, status, contributorType }: ContributionFilter,
  { withStates } = { withStates: false },
): Sql {
  const fields = CONTRIBUTED_FIELDS.filter((field) => access.exposure.shows(field));
  const type = agentId === undefined ? contributorType : 'agent';
  const joined =
    nodeId === undefined
      ? sql`JOIN nodes AS n ON n.owner_id = c.owner_id AND n.id = c.node_id AND ${readableNow(access)}`
      : sql.empty;
  const isCut = access.nodes.read.kind !== 'all';
  const states = sql`${isCut || withStates ? WITH_VERSION_BEFORE : sql.empty} ${withStates ? WITH_NODES_NOW : sql.empty}`;
  const conditions = sql.and([
    sql`c.owner_id = ${access.ownerId}`,
    nodeId !== undefined && sql`c.node_id = ${nodeId}`,
    // Written out, so that the index of agents' contributions serves.
    type === 'agent'
      ? sql`c.contributor_type = 'agent'`
      : type !== undefined && sql`c.contributor_type = ${type}`,
    agentId !== undefined && sql`c.contributor_id = ${agentId}`,
    readableContribution(access),
    isCut && readableBefore(access),
    fields.length < CONTRIBUTED_FIELDS.length && sql`split_part(p.path, '.', 1) = ANY(${fields}::text[])`,
  ]);
  return sql`FROM contributions AS c ${joined} ${states} CROSS JOIN LATERAL (${pathsOf(status)}) AS p WHERE ${conditions}`;
}

function pathsOf(status: ContributionStatus | undefined): Sql {
  const superseded = sql`SELECT path, 'superseded' AS status FROM unnest(c.superseded) AS path`;
  if (status === 'superseded') return superseded;
  const standing = sql`SELECT path, c.status FROM unnest(c.standing) AS path`;
  return status === undefined
    ? sql`${standing} UNION ALL ${superseded}`
    : sql`${standing} WHERE c.status = ${status}`;
}

function toldBy(alias: 'first' | 'last' | 'named', isNamed = true): Sql {
  return sql.raw(
    `jsonb_build_object('changed_at', ${alias}.changed_at, 'tag_ids', ${alias}.tag_ids, 'node_type', ${alias}.node_type,
      'agent_metadata', ${alias}.snapshot -> 'agent_metadata', 'node_now', (
        SELECT jsonb_build_object('tag_ids', m.tag_ids, 'node_type', m.node_type) FROM nodes AS m
        WHERE m.owner_id = ${alias}.owner_id AND m.id = ${alias}.entity_id))${isNamed ? ` AS ${alias}` : ''}`,
  );
}
