import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { rest } from '../../../kernel/slices.js';
import { compileVisibility, type IncomingShares } from '../../../privacy/index.js';
import {
  FACT_COLUMNS,
  type FoundPlace,
  GIVEN_NODE,
  SharedItemIndex,
  type SharedItems,
  searchSharers,
  sharesOfOwners,
  type SharesOfOwners,
} from '../../lists/index.js';

/** The most tags of one sharer that count, and of all sharers. */
const MOST_TAGS = { each: 1_000, all: 20_000 };
/** The nodes of a sharer that are looked at, for each tag that may count. */
const NODES_FOR_A_TAG = 10;
/** The nodes that one statement looks at. */
const NODES_AT_ONCE = 10_000;

/**
 * The tags on the nodes that others share with a caller, by name, as far as they are looked at (rule 4.15c). They depend on
 * the shared nodes and the number of sharers alone: others, and their tags, take no room.
 */
@Injectable()
export class SharedTags {
  constructor(
    private readonly database: Database,
    private readonly index: SharedItemIndex,
  ) {}

  /** Cached until the graph of one of the sharers changes; then only that one is read again. */
  of(received: IncomingShares): Promise<SharedItems> {
    const each = Math.max(1, Math.min(MOST_TAGS.each, Math.floor(MOST_TAGS.all / received.ownerIds.length)));
    return this.index.of(received, `tags ${each}`, (ownerIds) => this.find(received, ownerIds, each));
  }

  private async find(
    received: IncomingShares,
    ownerIds: readonly string[],
    each: number,
  ): Promise<FoundPlace[]> {
    const nodes = each * NODES_FOR_A_TAG;
    const atOnce = Math.max(1, Math.floor(NODES_AT_ONCE / nodes));
    const found: FoundPlace[] = [];
    for (let from = 0; from < ownerIds.length; from += atOnce) {
      const shares = sharesOfOwners(received, ownerIds.slice(from, from + atOnce));
      const arms = sharedNodes(shares, nodes + 1);
      if (arms.length === 0) continue;
      for (const place of await this.database.read<FoundPlace>(
        firstTags(sql.unionAll(arms), { nodes, each }),
        'shared-tags',
      ))
        found.push(place);
      await rest();
    }
    return found;
  }
}

/** The first living nodes of each sharer by their ids, as rows of `owner_id`, `id` and `tag_ids`; of single nodes all. */
function sharedNodes({ accesses, within }: SharesOfOwners, most: number): Sql[] {
  const passes = sql`n.deleted_at IS NULL AND ${compileVisibility(within, FACT_COLUMNS)}`;
  return searchSharers(accesses, {
    columns: sql`n.owner_id, n.id, n.tag_ids`,
    from: (owner) => sql`FROM nodes AS n WHERE n.owner_id = ${owner} AND ${passes}`,
    fromNodes: sql`CROSS JOIN LATERAL ${GIVEN_NODE} WHERE ${passes}`,
    nodes: [FACT_COLUMNS],
    end: sql`ORDER BY n.id LIMIT ${most}`,
    endOfNodes: sql.empty,
  });
}

/**
 * The first tags of each sharer by their ids, on the first of these nodes; one row more where there is more of either. Each
 * sharer's tags are put in order before, so that the look ends with the last of them.
 */
const firstTags = (shared: Sql, { nodes, each }: { nodes: number; each: number }): Sql =>
  sql`WITH shared AS MATERIALIZED (
      SELECT owner_id, tag_ids, row_number() OVER (PARTITION BY owner_id ORDER BY id) AS place FROM (${shared}) AS n
    )
    SELECT sharer.owner_id AS "ownerId", t.id, t.key, t.count, t.place > ${each} AS "isBeyond"
    FROM (SELECT DISTINCT owner_id FROM shared) AS sharer CROSS JOIN LATERAL (
      SELECT worn.id, t.name_key AS key, worn.count, row_number() OVER (ORDER BY worn.id) AS place
      FROM (
        SELECT tag.id, count(*) AS count FROM shared CROSS JOIN LATERAL unnest(shared.tag_ids) AS tag (id)
        WHERE shared.owner_id = sharer.owner_id AND shared.place <= ${nodes} GROUP BY tag.id ORDER BY tag.id OFFSET 0
      ) AS worn
      JOIN tags AS t ON t.owner_id = sharer.owner_id AND t.id = worn.id
      WHERE t.deleted_at IS NULL ORDER BY worn.id LIMIT ${each + 1}
    ) AS t
    UNION ALL SELECT owner_id, owner_id, NULL, 0, TRUE FROM shared WHERE place = ${nodes + 1}`;
