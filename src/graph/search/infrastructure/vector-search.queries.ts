import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Room, withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { parseJson } from '../../../kernel/json/json-text.js';
import { type Access, compileVisibility } from '../../../privacy/index.js';
import { type UnitVector } from '../domain/embedding.js';
import { type GraphView, type NodeRecord } from '../../common/index.js';
import {
  comparableNodes,
  comparableVectorsOf,
  comparesVectors,
  readableEmbeddings,
} from './embedding-filter.js';
import { vectorText } from './embeddings.repository.js';
import { nearest } from '../../../libs/vector-index/nearest.js';
import { FACT_COLUMNS, nodeBytes, nodeColumns, readableNodes } from '../../lists/index.js';
import { NodesQueries } from '../../nodes/index.js';
import { ReadableVectorsQueries } from './readable-vectors.queries.js';

/** The question of a vector search. */
export interface VectorQuestion {
  unit: UnitVector;
  model?: string | undefined;
  view: GraphView;
  /** The minimum cosine similarity of a hit. */
  minScore: number;
}

interface VectorHit {
  record: NodeRecord;
  /** The cosine similarity. */
  score: number;
}

export interface VectorHits {
  hits: VectorHit[];
  /** The exact number of readable nodes with at least that score. */
  total: number;
}

/** The most vectors of one node by which others are found. */
const MOST_VECTORS = 4;

/**
 * Finds the most similar readable nodes, among those whose texts the caller is shown unchanged (rules 3.16,
 * 4.17). Every readable vector is compared: the exact total needs each of them, and vectors that an index
 * over all owners could leave out would have to be compared for the total anyway (ADR 8). Repeated searches
 * are compared in memory, others in one statement.
 */
@Injectable()
export class VectorSearch {
  constructor(
    private readonly database: Database,
    private readonly readable: ReadableVectorsQueries,
    private readonly nodes: NodesQueries,
  ) {}

  /** The first of the hits after `offset`; large ones may not fill the page. */
  async search(access: Access, question: VectorQuestion & Room): Promise<VectorHits> {
    if (!comparesVectors(access)) return { hits: [], total: 0 };
    return (await this.inMemory(access, question)) ?? this.inDatabase(access, question);
  }

  /** The vectors of a node that the caller may compare, of the first models by name. */
  async vectorsOf(access: Access, nodeId: string): Promise<{ model: string; unit: UnitVector }[]> {
    if (!comparesVectors(access)) return [];
    const rows = await this.database.read<{ model: string; unit: string }>(
      sql`SELECT e.model, e.unit::text AS unit FROM embeddings AS e WHERE ${comparableVectorsOf(access, nodeId)}
        ORDER BY e.model COLLATE "C", e.dimensions LIMIT ${MOST_VECTORS}`,
      'vectors-of-node',
    );
    return rows.map(({ model, unit }) => ({ model, unit: parseJson(unit) as UnitVector }));
  }

  /** The ids and scores of the nearest nodes, without their content. */
  async nearest(
    access: Access,
    question: VectorQuestion & { exceptId: string; limit: number },
  ): Promise<{ id: string; score: number }[]> {
    const { minScore, exceptId, limit } = question;
    return this.database.read(
      sql`SELECT node_id AS id, score FROM (${scoredVectors(access, question)}) AS scored
        WHERE score >= ${minScore}::double precision AND node_id <> ${exceptId}
        ORDER BY score DESC, node_id LIMIT ${limit}`,
      'vectors-nearest',
    );
  }

  private async inMemory(access: Access, question: VectorQuestion & Room): Promise<VectorHits | null> {
    const { unit, model, view } = question;
    const vectors = await this.readable.find(access, { dimensions: unit.length, model, view });
    if (vectors === null) return null;
    const most = { ...question, limit: question.offset + question.limit };
    const compared = await nearest(vectors, Float32Array.from(unit), most);
    if (compared === null) return null;
    const { hits, total } = compared;
    const wanted = hits.slice(question.offset);
    if (wanted.length === 0) return { hits: [], total };
    const ids = wanted.map(({ nodeId }) => nodeId);
    const condition = sql`${readableNodes(access, { view })}
      AND ${compileVisibility(comparableNodes(access), FACT_COLUMNS)}`;
    const { records, lookedAt } = await this.nodes.firstOf(ids, condition);
    const found = wanted.flatMap(({ nodeId, score }) => {
      const record = records.get(nodeId);
      return record === undefined ? [] : [{ record, score }];
    });
    // A node that changed after the guard looked is judged in its current state, and then all are.
    return found.length === lookedAt ? { hits: found, total } : null;
  }

  private async inDatabase(access: Access, question: VectorQuestion & Room): Promise<VectorHits> {
    const rows = await this.database.read<NodeRecord & { hit_score: number; hit_total: number }>(
      withinPageBytes({
        from: sql`(
          SELECT node_id, score, count(*) OVER () AS total FROM (${scoredVectors(access, question)}) AS scored
          WHERE score >= ${question.minScore} ORDER BY score DESC, node_id LIMIT ${question.limit} OFFSET ${question.offset}
        ) AS hit
        JOIN nodes AS n ON n.owner_id = ${access.ownerId} AND n.id = hit.node_id`,
        columns: sql`${nodeColumns('n')}, hit.score AS hit_score, hit.total AS hit_total`,
        order: sql`hit.score DESC, hit.node_id`,
        bytes: nodeBytes('n'),
        names: sql`${nodeColumns('page')}, page.hit_score, page.hit_total`,
      }),
      'vector-search',
    );
    const found = rows.map(({ hit_score: score, hit_total: total, ...record }) => ({
      hit: { record, score },
      total,
    }));
    return { hits: found.map(({ hit }) => hit), total: found[0]?.total ?? 0 };
  }
}

/**
 * Node ids and their scores, one row a node. Vectors are taken in one pass (OFFSET 0 keeps the score from
 * being computed once for the condition and once more for the answer). Only nodes with several vectors of
 * this length are grouped; the best one counts.
 */
export function scoredVectors(access: Access, { unit, model, view }: VectorQuestion): Sql {
  const condition = readableEmbeddings(access, { dimensions: unit.length, model, view });
  const score = sql`1 - (e.unit <=> ${vectorText(unit)}::vector)`;
  if (model !== undefined) {
    return sql`SELECT e.node_id, ${score} AS score FROM embeddings AS e WHERE ${condition} OFFSET 0`;
  }
  return sql`(SELECT e.node_id, ${score} AS score FROM embeddings AS e WHERE ${condition} AND e.is_alone OFFSET 0)
    UNION ALL
    (SELECT e.node_id, max(${score}) AS score FROM embeddings AS e WHERE ${condition} AND NOT e.is_alone GROUP BY e.node_id)`;
}
