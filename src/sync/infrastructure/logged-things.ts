import { type AskedThing, type LoggedThing } from '../../graph/index.js';
import { type Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Pass } from '../domain/replica.js';

/** The things of a part to look at next. */
export interface ThingStretch {
  ownerId: string;
  pass: Pass;
  /** Only things that something has touched since this position; null: all. */
  since: number | null;
  limit: number;
}

/** A thing by its place: the position of its first change, which never moves (ADR 35). */
export interface ThingKey {
  key: number;
  id: string;
}

/** Reads the things of one part of a replica from the change log, whose rows never change. */
export interface LoggedThings<Thing extends LoggedThing> {
  /** Things in the order of their keys. @returns also the key up to which nothing else exists */
  next(stretch: ThingStretch): Promise<{ things: ThingKey[]; reached: number }>;
  /** The state of each thing after its last change up to a position, in the order of the list; null if it has none. */
  states(ownerId: string, asked: readonly AskedThing[]): Promise<(Thing | null)[]>;
}

/** The most things that changes have touched for a walk over these alone. */
const FEW_TOUCHED = 2_000;
/** The most changes in which one statement looks for first ones, however often things were changed. */
const STRETCH = 20_000;

interface Kind {
  entity: 'relationship' | 'tag';
  /** The touched things, as statements whose rows may repeat. */
  touched: (since: number) => readonly Sql[];
}

/** The next keys of one kind of entity. */
export async function nextThings(
  database: Database,
  stretch: ThingStretch,
  kind: Kind,
): Promise<{ things: ThingKey[]; reached: number }> {
  const { ownerId, pass, limit } = stretch;
  const of = sql.raw(`entity = '${kind.entity}'`);
  const touched = await fewTouched(database, stretch, kind);
  const upTo = touched === null ? Math.min(pass.end.changes, pass.reached + STRETCH) : pass.end.changes;
  const candidates =
    touched === null
      ? sql`SELECT c.sequence AS key, c.entity_id AS id FROM changes AS c
          WHERE c.owner_id = ${ownerId} AND c.${of} AND c.sequence > ${pass.reached} AND c.sequence <= ${upTo}
            AND NOT EXISTS (SELECT FROM changes AS e WHERE e.owner_id = c.owner_id AND e.entity_id = c.entity_id
              AND e.${of} AND e.sequence < c.sequence)`
      : sql`SELECT first.key, t.id FROM (${sql.join(touched, ' UNION ')}) AS t
          CROSS JOIN LATERAL (SELECT min(e.sequence) AS key FROM changes AS e
            WHERE e.owner_id = ${ownerId} AND e.entity_id = t.id AND e.${of}) AS first
          WHERE first.key > ${pass.reached} AND first.key <= ${upTo}`;
  const things = await database.read<ThingKey>(
    sql`SELECT key, id FROM (${candidates}) AS thing ORDER BY key LIMIT ${limit}`,
    `sync-${kind.entity}s-${touched === null ? 'all' : 'touched'}`,
  );
  const isLast = things.length < limit;
  return { things, reached: isLast ? upTo : (things.at(-1) as ThingKey).key };
}

/** The statements of the touched things; null where they are many, such as those of a hub whose node was tagged. */
async function fewTouched(
  database: Database,
  { since }: ThingStretch,
  { entity, touched }: Kind,
): Promise<readonly Sql[] | null> {
  if (since === null) return null;
  const statements = touched(since);
  const [row] = await database.read<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM (${sql.join(statements, ' UNION ALL ')} LIMIT ${FEW_TOUCHED + 1}) AS touched`,
    `sync-${entity}s-count`,
  );
  return (row?.count ?? 0) > FEW_TOUCHED ? null : statements;
}
