import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Room, withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type NodeRecord } from '../../common/index.js';
import { nodeBytes, nodeColumns, sharesOfOwners, type SharesOfOwners } from '../../lists/index.js';
import { rankedHits } from './ranked-hits.js';
import { nodeAt } from './search-filter.js';
import { foundNodes, judgedAsStored, type SearchedGraphs, searchesReceived } from './searched-graphs.js';
import { type SoughtWords } from './sought-words.js';
import { VectorHitsQueries } from './vector-hits.queries.js';
import { type VectorQuestion } from './vector-search.queries.js';
import { WordHitsQueries } from './word-hits.queries.js';

/** At least one of the halves is present. */
export interface SearchQuestion {
  words?: SoughtWords | undefined;
  vector?: VectorQuestion | undefined;
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
  /** The words of the question that any found node has, as bits: the first word is the lowest one. */
  bits: bigint;
}

/** One row without a hit stands for a page without any. */
interface Row {
  hit_score: number | null;
  hit_total: number;
  hit_bits: string | null;
  text_rank: number | null;
  text_score: number | null;
  vector_rank: number | null;
  vector_score: number | null;
}

const NOTHING: SearchHits = { hits: [], total: 0, bits: 0n };

/**
 * Searches words and vectors together. Each half is exact and finds only what the caller can read, by shown
 * values: words match the texts as they are shown (rule 3.16). No score depends on a hidden node, because
 * each half looks at one node at a time.
 */
@Injectable()
export class Search {
  constructor(
    private readonly database: Database,
    private readonly words: WordHitsQueries,
    private readonly vectors: VectorHitsQueries,
  ) {}

  /**
   * The first of the hits after `offset`; large ones may not fill the page. Words are searched for callers who are shown
   * texts only.
   */
  async search(
    graphs: SearchedGraphs,
    { words: sought, vector }: SearchQuestion,
    { limit, offset }: Room,
  ): Promise<SearchHits> {
    const vectors = vector === undefined ? null : await this.vectors.find(graphs, vector);
    // The rank of every text decides beside vectors; alone, the first ones suffice.
    const most = vectors === null ? offset + limit : Infinity;
    const text = sought === undefined ? null : await this.words.find(graphs, sought, most);
    if (text === null && vectors === null) return NOTHING;
    const once = onceEach(graphs);
    const halves = {
      text: text && once(text.rows),
      vector: vectors && { rows: once(vectors.rows), minScore: vector?.minScore ?? 0 },
    };
    const found = foundNodes(judgedAsStored(graphs), joinedShares(graphs, [text, vectors]));
    const rows = await this.database.read<NodeRecord & Row>(
      sql`WITH ${rankedHits(halves, { limit, offset })}, page AS (
          ${withinPageBytes({
            from: sql`hit CROSS JOIN LATERAL (${nodeAt(sql`hit.owner_id`, sql`hit.id`, found)}) AS n`,
            columns: sql`${nodeColumns('n')}, hit.score AS hit_score,
              hit.text_rank, hit.text_score, hit.vector_rank, hit.vector_score`,
            order: sql`hit.score DESC, hit.id`,
            bytes: nodeBytes('n'),
            names: sql`${nodeColumns('page')}, page.hit_score,
              page.text_rank, page.text_score, page.vector_rank, page.vector_score`,
          })}
        )
        SELECT page.*, counted.* FROM counted LEFT JOIN page ON TRUE ORDER BY page.hit_score DESC, page.id`,
      'search',
    );
    const [{ hit_total: total, hit_bits: bits }] = rows as [NodeRecord & Row];
    const hits = rows.filter(({ hit_score }) => hit_score !== null).map(hitOf);
    const beyond = text?.beyond ?? { total: 0, bits: 0n };
    return { hits, total: total + beyond.total, bits: BigInt.asUintN(64, BigInt(bits ?? 0) | beyond.bits) };
  }
}

/** Finds one of several nodes with one id, which earlier versions could import: the own one first (rule 10.7g). */
function onceEach(graphs: SearchedGraphs): (rows: Sql) => Sql {
  if (!searchesReceived(graphs)) return (rows) => rows;
  return (rows) =>
    sql`SELECT DISTINCT ON (id) * FROM (${rows}) AS found ORDER BY id, owner_id <> ${graphs.own.ownerId}, owner_id`;
}

/** The shares of the received nodes of both halves. */
const joinedShares = (
  { received }: SearchedGraphs,
  halves: readonly ({ shares: SharesOfOwners } | null)[],
): SharesOfOwners =>
  sharesOfOwners(
    received,
    halves.flatMap((half) => half?.shares.accesses.map(({ ownerId }) => ownerId) ?? []),
  );

function hitOf(row: NodeRecord & Row): SearchHit {
  const {
    hit_score: score,
    hit_total: _total,
    hit_bits: _bits,
    text_rank,
    text_score,
    vector_rank,
    vector_score,
    ...record
  } = row;
  const text = halfOf(text_rank, text_score);
  return { record, score: score as number, text, vector: halfOf(vector_rank, vector_score) };
}

const halfOf = (rank: number | null, score: number | null): HalfScore | null =>
  rank === null || score === null ? null : { rank, score };
