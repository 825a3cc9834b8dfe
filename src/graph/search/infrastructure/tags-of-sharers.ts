import { type Sql, sql } from '../../../kernel/database/sql.js';
import { compileVisibility } from '../../../privacy/index.js';
import { FACT_COLUMNS, grantsByShape, type SharesOfOwners } from '../../lists/index.js';
import { type SoughtWords } from './sought-words.js';

/** The words of a row of `tags AS t`, with the owner's term. */
const tagWords = sql`tag_words(t.owner_id, t.name)`;

/** The owner's term in an index of words, quoted because it contains a space. */
export const ownersWord = (owner: Sql): Sql => sql`('''OWNER ' || ${owner}::text || '''')::tsquery`;

/** The facts beside the words have the names of the nodes' columns. */
export const NODE_WORDS = sql.raw('SELECT w.*, w.node_id AS id FROM node_words AS w');

/** The most tags with a word of a question that are looked at: of one sharer, who may have ten thousand, and of all. */
export const MOST_OF_SHARERS = { each: 100, all: 2_000 };

/** The tags of an owner with a word of a question, as rows of `owner_id`, `id` and `name`. */
export const tagsWith = (sought: SoughtWords, owner: Sql): Sql =>
  sql`SELECT t.owner_id, t.id, t.name FROM tags AS t
    WHERE ${tagWords} @@ (${sought.any} && ${ownersWord(owner)}) AND t.deleted_at IS NULL OFFSET 0`;

/** Such tags, as rows of `owner_id`, `id` and `words`, without the owner's term. */
export const withWords = (tags: Sql): Sql =>
  sql`SELECT t.owner_id, t.id, ts_delete(${tagWords}, 'OWNER ' || t.owner_id)::text AS words FROM (${tags}) AS t`;

/**
 * The first tags by their ids with a word of a question on the nodes that these sharers share, as rows of `owner_id`, `id`
 * and `words`, each with the number `looked` of tags that were looked at; a row without an id stands for none. A tag on no such
 * node costs a look at two lists of the index, however many nodes have it, and is not found.
 * @param room the most tags that are looked at; the sharers come in the order of their accesses
 */
export function receivedTags(shares: SharesOfOwners, sought: SoughtWords, room: number): Sql {
  const ownerIds = shares.accesses.flatMap(({ ownerId, granted }) =>
    granted.kind === 'none' ? [] : [ownerId],
  );
  // Without an order of all, sharers behind the last tag are not looked at: rows come sharer by sharer.
  return sql`WITH looked AS MATERIALIZED (
      SELECT t.* FROM unnest(${ownerIds}::uuid[]) AS sharer (owner_id) CROSS JOIN LATERAL (
        SELECT t.* FROM (${tagsWith(sought, sql.raw('sharer.owner_id'))}) AS t ORDER BY t.id LIMIT ${MOST_OF_SHARERS.each}
      ) AS t LIMIT ${room}
    )
    SELECT counted.looked, t.* FROM (SELECT count(*) AS looked FROM looked) AS counted
    LEFT JOIN (${withWords(sql`SELECT DISTINCT t.* FROM (${sql.unionAll(onSharedNodes(shares))}) AS t`)}) AS t ON TRUE
    ORDER BY t.owner_id, t.id`;
}

/** The rows of `looked` on nodes that are shared: one SELECT for each form of the shares. */
function onSharedNodes({ accesses, within }: SharesOfOwners): Sql[] {
  const { whole, tagOwners, tagIds, nodeOwners, nodeIds, others } = grantsByShape(accesses);
  const living = sql`n.deleted_at IS NULL AND ${compileVisibility(within, FACT_COLUMNS)}`;
  const none = sql`SELECT t.* FROM looked AS t WHERE FALSE`;
  return [
    none,
    ...(whole.length > 0
      ? [sql`SELECT t.* FROM looked AS t WHERE t.owner_id = ANY(${whole}::uuid[]) AND ${isOn([], living)}`]
      : []),
    ...(tagIds.length > 0
      ? [
          sql`SELECT t.* FROM looked AS t JOIN ${tagged(tagOwners, tagIds)} ON sharer.owner_id = t.owner_id
            WHERE ${isOn([sql`w.tag_ids && sharer.tag_ids`], living)}`,
        ]
      : []),
    ...(nodeIds.length > 0 ? [onNodes({ nodeOwners, nodeIds }, living)] : []),
    ...others.map(
      ({ ownerId, granted }) => sql`SELECT t.* FROM looked AS t WHERE t.owner_id = ${ownerId}
        AND ${isOn([], sql`${living} AND ${compileVisibility(granted, FACT_COLUMNS)}`)}`,
    ),
  ];
}

/**
 * The condition that a node has the tag of a row `t`; the look ends at the first one. A materialized query is planned as if
 * all its rows were read, and with two conditions on the tag few are expected: so PostgreSQL reads the index of tags, where
 * it would begin to read all nodes for a tag that it expects on one in a hundred.
 * @param among further conditions of the index, on `node_words AS w`
 */
const isOn = (among: readonly Sql[], shared: Sql): Sql =>
  sql`EXISTS (
    WITH n AS MATERIALIZED (${NODE_WORDS} WHERE ${sql.and([sql`w.tag_ids && ARRAY[t.id] AND w.tag_ids @> ARRAY[t.id]`, ...among])})
    SELECT FROM n WHERE n.owner_id = t.owner_id AND ${shared}
  )`;

/** Tags that are shared, one row for each owner. */
const tagged = (owners: readonly string[], tagIds: readonly string[]): Sql =>
  sql`(SELECT owner_id, array_agg(tag_id) AS tag_ids FROM unnest(${owners}::uuid[], ${tagIds}::uuid[]) AS shared (owner_id, tag_id)
    GROUP BY owner_id) AS sharer`;

/** From the nodes to their tags: other nodes with these tags are not looked at. */
const onNodes = (
  { nodeOwners, nodeIds }: { nodeOwners: readonly string[]; nodeIds: readonly string[] },
  living: Sql,
): Sql =>
  sql`SELECT t.* FROM looked AS t WHERE (t.owner_id, t.id) IN (
      SELECT n.owner_id, carried.id
      FROM unnest(${nodeOwners}::uuid[], ${nodeIds}::uuid[]) AS given (owner_id, id)
      CROSS JOIN LATERAL (${NODE_WORDS} WHERE w.owner_id = given.owner_id AND w.node_id = given.id OFFSET 0) AS n
      CROSS JOIN LATERAL unnest(n.tag_ids) AS carried (id) WHERE ${living}
    )`;
