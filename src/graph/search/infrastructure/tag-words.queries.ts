import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access } from '../../../privacy/index.js';
import { receivedParts, type SearchedGraphs, searchesOwn } from './searched-graphs.js';
import { type SoughtWords } from './sought-words.js';

interface FoundTag {
  owner_id: string;
  id: string;
  words: string;
}

/** The living tags with a word of a question in their names, among those that the caller may know. */
export class FoundTags {
  private readonly ids: readonly string[];
  private readonly words: string;

  constructor(tags: readonly FoundTag[]) {
    this.ids = [...new Set(tags.map(({ id }) => id))];
    // Two graphs may have tags of one id, which earlier versions could import.
    this.words = JSON.stringify(
      Object.fromEntries(tags.map(({ owner_id, id, words }) => [`${owner_id} ${id}`, words])),
    );
  }

  get isEmpty(): boolean {
    return this.ids.length === 0;
  }

  /** The condition that a node has such a tag, as far as ids tell. */
  areOn(tagIds: Sql): Sql {
    return sql`${tagIds} && ${this.ids}::uuid[]`;
  }

  /** Words with those of the node's tags of this kind; of other tags nothing counts, not even their number. */
  addedTo(words: Sql, owner: Sql, tagIds: Sql): Sql {
    if (this.isEmpty) return words;
    return sql`CASE WHEN ${this.areOn(tagIds)} THEN ${words} || coalesce((
        SELECT string_agg(${this.words}::jsonb ->> (${owner}::text || ' ' || tag.id::text), ' ')::tsvector
        FROM unnest(${tagIds}) AS tag (id)
      ), '') ELSE ${words} END`;
  }
}

const NO_TAGS = new FoundTags([]);

/** Finds tags by the words of their names (rule 4.18i). */
@Injectable()
export class TagWordsQueries {
  constructor(private readonly database: Database) {}

  async of(graphs: SearchedGraphs, sought: SoughtWords): Promise<FoundTags> {
    if (!showsTags(graphs)) return NO_TAGS;
    const found = searchesOwn(graphs)
      ? await this.find(sought, [graphs.own.ownerId], discovered(graphs.own))
      : [];
    for (const { accesses } of receivedParts(graphs)) {
      const owners = accesses.map(({ ownerId }) => ownerId);
      found.push(...(await this.find(sought, owners, sql`TRUE`)));
    }
    return found.length === 0 ? NO_TAGS : new FoundTags(found);
  }

  private find(sought: SoughtWords, owners: readonly string[], known: Sql): Promise<FoundTag[]> {
    const words = sql`tag_words(t.owner_id, t.name)`;
    return this.database.read(
      sql`SELECT t.owner_id, t.id, ts_delete(t.words, 'OWNER ' || t.owner_id)::text AS words
        FROM unnest(${owners}::uuid[]) AS owner (id) CROSS JOIN LATERAL (
          SELECT t.owner_id, t.id, ${words} AS words FROM tags AS t
          WHERE ${words} @@ (${sought.any} && ('''OWNER ' || owner.id::text || '''')::tsquery) AND t.deleted_at IS NULL OFFSET 0
        ) AS t WHERE ${known}`,
      'search-tags',
    );
  }
}

/** At a detail level that hides the tags of nodes, none is found by them. */
export const showsTags = ({ own }: SearchedGraphs): boolean => own.exposure.shows('tags');

/** The condition that the caller may know a tag of their own graph, as a row of `tags AS t`. */
const discovered = ({ tags: { discover } }: Access): Sql =>
  discover.allowAll ? sql`TRUE` : sql`t.id = ANY(${[...discover.tagIds]}::uuid[])`;

/** The most tags whose words are looked through for neighbours. */
const MOST_TAGS = 2_000;

/** The words of the tags of nodes, as far as the caller may know them, as rows of `words`; the nodes are rows of `owner_id` and `tag_ids`. */
export const wordsOfTags = (graphs: SearchedGraphs, nodes: Sql): Sql =>
  sql`SELECT tag_words(t.owner_id, t.name) AS words FROM (
      SELECT DISTINCT carried.owner_id, tag.id FROM (${nodes}) AS carried CROSS JOIN LATERAL unnest(carried.tag_ids) AS tag (id)
    ) AS carried JOIN tags AS t ON t.owner_id = carried.owner_id AND t.id = carried.id
    WHERE t.deleted_at IS NULL AND (t.owner_id <> ${graphs.own.ownerId} OR ${discovered(graphs.own)})
    ORDER BY t.owner_id, t.id LIMIT ${MOST_TAGS}`;
