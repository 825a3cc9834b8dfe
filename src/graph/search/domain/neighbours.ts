import { editDistance } from '../../../kernel/text/edit-distance.js';
import { type SoughtTerm } from './sought-term.js';

/** The fewest letters of a form that may have one, and two, wrong letters; longer words are none. */
const ONE_WRONG = 4;
const TWO_WRONG = 8;
const LONGEST = 32;
const LETTERS = /^\p{L}+$/u;
/** The most words that are sought in place of one. */
const MOST = 8;
/** More differences than any neighbour has. */
const NONE = 3;

/** True if the word may be a misspelt one: not a beginning, not a number, neither too short nor too long. */
export function canBeMisspelt({ word, isBeginning }: SoughtTerm): boolean {
  const { length } = [...word];
  return !isBeginning && length >= ONE_WRONG && length <= LONGEST && LETTERS.test(word);
}

/** The letters that a misspelt word and the word that it means begin with. */
export const beginningOf = ({ word }: SoughtTerm): string => [...word].slice(0, 2).join('');

/** The numbers of letters that neighbours of these words have. */
export function lengthsOf(terms: readonly SoughtTerm[]): [least: number, most: number] {
  const lengths = terms.flatMap((term) => formsOf(term).map(({ length }) => length));
  return [Math.max(ONE_WRONG, Math.min(...lengths) - 2), Math.max(...lengths) + 2];
}

/**
 * The words that a misspelt one may mean (rule 4.18e): those that begin with the same two letters and differ in the fewest
 * letters, at most one, or two in forms of eight letters and more. A letter may be missing, too many, another one, or
 * exchanged with the next.
 */
export function neighboursOf(term: SoughtTerm, words: readonly string[]): string[] {
  const beginning = beginningOf(term);
  const forms = formsOf(term);
  let [fewest, nearest]: [number, string[]] = [NONE, []];
  for (const word of words) {
    if (!word.startsWith(beginning)) continue;
    const letters = [...word];
    const differences = Math.min(...forms.map((form) => differencesIn(form, letters)));
    if (differences === 0 || differences > fewest || differences === NONE) continue;
    if (differences < fewest) [fewest, nearest] = [differences, []];
    nearest.push(word);
  }
  return nearest.sort().slice(0, MOST);
}

const formsOf = ({ word, forms }: SoughtTerm): string[][] =>
  [...new Set([word, ...forms])]
    .map((form) => [...form])
    .filter(({ length }) => length >= ONE_WRONG && length <= LONGEST);

function differencesIn(form: readonly string[], word: readonly string[]): number {
  if (word.length < ONE_WRONG) return NONE;
  return Math.min(editDistance(form, word, form.length < TWO_WRONG ? 1 : 2), NONE);
}
