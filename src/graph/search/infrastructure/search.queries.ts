import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Room, withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type NodeRecord } from '../../common/index.js';
import { nodeBytes, nodeColumns, sharesOfOwners, type SharesOfOwners } from '../../lists/index.js';
import { comparesVectors } from './embedding-filter.js';
import { MOST_RANKED, rankedHits } from './ranked-hits.js';
import { nodeAt } from './search-filter.js';
import {
  foundNodes,
  judgedAsStored,
  receivedParts,
  type SearchedGraphs,
  searchesReceived,
} from './searched-graphs.js';
import { type SoughtWords } from './sought-words.js';
import { nearOf, VectorHitsQueries, type VectorRows } from './vector-hits.queries.js';
import { type VectorQuestion } from './vector-search.queries.js';
import { type WordHits, WordHitsQueries } from './word-hits.queries.js';

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

/** The place of a found node, and the scores by which it was found. */
export interface HitPlace {
  ownerId: string;
  id: string;
  score: number;
  text: HalfScore | null;
  vector: HalfScore | null;
}

interface SearchHit extends HitPlace {
  record: NodeRecord;
}

export interface SearchHits {
  /** The first hits of the page whose records together fit into a part of it. */
  hits: SearchHit[];
  /** The hits of the page behind them. */
  rest: HitPlace[];
  /** The exact number of nodes that either half finds. */
  total: number;
  /** The words of the question that any found node has, as bits: the first word is the lowest one. */
  bits: bigint;
}

/** A row without a hit stands for a page without any; one without a node, for a hit behind the first part of the page. */
interface Row {
  hit_owner: string | null;
  hit_id: string;
  hit_score: number;
  hit_total: number;
  hit_bits: string | null;
  text_rank: number | null;
  text_score: number | null;
  vector_rank: number | null;
  vector_score: number | null;
}

const NOTHING: SearchHits = { hits: [], rest: [], total: 0, bits: 0n };

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
    // Alone, the first of the hits suffice; of two halves the ranks decide.
    const isAlone = sought === undefined || vector === undefined || !comparesVectors(graphs.own);
    const most = isAlone ? offset + limit : MOST_RANKED;
    const vectors = vector === undefined ? null : await this.vectors.find(graphs, vector, most);
    const text = sought === undefined ? null : await this.words.find(graphs, sought, { most, isAlone });
    if (text === null && vectors === null) return NOTHING;
    const once = onceEach(graphs);
    const halves = {
      text: text && once(text.rows),
      vector: vectors && { rows: once(vectors.rows), minScore: vector?.minScore ?? 0 },
    };
    const found = foundNodes(judgedAsStored(graphs), joinedShares(graphs, [text, vectors]));
    const rows = await this.database.read<Found & Row>(
      sql`WITH ${rankedHits(halves, { limit, offset })}, page AS (${firstNodes(sql`hit.score DESC, hit.id`, found)})
        SELECT page.*, hit.owner_id AS hit_owner, hit.id AS hit_id, hit.score AS hit_score,
          hit.text_rank, hit.text_score, hit.vector_rank, hit.vector_score, counted.*
        FROM counted LEFT JOIN hit ON TRUE LEFT JOIN page ON page.owner_id = hit.owner_id AND page.id = hit.id
        ORDER BY hit.score DESC, hit.id`,
      'search',
    );
    const { hit_total: total, hit_bits: bits } = rows[0] as Row;
    const places = rows.filter(({ hit_owner }) => hit_owner !== null).map(placeOf);
    const hits = places.flatMap(({ record, ...place }) => (record === null ? [] : [{ ...place, record }]));
    const rest = places.flatMap(({ record, ...place }) => (record === null ? [place] : []));
    const allBits = BigInt.asUintN(64, BigInt(bits ?? 0) | (text?.beyond.bits ?? 0n));
    const beyond = await this.beyond(graphs, vector, { text, vectors });
    return { hits, rest, total: total + beyond, bits: allBits };
  }

  /** The number of hits that are not among the rows of either half. */
  private async beyond(
    graphs: SearchedGraphs,
    vector: VectorQuestion | undefined,
    { text, vectors }: { text: WordHits | null; vectors: VectorRows | null },
  ): Promise<number> {
    const near = vectors?.collected ?? null;
    if (text === null) return near === null ? 0 : near.total - near.hits.length;
    if (near === null || vector === undefined) return text.beyond.total;
    const { hits, total, of } = text.collected as NonNullable<WordHits['collected']>;
    if (total === hits.length && near.total === near.hits.length) return 0;
    const held = new Set([...hits, ...near.hits].map(({ owner_id, id }) => keyOf(owner_id, id)));
    let either = 0;
    for (const part of receivedParts(graphs)) {
      const [counted] = await this.database.read<{ total: number }>(
        sql`SELECT count(*) AS total FROM (${await of(part)}) AS t
          FULL JOIN (${nearOf(graphs, vector, part)}) AS v ON v.id = t.id AND v.owner_id = t.owner_id`,
        'search-received-either',
      );
      either += (counted as { total: number }).total;
    }
    // Nodes that were found may have gone since.
    return Math.max(0, either - held.size);
  }

  /**
   * The first of these hits whose records together fit into a part of a page: at least one, unless none of them can be read
   * any longer.
   */
  async part(graphs: SearchedGraphs, places: readonly HitPlace[]): Promise<SearchHit[]> {
    const owners = places.map(({ ownerId }) => ownerId);
    const ids = places.map(({ id }) => id);
    const found = foundNodes(judgedAsStored(graphs), sharesOfOwners(graphs.received, owners));
    const records = await this.database.read<NodeRecord>(
      sql`WITH hit AS (
          SELECT * FROM unnest(${owners}::uuid[], ${ids}::uuid[]) WITH ORDINALITY AS hit (owner_id, id, place)
        ) ${firstNodes(sql`hit.place`, found)}`,
      'search-part',
    );
    const byKey = new Map(records.map((record) => [keyOf(record.owner_id, record.id), record]));
    return places.flatMap((place) => {
      const record = byKey.get(keyOf(place.ownerId, place.id));
      return record === undefined ? [] : [{ ...place, record }];
    });
  }
}

/** Earlier versions could import nodes of one id into two graphs. */
const keyOf = (ownerId: string, id: string): string => `${ownerId} ${id}`;

/** The nodes of the rows of `hit` that pass, as many as fit into a part of a page. */
const firstNodes = (order: Sql, passes: Sql): Sql =>
  withinPageBytes({
    from: sql`hit CROSS JOIN LATERAL (${nodeAt(sql`hit.owner_id`, sql`hit.id`, passes)}) AS n`,
    columns: nodeColumns('n'),
    order,
    bytes: nodeBytes('n'),
    names: nodeColumns('page'),
  });

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

type Found = { [Column in keyof NodeRecord]: NodeRecord[Column] | null };

function placeOf(row: Found & Row): HitPlace & { record: NodeRecord | null } {
  const {
    hit_owner,
    hit_id: id,
    hit_score: score,
    hit_total: _total,
    hit_bits: _bits,
    text_rank,
    text_score,
    vector_rank,
    vector_score,
    ...record
  } = row;
  return {
    ownerId: hit_owner as string,
    id,
    score,
    text: halfOf(text_rank, text_score),
    vector: halfOf(vector_rank, vector_score),
    record: record.id === null ? null : (record as NodeRecord),
  };
}

const halfOf = (rank: number | null, score: number | null): HalfScore | null =>
  rank === null || score === null ? null : { rank, score };
