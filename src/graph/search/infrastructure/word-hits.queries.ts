import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/errors/domain-error.js';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import {
  compareText,
  FirstEntries,
  inMaskedPlace,
  sharesOfOwners,
  type SharesOfOwners,
} from '../../lists/index.js';
import { MaskedNodeSearch } from '../../nodes/index.js';
import { type Collected, HIT_BYTES, jsonOf } from './collected-hits.js';
import { nodeAt } from './search-filter.js';
import {
  foundNodes,
  judgedAsStored,
  receivedParts,
  type SearchedGraphs,
  searchesOwn,
} from './searched-graphs.js';
import { shownTexts, type ShownText, wordsOfShown } from './shown-texts.js';
import { type SoughtWords } from './sought-words.js';
import { TagWordsQueries } from './tag-words.queries.js';
import { isMasked, ownHits, receivedHits, type Sought } from './word-rows.js';

/** The nodes whose words match, as rows of `owner_id`, `id`, `bits`, `score` and `made`. */
export interface WordHits {
  rows: Sql;
  /** The hits behind the rows: their number, and the words that any of them has. */
  beyond: { total: number; bits: bigint };
  /** Hits that are not of one statement with the others; `of` finds all of those of some sharers. */
  collected: (Collected & { of: (shares: SharesOfOwners) => Sql | Promise<Sql> }) | null;
  /** The shares of the rows' received nodes. */
  shares: SharesOfOwners;
}

interface ScoredText {
  owner_id: string;
  id: string;
  score: number;
  /** The words of the question that it has, as a number. */
  bits: string;
  /** The time of its creation, in UTC; null for callers who are shown another one. */
  made: string | null;
}

/** A row without a text stands for none at all. */
type CountedText = Omit<ScoredText, 'id'> & { id: string | null; total: number; all_bits: string | null };

const NO_WORD_HITS = sql`SELECT NULL::uuid AS owner_id, NULL::uuid AS id, NULL::bigint AS bits, NULL::double precision AS score,
  NULL::timestamptz AS made WHERE FALSE`;

/** Finds nodes by their words, in the texts as the caller is shown them (rules 3.16, 4.18). */
@Injectable()
export class WordHitsQueries {
  constructor(
    private readonly database: Database,
    private readonly asShown: MaskedNodeSearch,
    private readonly tags: TagWordsQueries,
  ) {}

  /**
   * @param most the number of the first hits that are needed; there may be more
   * @param isAlone false beside vectors, where those in shown texts are all needed, to be counted
   * @throws SERVICE_UNAVAILABLE when these do not fit into the memory of a question
   */
  async find(
    graphs: SearchedGraphs,
    words: SoughtWords,
    { most, isAlone }: { most: number; isAlone: boolean },
  ): Promise<WordHits> {
    const sought = { words, tags: await this.tags.of(graphs, words) };
    if (isMasked(graphs, this.asShown))
      return inMaskedPlace(() => this.shownHits(graphs, sought, isAlone ? most : Infinity));
    const own = searchesOwn(graphs) ? [ownHits(graphs, sought)] : [];
    const parts = receivedParts(graphs);
    if (parts.length > 1) return this.collected(graphs, { sought, own, parts }, most);
    const [shares = sharesOfOwners(graphs.received, [])] = parts;
    const rows = joined([...own, ...receivedHits(graphs, sought, shares)]);
    return { rows, beyond: { total: 0, bits: 0n }, collected: null, shares };
  }

  /** The first hits of more sharers than one statement looks through. */
  private async collected(
    graphs: SearchedGraphs,
    { sought, own, parts }: { sought: Sought; own: Sql[]; parts: readonly SharesOfOwners[] },
    most: number,
  ): Promise<WordHits> {
    const first = new FirstEntries<ScoredText>({ compare: byScore, most, bytesOf: () => HIT_BYTES });
    const of = (shares: SharesOfOwners): Sql => joined(receivedHits(graphs, sought, shares));
    let [total, bits] = [0, 0n];
    for (const shares of parts) {
      const [counted, ...rest] = await this.firstHits(of(shares), most);
      for (const { id, ...text } of [counted as CountedText, ...rest])
        if (id !== null) await first.add({ ...text, id });
      total += (counted as CountedText).total;
      bits |= BigInt((counted as CountedText).all_bits ?? 0);
    }
    const found = await first.sorted();
    const { rows, shares } = await this.given(graphs, found);
    return {
      rows: joined([...own, rows]),
      beyond: { total: total - found.length, bits },
      collected: { hits: found, total, of },
      shares,
    };
  }

