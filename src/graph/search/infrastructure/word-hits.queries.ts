import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access } from '../../../privacy/index.js';
import { compareText, FirstEntries, inMaskedPlace, passesProperties } from '../../lists/index.js';
import { MaskedNodeSearch } from '../../nodes/index.js';
import { judgedAsStored, nodeOf, type SearchFilter, searchedNodes } from './search-filter.js';
import { type SoughtWords } from './sought-words.js';

/** The nodes whose words match, as rows of `id`, `bits`, `score` and `made`. */
export interface WordHits {
  rows: Sql;
  /** The number of all hits, and the words that any of them has, if the rows are the first ones only. */
  all: { total: number; bits: bigint } | null;
}

interface ScoredText {
  id: string;
  score: number;
  /** The words of the question that it has, as a number. */
  bits: string;
  /** The time of its creation, in UTC; null for callers who are shown another one. */
  made: string | null;
}

/** The texts of a node as the caller is shown them. */
interface ShownText {
  id: string;
  title: string;
  value: string;
  made: string | null;
}

/** The most nodes whose shown texts one statement judges. */
const BATCH = 200;
/**
 * The most characters of such a statement, or one node: it ends within the slice of a read on the embedded
 * database (ADR 42).
 */
const BATCH_CHARACTERS = 100_000;
/**
 * The bounds of the look for words that a misspelt one may mean: nodes, the first ones by their ids, which no profile hides;
 * bytes of their words; and words. Below detail `full` hidden values have no part in it, not even by their size.
 */
const NEIGHBOURS = { nodes: 2_000, nodesBelowFull: 500, bytes: 1024 * 1024, words: 5_000 };

/** The words that are looked for: those of some lengths with one of these beginnings. */
export interface WordsLike {
  beginnings: readonly string[];
  lengths: readonly [least: number, most: number];
}

/** Finds nodes by their words, in the texts as the caller is shown them (rules 3.16, 4.18). */
@Injectable()
export class WordHitsQueries {
  constructor(
    private readonly database: Database,
    private readonly asShown: MaskedNodeSearch,
  ) {}

  /** @param most the number of the first hits that are needed; there may be more */
  async find(
    access: Access,
    { sought, filter }: { sought: SoughtWords; filter: SearchFilter },
    most: number,
  ): Promise<WordHits> {
    if (this.isMasked(access, filter))
      return inMaskedPlace(() => this.shownHits(access, { sought, filter, most }));
    // The index covers titles together with values. It includes every match in a title, so at `summary` it
    // only preselects.
    const rows = sql`SELECT n.id, judged.bits, ${sought.scoreOf(sql`searched.words`, sql`judged.bits`)} AS score, ${madeOf(access)} AS made
      FROM ${matchingNodes(access, sought.matched, filter)}
        CROSS JOIN LATERAL (SELECT ${sought.bitsOf(sql`searched.words`)} AS bits OFFSET 0) AS judged
      ${access.exposure.detail === 'full' ? sql.empty : sql`WHERE searched.words @@ ${sought.matched}`}`;
    return { rows, all: null };
  }

