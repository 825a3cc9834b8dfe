import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access } from '../../../privacy/index.js';
import { receivedParts, type SearchedGraphs, searchesOwn } from './searched-graphs.js';
import { type SoughtWords } from './sought-words.js';
import { MOST_OF_SHARERS, receivedTags, tagsWith, withWords } from './tags-of-sharers.js';

interface FoundTag {
  owner_id: string;
  id: string;
  words: string;
}

/** The living tags with a word of a question in their names, among those that the caller may know, by their owners. */
export class FoundTags {
  constructor(private readonly tags: readonly FoundTag[]) {}

  get isEmpty(): boolean {
    return this.tags.length === 0;
  }

  get ownerIds(): ReadonlySet<string> {
    return new Set(this.tags.map(({ owner_id }) => owner_id));
  }

  /** The tags of these owners: those of others must not show in the work for their nodes. */
  of(ownerIds: Iterable<string>): FoundTags {
    const owners = new Set(ownerIds);
    return new FoundTags(this.tags.filter(({ owner_id }) => owners.has(owner_id)));
  }

  /** The condition that a node of this owner, who has such tags, has one of them. */
  areOn(owner: Sql, tagIds: Sql): Sql {
    const byOwner = new Map<string, string[]>();
    for (const { owner_id, id } of this.tags) {
      const ids = byOwner.get(owner_id);
      if (ids) ids.push(id);
      else byOwner.set(owner_id, [id]);
    }
    const [first, ...others] = byOwner.values();
    if (others.length === 0) return sql`${tagIds} && ${first ?? []}::uuid[]`;
    return sql`${tagIds} && ${valueAt([...byOwner].map(([ownerId, ids]) => [ownerId, `{${ids.join()}}`]))(owner)}::uuid[]`;
  }

  /** Words with those of the node's tags of this kind; of other tags nothing counts, not even their number. */
  addedTo(words: Sql, owner: Sql, tagIds: Sql): Sql {
    if (this.isEmpty) return words;
    const added =
      this.tags.length === this.ownerIds.size ? this.wordsOfOnly(owner) : this.wordsOf(owner, tagIds);
    return sql`CASE WHEN ${this.areOn(owner, tagIds)} THEN ${words} || coalesce(${added}, '') ELSE ${words} END`;
  }

  /** It is one look for each node if no owner has two of them. */
  private wordsOfOnly(owner: Sql): Sql {
    return sql`${valueAt(this.tags.map((tag) => [tag.owner_id, tag.words]))(owner)}::tsvector`;
  }

  /** Two graphs may have tags of one id, which earlier versions could import. */
  private wordsOf(owner: Sql, tagIds: Sql): Sql {
    const words = valueAt(this.tags.map((tag) => [`${tag.owner_id} ${tag.id}`, tag.words]));
    return sql`(SELECT string_agg(${words(sql`${owner}::text || ' ' || tag.id::text`)}, ' ')::tsvector FROM unnest(${tagIds}) AS tag (id))`;
  }
}

/** The value of a key, as text; NULL for others. */
const valueAt =
  (entries: readonly [key: string, value: string][]) =>
  (key: Sql): Sql =>
    sql`(${JSON.stringify(Object.fromEntries(entries))}::jsonb ->> (${key})::text)`;

/** Finds tags by the words of their names (rule 4.18i). */
@Injectable()
export class TagWordsQueries {
  constructor(private readonly database: Database) {}

  async of(graphs: SearchedGraphs, sought: SoughtWords): Promise<FoundTags> {
    if (!showsTags(graphs)) return new FoundTags([]);
    const found = searchesOwn(graphs) ? await this.read(ownTags(graphs.own, sought)) : [];
    let room = MOST_OF_SHARERS.all;
    for (const shares of receivedParts(graphs)) {
      const received = await this.read(receivedTags(shares, sought, room));
      found.push(...received);
      room -= received.length;
      if (room <= 0) break;
    }
    return new FoundTags(found);
  }

  private read(tags: Sql): Promise<FoundTag[]> {
    return this.database.read(tags, 'search-tags');
  }
}

/** The most own tags with a word of a question that are looked at. */
const MOST_OWN = 1_000;

const ownTags = (own: Access, sought: SoughtWords): Sql =>
  withWords(
    sql`SELECT t.* FROM (${tagsWith(sought, sql`${own.ownerId}`)}) AS t WHERE ${discovered(own)} ORDER BY t.id LIMIT ${MOST_OWN}`,
  );

/** At a detail level that hides the tags of nodes, none is found by them. */
export const showsTags = ({ own }: SearchedGraphs): boolean => own.exposure.shows('tags');

/** The condition that the caller may know a tag of their own graph, as a row of `tags AS t`. */
const discovered = ({ tags: { discover } }: Access): Sql =>
  discover.allowAll ? sql`TRUE` : sql`t.id = ANY(${[...discover.tagIds]}::uuid[])`;

/** The most tags whose words are looked through for neighbours. */
const MOST_TAGS = 2_000;

/**
 * The words of the tags of nodes, as far as the caller may know them, as rows of `words`; the nodes are rows of `owner_id` and
 * `tag_ids`. Of each sharer no more tags are looked at than for the words of a question.
 */
export const wordsOfTags = (graphs: SearchedGraphs, nodes: Sql): Sql => {
  const { ownerId } = graphs.own;
  return sql`SELECT tag_words(t.owner_id, t.name) AS words FROM (
      SELECT t.owner_id, t.id, t.name, row_number() OVER (PARTITION BY t.owner_id ORDER BY t.id) AS place FROM (
        SELECT DISTINCT carried.owner_id, tag.id FROM (${nodes}) AS carried CROSS JOIN LATERAL unnest(carried.tag_ids) AS tag (id)
      ) AS carried JOIN tags AS t ON t.owner_id = carried.owner_id AND t.id = carried.id
      WHERE t.deleted_at IS NULL AND (t.owner_id <> ${ownerId} OR ${discovered(graphs.own)})
    ) AS t WHERE t.owner_id = ${ownerId} OR t.place <= ${MOST_OF_SHARERS.each}
    ORDER BY t.owner_id, t.id LIMIT ${MOST_TAGS}`;
};
