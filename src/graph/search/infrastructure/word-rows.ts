import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, compileVisibility } from '../../../privacy/index.js';
import {
  among,
  FACT_COLUMNS,
  NODE_WORDS,
  type Searched,
  searchSharers,
  type SharesOfOwners,
} from '../../lists/index.js';
import { type MaskedNodeSearch } from '../../nodes/index.js';
import { passingNodes, searchedNodes, withProperties } from './search-filter.js';
import { exposureOf, type SearchedGraphs } from './searched-graphs.js';
import { type SoughtWords } from './sought-words.js';
import { type FoundTags } from './tag-words.queries.js';
import { ownersWord } from './tags-of-sharers.js';

type Exposure = Access['exposure'];

/** True if the caller is shown other texts than the stored ones: words are then sought in what is shown. */
export const isMasked = ({ own }: SearchedGraphs, asShown: MaskedNodeSearch): boolean =>
  masksProperties(own.exposure) || asShown.needsMaskedEvaluation(own, { filter: { search: '' } });

const masksProperties = (exposure: Exposure): boolean =>
  exposure.shows('metadata') && exposure.transforms('metadata.properties');

/**
 * The words of the texts that the caller is shown: below detail `full` those of titles and types. The owner's term is always
 * one of them, so that a text is as long for every caller.
 */
export const searchedWords = ({ detail }: Exposure, words: Sql, owner: Sql): Sql => {
  const shown = detail === 'full' ? words : sql`ts_filter(${words}, '{a,b}')`;
  return sql`(${shown} || array_to_tsvector(ARRAY['OWNER ' || ${owner}::text]))`;
};

/** A question with the tags that have its words. */
export interface Sought {
  words: SoughtWords;
  tags: FoundTags;
}

/** The newest of nodes with equal scores come first, unless the caller is shown other times. */
const madeOf = (exposure: Exposure): Sql =>
  exposure.touches('created_at') ? sql`NULL::timestamptz` : sql`n.created_at`;

/**
 * The own nodes with these words, as rows of `owner_id`, `id`, `bits`, `score` and `made`. The index covers all texts
 * together. It includes every match in a title, so at `summary` it only preselects. OFFSET 0 is a fence: the owner's term
 * finds the rows of the owner, without a look at the rows of all their nodes.
 */
export function ownHits({ own, filter }: SearchedGraphs, { words, tags }: Sought): Sql {
  const sought = { words, tags: tags.of([own.ownerId]) };
  const found = sql`(
    SELECT n.owner_id, n.id, n.created_at, n.words, n.tag_ids FROM (
      ${NODE_WORDS} WHERE ${mayMatch(sought, sql`${own.ownerId}::uuid`)} OFFSET 0
    ) AS n
    WHERE ${searchedNodes(own, filter)} OFFSET 0
  ) AS n`;
  return sql`SELECT ${hitColumns(own.exposure, words)} FROM ${found} ${judged(own.exposure, sought)}`;
}

/**
 * The same for the nodes of some sharers, as one SELECT for each form of their shares; where a sharer has none of the tags,
 * their nodes are looked for by words alone.
 */
export function receivedHits(
  graphs: SearchedGraphs,
  { words, tags }: Sought,
  { accesses, within }: SharesOfOwners,
): Sql[] {
  const those = tags.of(accesses.map(({ ownerId }) => ownerId));
  const { ownerIds } = those;
  const sharers = (haveTags: boolean): SharesOfOwners => ({
    within,
    accesses: accesses.filter(({ ownerId }) => ownerIds.has(ownerId) === haveTags),
  });
  return [
    ...hitsOfSharers(graphs, { words, tags: those.of([]) }, sharers(false)),
    ...hitsOfSharers(graphs, { words, tags: those }, sharers(true)),
  ];
}

function hitsOfSharers(graphs: SearchedGraphs, sought: Sought, shares: SharesOfOwners): Sql[] {
  const { words, tags } = sought;
  const exposure = exposureOf(shares, graphs.own);
  const either = tags.isEmpty ? sql.empty : sql`OR ${tags.areOn(sql`w.owner_id`, sql`w.tag_ids`)}`;
  return searchSharers(shares.accesses, {
    ...receivedSearch(graphs, shares, {
      of: (owner) => sql`WHERE ${mayMatch(sought, owner)}`,
      ofNode: sql`AND (w.words @@ ${words.matched} ${either})`,
      judged: judged(exposure, sought),
    }),
    columns: hitColumns(exposure, words),
    end: sql.empty,
  });
}

