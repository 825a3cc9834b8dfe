import { Injectable } from '@nestjs/common';
import { type CounterValues, OwnerCounters } from '../../kernel/change-log/owner-counters.js';
import { Database } from '../../kernel/database/database.js';
import { openTransaction } from '../../kernel/database/transaction.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type GrantingShare, type ShareTerms } from '../domain/effective-share.js';
import { acquaintancesOf } from './acquaintances.sql.js';
import { hasBlocked, isFromBlocked } from './blocked-users.sql.js';
import { pagesById } from './pages-by-id.js';
import { MAX_DEPTH } from './share-chains.sql.js';

/** The most ids of nodes and tags that a statement reads with shares, unless one share and its parents have more. */
const MAX_IDS = 16_384;
const MAX_SHARES = 500;
/** Shares of a page: each may name 1,000 tags. */
const PAGE = 200;

type Leaf<Share> = Share & { leafId: string };

/** Sums of the counters of everybody who shares with a user, and the number of their shares. */
export interface SharersSums extends CounterValues {
  shares: number;
}

/** The number of all parents of re-shares to a user, and the sum of their versions. */
export interface SharesAbove {
  shares: number;
  versions: number;
}

/** A person to whom others share; apps of theirs are shown only what acquaintances share (rule 3.21). */
export interface Recipient {
  userId: string;
  from: 'anybody' | 'acquaintances';
}

interface ReceivedKey {
  ownerId: string;
  id: string;
  /** The ids that the share and its parents name. */
  ids: number;
}

const TERMS = sql.raw(`id, owner_id AS "ownerId", graph_owner_id AS "graphOwnerId",
  shared_with_user_id AS "sharedWithUserId", parent_share_id AS "parentShareId", scope, can_read AS "canRead", can_write AS "canWrite",
  can_delete AS "canDelete", can_share AS "canShare", expires_at AS "expiresAt", revoked_at AS "revokedAt"`);
const WITH_IDS = sql`${TERMS}, tag_ids AS "tagIds", node_ids AS "nodeIds"`;

const RECIPIENT_HAS_BLOCKED = hasBlocked(sql.raw('s.shared_with_user_id'), [
  sql.raw('s.owner_id'),
  sql.raw('s.graph_owner_id'),
]);

/** Shares as grants: read only, collaboration writes them. */
@Injectable()
export class SharesQueries {
  constructor(
    private readonly database: Database,
    private readonly counters: OwnerCounters,
  ) {}

  /**
   * The shares to a recipient that are neither revoked themselves nor over nor from people whom the user has
   * blocked, each with its parents: the share first, its parent next, … In parts, because earlier versions
   * accepted any number of them.
   */
  async *received({ userId, from }: Recipient, now: Date): AsyncGenerator<GrantingShare[][]> {
    const isTaken =
      from === 'anybody'
        ? sql`TRUE`
        : sql`s.owner_id IN (${acquaintancesOf(userId, sql`${now}::timestamptz`)})`;
    const keys = await this.database.read<ReceivedKey>(
      sql`WITH RECURSIVE chain AS (
          SELECT s.owner_id AS leaf_owner_id, s.id AS leaf_id, s.parent_owner_id, s.parent_share_id,
            cardinality(s.tag_ids) + cardinality(s.node_ids) AS ids, 0 AS depth
          FROM shares AS s
          WHERE s.shared_with_user_id = ${userId} AND s.revoked_at IS NULL
            AND (s.expires_at IS NULL OR s.expires_at > ${now}::timestamptz) AND NOT ${isFromBlocked(userId)}
            AND ${isTaken}
          UNION ALL
          SELECT c.leaf_owner_id, c.leaf_id, p.parent_owner_id, p.parent_share_id,
            cardinality(p.tag_ids) + cardinality(p.node_ids), c.depth + 1
          FROM chain AS c JOIN shares AS p ON p.owner_id = c.parent_owner_id AND p.id = c.parent_share_id
          WHERE c.depth < ${MAX_DEPTH}
        )
        SELECT leaf_owner_id AS "ownerId", leaf_id AS id, sum(ids)::integer AS ids
        FROM chain GROUP BY leaf_owner_id, leaf_id`,
      'shares-received',
    );
    for (const part of parts(keys)) yield this.chains<GrantingShare>(WITH_IDS, among(part));
  }

  /** The first end of a share that may make its recipient an acquaintance; null if none ends. */
  async firstEndOfAcquaintance(userId: string, now: Date): Promise<Date | null> {
    const [first] = await this.database.read<{ at: Date | null }>(
      sql`SELECT min(expires_at) AS at FROM shares
        WHERE owner_id = ${userId} AND revoked_at IS NULL AND expires_at > ${now}::timestamptz`,
      'shares-acquaintance-end',
    );
    return first?.at ?? null;
  }

