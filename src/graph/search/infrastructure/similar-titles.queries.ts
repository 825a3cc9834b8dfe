import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import { type Access } from '../../../privacy/index.js';
import { type GraphView } from '../../common/index.js';
import { compareText, FirstEntries, inMaskedPlace } from '../../lists/index.js';
import { MaskedNodeSearch } from '../../nodes/index.js';
import { nodeOf, searchedNodes } from './search-filter.js';
import { ownersWord } from './tags-of-sharers.js';
import { type TitleWords } from './title-words.js';

/** The title to which others are near. */
export interface TitleQuestion {
  words: TitleWords;
  view: GraphView;
  /** The node that is left out; null: no node is. */
  exceptId: string | null;
}

/** A near title as the caller is shown it. */
export interface NearTitle {
  id: string;
  title: string;
}

interface JudgedTitle extends NearTitle {
  /** The number of shared words, and of all words of the title. */
  shared: number;
  size: number;
}

/** The most near titles of one question: those with most of its words, then with fewest others, then by their ids. */
export const MOST_NEAR = 200;

/** The most shown titles that one statement judges, and about the most of their characters. */
const BATCH = 200;
const BATCH_CHARACTERS = 50_000;

/** Finds readable nodes by the words of their titles, as the caller is shown them (rules 3.16, 4.20). */
@Injectable()
export class SimilarTitlesQueries {
  constructor(
    private readonly database: Database,
    private readonly asShown: MaskedNodeSearch,
  ) {}

  /** The nearest titles; the order is not that of their likeness. */
  async near(access: Access, question: TitleQuestion): Promise<NearTitle[]> {
    if (access.exposure.transforms('title')) return inMaskedPlace(() => this.nearAsShown(access, question));
    const { words, view, exceptId } = question;
    const condition = searchedNodes(access, { view });
    return this.database.read<NearTitle>(
      sql`SELECT near.id, n.title FROM (
          SELECT found.id, judged.shared, length(found.title) AS size
          FROM (
            SELECT n.id, ts_filter(n.words, '{a}') AS title FROM (
              SELECT w.*, w.node_id AS id FROM node_words AS w WHERE w.words @@ (${words.matched} && ${ownersWord(sql`${access.ownerId}`)}) OFFSET 0
            ) AS n
            WHERE ${condition} AND n.id IS DISTINCT FROM ${exceptId}::uuid OFFSET 0
          ) AS found
          CROSS JOIN LATERAL (SELECT ${words.sharedIn(sql`found.title`)} AS shared OFFSET 0) AS judged
          WHERE judged.shared >= ${words.least}
          ORDER BY judged.shared DESC, size, found.id LIMIT ${MOST_NEAR}
        ) AS near
        CROSS JOIN LATERAL (${nodeOf(sql`near.id`, condition)}) AS n
        ORDER BY near.shared DESC, near.size, near.id`,
      'similar-titles',
    );
  }

  /** The same over shown titles, which the database does not know: each readable node is shown and judged here. */
  private async nearAsShown(access: Access, { words, view, exceptId }: TitleQuestion): Promise<NearTitle[]> {
    const first = new FirstEntries<JudgedTitle>({ compare: nearest, most: MOST_NEAR, bytesOf: () => 0 });
    let [batch, room]: [NearTitle[], number] = [[], BATCH_CHARACTERS];
    const judge = async (): Promise<void> => {
      for (const judged of await this.judged(words, batch)) await first.add(judged);
      [batch, room] = [[], BATCH_CHARACTERS];
    };
    const readable = { condition: searchedNodes(access, { view }), accessTo: () => access };
    for await (const { record, shown } of this.asShown.readable(readable)) {
      const { title } = shown;
      if (record.id === exceptId || typeof title !== 'string') continue;
      batch.push({ id: record.id, title });
      room -= title.length;
      if (room <= 0 || batch.length === BATCH) await judge();
    }
    if (batch.length > 0) await judge();
    return (await first.sorted()).map(({ id, title }) => ({ id, title }));
  }

  private judged(words: TitleWords, shown: readonly NearTitle[]): Promise<JudgedTitle[]> {
    return this.database.read(
      sql`SELECT id, title, shared, length(words) AS size
        FROM (
          SELECT id, title, words, ${words.sharedIn(sql`words`)} AS shared
          FROM (
            SELECT id, title, setweight(search_words(title), 'A') AS words
            FROM jsonb_to_recordset(${JSON.stringify(shown)}::jsonb) AS given (id uuid, title text) OFFSET 0
          ) AS found
          WHERE words @@ ${words.matched} OFFSET 0
        ) AS judged
        WHERE shared >= ${words.least}`,
      'similar-titles-as-shown',
    );
  }
}

/** The order of the statement. */
const nearest = (a: JudgedTitle, b: JudgedTitle): number =>
  b.shared - a.shared || a.size - b.size || compareText(a.id, b.id);
