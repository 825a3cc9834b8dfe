import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/database/database.js';
import { sql } from '../../../kernel/database/sql.js';
import { SIGN, type SoughtTerm } from '../domain/sought-term.js';
import { SoughtWords } from './sought-words.js';

export interface WordsQuestion {
  text: string;
  /** `any`: one word is enough, and small words count only where there are no others. `all`: every word. */
  match: 'any' | 'all';
  /** True if the last word may be the beginning of a longer one. */
  prefix: boolean;
}

interface Term {
  word: string;
  stems: string[];
  is_small: boolean;
}

/** The most words by which hits are ranked. */
export const RANKED = 64;

/** Takes questions apart into words (rule 4.18). */
@Injectable()
export class SearchTerms {
  constructor(private readonly database: Database) {}

  /** @returns null if the text has no word */
  async of({ text, match, prefix }: WordsQuestion): Promise<SoughtWords | null> {
    const found = await this.read(text);
    const terms = found.filter((term) => !isEndOfRun(term, found));
    const last = terms.at(-1);
    if (last === undefined) return null;
    const isBeginning = (term: Term): boolean => (prefix && term === last) || SIGN.test(term.word);
    const large = terms.filter((term) => !term.is_small || isBeginning(term));
    const counted = match === 'all' || large.length === 0 ? terms : large;
    return new SoughtWords(
      counted
        .slice(0, match === 'all' ? undefined : RANKED)
        .map((term) => soughtTerm(term, isBeginning(term))),
      match,
    );
  }

  /** The stems of each word of a text in all languages, by the word. */
  async stems(text: string): Promise<ReadonlyMap<string, readonly string[]>> {
    return new Map((await this.read(text)).map(({ word, stems }) => [word, stems]));
  }

  private read(text: string): Promise<Term[]> {
    return this.database.read<Term>(
      sql`SELECT word, stems, is_small FROM search_terms(${text})`,
      'search-terms',
    );
  }
}

/** The last sign of a run stands alone besides its pairs; in a question it means nothing more than the last pair. */
const isEndOfRun = ({ word }: Term, terms: readonly Term[]): boolean =>
  SIGN.test(word) && terms.some((other) => other.word !== word && other.word.endsWith(word));

function soughtTerm({ word, stems }: Term, isBeginning: boolean): SoughtTerm {
  const forms = new Set(stems);
  if (!isBeginning) return { word, forms: [...forms], isBeginning };
  // A longer word is indexed by its stem, which may be shorter than its beginning.
  for (let length = word.length - 1; length >= Math.max(4, word.length - 4); length--)
    forms.add(word.slice(0, length));
  return { word, forms: [...forms], isBeginning };
}