  /** The shares to a user that name all these nodes, or no nodes, and may be re-shared. */
  reshareable(userId: string, graphOwnerId: string, nodeIds: readonly string[]): Promise<GrantingShare[][]> {
    return this.chains<GrantingShare>(
      WITH_IDS,
      sql`s.shared_with_user_id = ${userId} AND s.graph_owner_id = ${graphOwnerId} AND s.revoked_at IS NULL
        AND NOT ${isFromBlocked(userId)} AND s.can_share AND (s.scope <> 'specific_nodes' OR s.node_ids @> ${nodeIds}::uuid[])`,
    );
  }

  /**
   * The shares of a person that go by tags, in pages, one for those of equal lists: the one that ends last.
   * Re-shares reach no more than the recipient sees.
   */
  async *givenByTags(ownerId: string): AsyncGenerator<GrantingShare[][]> {
    const pages = pagesById(PAGE, (after) =>
      this.database.read<{ id: string }>(
        sql`SELECT id FROM (
            SELECT DISTINCT ON (g.tag_ids) g.id FROM shares AS g
            WHERE g.owner_id = ${ownerId} AND g.scope = 'specific_tags' AND g.revoked_at IS NULL
            ORDER BY g.tag_ids, g.expires_at DESC NULLS FIRST, g.id) AS chosen
          WHERE id > ${after} ORDER BY id LIMIT ${PAGE}`,
        'shares-by-tags',
      ),
    );
    for await (const page of pages)
      yield await this.chains<GrantingShare>(
        WITH_IDS,
        sql`s.owner_id = ${ownerId} AND s.id = ANY(${page.map(({ id }) => id)}::uuid[])`,
      );
  }

  /** The given shares with their parents, without what they name. */
  terms(shares: readonly Pick<ShareTerms, 'ownerId' | 'id'>[]): Promise<ShareTerms[][]> {
    return this.chains<ShareTerms>(TERMS, among(shares));
  }

