import { type Sql, sql } from '../../../kernel/database/sql.js';
import { compileVisibility } from '../../../privacy/index.js';
import { FACT_COLUMNS, grantsByShape, type SharesOfOwners } from '../../lists/index.js';
import { type SoughtWords } from './sought-words.js';

/** The words of a row of `tags AS t`, with the owner's term. */
export const tagWords = sql`tag_words(t.owner_id, t.name)`;

/** The owner's term in an index of words, quoted because it contains a space. */
export const ownersWord = (owner: Sql): Sql => sql`('''OWNER ' || ${owner}::text || '''')::tsquery`;

/** The facts beside the words have the names of the nodes' columns. */
export const NODE_WORDS = sql.raw('SELECT w.*, w.node_id AS id FROM node_words AS w');

/**
 * The tags with a word of a question on the nodes that these sharers share, as rows of `owner_id`, `id` and `words`: one
 * SELECT for each form of their shares. A tag on no such node costs a look at two lists of the index, however many
 * nodes have it, and is not found.
 */
export function receivedTags({ accesses, within }: SharesOfOwners, sought: SoughtWords): Sql[] {
  const { whole, tagOwners, tagIds, nodeOwners, nodeIds, others } = grantsByShape(accesses);
  const living = sql`n.deleted_at IS NULL AND ${compileVisibility(within, FACT_COLUMNS)}`;
  const asTables = new TagsOfOwners(sought, living);
  return [
    ...(whole.length > 0 ? [asTables.of(sql`unnest(${whole}::uuid[]) AS sharer (owner_id)`, sql`TRUE`)] : []),
    ...(tagIds.length > 0 ? [asTables.of(tagged(tagOwners, tagIds), sql`n.tag_ids && sharer.tag_ids`)] : []),
    ...(nodeIds.length > 0 ? [onNodes({ nodeOwners, nodeIds }, living, sought)] : []),
    ...others.map(({ ownerId, granted }) =>
      asTables.of(
        sql`(SELECT ${ownerId}::uuid AS owner_id) AS sharer`,
        compileVisibility(granted, FACT_COLUMNS),
      ),
    ),
  ];
}

/** Finds tags by their words first, then whether a node has them. */
class TagsOfOwners {
  constructor(
    private readonly sought: SoughtWords,
    private readonly living: Sql,
  ) {}

  /** @param sharers rows `sharer` with an `owner_id` */
  of(sharers: Sql, isShared: Sql): Sql {
    return sql`SELECT t.* FROM ${sharers} CROSS JOIN LATERAL (
        SELECT t.owner_id, t.id, ${tagWords} AS words FROM tags AS t
        WHERE ${tagWords} @@ (${this.sought.any} && ${ownersWord(sql.raw('sharer.owner_id'))}) AND t.deleted_at IS NULL OFFSET 0
      ) AS t WHERE EXISTS (
        SELECT FROM (${NODE_WORDS}) AS n WHERE n.tag_ids && ARRAY[t.id] AND ${isShared} AND n.owner_id = t.owner_id AND ${this.living} OFFSET 0
      )`;
  }
}

/** Tags that are shared, one row for each owner. */
const tagged = (owners: readonly string[], tagIds: readonly string[]): Sql =>
  sql`(SELECT owner_id, array_agg(tag_id) AS tag_ids FROM unnest(${owners}::uuid[], ${tagIds}::uuid[]) AS shared (owner_id, tag_id)
    GROUP BY owner_id) AS sharer`;

/** From the nodes to their tags: others are not looked at. */
const onNodes = (
  { nodeOwners, nodeIds }: { nodeOwners: readonly string[]; nodeIds: readonly string[] },
  living: Sql,
  sought: SoughtWords,
): Sql =>
  sql`SELECT t.owner_id, t.id, t.words FROM (
      SELECT DISTINCT n.owner_id, carried.id
      FROM unnest(${nodeOwners}::uuid[], ${nodeIds}::uuid[]) AS given (owner_id, id)
      CROSS JOIN LATERAL (${NODE_WORDS} WHERE w.owner_id = given.owner_id AND w.node_id = given.id OFFSET 0) AS n
      CROSS JOIN LATERAL unnest(n.tag_ids) AS carried (id) WHERE ${living}
    ) AS carried CROSS JOIN LATERAL (
      SELECT t.owner_id, t.id, ${tagWords} AS words FROM tags AS t
      WHERE t.owner_id = carried.owner_id AND t.id = carried.id AND t.deleted_at IS NULL OFFSET 0
    ) AS t WHERE t.words @@ ${sought.any}`;
