import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Room, withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access } from '../../../privacy/index.js';
import { type GraphView, type NodeRecord } from '../../common/index.js';
import { comparesVectors } from './embedding-filter.js';
import {
  compareText,
  FirstEntries,
  inMaskedPlace,
  nodeBytes,
  nodeColumns,
  readableNodes,
} from '../../lists/index.js';
import { MaskedNodeSearch } from '../../nodes/index.js';
import { SearchTerms, type SoughtWords, type WordsQuestion } from './search-terms.queries.js';
import { scoredVectors, type VectorQuestion } from './vector-search.queries.js';

/** At least one of the halves is present. */
export interface SearchQuestion {
  words?: WordsQuestion | undefined;
  vector?: VectorQuestion | undefined;
  view: GraphView;
}

/** A rank in one half, from 1, and the score that decided it. */
interface HalfScore {
  rank: number;
  score: number;
}

interface SearchHit {
  record: NodeRecord;
  score: number;
  text: HalfScore | null;
  vector: HalfScore | null;
}

export interface SearchHits {
  hits: SearchHit[];
  /** The exact number of nodes that either half finds. */
  total: number;
}

interface Row {
  hit_score: number;
  hit_total: number;
  text_rank: number | null;
  text_score: number | null;
  vector_rank: number | null;
  vector_score: number | null;
}

/** Reciprocal rank fusion: a hit adds 1 / (60 + rank) for each half, as in the paper that named it. */
const RANK_CONSTANT = 60;
const NO_TEXT = sql`SELECT NULL::uuid AS id, NULL::double precision AS score, NULL::timestamptz AS made WHERE FALSE`;
const NO_VECTORS = sql`SELECT NULL::uuid AS node_id, NULL::double precision AS score WHERE FALSE`;

/**
 * Searches words and vectors together. Each half is exact and finds only what the caller can read, by shown
 * values: words match the texts as they are shown (rule 3.16). No score depends on a hidden node, because
 * each half looks at one node at a time.
 */
@Injectable()
export class Search {
  constructor(
    private readonly database: Database,
    private readonly terms: SearchTerms,
    private readonly asShown: MaskedNodeSearch,
  ) {}

  /** The first of the hits after `offset`; large ones may not fill the page. */
  async search(access: Access, question: SearchQuestion, { limit, offset }: Room): Promise<SearchHits> {
    const { vector, view } = question;
    const vectors = vector !== undefined && comparesVectors(access) ? scoredVectors(access, vector) : null;
    // The rank of every text decides beside vectors; alone, the first ones suffice.
    const text = await this.textHalf(access, question, vectors === null ? offset + limit : Infinity);
    if (text === null && vectors === null) return { hits: [], total: 0 };
    const rows = await this.database.read<NodeRecord & Row>(
      sql`WITH text_half AS (
          SELECT id, score, row_number() OVER (ORDER BY score DESC, made DESC NULLS LAST, id) AS rank
          FROM (${text?.rows ?? NO_TEXT}) AS found
        ), vector_half AS (
          SELECT node_id AS id, score, row_number() OVER (ORDER BY score DESC, node_id) AS rank
          FROM (${vectors ?? NO_VECTORS}) AS found WHERE score >= ${vector?.minScore ?? 0}::double precision
        ), fused AS (
          SELECT coalesce(t.id, v.id) AS id, t.rank AS text_rank, t.score AS text_score,
            v.rank AS vector_rank, v.score AS vector_score,
            coalesce(1.0::double precision / (${RANK_CONSTANT}::integer + t.rank), 0)
              + coalesce(1.0::double precision / (${RANK_CONSTANT}::integer + v.rank), 0) AS score
          FROM text_half AS t FULL JOIN vector_half AS v ON v.id = t.id
        ), hit AS (
          SELECT fused.*, ${totalOf(vectors === null ? text : null)} AS total FROM fused ORDER BY score DESC, id LIMIT ${limit} OFFSET ${offset}
        )
        ${withinPageBytes({
          from: sql`hit CROSS JOIN LATERAL (${nodeOf(sql`hit.id`, readableNodes(access, { view }))}) AS n`,
          columns: sql`${nodeColumns('n')}, hit.score AS hit_score, hit.total AS hit_total, hit.text_rank, hit.text_score,
            hit.vector_rank, hit.vector_score`,
          order: sql`hit.score DESC, hit.id`,
          bytes: nodeBytes('n'),
          names: sql`${nodeColumns('page')}, page.hit_score, page.hit_total, page.text_rank, page.text_score,
            page.vector_rank, page.vector_score`,
        })}`,
      'search',
    );
    const found = rows.map(foundBy);
    return { hits: found.map(({ hit }) => hit), total: found[0]?.total ?? 0 };
  }

  /**
   * Ids and scores of nodes whose words match; null when there cannot be any.
   * @param most the number of the first ones that are needed; there may be more
   */
  private async textHalf(
    access: Access,
    { words: question, view }: SearchQuestion,
    most: number,
  ): Promise<TextHalf | null> {
    const { detail } = access.exposure;
    if (question === undefined || detail === 'minimal') return null;
    const sought = await this.terms.of(question);
    if (sought === null) return null;
    if (this.asShown.needsMaskedEvaluation(access, { filter: { search: question.text } }))
      return inMaskedPlace(() => this.shownText(access, { sought, view, most }));
    // The index covers titles together with values. It includes every match in a title, so at `summary` it
    // only preselects.
    const rows = sql`SELECT n.id, ${sought.scoreOf(sql`searched.words`)} AS score, ${madeOf(access)} AS made
      FROM node_words AS w CROSS JOIN LATERAL (${nodeOf(sql`w.node_id`, readableNodes(access, { view }))}) AS n
        CROSS JOIN LATERAL (SELECT ${searchedWords(access, sql`w.words`)} AS words OFFSET 0) AS searched
      WHERE w.owner_id = ${access.ownerId} AND w.words @@ (${sought.matched} && ${ownersWord(access)}::tsquery)
        ${detail === 'full' ? sql.empty : sql`AND searched.words @@ ${sought.matched}`}`;
    return { rows, total: null };
  }

