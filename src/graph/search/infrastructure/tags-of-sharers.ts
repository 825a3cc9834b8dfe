import { type Sql, sql } from '../../../kernel/database/sql.js';
import { compileVisibility } from '../../../privacy/index.js';
import {
  FACT_COLUMNS,
  grantsByShape,
  NODE_WORDS,
  onNodeWithTag,
  type SharesOfOwners,
} from '../../lists/index.js';
import { type SoughtWords } from './sought-words.js';

/** The words of a row of `tags AS t`, with the owner's term. */
const tagWords = sql`tag_words(t.owner_id, t.name)`;

/** The owner's term in an index of words, quoted because it contains a space. */
export const ownersWord = (owner: Sql): Sql => sql`('''OWNER ' || ${owner}::text || '''')::tsquery`;

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
  const passes = compileVisibility(within, FACT_COLUMNS);
  const of = (sharers: Sql, isShared: Sql): Sql => firstOfEach(sharers, isShared, sought);
  return [
    sql`SELECT t.owner_id, t.id, t.name FROM tags AS t WHERE FALSE`,
    ...(whole.length > 0 ? [of(owners(whole), onNodeWithTag(passes))] : []),
    ...(tagIds.length > 0
      ? [of(tagged(tagOwners, tagIds), onNodeWithTag(passes, [sql`w.tag_ids && sharer.tag_ids`]))]
      : []),
    ...(nodeIds.length > 0
      ? [of(owners(nodeOwners), isOnNodes({ nodeOwners, nodeIds }, sql`n.deleted_at IS NULL AND ${passes}`))]
      : []),
    ...others.map(({ ownerId, granted }) =>
      of(owners([ownerId]), onNodeWithTag(sql`${passes} AND ${compileVisibility(granted, FACT_COLUMNS)}`)),
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
