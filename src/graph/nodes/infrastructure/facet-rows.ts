import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, compileVisibility } from '../../../privacy/index.js';
import { FACT_COLUMNS, type SharedItems } from '../../lists/index.js';

/** The part of an access that decides what a caller is shown of some nodes. */
export interface Sight extends Pick<Access, 'exposure'> {
  /** The condition of the tags that count, as rows `tag (id)`. */
  counted: Sql;
}

/** The sight of a caller's own graph, and of graphs of which others share with the caller. */
export class Sights {
  private readonly received = new Map<string, string[]>();

  /** @param shared the places of received tags that count */
  constructor(
    private readonly own: Access,
    shared: Pick<SharedItems, 'places'>,
  ) {
    for (const { ownerId, id } of shared.places) {
      const ids = this.received.get(ownerId);
      if (ids) ids.push(id);
      else this.received.set(ownerId, [id]);
    }
  }

  /** @param accesses accesses of one exposure, all to the own graph or all to others; at least one */
  of(accesses: readonly Access[]): Sight {
    const { exposure, ownerId, tags } = accesses[0] as Access;
    if (ownerId !== this.own.ownerId)
      return { exposure, counted: isAmong(accesses.flatMap((one) => this.received.get(one.ownerId) ?? [])) };
    const { allowAll, tagIds } = tags.discover;
    return { exposure, counted: allowAll ? sql.raw('TRUE') : isAmong([...tagIds]) };
  }
}

/** A query is hashed in any plan; a list would be looked through for each tag. */
const isAmong = (tagIds: readonly string[]): Sql => sql`tag.id IN (SELECT unnest(${tagIds}::uuid[]))`;

const MONTH = sql.raw(`date_trunc('month', n.created_at AT TIME ZONE 'UTC')`);
const YEAR = sql.raw(`date_trunc('year', n.created_at AT TIME ZONE 'UTC')`);

/** The counted columns of `nodes AS n`, as the caller is shown them. */
export function columnsFor({ exposure }: Pick<Access, 'exposure'>): Sql {
  const rounded = exposure.roundedToYear('created_at');
  const month =
    rounded.kind === 'none'
      ? MONTH
      : sql`CASE WHEN ${compileVisibility(rounded, FACT_COLUMNS)} THEN ${YEAR} ELSE ${MONTH} END`;
  return sql`n.owner_id, n.tag_ids, n.node_type, n.meaning_level, n.schema_id, ${month} AS month`;
}

/** Counts by tag, of the tags that count. */
export function tagsFor({ exposure, counted }: Sight): Sql {
  if (!exposure.shows('tags')) return sql.empty;
  return sql`UNION ALL SELECT 'tag', tag.id::text, owner_id, count(*)
    FROM piece CROSS JOIN LATERAL unnest(tag_ids) AS tag (id) WHERE ${counted} GROUP BY tag.id, owner_id`;
}

export function byExposure<T extends Access>(accesses: readonly T[]): Map<Access['exposure'], T[]> {
  const found = new Map<Access['exposure'], T[]>();
  for (const access of accesses) found.set(access.exposure, [...(found.get(access.exposure) ?? []), access]);
  return found;
}
