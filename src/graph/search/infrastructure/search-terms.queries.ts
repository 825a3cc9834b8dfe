import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';

export interface WordsQuestion {
  text: string;
  /** `any`: one word is enough, and small words count only where there are no others. `all`: every word. */
  match: 'any' | 'all';
  /** True if the last word may be the beginning of a longer one. */
  prefix: boolean;
}

/** The words of a question, as conditions and scores over a `tsvector`. */
export interface SoughtWords {
  /** The condition of being found, as a `tsquery`. */
  matched: Sql;
  /**
   * The number of different words of the question that match, and in addition, below 1, how prominent they are: in a title
   * or a value, how often, and in how long a text. It depends on these words and the question alone.
   */
  scoreOf: (words: Sql) => Sql;
}

interface Term {
  word: string;
  stems: string[];
  is_small: boolean;
}

/** The most words by which hits are ranked. */
const RANKED = 64;
/** Signs that are written without spaces, as in the migration of the stems. */
const SIGN =
  /^[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{2ffff}]$/u;

/** Takes questions apart into words (rule 4.18). */
@Injectable()
export class SearchTerms {
  constructor(private readonly database: Database) {}

  /** @returns null if the text has no word */
  async of({ text, match, prefix }: WordsQuestion): Promise<SoughtWords | null> {
    const found = await this.database.read<Term>(
      sql`SELECT word, stems, is_small FROM search_terms(${text})`,
      'search-terms',
    );
    const terms = found.filter((term) => !isEndOfRun(term, found));
    const last = terms.at(-1);
    if (last === undefined) return null;
    const isBeginning = (term: Term): boolean => (prefix && term === last) || SIGN.test(term.word);
    const large = terms.filter((term) => !term.is_small || isBeginning(term));
    const counted = match === 'all' || large.length === 0 ? terms : large;
    return soughtWords(
      counted.slice(0, match === 'all' ? undefined : RANKED).map((term) => formsOf(term, isBeginning(term))),
      match,
    );
  }
}

/** The last sign of a run stands alone besides its pairs; in a question it means nothing more than the last pair. */
const isEndOfRun = ({ word }: Term, terms: readonly Term[]): boolean =>
  SIGN.test(word) && terms.some((other) => other.word !== word && other.word.endsWith(word));

/** The forms in which a text may have the word, as a `tsquery`. A word has no ASCII sign, so nothing needs escaping. */
function formsOf({ word, stems }: Term, isBeginning: boolean): string {
  const forms = new Set(stems);
  if (!isBeginning) return [...forms].map(quoted).join('|');
  // A longer word is indexed by its stem, which may be shorter than its beginning.
  for (let length = word.length - 1; length >= Math.max(4, word.length - 4); length--)
    forms.add(word.slice(0, length));
  return [...[...forms].map(quoted), `${quoted(word)}:*`].join('|');
}

const quoted = (word: string): string => `'${word}'`;

function soughtWords(terms: readonly string[], match: 'any' | 'all'): SoughtWords {
  const any = sql`${terms.join('|')}::tsquery`;
  const all = sql`${terms.map((term) => `(${term})`).join('&')}::tsquery`;
  const countOf = (words: Sql): Sql =>
    match === 'all' || terms.length === 1
      ? sql`${terms.length}::integer`
      : sql.join(
          padded(terms).map((term) => sql`(${words} @@ ${term}::tsquery)::integer`),
          ' + ',
        );
  return {
    matched: match === 'all' ? all : any,
    // The words as alternatives: `ts_rank` compares the places of every two joined ones (ADR 44). With 1 longer texts weigh less.
    scoreOf: (words) =>
      sql`(${countOf(words)}) + least(ts_rank(${words}, ${any}, 1), 0.999)::double precision`,
  };
}

/** A power of two of terms, so that few statements have names; no text has a word with a space. */
const padded = (terms: readonly string[]): string[] => [
  ...terms,
  ...Array.from({ length: 2 ** Math.ceil(Math.log2(terms.length)) - terms.length }, () => quoted('NO WORD')),
];
