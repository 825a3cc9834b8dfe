import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type SoughtTerm } from '../domain/sought-term.js';

/** The words of a question, as conditions and scores over a `tsvector`. */
export class SoughtWords {
  constructor(
    readonly terms: readonly SoughtTerm[],
    readonly match: 'any' | 'all',
  ) {}

  /** The condition of being found, as a `tsquery`. */
  get matched(): Sql {
    if (this.match === 'any') return this.any;
    return sql`${this.terms.map((term) => `(${queryOf(term)})`).join('&')}::tsquery`;
  }

  /** The words that match, as bits: the first word is the lowest one. */
  bitsOf(words: Sql): Sql {
    if (this.match === 'all' || this.terms.length === 1) return sql`${bitsOfAll(this.terms.length)}::bigint`;
    return sql.join(
      padded(this.terms.map((term) => queryOf(term))).map(
        (term, place) => sql`((${words} @@ ${term}::tsquery)::integer::bigint << ${sql.raw(String(place))})`,
      ),
      ' | ',
    );
  }

  /**
   * The number of different words of the question that match, and in addition, below 1, how prominent they are: in a title
   * or a value, how often, and in how long a text. It depends on these words and the question alone.
   */
  scoreOf(words: Sql, bits: Sql): Sql {
    // The words as alternatives: `ts_rank` compares the places of every two joined ones (ADR 44). With 1 longer texts weigh less.
    return sql`bit_count(${bits}::bit(64)) + least(ts_rank(${words}, ${this.any}, 1), 0.999)::double precision`;
  }

  /** The same question with further forms of some words. */
  with(forms: ReadonlyMap<string, readonly string[]>): SoughtWords {
    const terms = this.terms.map((term) => ({
      ...term,
      forms: [...term.forms, ...(forms.get(term.word) ?? [])],
    }));
    return new SoughtWords(terms, this.match);
  }

  /** The condition of having any of the words, as a `tsquery`. */
  get any(): Sql {
    return sql`${this.terms.map((term) => queryOf(term)).join('|')}::tsquery`;
  }
}

/**
 * The forms of a word as a `tsquery`. A word has no ASCII sign, so nothing needs escaping.
 * @param weight the weight of the words of titles, to find no others
 */
export const queryOf = ({ word, forms, isBeginning }: SoughtTerm, weight: 'A' | '' = ''): string =>
  [
    ...forms.map((form) => (weight === '' ? quoted(form) : `${quoted(form)}:${weight}`)),
    ...(isBeginning ? [`${quoted(word)}:*${weight}`] : []),
  ].join('|');

const quoted = (word: string): string => `'${word}'`;

/** No text has a word with a space. */
export const NO_WORD = quoted('NO WORD');

/** A signed number: the highest of 64 bits is its sign. */
const bitsOfAll = (count: number): string =>
  BigInt.asIntN(64, (1n << BigInt(Math.min(count, 64))) - 1n).toString();

/** A power of two of terms, so that few statements have names. */
const padded = (terms: readonly string[]): string[] => [
  ...terms,
  ...Array.from({ length: 2 ** Math.ceil(Math.log2(terms.length)) - terms.length }, () => NO_WORD),
];
