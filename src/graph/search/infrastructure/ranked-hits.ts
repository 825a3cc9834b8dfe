import { type Room } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';

/** Reciprocal rank fusion: a hit adds 1 / (60 + rank) for each half, as in the paper that named it. */
const RANK_CONSTANT = 60;

/** Hits by words: rows of `owner_id`, `id`, `bits`, `score` and `made`. By vectors: rows of the first two and `score`. */
export interface Halves {
  text: Sql | null;
  vector: { rows: Sql; minScore: number } | null;
}

const BY_WORDS = sql.raw('score DESC, made DESC NULLS LAST, id');
const BY_VECTOR = sql.raw('score DESC, id');

/**
 * The common table expressions `counted`, with `hit_total` and `hit_bits` of all hits, and `hit`, with the ranks and
 * scores of those of a page. All hits of two halves are ranked and fused. Of one half only the first are ranked: ranking
 * the rest takes as long as finding them.
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
  sql`text_half AS (
      SELECT owner_id, id, bits, score, row_number() OVER (ORDER BY ${BY_WORDS}) AS rank FROM (${text}) AS found
    ), vector_half AS (
      SELECT owner_id, id, score, row_number() OVER (ORDER BY ${BY_VECTOR}) AS rank FROM (${near}) AS found
    ), fused AS (
      SELECT coalesce(t.owner_id, v.owner_id) AS owner_id, coalesce(t.id, v.id) AS id, t.bits,
        t.rank AS text_rank, t.score AS text_score, v.rank AS vector_rank, v.score AS vector_score,
        coalesce(1.0::double precision / (${RANK_CONSTANT}::integer + t.rank), 0)
          + coalesce(1.0::double precision / (${RANK_CONSTANT}::integer + v.rank), 0) AS score
      FROM text_half AS t FULL JOIN vector_half AS v ON v.id = t.id AND v.owner_id = t.owner_id
    ), counted AS (
      SELECT count(*) AS hit_total, bit_or(bits)::text AS hit_bits FROM fused
    ), hit AS (
      SELECT * FROM fused ORDER BY score DESC, id LIMIT ${limit} OFFSET ${offset}
    )`;
