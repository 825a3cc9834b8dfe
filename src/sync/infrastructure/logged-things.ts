import { type Database } from '../../kernel/database/database.js';
import { type Sql, sql } from '../../kernel/database/sql.js';
import { type Pass } from '../domain/replica.js';
import { type LoggedThing } from '../domain/part-states.js';

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

/** A moment of a thing. */
export interface AskedThing {
  id: string;
  upTo: number;
}

/** Reads the things of one part of a replica from the change log, whose rows never change. */
export interface LoggedThings<Thing extends LoggedThing> {
  /** Things in the order of their keys. @returns also the key up to which nothing else exists */
  next(stretch: ThingStretch): Promise<{ things: ThingKey[]; reached: number }>;
  /** The state of each thing after its last change up to a position, in the order of the list; null if it has none. */
  states(ownerId: string, asked: readonly AskedThing[]): Promise<(Thing | null)[]>;
}

/** The next keys of one kind of entity. */
export async function nextThings(
  database: Database,
  { ownerId, pass, since, limit }: ThingStretch,
  { entity, touched }: { entity: 'relationship' | 'tag'; touched: (since: number) => Sql },
): Promise<{ things: ThingKey[]; reached: number }> {
  const of = sql.raw(`entity = '${entity}'`);
  const candidates =
    since === null
      ? sql`SELECT c.sequence AS key, c.entity_id AS id FROM changes AS c
          WHERE c.owner_id = ${ownerId} AND c.${of} AND c.sequence > ${pass.reached} AND c.sequence <= ${pass.end.changes}
            AND NOT EXISTS (SELECT FROM changes AS e WHERE e.owner_id = c.owner_id AND e.entity_id = c.entity_id
              AND e.${of} AND e.sequence < c.sequence)`
      : sql`SELECT first.key, t.id FROM (${touched(since)}) AS t
          CROSS JOIN LATERAL (SELECT min(e.sequence) AS key FROM changes AS e
            WHERE e.owner_id = ${ownerId} AND e.entity_id = t.id AND e.${of}) AS first
          WHERE first.key > ${pass.reached} AND first.key <= ${pass.end.changes}`;
  const things = await database.read<ThingKey>(
    sql`SELECT key, id FROM (${candidates}) AS thing ORDER BY key LIMIT ${limit}`,
    `sync-${entity}s-${since === null ? 'all' : 'touched'}`,
  );
  const isLast = things.length < limit;
  return { things, reached: isLast ? pass.end.changes : (things.at(-1) as ThingKey).key };
}
