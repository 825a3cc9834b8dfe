import { type Sql, sql } from '../../../kernel/database/sql.js';

/**
 * The nodes that one statement looks at, so that its time does not grow with the graph. Texts and documents of thousands
 * of nodes may still take longer than a slice of a read; such a statement gives way to others (rule 11.9e).
 */
const PIECE = 5_000;

/** The place before all nodes. */
export const FIRST_PIECE = '00000000-0000-0000-0000-000000000000';

/** Some of an owner's nodes, readable or not. */
export interface GraphPiece {
  /** The nodes as rows of `nodes AS n`, for a FROM. */
  nodes: Sql;
  /** A SELECT of the `id` behind which the next piece begins; no row for the last piece. */
  end: Sql;
}

/**
 * The piece of an owner's nodes behind this id. Hidden nodes belong to it, so that a statement takes as long whatever part
 * of the graph is hidden.
 */
export function graphPiece(ownerId: string, after: string): GraphPiece {
  const next = sql`FROM nodes WHERE owner_id = ${ownerId} AND id > ${after} ORDER BY id`;
  return {
    nodes: sql`(SELECT * ${next} LIMIT ${PIECE}) AS n`,
    end: sql`SELECT id ${next} LIMIT 1 OFFSET ${PIECE - 1}`,
  };
}
