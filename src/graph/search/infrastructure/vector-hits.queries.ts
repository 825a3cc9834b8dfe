import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import {
  compareText,
  FirstEntries,
  searchSharers,
  sharesOfOwners,
  type SharesOfOwners,
} from '../../lists/index.js';
import { type Collected, HIT_BYTES, jsonOf } from './collected-hits.js';
import { comparedOfOthers, comparesVectors, FACTS_OF_BOTH } from './embedding-filter.js';
import { vectorText } from './embeddings.repository.js';
import { isRestricting, nodeAt, searchedNodes } from './search-filter.js';
import {
  exposureOf,
  receivedNodes,
  receivedParts,
  type SearchedGraphs,
  searchesOwn,
} from './searched-graphs.js';
import { scoredVectors, type VectorQuestion } from './vector-search.queries.js';

/** The nodes whose vectors are near, as rows of `owner_id`, `id` and `score`. */
export interface VectorRows {
  rows: Sql;
  /** The first hits of more sharers than one statement looks through, and the number of all of them. */
  collected: Collected | null;
  /** The shares of the rows' received nodes. */
  shares: SharesOfOwners;
}

interface ScoredVector {
  owner_id: string;
  id: string;
  score: number;
}

/** A row without an id stands for no vector at all. */
type CountedVector = Omit<ScoredVector, 'id'> & { id: string | null; total: number };

const NO_VECTOR_HITS = sql`SELECT NULL::uuid AS owner_id, NULL::uuid AS id, NULL::double precision AS score WHERE FALSE`;

/** Compares the vectors of own and received nodes that pass the filter of a search (rules 4.17, 4.18). */
@Injectable()
export class VectorHitsQueries {
  constructor(private readonly database: Database) {}

  /**
   * @param most the number of the first hits that are needed; there may be more
   * @returns null if no vector may be compared
   */
  async find(graphs: SearchedGraphs, vector: VectorQuestion, most: number): Promise<VectorRows | null> {
    if (!comparesVectors(graphs.own)) return null;
    const own = searchesOwn(graphs) ? [ownVectors(graphs, vector)] : [];
    const parts = receivedParts(graphs);
    const [shares = sharesOfOwners(graphs.received, [])] = parts;
    if (parts.length <= 1)
      return {
        rows: joined([...own, ...receivedVectors(graphs, vector, shares)]),
        collected: null,
        shares,
      };
    const first = new FirstEntries<ScoredVector>({ compare: byScore, most, bytesOf: () => HIT_BYTES });
    let total = 0;
    for (const part of parts) {
      const [counted, ...others] = await this.nearest(nearOf(graphs, vector, part), most);
      for (const { id, ...one } of [counted as CountedVector, ...others])
        if (id !== null) await first.add({ ...one, id });
      total += (counted as CountedVector).total;
    }
    const found = await first.sorted();
    const rows = sql`SELECT given.* FROM jsonb_to_recordset(${await jsonOf(found)}::jsonb)
      AS given (owner_id uuid, id uuid, score double precision)`;
    const owners = new Set(found.map(({ owner_id }) => owner_id));
    return {
      rows: joined([...own, rows]),
      collected: { hits: found, total },
      shares: sharesOfOwners(graphs.received, owners),
    };
  }

  private nearest(near: Sql, most: number): Promise<CountedVector[]> {
    return this.database.read(
      sql`WITH near AS MATERIALIZED (${near})
        SELECT hit.owner_id, hit.id, hit.score, counted.total FROM (SELECT count(*) AS total FROM near) AS counted
        LEFT JOIN (SELECT * FROM near ORDER BY score DESC, id LIMIT ${most}) AS hit ON TRUE`,
      'search-received-vectors',
    );
  }
}

/** The vectors of the nodes of some sharers that are near enough. */
export const nearOf = (graphs: SearchedGraphs, vector: VectorQuestion, shares: SharesOfOwners): Sql =>
  sql`SELECT * FROM (${joined(receivedVectors(graphs, vector, shares))}) AS found WHERE score >= ${vector.minScore}::double precision`;

const byScore = (a: ScoredVector, b: ScoredVector): number => b.score - a.score || compareText(a.id, b.id);

function ownVectors({ own, filter }: SearchedGraphs, vector: VectorQuestion): Sql {
  const scored = sql`SELECT ${own.ownerId}::uuid AS owner_id, scored.node_id AS id, scored.score FROM (${scoredVectors(own, vector)}) AS scored`;
  if (!isRestricting(filter)) return scored;
  return sql`${scored} CROSS JOIN LATERAL (${nodeAt(sql`${own.ownerId}::uuid`, sql`scored.node_id`, searchedNodes(own, filter))}) AS n`;
}

/** Makes one SELECT for each form of the shares. */
function receivedVectors(graphs: SearchedGraphs, vector: VectorQuestion, shares: SharesOfOwners): Sql[] {
  const { unit, model, view } = vector;
  const exposure = exposureOf(shares, graphs.own);
  const compared = comparedOfOthers(
    { within: shares.within, exposure },
    { dimensions: unit.length, model, view },
  );
  const arms = searchSharers(shares.accesses, {
    columns: sql`e.owner_id, e.node_id AS id, 1 - (e.unit <=> ${vectorText(unit)}::vector) AS score`,
    from: (owner) => sql`FROM embeddings AS e WHERE e.owner_id = ${owner} AND ${compared}`,
    fromNodes: sql`JOIN embeddings AS e ON e.owner_id = given.owner_id AND e.node_id = given.id WHERE ${compared}`,
    nodes: FACTS_OF_BOTH,
    end: sql.empty,
  });
  if (arms.length === 0) return [];
  const best = sql`SELECT owner_id, id, max(score) AS score FROM (${sql.unionAll(arms)}) AS scored GROUP BY owner_id, id`;
  if (!isRestricting(graphs.receivedFilter)) return [best];
  return [
    sql`SELECT best.* FROM (${best}) AS best
      CROSS JOIN LATERAL (${nodeAt(sql`best.owner_id`, sql`best.id`, receivedNodes(graphs, shares))}) AS n`,
  ];
}

const joined = (rows: readonly Sql[]): Sql => (rows.length === 0 ? NO_VECTOR_HITS : sql.unionAll(rows));
