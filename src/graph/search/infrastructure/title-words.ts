import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type SoughtTerm } from '../domain/sought-term.js';
import { NO_WORD, queryOf } from './sought-words.js';

/**
 * The words of a title, as conditions over the words of other titles: those with weight A of a `tsvector`. A title is near
 * that has all of these words but at most one, and at least one.
 */
export class TitleWords {
  constructor(private readonly terms: readonly SoughtTerm[]) {}

  /**
   * A condition that each near title meets, as a `tsquery`: with one word missing, all those of one half are there. Few
   * other titles meet it, so few rows are read for a title of several words.
   */
  get matched(): Sql {
    const half = Math.floor(this.terms.length / 2);
    const halves = [this.terms.slice(0, half), this.terms.slice(half)].filter(({ length }) => length > 0);
    return sql`${halves.map((terms) => `(${terms.map(inTitle).join('&')})`).join('|')}::tsquery`;
  }

  /** The number of these words in a `tsvector`. */
  sharedIn(words: Sql): Sql {
    const spare = 2 ** Math.ceil(Math.log2(this.terms.length)) - this.terms.length;
    const queries = [...this.terms.map(inTitle), ...Array.from({ length: spare }, () => NO_WORD)];
    return sql.join(
      queries.map((query) => sql`(${words} @@ ${query}::tsquery)::integer`),
      ' + ',
    );
  }

  /** The least number of shared words. */
  get least(): number {
    return Math.max(1, this.terms.length - 1);
  }
}

const inTitle = (term: SoughtTerm): string => `(${queryOf(term, 'A')})`;
