import { type Sql, sql } from '../../../kernel/database/sql.js';
import {
  type Access,
  type IncomingShares,
  type NamedNode,
  type NodeFacts,
  sees,
  sharersOf,
} from '../../../privacy/index.js';
import { rowsAt } from './shared-nodes.js';

/**
 * The rows of `nodes AS n` among these ids that the caller may receive, deleted ones too: the caller of this function
 * decides on each by {@link isReceived}. A statement names the ids of the request and the recipient, never all that is
 * shared with them. A node may come twice.
 */
export function candidatesAmong(
  recipient: Pick<Access, 'ownerId'>,
  received: IncomingShares,
  { ids, columns }: { ids: readonly string[]; columns: Sql },
): Sql {
  const named = rowsAt(received.named(ids), 'nodes', 'n');
  return sql`(SELECT ${columns} FROM ${named}) UNION ALL (SELECT ${columns}
    FROM ${sharersOf(recipient.ownerId, 'beyond single nodes')} AS sharer CROSS JOIN LATERAL (
      SELECT found.* FROM nodes AS found
      WHERE found.owner_id = sharer.owner_id AND found.id = ANY(${ids}::uuid[]) OFFSET 0) AS n)`;
}

/** True if the caller may read a node of that owner with these facts. */
export const isReceived = (received: IncomingShares, ownerId: string, facts: NodeFacts): boolean => {
  const access = received.accessTo(ownerId);
  return access !== undefined && sees(access.nodes.read, facts);
};

/** True in SQL if a row of `nodes AS n` is one of these. */
export function isAmong(places: readonly NamedNode[]): Sql {
  if (places.length === 0) return sql.raw('FALSE');
  const owners = places.map(({ ownerId }) => ownerId);
  const ids = places.map(({ id }) => id);
  return sql`(n.owner_id = ANY(${[...new Set(owners)]}::uuid[])
    AND (n.owner_id, n.id) IN (SELECT * FROM unnest(${owners}::uuid[], ${ids}::uuid[])))`;
}