  private firstHits(rows: Sql, most: number): Promise<CountedText[]> {
    return this.database.read(
      sql`WITH found AS MATERIALIZED (${rows})
        SELECT hit.owner_id, hit.id, hit.bits::text AS bits, hit.score,
          to_char(hit.made AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS made, counted.total, counted.bits AS all_bits
        FROM (SELECT count(*) AS total, bit_or(bits)::text AS bits FROM found) AS counted
        LEFT JOIN (SELECT * FROM found ORDER BY score DESC, made DESC NULLS LAST, id LIMIT ${most}) AS hit ON TRUE`,
      'search-received',
    );
  }

  /** Hits in shown texts, which the database does not know: each readable node is shown and judged here. */
  private async shownHits(graphs: SearchedGraphs, sought: Sought, most: number): Promise<WordHits> {
    const first = new FirstEntries<ScoredText>({ compare: byScore, most, bytesOf: () => HIT_BYTES });
    let [total, bits] = [0, 0n];
    for await (const texts of shownTexts(this.asShown, graphs)) {
      const found = await this.matching(graphs, sought, texts);
      for (const one of found) {
        await first.add(one);
        bits |= BigInt(one.bits);
      }
      total += found.length;
    }
    const found = await first.sorted();
    if (first.isShort) throw tooManyShown();
    const { rows, shares } = await this.given(graphs, found);
    const received = found.filter(({ owner_id }) => owner_id !== graphs.own.ownerId);
    const of = async ({ accesses }: SharesOfOwners): Promise<Sql> => {
      const owners = new Set(accesses.map(({ ownerId }) => ownerId));
      return (
        await this.given(
          graphs,
          received.filter(({ owner_id }) => owners.has(owner_id)),
        )
      ).rows;
    };
    return {
      rows,
      beyond: { total: total - found.length, bits },
      collected: { hits: received, total: received.length, of },
      shares,
    };
  }

  /** Hits as rows, without those that are not found any longer. */
  private async given(
    graphs: SearchedGraphs,
    found: readonly ScoredText[],
  ): Promise<Pick<WordHits, 'rows' | 'shares'>> {
    const owners = new Set(found.map(({ owner_id }) => owner_id));
    const shares = sharesOfOwners(graphs.received, owners);
    const rows = sql`SELECT given.owner_id, given.id, given.bits, given.score, given.made
      FROM jsonb_to_recordset(${await jsonOf(found)}::jsonb)
        AS given (owner_id uuid, id uuid, bits bigint, score double precision, made timestamptz)
      CROSS JOIN LATERAL (${nodeAt(sql`given.owner_id`, sql`given.id`, foundNodes(judgedAsStored(graphs), shares))}) AS n`;
    return { rows, shares };
  }

  private matching(
    graphs: SearchedGraphs,
    { words, tags }: Sought,
    shown: readonly ShownText[],
  ): Promise<ScoredText[]> {
    return this.database.read(
      sql`SELECT owner_id, id, bits::text AS bits, ${words.scoreOf(sql`words`, sql`bits`)} AS score, made
        FROM (
          SELECT owner_id, id, words, ${words.bitsOf(sql`words`)} AS bits, made
          FROM (${wordsOfShown(graphs, shown, tags)} OFFSET 0) AS searched
          WHERE words @@ ${words.matched} OFFSET 0
        ) AS judged`,
      'search-as-shown',
    );
  }
}

const tooManyShown = (): DomainError =>
  new DomainError(
    'SERVICE_UNAVAILABLE',
    'The question finds more texts than can be ranked beside vectors; use rarer words',
  );

const joined = (rows: readonly Sql[]): Sql => (rows.length === 0 ? NO_WORD_HITS : sql.unionAll(rows));

/** The order of the statement. */
const byScore = (a: ScoredText, b: ScoredText): number =>
  b.score - a.score || compareText(b.made ?? '', a.made ?? '') || compareText(a.id, b.id);