/** The condition of rows `node_words AS w` of one owner that may match, by their own words or by their tags. */
function mayMatch({ words, tags }: Sought, owner: Sql): Sql {
  const byWords = sql`w.words @@ (${words.matched} && ${ownersWord(owner)})`;
  return tags.isEmpty
    ? byWords
    : sql`(${byWords} OR ${tags.areOn(owner, sql`w.tag_ids`)} AND w.owner_id = ${owner})`;
}

/** The words of the first own nodes by their ids, as rows of `owner_id`, `id` and `words`. */
export const ownWords = ({ own, filter }: SearchedGraphs, most: number): Sql =>
  sql`SELECT n.owner_id, n.id, n.words, n.tag_ids FROM (${NODE_WORDS}) AS n WHERE ${searchedNodes(own, filter)} ORDER BY n.id LIMIT ${most}`;

/** The same for each of some sharers, as one SELECT for each form of their shares. */
export const receivedWords = (graphs: SearchedGraphs, shares: SharesOfOwners, most: number): Sql[] =>
  searchSharers(shares.accesses, {
    ...receivedSearch(graphs, shares, {
      of: (owner) => sql`WHERE w.owner_id = ${owner}`,
      ofNode: sql.empty,
      judged: sql`WHERE TRUE`,
    }),
    columns: sql`n.owner_id, n.id, n.words, n.tag_ids`,
    end: sql`ORDER BY n.id LIMIT ${most}`,
  });

interface ReceivedSearch {
  /** The condition of the rows of one owner, in `node_words AS w`. */
  of: (owner: Sql) => Sql;
  /** A further condition of the row of one node. */
  ofNode: Sql;
  /** Joins behind the rows, as `n`, and the beginning of a condition. */
  judged: Sql;
}

function receivedSearch(
  { receivedFilter, own }: SearchedGraphs,
  shares: SharesOfOwners,
  { of, ofNode, judged: joins }: ReceivedSearch,
): Pick<Searched, 'from' | 'fromNodes' | 'nodes' | 'texts'> {
  const { properties, ...facts } = receivedFilter;
  const exposure = exposureOf(shares, own);
  const within = compileVisibility(shares.within, FACT_COLUMNS);
  const passes = sql`${passingNodes(exposure, facts, within)} AND ${within}`;
  return {
    from: (owner) =>
      sql`FROM (${NODE_WORDS} ${of(owner)} OFFSET 0) AS n ${joins} AND n.owner_id = ${owner} AND ${passes}`,
    fromNodes: sql`CROSS JOIN LATERAL (
        ${NODE_WORDS} WHERE w.owner_id = given.owner_id AND w.node_id = given.id ${ofNode} OFFSET 0
      ) AS n ${joins} AND ${passes}`,
    nodes: [FACT_COLUMNS],
    texts: properties === undefined ? null : among(within, withProperties(exposure, properties)),
  };
}

const hitColumns = (exposure: Exposure, sought: SoughtWords): Sql =>
  sql`n.owner_id, n.id, judged.bits, ${sought.scoreOf(sql`searched.words`, sql`judged.bits`)} AS score, ${madeOf(exposure)} AS made`;

/**
 * Adds the words that the caller may search in, as `searched`, those of the question that match, as `judged`, and the
 * beginning of a condition.
 */
function judged(exposure: Exposure, { words, tags }: Sought): Sql {
  const isFull = exposure.detail === 'full';
  const shown = isFull ? sql`n.words` : searchedWords(exposure, sql`n.words`, sql`n.owner_id`);
  const all = tags.addedTo(shown, sql`n.owner_id`, sql`n.tag_ids`);
  return sql`CROSS JOIN LATERAL (SELECT ${all} AS words OFFSET 0) AS searched
    CROSS JOIN LATERAL (SELECT ${words.bitsOf(sql`searched.words`)} AS bits OFFSET 0) AS judged
    WHERE ${isFull && tags.isEmpty ? sql`TRUE` : sql`searched.words @@ ${words.matched}`}`;
}
