import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { searchSharers, sharesOfOwners, type SharesOfOwners } from '../../lists/index.js';
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
  /** The shares of the rows' received nodes. */
  shares: SharesOfOwners;
}

interface ScoredVector {
  owner_id: string;
  id: string;
  score: number;
}

const NO_VECTOR_HITS = sql`SELECT NULL::uuid AS owner_id, NULL::uuid AS id, NULL::double precision AS score WHERE FALSE`;

/** Compares the vectors of own and received nodes that pass the filter of a search (rules 4.17, 4.18). */
@Injectable()
export class VectorHitsQueries {
  constructor(private readonly database: Database) {}

  /** @returns null if no vector may be compared */
  async find(graphs: SearchedGraphs, vector: VectorQuestion): Promise<VectorRows | null> {
    if (!comparesVectors(graphs.own)) return null;
    const own = searchesOwn(graphs) ? [ownVectors(graphs, vector)] : [];
    const parts = receivedParts(graphs);
    const [shares = sharesOfOwners(graphs.received, [])] = parts;
    if (parts.length <= 1)
      return { rows: joined([...own, ...receivedVectors(graphs, vector, shares)]), shares };
    const found: ScoredVector[] = [];
    for (const part of parts) {
      // Not as arguments, of which there may be too many for the stack.
      for (const one of await this.near(graphs, vector, part)) found.push(one);
    }
    const rows = sql`SELECT given.* FROM jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
      AS given (owner_id uuid, id uuid, score double precision)`;
    const owners = new Set(found.map(({ owner_id }) => owner_id));
    return { rows: joined([...own, rows]), shares: sharesOfOwners(graphs.received, owners) };
  }

  /** The vectors of the nodes of some sharers that are near enough. */
  private near(
    graphs: SearchedGraphs,
    vector: VectorQuestion,
    shares: SharesOfOwners,
  ): Promise<ScoredVector[]> {
    const rows = joined(receivedVectors(graphs, vector, shares));
    return this.database.read(
      sql`SELECT * FROM (${rows}) AS found WHERE score >= ${vector.minScore}::double precision`,
      'search-received-vectors',
    );
  }
}

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
