import { Injectable } from '@nestjs/common';
import { type Counted, NodeTotals } from '../../graph/index.js';
import { Database } from '../../kernel/database/database.js';
import { contentBytes, type Room, withinPageBytes } from '../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Access, Authors } from '../../privacy/index.js';
import { type ContributionStatus, type ContributorType } from '../domain/contribution.js';
import { type NodeFactsRow } from '../domain/contribution-visibility.js';
import { ContributionCorrections } from './contribution-corrections.js';
import { type ContributionFilter, factsOfNode, shownInOrder, shownSource } from './contributions.source.js';
import { changeAt, CONTRIBUTED_TO } from './version-facts.js';
import { AGENT_TEXT_READ } from '../domain/shown-agents.js';

export interface ContributionRow {
  node_id: string;
  /** The node to which it was made; differs from `node_id` if that was merged into this one. */
  made_to: string;
  version: number;
  path: string;
  status: ContributionStatus;
  contributor_type: ContributorType;
  /** Null, too, if the caller is not shown who it is (rule 7.1d). */
  contributor_id: string | null;
  changed_by_user_id: string | null;
  confidence: number | null;
  contributed_at: Date;
  value: unknown;
  tag_ids: string[];
  node_type: string;
  schema_id: string | null;
  /** The title of the node as it is now. */
  title: string;
  node_now: NodeFactsRow;
  /** The present, or last, state of the node to which it was made. */
  made_to_now: NodeFactsRow;
}

/** The facts of a version by which its time is shown. */
export interface DatedVersion {
  changed_at: Date;
  tag_ids: string[];
  node_type: string;
  /** The present, or last, state of the node. */
  node_now: Pick<NodeFactsRow, 'tag_ids' | 'node_type'>;
}

export interface AgentRow {
  agent_id: string;
  contributions: number;
  active: number;
  superseded: number;
  nodes: number;
  confidence: number | null;
  first: DatedVersion;
  last: DatedVersion;
  /** The version in which the agent last gave its name. */
  named: DatedVersion | null;
  /** The first characters of the texts of that version ({@link AGENT_TEXT_READ}). */
  agent_name: string | null;
  agent_type: string | null;
}

const COLUMNS = sql`c.node_id, c.sequence, c.version, c.contributor_type, c.contributor_id, c.confidence, c.contributed_at,
  c.tag_ids, c.node_type, c.schema_id, ${CONTRIBUTED_TO} AS made_to`;

/**
 * Contributions that the caller is shown: of nodes readable now, made in readable versions, to fields that they see
 * (rules 3.20, 7.5). All numbers count only these. A contribution exists only if a value changed, so every contribution
 * that compares with something hidden is left out: with a version before that is not readable, with a value that was
 * masked before only, or with one that is shown the same.
 */
@Injectable()
export class ContributionsQueries {
  constructor(
    private readonly database: Database,
    private readonly totals: NodeTotals,
    private readonly corrections: ContributionCorrections,
    private readonly authors: Authors,
  ) {}

  /**
   * A page, newest first; shorter if contributions are large. It takes one statement for the page, one for an unknown
   * total, and two more if a profile changes values.
   */
  async list(
    access: Access,
    { filter, limit, offset }: Room & { filter: ContributionFilter },
  ): Promise<{ rows: ContributionRow[]; total: number }> {
    const other = await this.corrections.of(access, filter, filter.agentId !== undefined);
    const source = shownSource(access, filter, other);
    const counter = sql`coalesce((SELECT changes FROM sequences WHERE id = ${access.ownerId}), 0)`;
    const count = async (): Promise<Counted> => {
      const [counted] = await this.database.read<Counted>(
        sql`SELECT count(*) AS total, ${other === null ? counter : sql`${other.changes}::bigint`} AS changes ${source}`,
        'contributions-count',
      );
      return counted as Counted;
    };
    const [rows, total] = await Promise.all([
      this.database.read<ContributionRow>(
        withinPageBytes({
          from: sql`(${shownInOrder(access, filter, { columns: COLUMNS, other })} LIMIT ${limit} OFFSET ${offset}) AS p
          CROSS JOIN LATERAL ${changeAt(access, 'p.sequence')} AS h
          JOIN nodes AS n ON n.owner_id = ${access.ownerId} AND n.id = p.node_id
          JOIN nodes AS m ON m.owner_id = ${access.ownerId} AND m.id = p.made_to
          CROSS JOIN LATERAL (SELECT h.snapshot #> string_to_array(p.path, '.') AS value OFFSET 0) AS v`,
          columns: sql`p.*, h.changed_by_user_id, v.value, n.title, ${factsOfNode('n')} AS node_now, ${factsOfNode('m')} AS made_to_now`,
          order: sql`p.sequence DESC, p.path`,
          bytes: contentBytes('v', { documents: ['value'] }),
          names: sql`page.*`,
        }),
        'contributions-page',
      ),
      this.totals.total(access, `contributions ${JSON.stringify(filter)}`, count),
    ]);
    return { rows: await this.withAuthors(access, rows), total };
  }