  /**
   * The same over shown texts, which the database does not know: each readable node is shown and judged
   * here.
   */
  private async shownText(
    access: Access,
    { sought, view, most }: { sought: SoughtWords; view: GraphView; most: number },
  ): Promise<TextHalf> {
    const first = new FirstEntries<ScoredText>({ compare: byScore, most, bytesOf: () => 0 });
    const showsTime = !access.exposure.touches('created_at');
    let total = 0;
    let batch: ShownText[] = [];
    let room = BATCH_CHARACTERS;
    const judge = async () => {
      const found = batch.length === 0 ? [] : await this.matching(access, sought, batch);
      for (const one of found) await first.add(one);
      total += found.length;
      [batch, room] = [[], BATCH_CHARACTERS];
    };
    for await (const { record, shown } of this.asShown.readable(access, { view })) {
      const [title, value] = [textOf(shown['title']), textOf(shown['value'])];
      const size = title.length + value.length;
      if (size > room || batch.length === BATCH) await judge();
      batch.push({ id: record.id, title, value, made: showsTime ? record.created_at.toISOString() : null });
      room -= size;
    }
    await judge();
    const found = await first.sorted();
    const rows = sql`SELECT n.id, given.score, given.made
      FROM jsonb_to_recordset(${JSON.stringify(found)}::jsonb) AS given (id uuid, score double precision, made timestamptz)
      CROSS JOIN LATERAL (${nodeOf(sql`given.id`, readableNodes(access, { view }))}) AS n`;
    return { rows, total };
  }

  private matching(access: Access, sought: SoughtWords, shown: readonly ShownText[]): Promise<ScoredText[]> {
    return this.database.read(
      sql`SELECT id, ${sought.scoreOf(sql`words`)} AS score, made
        FROM (
          SELECT id, ${searchedWords(access, sql`text_words(title, value)`)} AS words, made
          FROM jsonb_to_recordset(${JSON.stringify(shown)}::jsonb) AS given (id uuid, title text, value text, made text)
          OFFSET 0
        ) AS judged
        WHERE words @@ ${sought.matched}`,
      'search-as-shown',
    );
  }
}

/**
 * The words of the texts that the caller is shown, unpacked once rather than for each word of a question: below detail
 * `full` those of titles, and never the owner's term, so that others do not count for the length of a text.
 */
const searchedWords = ({ exposure, ownerId }: Access, words: Sql): Sql =>
  exposure.detail === 'full'
    ? sql`ts_delete(${words}, ${`OWNER ${ownerId}`})`
    : sql`ts_filter(${words}, '{a}')`;

/**
 * The node of one id. OFFSET 0 is a fence: for an owner whom its statistics do not know the planner would read all of the
 * owner's nodes for each hit, and the time would tell hidden hits.
 */
const nodeOf = (id: Sql, condition: Sql): Sql =>
  sql`SELECT n.* FROM nodes AS n WHERE n.id = ${id} AND ${condition} OFFSET 0`;

/** The nodes whose words match: rows of ids and scores, perhaps only the first, and then the number of all. */
interface TextHalf {
  rows: Sql;
  total: number | null;
}

interface ScoredText {
  id: string;
  score: number;
  /** The time of its creation, in UTC; null for callers who are shown another one. */
  made: string | null;
}

/** Like the order of the statement. */
const byScore = (a: ScoredText, b: ScoredText): number =>
  b.score - a.score || compareText(b.made ?? '', a.made ?? '') || compareText(a.id, b.id);

/** The number of all hits: counted in the statement, unless it has only the first of them. */
const totalOf = (only: TextHalf | null): Sql =>
  typeof only?.total === 'number' ? sql`${only.total}::bigint` : sql`count(*) OVER ()`;

/** The texts of a node as the caller is shown them. */
interface ShownText {
  id: string;
  title: string;
  value: string;
  made: string | null;
}

/** The most nodes whose shown texts one statement judges. */
const BATCH = 200;
/**
 * The most characters of such a statement, or one node: it ends within the slice of a read on the embedded
 * database (ADR 42).
 */
const BATCH_CHARACTERS = 100_000;

/** The newest of nodes with equal scores come first, unless the caller is shown other times. */
const madeOf = ({ exposure }: Access): Sql =>
  exposure.touches('created_at') ? sql`NULL::timestamptz` : sql`n.created_at`;

/** The owner's term in the index, quoted because it contains a space. */
const ownersWord = ({ ownerId }: Access): string => `'OWNER ${ownerId}'`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function foundBy(row: NodeRecord & Row): { hit: SearchHit; total: number } {
  const {
    hit_score: score,
    hit_total: total,
    text_rank,
    text_score,
    vector_rank,
    vector_score,
    ...record
  } = row;
  const text = halfOf(text_rank, text_score);
  return { hit: { record, score, text, vector: halfOf(vector_rank, vector_score) }, total };
}

const halfOf = (rank: number | null, score: number | null): HalfScore | null =>
  rank === null || score === null ? null : { rank, score };
