import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { rest } from '../../../kernel/slices.js';
import { type Access, SharedAccesses } from '../../../privacy/index.js';
import { askableTags } from '../../common/index.js';
import { FIRST_PIECE, graphPiece, type GraphPiece, readableNodes, SnapshotCache } from '../../lists/index.js';
import { SharedTags } from './shared-tags.queries.js';

interface TagCounts {
  /** The owner's change counter from before it was counted. */
  changes: number;
  own: ReadonlyMap<string, number>;
}

interface CountRow {
  id: string;
  count: number;
  isEnd: boolean;
}

/** The number of tags that are cached for all callers together; about 100 bytes each. */
const KEPT = 100_000;

/**
 * The nodes of each tag that a caller finds by it in the list of nodes, own and received ones of both graph views (rule
 * 4.23). All tags are counted together, the own graph piece by piece, and cached until one of the graphs changes.
 */
@Injectable()
export class TagNodeCounts {
  private readonly answers = new SnapshotCache<TagCounts>({
    maxSize: KEPT,
    sizeCalculation: ({ own }) => own.size + 1,
  });

  constructor(
    private readonly database: Database,
    private readonly received: SharedAccesses,
    private readonly shared: SharedTags,
  ) {}

  /** The numbers of nodes of these tags; the caller may know each of them. */
  async of(access: Access, tagIds: readonly string[]): Promise<Map<string, number>> {
    // A detail level that hides the tags of nodes hides their number, too (rule 3.16a).
    if (!access.exposure.shows('tags')) return new Map(tagIds.map((id) => [id, 0]));
    const { changes } = access;
    const { own } = await this.answers.of(`${access.ownerId} ${access.key}`, changes, async () => ({
      changes,
      own: await this.countOwn(access),
    }));
    const known = new Set(askableTags(access, tagIds));
    const counts = new Map(tagIds.map((id) => [id, known.has(id) ? (own.get(id) ?? 0) : 0]));
    const { places } = await this.shared.of(await this.received.of(access));
    for (const { id, count = 0 } of places) {
      const before = counts.get(id);
      if (before !== undefined) counts.set(id, before + count);
    }
    return counts;
  }

  private async countOwn(access: Access): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    const { allowAll, tagIds } = access.tags.discover;
    const known = allowAll ? sql.raw('TRUE') : sql`tag.id = ANY(${[...tagIds]}::uuid[])`;
    let after: string | null = FIRST_PIECE;
    while (after !== null) {
      const { nodes, end }: GraphPiece = graphPiece(access.ownerId, after);
      after = await this.count(
        counts,
        sql`SELECT tag.id, count(*) AS count, FALSE AS "isEnd" FROM ${nodes} CROSS JOIN LATERAL unnest(n.tag_ids) AS tag (id)
          WHERE ${readableNodes(access, {})} AND ${known} GROUP BY tag.id
          UNION ALL SELECT id, 0, TRUE FROM (${end}) AS ending`,
      );
    }
    return counts;
  }

  /** Adds the counts of a statement, and returns the id at which it ends. */
  private async count(counts: Map<string, number>, statement: Sql): Promise<string | null> {
    let end: string | null = null;
    for (const { id, count, isEnd } of await this.database.read<CountRow>(statement, 'tag-node-counts')) {
      if (isEnd) end = id;
      else counts.set(id, (counts.get(id) ?? 0) + count);
    }
    await rest();
    return end;
  }
}