  /** The ids of those shares whose recipient has blocked their sharer or the owner of their nodes. */
  async blocked(shares: readonly Pick<ShareTerms, 'ownerId' | 'id'>[]): Promise<Set<string>> {
    const rows = await this.database.read<{ id: string }>(
      sql`SELECT s.id FROM shares AS s WHERE ${among(shares)} AND ${RECIPIENT_HAS_BLOCKED}`,
      'shares-blocked',
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** The ids of living tags of the owner, among these. */
  async livingTags(ownerId: string, tagIds: readonly string[]): Promise<Set<string>> {
    if (tagIds.length === 0) return new Set();
    const living = await this.livingTagsOf(new Map([[ownerId, new Set(tagIds)]]));
    return new Set(living.get(ownerId));
  }

  /** The living tags of each owner, among these ones of theirs; in parts, because there may be very many. */
  async livingTagsOf(
    tagsOfOwners: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<Map<string, ReadonlySet<string>>> {
    const living = new Map(Array.from(tagsOfOwners.keys(), (ownerId) => [ownerId, new Set<string>()]));
    const pairs = [...tagsOfOwners].flatMap(([ownerId, ids]) => Array.from(ids, (id) => ({ ownerId, id })));
    for (let from = 0; from < pairs.length; from += MAX_IDS) {
      const part = pairs.slice(from, from + MAX_IDS);
      const rows = await this.database.read<{ ownerId: string; id: string }>(
        sql`SELECT t.owner_id AS "ownerId", t.id
          FROM unnest(${part.map(({ ownerId }) => ownerId)}::uuid[], ${part.map(({ id }) => id)}::uuid[]) AS named (owner_id, id)
          JOIN tags AS t ON t.owner_id = named.owner_id AND t.id = named.id AND t.deleted_at IS NULL`,
        'shares-living-tags',
      );
      for (const { ownerId, id } of rows) living.get(ownerId)?.add(id);
    }
    return living;
  }

  /**
   * The owners' counters. In a unit of work over its own connection: the embedded database has no other, and
   * the unit's own writes must be visible.
   */
  async stamps(ownerIds: readonly string[]): Promise<Map<string, CounterValues>> {
    if (openTransaction.getStore() === null) return this.counters.current(ownerIds);
    const rows = await this.database.read<CounterValues & { id: string }>(
      sql`SELECT id, changes, policy FROM sequences WHERE id = ANY(${ownerIds}::uuid[])`,
      'shares-stamps',
    );
    return new Map(rows.map(({ id, changes, policy }) => [id, { changes, policy }]));
  }

  /**
   * Sums of the counters of everybody who shares with a user, blocked or not; zero if nobody does. Over the connection of an
   * open unit of work, like {@link stamps}. As a join, because a generic plan compares a long array with each
   * row one by one.
   */
  async sums(userId: string): Promise<SharersSums> {
    const [sums] = await this.database.read<SharersSums>(
      sql`SELECT coalesce(sum(q.changes), 0)::bigint AS changes, coalesce(sum(q.policy), 0)::bigint AS policy,
          (SELECT count(*) FROM shares AS r WHERE r.shared_with_user_id = ${userId} AND r.revoked_at IS NULL) AS shares
        FROM sequences AS q WHERE q.id IN (
          SELECT s.graph_owner_id FROM shares AS s
          WHERE s.shared_with_user_id = ${userId} AND s.revoked_at IS NULL
        )`,
      'shares-stamps-sums',
    );
    return sums as SharersSums;
  }

  /** The counters of each of them; by the user's id alone, because thousands may share with one. */
  async stampsOfSharers(userId: string): Promise<Map<string, CounterValues>> {
    const rows = await this.database.read<CounterValues & { id: string }>(
      sql`SELECT q.id, q.changes, q.policy FROM sequences AS q WHERE q.id IN (
          SELECT s.graph_owner_id FROM shares AS s
          WHERE s.shared_with_user_id = ${userId} AND s.revoked_at IS NULL
        )`,
      'shares-stamps-each',
    );
    return new Map(rows.map(({ id, changes, policy }) => [id, { changes, policy }]));
  }

  /**
   * The state of the shares above the re-shares to a user: as long as the number of shares to the user is the same, equal
   * values mean that none of them has changed, because versions only rise and parents never change.
   */
  async above(userId: string): Promise<SharesAbove> {
    const [above] = await this.database.read<SharesAbove>(
      sql`WITH RECURSIVE chain AS (
          SELECT s.parent_owner_id, s.parent_share_id, 0 AS version, 0 AS depth FROM shares AS s
          WHERE s.shared_with_user_id = ${userId} AND s.revoked_at IS NULL AND s.parent_share_id IS NOT NULL
          UNION ALL
          SELECT p.parent_owner_id, p.parent_share_id, p.version, c.depth + 1
          FROM chain AS c JOIN shares AS p ON p.owner_id = c.parent_owner_id AND p.id = c.parent_share_id
          WHERE c.depth < ${MAX_DEPTH}
        )
        SELECT count(*) AS shares, coalesce(sum(version), 0)::bigint AS versions FROM chain`,
      'shares-above',
    );
    return above as SharesAbove;
  }

  private async chains<Share extends ShareTerms>(columns: Sql, condition: Sql): Promise<Share[][]> {
    const rows = await this.database.read<Leaf<Share>>(
      sql`WITH RECURSIVE chain AS (
          SELECT s.*, s.id AS leaf_id, 0 AS depth FROM shares AS s WHERE ${condition}
          UNION ALL
          SELECT p.*, c.leaf_id, c.depth + 1
          FROM chain AS c JOIN shares AS p ON p.owner_id = c.parent_owner_id AND p.id = c.parent_share_id
          WHERE c.depth < ${MAX_DEPTH}
        )
        SELECT leaf_id AS "leafId", ${columns} FROM chain ORDER BY leaf_id, depth`,
      'shares-chains',
    );
    const byLeaf = new Map<string, Share[]>();
    for (const share of rows) {
      const chain = byLeaf.get(share.leafId);
      if (chain) chain.push(share);
      else byLeaf.set(share.leafId, [share]);
    }
    return [...byLeaf.values()];
  }
}

const among = (shares: readonly Pick<ShareTerms, 'ownerId' | 'id'>[]): Sql =>
  sql`(s.owner_id, s.id) IN (SELECT * FROM unnest(
    ${shares.map(({ ownerId }) => ownerId)}::uuid[], ${shares.map(({ id }) => id)}::uuid[]))`;

/** Splits shares into parts that one statement each reads. */
function parts(keys: readonly ReceivedKey[]): ReceivedKey[][] {
  const found: ReceivedKey[][] = [];
  let room = 0;
  for (const key of keys) {
    const last = found.at(-1);
    if (last === undefined || key.ids > room || last.length === MAX_SHARES) {
      found.push([key]);
      room = MAX_IDS - key.ids;
    } else {
      last.push(key);
      room -= key.ids;
    }
  }
  return found;
}