  /** The different words like these in the texts of readable nodes, as the caller is shown them; of large graphs a part. */
  async wordsLike(access: Access, like: WordsLike, filter: SearchFilter): Promise<string[]> {
    if (this.isMasked(access, filter)) return inMaskedPlace(() => this.shownWords(access, like, filter));
    const isFull = access.exposure.detail === 'full';
    const before = sql`sum(pg_column_size(n.words)) OVER (ORDER BY n.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
    return this.distinctWords(
      sql`SELECT ${searchedWords(access, sql`n.words`)} AS words FROM (
          SELECT n.words, ${isFull ? before : sql`0`} AS bytes_before FROM (
            SELECT n.id, n.words FROM (SELECT w.*, w.node_id AS id FROM node_words AS w) AS n
            WHERE ${searchedNodes(access, filter)} ORDER BY n.id
            LIMIT ${isFull ? NEIGHBOURS.nodes : NEIGHBOURS.nodesBelowFull}
          ) AS n
        ) AS n WHERE coalesce(n.bytes_before, 0) < ${NEIGHBOURS.bytes}`,
      like,
    );
  }

  private async distinctWords(texts: Sql, { beginnings, lengths }: WordsLike): Promise<string[]> {
    const [least, most] = lengths;
    const rows = await this.database.read<{ lexeme: string }>(
      sql`SELECT DISTINCT lexeme COLLATE "C" AS lexeme FROM (${texts}) AS text CROSS JOIN LATERAL unnest(text.words)
        WHERE lexeme ^@ ANY(${beginnings}::text[]) AND char_length(lexeme) BETWEEN ${least} AND ${most}
        ORDER BY 1 LIMIT ${NEIGHBOURS.words}`,
      'search-neighbours',
    );
    return rows.map(({ lexeme }) => lexeme);
  }

  private isMasked(access: Access, { properties }: SearchFilter): boolean {
    return this.asShown.needsMaskedEvaluation(access, { filter: { search: '', properties } });
  }

  /** Hits in shown texts, which the database does not know: each readable node is shown and judged here. */
  private async shownHits(
    access: Access,
    { sought, filter, most }: { sought: SoughtWords; filter: SearchFilter; most: number },
  ): Promise<WordHits> {
    const first = new FirstEntries<ScoredText>({ compare: byScore, most, bytesOf: () => 0 });
    let [total, bits] = [0, 0n];
    for await (const texts of this.shownTexts(access, filter)) {
      const found = await this.matching(access, sought, texts);
      for (const one of found) {
        await first.add(one);
        bits |= BigInt(one.bits);
      }
      total += found.length;
    }
    const found = await first.sorted();
    const rows = sql`SELECT n.id, given.bits, given.score, given.made
      FROM jsonb_to_recordset(${JSON.stringify(found)}::jsonb) AS given (id uuid, bits bigint, score double precision, made timestamptz)
      CROSS JOIN LATERAL (${nodeOf(sql`given.id`, searchedNodes(access, judgedAsStored(access, filter)))}) AS n`;
    return { rows, all: { total, bits: BigInt.asUintN(64, bits) } };
  }

  private async shownWords(access: Access, like: WordsLike, filter: SearchFilter): Promise<string[]> {
    const words = new Set<string>();
    let [nodes, characters] = [0, 0];
    for await (const texts of this.shownTexts(access, filter)) {
      const found = sql`SELECT ${searchedWords(access, sql`text_words(title, value)`)} AS words FROM ${recordsOf(texts)}`;
      for (const word of await this.distinctWords(found, like)) words.add(word);
      nodes += texts.length;
      characters += texts.reduce((sum, { title, value }) => sum + title.length + value.length, 0);
      if (nodes >= NEIGHBOURS.nodesBelowFull || characters >= NEIGHBOURS.bytes) break;
    }
    return [...words].sort().slice(0, NEIGHBOURS.words);
  }

  private async *shownTexts(access: Access, filter: SearchFilter): AsyncGenerator<ShownText[]> {
    const showsTime = !access.exposure.touches('created_at');
    let batch: ShownText[] = [];
    let room = BATCH_CHARACTERS;
    const stored = searchedNodes(access, judgedAsStored(access, filter));
    for await (const { record, shown } of this.asShown.readable(access, stored)) {
      if (filter.properties !== undefined && !passesProperties(shown['metadata'], filter.properties))
        continue;
      const [title, value] = [textOf(shown['title']), textOf(shown['value'])];
      const size = title.length + value.length;
      if (batch.length > 0 && (size > room || batch.length === BATCH)) {
        yield batch;
        [batch, room] = [[], BATCH_CHARACTERS];
      }
      batch.push({ id: record.id, title, value, made: showsTime ? record.created_at.toISOString() : null });
      room -= size;
    }
    if (batch.length > 0) yield batch;
  }

  private matching(access: Access, sought: SoughtWords, shown: readonly ShownText[]): Promise<ScoredText[]> {
    return this.database.read(
      sql`SELECT id, bits::text AS bits, ${sought.scoreOf(sql`words`, sql`bits`)} AS score, made
        FROM (
          SELECT id, words, ${sought.bitsOf(sql`words`)} AS bits, made
          FROM (
            SELECT id, ${searchedWords(access, sql`text_words(title, value)`)} AS words, made FROM ${recordsOf(shown)} OFFSET 0
          ) AS searched
          WHERE words @@ ${sought.matched} OFFSET 0
        ) AS judged`,
      'search-as-shown',
    );
  }
}

const recordsOf = (texts: readonly ShownText[]): Sql =>
  sql`jsonb_to_recordset(${JSON.stringify(texts)}::jsonb) AS given (id uuid, title text, value text, made text)`;

/**
 * Readable nodes with these words in the index, as `n`, and the words that the caller may search in, as `searched`. The
 * facts beside the words have the names of the nodes' columns. OFFSET 0 is a fence: the owner's term finds the rows of
 * the owner, without a look at the rows of all their nodes.
 */
const matchingNodes = (access: Access, matched: Sql, filter: SearchFilter): Sql => sql`(
    SELECT n.id, n.created_at, n.words FROM (
      SELECT w.*, w.node_id AS id FROM node_words AS w WHERE w.words @@ (${matched} && ${ownersWord(access)}::tsquery) OFFSET 0
    ) AS n
    WHERE ${searchedNodes(access, filter)} OFFSET 0
  ) AS n
  CROSS JOIN LATERAL (SELECT ${access.exposure.detail === 'full' ? sql`n.words` : searchedWords(access, sql`n.words`)} AS words OFFSET 0) AS searched`;

/**
 * The words of the texts that the caller is shown: below detail `full` those of titles. The owner's term is always one of
 * them, so that a text is as long for every caller.
 */
const searchedWords = (access: Access, words: Sql): Sql => {
  const shown = access.exposure.detail === 'full' ? words : sql`ts_filter(${words}, '{a}')`;
  return sql`(${shown} || array_to_tsvector(ARRAY[${`OWNER ${access.ownerId}`}]))`;
};

/** The order of the statement. */
const byScore = (a: ScoredText, b: ScoredText): number =>
  b.score - a.score || compareText(b.made ?? '', a.made ?? '') || compareText(a.id, b.id);

/** The newest of nodes with equal scores come first, unless the caller is shown other times. */
const madeOf = ({ exposure }: Access): Sql =>
  exposure.touches('created_at') ? sql`NULL::timestamptz` : sql`n.created_at`;

/** The owner's term in the index, quoted because it contains a space. */
export const ownersWord = ({ ownerId }: Access): string => `'OWNER ${ownerId}'`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
