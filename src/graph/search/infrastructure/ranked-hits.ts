import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';

/** Reciprocal rank fusion: a hit adds 1 / (60 + rank) for each half, as in the paper that named it. */
const RANK_CONSTANT = 60;

/**
 * The first hits of each half that have a rank, as many as pages reach: halves of more would be held as a whole where
 * several statements find them.
 */
export const MOST_RANKED = 10_100;

/** Hits by words: rows of `owner_id`, `id`, `bits`, `score` and `made`. By vectors: rows of the first two and `score`. */
export interface Halves {
  text: Sql | null;
  vector: { rows: Sql; minScore: number } | null;
}

const BY_WORDS = sql.raw('score DESC, made DESC NULLS LAST, id');
const BY_VECTOR = sql.raw('score DESC, id');

/**
 * The common table expressions `counted`, with `hit_total` and `hit_bits` of all hits, and `hit`, with the ranks and
 * scores of those of a page. Of two halves the first {@link MOST_RANKED} are ranked and fused, of one half only
 * those up to the page: ranking the rest takes as long as finding them.
 */
export function rankedHits({ text, vector }: Halves, room: Room): Sql {
  if (vector === null) return rankedAlone({ rows: text as Sql, order: BY_WORDS, half: 'text' }, room);
  const near = sql`SELECT * FROM (${vector.rows}) AS found WHERE score >= ${vector.minScore}::double precision`;
  if (text === null) return rankedAlone({ rows: near, order: BY_VECTOR, half: 'vector' }, room);
  return fused(text, near, room);
}

interface Half {
  rows: Sql;
  order: Sql;
  half: 'text' | 'vector';
}

function rankedAlone({ rows, order, half }: Half, { limit, offset }: Room): Sql {
  const isText = half === 'text';
  const own = sql`ranked.rank, ranked.score`;
  const other = sql`NULL::bigint, NULL::double precision`;
  return sql`found AS MATERIALIZED (${rows}), counted AS (
      SELECT count(*) AS hit_total, ${isText ? sql`bit_or(bits)::text` : sql`NULL::text`} AS hit_bits FROM found
    ), hit (owner_id, id, text_rank, text_score, vector_rank, vector_score, score) AS (
      SELECT ranked.owner_id, ranked.id, ${isText ? own : other}, ${isText ? other : own},
        1.0::double precision / (${RANK_CONSTANT}::integer + ranked.rank)
      FROM (
        SELECT first.*, row_number() OVER (ORDER BY ${order}) AS rank
        FROM (SELECT * FROM found ORDER BY ${order} LIMIT ${limit + offset}) AS first
      ) AS ranked WHERE ranked.rank > ${offset}
    )`;
}

const fused = (text: Sql, near: Sql, { limit, offset }: Room): Sql =>
  sql`text_found AS MATERIALIZED (${text}), vector_found AS MATERIALIZED (${near}), text_half AS (
      SELECT first.*, row_number() OVER (ORDER BY ${BY_WORDS}) AS rank
      FROM (SELECT * FROM text_found ORDER BY ${BY_WORDS} LIMIT ${MOST_RANKED}) AS first
    ), vector_half AS (
      SELECT first.*, row_number() OVER (ORDER BY ${BY_VECTOR}) AS rank
      FROM (SELECT * FROM vector_found ORDER BY ${BY_VECTOR} LIMIT ${MOST_RANKED}) AS first
    ), fused AS (
      SELECT coalesce(t.owner_id, v.owner_id) AS owner_id, coalesce(t.id, v.id) AS id,
        t.rank AS text_rank, t.score AS text_score, v.rank AS vector_rank, v.score AS vector_score,
        coalesce(1.0::double precision / (${RANK_CONSTANT}::integer + t.rank), 0)
          + coalesce(1.0::double precision / (${RANK_CONSTANT}::integer + v.rank), 0) AS score
      FROM text_half AS t FULL JOIN vector_half AS v ON v.id = t.id AND v.owner_id = t.owner_id
    ), counted AS (
      SELECT count(*) AS hit_total, bit_or(t.bits)::text AS hit_bits
      FROM text_found AS t FULL JOIN vector_found AS v ON v.id = t.id AND v.owner_id = t.owner_id
    ), hit AS (
      SELECT * FROM fused ORDER BY score DESC, id LIMIT ${limit} OFFSET ${offset}
    )`;
