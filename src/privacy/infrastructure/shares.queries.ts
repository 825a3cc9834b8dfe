import { Injectable } from '@nestjs/common';
import { type Stamp, Sequences } from '../../kernel/changes/sequences.js';
import { Database, openTransaction } from '../../kernel/persistence/database.js';
import { type Sql, sql } from '../../kernel/persistence/sql.js';
import { type GrantingShare } from '../domain/share-worth.js';
import { pagesById } from './pages-by-id.js';

/** The longest chain that is followed. No chain is created as long; the statement must end for any rows. */
const MAX_DEPTH = 32;

/** Shares of a page: each may name 1,000 tags. */
const PAGE = 200;

type ChainRow = GrantingShare & { leafId: string };

/** Shares as grants: read only, collaboration writes them. */
@Injectable()
export class SharesQueries {
  constructor(
    private readonly database: Database,
    private readonly sequences: Sequences,
  ) {}

  /**
   * Every share to a user that is not revoked itself, each with its parents: the share first, its parent
   * next, …
   */
  received(userId: string): Promise<GrantingShare[][]> {
    return this.chains(sql`s.shared_with_user_id = ${userId} AND s.revoked_at IS NULL`);
  }

  /** The shares of a person that go by tags, in pages. Re-shares reach no more than the recipient sees. */
  async *givenByTags(ownerId: string): AsyncGenerator<GrantingShare[][]> {
    const pages = pagesById(PAGE, (after) =>
      this.database.read<{ id: string }>(
        sql`SELECT id FROM shares WHERE owner_id = ${ownerId} AND id > ${after}
          AND scope = 'specific_tags' AND revoked_at IS NULL ORDER BY id LIMIT ${PAGE}`,
        'shares-by-tags',
      ),
    );
    for await (const page of pages)
      yield await this.ofShares(
        [ownerId],
        page.map(({ id }) => id),
      );
  }

  /** The given shares, in the same form. */
  ofShares(ownerIds: readonly string[], ids: readonly string[]): Promise<GrantingShare[][]> {
    return this.chains(sql`s.owner_id = ANY(${ownerIds}::uuid[]) AND s.id = ANY(${ids}::uuid[])`);
  }

  /** The ids of living tags of one of the owners, among these. */
  async livingTags(ownerIds: readonly string[], tagIds: readonly string[]): Promise<Set<string>> {
    if (tagIds.length === 0) return new Set();
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT t.id FROM tags AS t
        WHERE t.owner_id = ANY(${ownerIds}::uuid[]) AND t.id = ANY(${tagIds}::uuid[]) AND t.deleted_at IS NULL`,
      'shares-living-tags',
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * The owners' counters. In a unit of work over its own connection: the embedded database has no other, and
   * the unit's own writes must be visible.
   */
  async stamps(ownerIds: readonly string[]): Promise<Map<string, Stamp>> {
    if (openTransaction.getStore() === null) return this.sequences.current(ownerIds);
    const rows = await this.database.read<Stamp & { id: string }>(
      sql`SELECT id, changes, policy FROM sequences WHERE id = ANY(${ownerIds}::uuid[])`,
      'shares-stamps',
    );
    return new Map(rows.map(({ id, changes, policy }) => [id, { changes, policy }]));
  }

  /**
   * Sums of the counters of everybody who shares with a user; zero if nobody does. Over the connection of an
   * open unit of work, like {@link stamps}. As a join, because a generic plan compares a long array with each
   * row one by one.
   */
  async sums(userId: string): Promise<Stamp> {
    const [sums] = await this.database.read<Stamp>(
      sql`SELECT coalesce(sum(q.changes), 0)::bigint AS changes, coalesce(sum(q.policy), 0)::bigint AS policy
        FROM sequences AS q WHERE q.id IN (
          SELECT s.graph_owner_id FROM shares AS s WHERE s.shared_with_user_id = ${userId} AND s.revoked_at IS NULL
        )`,
      'shares-stamps-sums',
    );
    return sums as Stamp;
  }

  private async chains(condition: Sql): Promise<GrantingShare[][]> {
    const rows = await this.database.read<ChainRow>(
      sql`WITH RECURSIVE chain AS (
          SELECT s.*, s.id AS leaf_id, 0 AS depth FROM shares AS s WHERE ${condition}
          UNION ALL
          SELECT p.*, c.leaf_id, c.depth + 1
          FROM chain AS c JOIN shares AS p ON p.owner_id = c.parent_owner_id AND p.id = c.parent_share_id
          WHERE c.depth < ${MAX_DEPTH}
        )
        SELECT leaf_id AS "leafId", id, owner_id AS "ownerId", graph_owner_id AS "graphOwnerId",
          shared_with_user_id AS "sharedWithUserId", scope, tag_ids AS "tagIds", node_ids AS "nodeIds",
          can_read AS "canRead", can_write AS "canWrite", can_delete AS "canDelete", can_share AS "canShare",
          expires_at AS "expiresAt", revoked_at AS "revokedAt"
        FROM chain ORDER BY leaf_id, depth`,
      'shares-chains',
    );
    const byLeaf = new Map<string, GrantingShare[]>();
    for (const { leafId, ...share } of rows) {
      const chain = byLeaf.get(leafId);
      if (chain) chain.push(share);
      else byLeaf.set(leafId, [share]);
    }
    return [...byLeaf.values()];
  }
}
