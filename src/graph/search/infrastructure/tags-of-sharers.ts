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

/** The most tags with a word of a question that count: of one sharer, who may have ten thousand, and of all. */
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
 * and `words`. A tag on no such node costs a look at two lists of the index, however many nodes have it, and takes no room.
 * @param room the most tags; the sharers come in the order of their ids
 */
export const receivedTags = (shares: SharesOfOwners, sought: SoughtWords, room: number): Sql =>
  withWords(
    sql`SELECT t.owner_id, t.id, t.name FROM (
        SELECT t.*, row_number() OVER (PARTITION BY t.owner_id ORDER BY t.id) AS place
        FROM (SELECT DISTINCT * FROM (${sql.unionAll(onSharedNodes(shares, sought))}) AS t) AS t
      ) AS t WHERE t.place <= ${MOST_OF_SHARERS.each} ORDER BY t.owner_id, t.id LIMIT ${room}`,
  );

/** Such tags: one SELECT for each form of the shares. */
function onSharedNodes({ accesses, within }: SharesOfOwners, sought: SoughtWords): Sql[] {
  const { whole, tagOwners, tagIds, nodeOwners, nodeIds, others } = grantsByShape(accesses);
  const living = sql`n.deleted_at IS NULL AND ${compileVisibility(within, FACT_COLUMNS)}`;
  const of = (sharers: Sql, isShared: Sql): Sql => firstOfEach(sharers, isShared, sought);
  return [
    sql`SELECT t.owner_id, t.id, t.name FROM tags AS t WHERE FALSE`,
    ...(whole.length > 0 ? [of(owners(whole), isOn([], living))] : []),
    ...(tagIds.length > 0
      ? [of(tagged(tagOwners, tagIds), isOn([sql`w.tag_ids && sharer.tag_ids`], living))]
      : []),
    ...(nodeIds.length > 0 ? [of(owners(nodeOwners), isOnNodes({ nodeOwners, nodeIds }, living))] : []),
    ...others.map(({ ownerId, granted }) =>
      of(owners([ownerId]), isOn([], sql`${living} AND ${compileVisibility(granted, FACT_COLUMNS)}`)),
    ),
  ];
}

/** The first tags of each sharer that pass. They are put in order before, so that the look ends with the last of them. */
const firstOfEach = (sharers: Sql, isShared: Sql, sought: SoughtWords): Sql =>
  sql`SELECT t.* FROM ${sharers} CROSS JOIN LATERAL (
      SELECT t.* FROM (SELECT t.* FROM (${tagsWith(sought, sql.raw('sharer.owner_id'))}) AS t ORDER BY t.id OFFSET 0) AS t
      WHERE ${isShared} ORDER BY t.id LIMIT ${MOST_OF_SHARERS.each}
    ) AS t`;

const owners = (ids: readonly string[]): Sql =>
  sql`unnest(${[...new Set(ids)]}::uuid[]) AS sharer (owner_id)`;

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

/** The condition that one of these nodes has the tag of a row `t`; other nodes with it are not looked at. */
const isOnNodes = (
  { nodeOwners, nodeIds }: { nodeOwners: readonly string[]; nodeIds: readonly string[] },
  living: Sql,
): Sql =>
  sql`(t.owner_id, t.id) IN (
      SELECT n.owner_id, carried.id
      FROM unnest(${nodeOwners}::uuid[], ${nodeIds}::uuid[]) AS given (owner_id, id)
      CROSS JOIN LATERAL (${NODE_WORDS} WHERE w.owner_id = given.owner_id AND w.node_id = given.id OFFSET 0) AS n
      CROSS JOIN LATERAL unnest(n.tag_ids) AS carried (id) WHERE ${living}
    )`;
