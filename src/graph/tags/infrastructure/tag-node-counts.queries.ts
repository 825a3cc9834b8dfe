import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { rest } from '../../../kernel/slices.js';
import { type Access, type IncomingShares, SharedAccesses } from '../../../privacy/index.js';
import { askableTags } from '../../common/index.js';
import {
  FIRST_PIECE,
  graphPiece,
  type GraphPiece,
  readableNodes,
  sharedSubQueries,
  sharesOfOwners,
  SnapshotCache,
} from '../../lists/index.js';

interface TagCounts {
  /** The sum of the owners' change counters from before it was counted. */
  changes: number;
  own: ReadonlyMap<string, number>;
  received: ReadonlyMap<string, number>;
}

interface CountRow {
  id: string;
  count: number;
  isEnd: boolean;
}

/** The sharers whose nodes one statement counts. */
const SHARERS = 50;
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
    sizeCalculation: ({ own, received }) => own.size + received.size + 1,
  });

  constructor(
    private readonly database: Database,
    private readonly received: SharedAccesses,
  ) {}

  /** The numbers of nodes of these tags; the caller may know each of them. */
  async of(access: Access, tagIds: readonly string[]): Promise<Map<string, number>> {
    // A detail level that hides the tags of nodes hides their number, too (rule 3.16a).
    if (!access.exposure.shows('tags')) return new Map(tagIds.map((id) => [id, 0]));
    const received = await this.received.of(access);
    const changes = access.changes + received.changes;
    const counts = await this.answers.of(
      `${access.ownerId} ${access.key} ${received.key}`,
      changes,
      async () => ({
        changes,
        own: await this.countOwn(access),
        received: await this.countReceived(received),
      }),
    );
    const known = new Set(askableTags(access, tagIds));
    const countOf = (id: string): number =>
      (known.has(id) ? (counts.own.get(id) ?? 0) : 0) + (counts.received.get(id) ?? 0);
    return new Map(tagIds.map((id) => [id, countOf(id)]));
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

  private async countReceived(received: IncomingShares): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    for (let from = 0; from < received.ownerIds.length; from += SHARERS) {
      const shares = sharesOfOwners(received, received.ownerIds.slice(from, from + SHARERS));
      const arms = sharedSubQueries(shares, {}).map((arm) => arm.select(sql`n.tag_ids`));
      if (arms.length === 0) continue;
      await this.count(
        counts,
        sql`SELECT tag.id, count(*) AS count, FALSE AS "isEnd"
          FROM (${sql.join(arms, ' UNION ALL ')}) AS n CROSS JOIN LATERAL unnest(n.tag_ids) AS tag (id) GROUP BY tag.id`,
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