  /** A page of agents, sorted by the number of their contributions; shorter if their texts are large. */
  async agents(
    access: Access,
    { nodeId, limit, offset }: Room & Pick<ContributionFilter, 'nodeId'>,
  ): Promise<{ rows: AgentRow[]; total: number }> {
    const source = await this.source(access, { nodeId, contributorType: 'agent' }, true);
    const rows = await this.database.read<CountedAgent>(
      sql`WITH agents AS MATERIALIZED (
          SELECT c.contributor_id AS agent_id, count(*) AS contributions, count(*) FILTER (WHERE p.status = 'active') AS active,
            count(*) FILTER (WHERE p.status = 'superseded') AS superseded, count(DISTINCT c.node_id) AS nodes,
            avg(c.confidence::text::numeric)::text AS confidence, min(c.sequence) AS first, max(c.sequence) AS last,
            max(c.sequence) FILTER (WHERE c.is_named) AS named
          ${source} GROUP BY c.contributor_id
        ), page AS (${withinPageBytes({
          from: agentsInOrder(access, { limit, offset }),
          columns: sql`a.agent_id, a.contributions, a.active, a.superseded, a.nodes, a.confidence, ${datedVersion('first')} AS first,
            ${datedVersion('last')} AS last, CASE WHEN named.sequence IS NOT NULL THEN ${datedVersion('named')} END AS named,
            v.agent_name, v.agent_type`,
          order: sql`a.contributions DESC, a.agent_id`,
          bytes: contentBytes('v', { texts: ['agent_name', 'agent_type'] }),
          names: sql`page.*`,
        })})
        SELECT page.*, counted.total FROM (SELECT count(*) AS total FROM agents) AS counted LEFT JOIN page ON true
        ORDER BY page.bytes_before`,
    );
    return {
      total: rows[0]?.total ?? 0,
      // Converted exactly: sums and squares of what agents may send would not fit into a double.
      rows: rows
        .filter(({ agent_id }) => agent_id !== null)
        .map((row) => ({ ...row, confidence: row.confidence === null ? null : Number(row.confidence) })),
    };
  }

  async sizes(access: Access): Promise<{ all: number; agents: number; users: number }> {
    const [sizes] = await this.database.read<{ all: number; agents: number; users: number }>(
      sql`SELECT count(*) AS all, count(*) FILTER (WHERE c.contributor_type = 'agent') AS agents,
          count(*) FILTER (WHERE c.contributor_type = 'user') AS users ${await this.source(access, {})}`,
    );
    return sizes as { all: number; agents: number; users: number };
  }

  /** Selects the ids of sessions of which the caller is shown a contribution. */
  async shownSessions(access: Access): Promise<Sql> {
    return sql`SELECT c.session_id ${await this.source(access, { inSession: true })}`;
  }

  /** The contributions of each of these sessions, as far as the caller is shown them. */
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
        ${await this.source(access, { sessionIds: ids })} GROUP BY c.session_id`,
      'contributions-sessions',
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The rows with the contributors that the caller is shown; agents are shown as the node's own field is. */
  private async withAuthors(access: Access, rows: readonly ContributionRow[]): Promise<ContributionRow[]> {
    const stored = rows.map(({ changed_by_user_id: userId, contributor_id: appId }) => ({ userId, appId }));
    const authors = await this.authors.asShown(access, stored);
    return rows.map((row, index) => {
      const { userId = null, appId = null } = authors[index] ?? {};
      if (row.contributor_type === 'user') return { ...row, contributor_id: userId };
      return row.contributor_type === 'app' ? { ...row, contributor_id: appId } : row;
    });
  }

  private async source(access: Access, filter: ContributionFilter, isByAgent = false): Promise<Sql> {
    return shownSource(access, filter, await this.corrections.of(access, filter, isByAgent));
  }
}

/** A row of a page of agents; without an agent where the page has none. */
type CountedAgent = Omit<AgentRow, 'confidence'> & { confidence: string | null; total: number };

/** A page of `agents` with the versions that its columns name, and the texts of the last. */
const agentsInOrder = (access: Access, { limit, offset }: Room): Sql =>
  sql`(SELECT * FROM agents ORDER BY contributions DESC, agent_id LIMIT ${limit} OFFSET ${offset}) AS a
    CROSS JOIN LATERAL ${changeAt(access, 'a.first')} AS first
    CROSS JOIN LATERAL ${changeAt(access, 'a.last')} AS last
    LEFT JOIN LATERAL ${changeAt(access, 'a.named')} AS named ON TRUE
    CROSS JOIN LATERAL (SELECT ${textOfAgent('agent_name')}, ${textOfAgent('agent_type')} OFFSET 0) AS v`;

/** A text of an agent, without the rest of what it wrote about itself. */
const textOfAgent = (key: 'agent_name' | 'agent_type'): Sql =>
  sql.raw(`left(named.snapshot #>> '{agent_metadata,${key}}', ${AGENT_TEXT_READ}) AS ${key}`);

const datedVersion = (alias: 'first' | 'last' | 'named'): Sql =>
  sql.raw(
    `jsonb_build_object('changed_at', ${alias}.changed_at, 'tag_ids', ${alias}.tag_ids, 'node_type', ${alias}.node_type,
      'node_now', (
        SELECT jsonb_build_object('tag_ids', m.tag_ids, 'node_type', m.node_type) FROM nodes AS m
        WHERE m.owner_id = ${alias}.owner_id AND m.id = ${alias}.entity_id))`,
  );
