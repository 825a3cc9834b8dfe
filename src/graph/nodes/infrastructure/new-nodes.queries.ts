import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import { type Access, type NodeFacts, nodeTypeKey, sees } from '../../../privacy/index.js';
import { type GraphView, type MeaningLevel } from '../../common/index.js';
import { SnapshotCache, type NodeFilter } from '../../lists/index.js';

/** The number of an owner's latest changes that are searched for new nodes. */
const WINDOW = 500;
/** The limit of cached nodes and owners together, about 10 MB. */
const ROOM = 40_000;

/** A node at its creation, with the fields for visibility and plain filters. */
interface NewNode extends NodeFacts {
  sequence: number;
  meaningLevel: MeaningLevel;
  view: GraphView;
}

/**
 * The nodes created by an owner's changes after `since` up to `changes`, none of which could move another
 * node in or out of a list.
 */
interface News {
  since: number;
  changes: number;
  nodes: readonly NewNode[];
}

interface ChangeRow {
  changes: number;
  sequence: number | null;
  is_creation: boolean;
  is_harmless: boolean;
  id: string;
  tag_ids: string[] | null;
  schema_id: string | null;
  node_type: string;
  created_at: Date;
  meaning_level: MeaningLevel;
  view: GraphView;
}

/**
 * The newest nodes of each owner, read once for all of the owner's callers. While a graph grows by creates, each
 * caller's exact total is the previous one and the new nodes that this caller can read.
 */
@Injectable()
export class NewNodes {
  private readonly news = new SnapshotCache<News>({
    maxSize: ROOM,
    sizeCalculation: ({ nodes }) => nodes.length + 1,
  });

  constructor(private readonly database: Database) {}

  /**
   * The nodes created after the change `from`.
   * @returns null when any other change has happened since then, or too many
   */
  async since({ ownerId, changes }: Access, from: number): Promise<News | null> {
    const news = await this.news.of(ownerId, changes, (last) => this.read(ownerId, changes, last));
    return news.since <= from
      ? { ...news, nodes: news.nodes.filter(({ sequence }) => sequence > from) }
      : null;
  }

  private async read(ownerId: string, changes: number, last: News | undefined): Promise<News> {
    const known = last !== undefined && changes - last.changes < WINDOW ? last : undefined;
    const from = known?.changes ?? Math.max(0, changes - WINDOW);
    const rows = await this.database.read<ChangeRow>(
      sql`SELECT s.changes, c.* FROM sequences AS s LEFT JOIN LATERAL (
          SELECT c.sequence, c.entity_id AS id, c.tag_ids, c.schema_id, c.node_type, c.node_created_at AS created_at,
            c.snapshot ->> 'meaning_level' AS meaning_level, c.snapshot ->> 'graph_view' AS view,
            c.entity = 'node' AND c.action = 'created' AS is_creation,
            c.entity = 'node' AND c.action = 'created' OR c.entity IN ('relationship', 'embedding') AS is_harmless
          FROM changes AS c WHERE c.owner_id = ${ownerId} AND c.sequence > ${from}
          ORDER BY c.sequence LIMIT ${2 * WINDOW}
        ) AS c ON TRUE
        WHERE s.id = ${ownerId} ORDER BY c.sequence`,
      'new-nodes',
    );
    return newsOf(rows, known ?? { since: from, changes: from, nodes: [] });
  }
}

function newsOf(rows: readonly ChangeRow[], before: News): News {
  const changes = rows[0]?.changes ?? 0;
  const isWhole = rows.filter(({ sequence }) => sequence !== null).length === changes - before.changes;
  if (!isWhole) return { since: changes, changes, nodes: [] };
  const harm = rows.findLast((row) => row.sequence !== null && !row.is_harmless)?.sequence ?? before.since;
  const since = Math.max(harm, changes - WINDOW);
  const nodes = [...before.nodes, ...rows.filter((row) => row.is_creation).map(newNode)];
  return { since, changes, nodes: nodes.filter(({ sequence }) => sequence > since) };
}

const newNode = (row: ChangeRow): NewNode => ({
  id: row.id,
  sequence: row.sequence as number,
  tagIds: row.tag_ids ?? [],
  schemaId: row.schema_id,
  nodeType: row.node_type,
  createdAt: row.created_at,
  meaningLevel: row.meaning_level,
  view: row.view,
});

/** True if the filter can be answered from the cached fields of a new node, without its texts. */
export const isPlain = ({ search, properties, dataType, contentType }: NodeFilter): boolean =>
  [search, properties, dataType, contentType].every((part) => part === undefined);

/** The counterpart of `readableNodes` in memory, for living nodes and plain filters. */
export function passes(access: Access, filter: NodeFilter, node: NewNode): boolean {
  const { nodeType = node.nodeType, meaningLevel = node.meaningLevel, view = node.view } = filter;
  if (filter.matchesNothing || filter.deleted) return false;
  if (nodeTypeKey(nodeType) !== nodeTypeKey(node.nodeType)) return false;
  if (meaningLevel !== node.meaningLevel || view !== node.view) return false;
  const carriesAny = (tagIds: readonly string[] | undefined) =>
    tagIds === undefined || tagIds.some((id) => node.tagIds.includes(id.toLowerCase()));
  if (!carriesAny(filter.tagIds) || !carriesAny(filter.alsoTagIds)) return false;
  if (
    filter.schemaIds !== undefined &&
    !filter.schemaIds.some((id) => (id?.toLowerCase() ?? null) === node.schemaId)
  )
    return false;
  return sees(access.nodes.read, node);
}
