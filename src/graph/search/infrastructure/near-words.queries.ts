import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { inMaskedPlace } from '../../lists/index.js';
import { MaskedNodeSearch } from '../../nodes/index.js';
import { receivedParts, type SearchedGraphs, searchesOwn } from './searched-graphs.js';
import { shownTexts, sizeOf, wordsOfShown } from './shown-texts.js';
import { showsTags, wordsOfTags } from './tag-words.queries.js';
import { isMasked, ownWords, receivedWords, searchedWords } from './word-rows.js';

/**
 * The bounds of the look for words that a misspelt one may mean: nodes, the first ones by their ids, which no profile hides,
 * own ones before those of each sharer; bytes of their words; and words. Below detail `full` hidden values have no part in
 * it, not even by their size.
 */
const NEIGHBOURS = { nodes: 2_000, nodesBelowFull: 500, bytes: 1024 * 1024, words: 5_000 };

/** Nearly every node has the word of a type: one that is meant by mistake would find them all. */
const WITHOUT_TYPES = sql.raw("ts_filter(words, '{a,c,d}')");

/** The words that are looked for: those of some lengths with one of these beginnings. */
export interface WordsLike {
  beginnings: readonly string[];
  lengths: readonly [least: number, most: number];
}

/** A row without a word stands for none at all. */
interface CountedWord {
  lexeme: string | null;
  nodes: number;
  bytes: number;
}

/** Finds the words that a misspelt one may mean, in the texts as the caller is shown them (rule 4.18e). */
@Injectable()
export class NearWordsQueries {
  constructor(
    private readonly database: Database,
    private readonly asShown: MaskedNodeSearch,
  ) {}

  /** The different words like these in the texts and tags of readable nodes; of large graphs a part. */
  async like(graphs: SearchedGraphs, like: WordsLike): Promise<string[]> {
    if (isMasked(graphs, this.asShown)) return inMaskedPlace(() => this.shownWords(graphs, like));
    const isFull = graphs.own.exposure.detail === 'full';
    const room = { nodes: isFull ? NEIGHBOURS.nodes : NEIGHBOURS.nodesBelowFull, bytes: NEIGHBOURS.bytes };
    const words = new Set<string>();
    const sources = [
      ...(searchesOwn(graphs)
        ? [{ rowsOf: (most: number) => [ownWords(graphs, most)], order: sql`n.id` }]
        : []),
      ...receivedParts(graphs).map((shares) => ({
        rowsOf: (most: number) => receivedWords(graphs, shares, most),
        order: sql`n.owner_id, n.id`,
      })),
    ];
    for (const { rowsOf, order } of sources) {
      const rows = { rows: rowsOf(room.nodes), order };
      const found = await this.distinct(graphs, this.first(graphs, rows, room), like);
      for (const word of found.words) words.add(word);
      room.nodes -= found.nodes;
      room.bytes -= found.bytes;
      if (room.nodes <= 0 || room.bytes <= 0) break;
    }
    return firstOf(words);
  }

  /** The first of these nodes, as rows of `owner_id`, `tag_ids`, `words` and `bytes`. */
  private first(
    { own }: SearchedGraphs,
    { rows, order }: { rows: readonly Sql[]; order: Sql },
    room: { nodes: number; bytes: number },
  ): Sql {
    const bytes = own.exposure.detail === 'full' ? sql`pg_column_size(n.words)` : sql`0`;
    return sql`SELECT n.owner_id, n.tag_ids, ${searchedWords(own.exposure, sql`n.words`, sql`n.owner_id`)} AS words, n.bytes FROM (
        SELECT n.*, sum(n.bytes) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
        FROM (SELECT n.*, ${bytes} AS bytes FROM (${sql.unionAll(rows)}) AS n ORDER BY ${order} LIMIT ${room.nodes}) AS n
      ) AS n WHERE coalesce(n.bytes_before, 0) < ${room.bytes}`;
  }

  /** @param texts rows of `owner_id`, `tag_ids`, `words` and `bytes` */
  private async distinct(
    graphs: SearchedGraphs,
    texts: Sql,
    { beginnings, lengths }: WordsLike,
  ): Promise<{ words: string[]; nodes: number; bytes: number }> {
    const [least, most] = lengths;
    const ofTags = showsTags(graphs)
      ? sql`UNION ALL (${wordsOfTags(graphs, sql`SELECT owner_id, tag_ids FROM text`)})`
      : sql.empty;
    const rows = await this.database.read<CountedWord>(
      sql`WITH text AS MATERIALIZED (${texts})
        SELECT counted.nodes, counted.bytes, found.lexeme
        FROM (SELECT count(*) AS nodes, coalesce(sum(bytes), 0)::bigint AS bytes FROM text) AS counted
        LEFT JOIN (
          SELECT DISTINCT lexeme COLLATE "C" AS lexeme
          FROM (SELECT ${WITHOUT_TYPES} AS words FROM text ${ofTags}) AS one CROSS JOIN LATERAL unnest(tsvector_to_array(one.words)) AS word (lexeme)
          WHERE lexeme ^@ ANY(${beginnings}::text[]) AND char_length(lexeme) BETWEEN ${least} AND ${most}
          ORDER BY 1 LIMIT ${NEIGHBOURS.words}
        ) AS found ON TRUE`,
      'search-neighbours',
    );
    const [{ nodes, bytes }] = rows as [CountedWord];
    return { words: rows.flatMap(({ lexeme }) => lexeme ?? []), nodes, bytes };
  }

  private async shownWords(graphs: SearchedGraphs, like: WordsLike): Promise<string[]> {
    const words = new Set<string>();
    let [nodes, characters] = [0, 0];
    for await (const texts of shownTexts(this.asShown, graphs)) {
      const shown = sql`SELECT shown.*, 0 AS bytes FROM (${wordsOfShown(graphs, texts)}) AS shown`;
      for (const word of (await this.distinct(graphs, shown, like)).words) words.add(word);
      nodes += texts.length;
      characters += sizeOf(texts);
      if (nodes >= NEIGHBOURS.nodesBelowFull || characters >= NEIGHBOURS.bytes) break;
    }
    return firstOf(words);
  }
}

const firstOf = (words: ReadonlySet<string>): string[] => [...words].sort().slice(0, NEIGHBOURS.words);
