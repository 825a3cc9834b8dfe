import { type Sql, sql } from '../../../kernel/database/sql.js';

/** The facts beside the words have the names of the nodes' columns. */
export const NODE_WORDS = sql.raw('SELECT w.*, w.node_id AS id FROM node_words AS w');

/**
 * The condition that a node has the tag of a row `t`; the look ends at the first one. A materialized query is planned as if
 * all its rows were read, and with two conditions on the tag few are expected: so PostgreSQL reads the index of tags, where
 * it would begin to read all nodes for a tag that it expects on one in a hundred.
 * @param passes the condition of living nodes, as rows of `n`
 * @param among further conditions of the index, on `node_words AS w`
 */
export const onNodeWithTag = (passes: Sql, among: readonly Sql[] = []): Sql =>
  sql`EXISTS (
    WITH n AS MATERIALIZED (${NODE_WORDS} WHERE ${sql.and([sql`w.tag_ids && ARRAY[t.id] AND w.tag_ids @> ARRAY[t.id]`, ...among])})
    SELECT FROM n WHERE n.owner_id = t.owner_id AND n.deleted_at IS NULL AND ${passes}
  )`;
