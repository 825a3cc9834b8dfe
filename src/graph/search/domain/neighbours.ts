import { type SoughtTerm } from './sought-term.js';

/** The fewest letters of a form that may have one, and two, wrong letters. */
const ONE_WRONG = 4;
const TWO_WRONG = 8;
const LETTERS = /^\p{L}+$/u;
/** The most words that are sought in place of one. */
const MOST = 8;

/** True if the word may be a misspelt one: not a beginning, not a number, not too short. */
export const canBeMisspelt = ({ word, isBeginning }: SoughtTerm): boolean =>
  !isBeginning && LETTERS.test(word) && [...word].length >= ONE_WRONG;

/** The letters that a misspelt word and the word that it means begin with. */
export const beginningOf = ({ word }: SoughtTerm): string => [...word].slice(0, 2).join('');

/**
 * The words that a misspelt one may mean (rule 4.18e): those that begin with the same two letters and differ in the fewest
 * letters, at most one, or two in forms of eight letters and more. A letter may be missing, too many, another one, or
 * exchanged with the next.
 */
export function neighboursOf(term: SoughtTerm, words: readonly string[]): string[] {
  const beginning = beginningOf(term);
  const forms = [...new Set([term.word, ...term.forms])]
    .map((form) => [...form])
    .filter((form) => form.length >= ONE_WRONG);
  let [fewest, nearest] = [3, [] as string[]];
  for (const word of words) {
    if (!word.startsWith(beginning)) continue;
    const letters = [...word];
    const differences = Math.min(...forms.map((form) => differencesIn(form, letters)));
    if (differences < fewest) [fewest, nearest] = [differences, []];
    if (differences === fewest) nearest.push(word);
  }
  return fewest === 3 ? [] : nearest.sort().slice(0, MOST);
}

const differencesIn = (form: readonly string[], word: readonly string[]): number => {
  const most = form.length < TWO_WRONG ? 1 : 2;
  if (word.length < ONE_WRONG || Math.abs(form.length - word.length) > most) return 3;
  const differences = distance(form, word);
  return differences > most ? 3 : differences;
};

/** The optimal string alignment distance: Levenshtein's with exchanges of neighbouring letters. */
function distance(one: readonly string[], other: readonly string[]): number {
  let [last, row] = [[] as number[], other.map((_, index) => index).concat(other.length)];
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] as number) + 1,
        (next[j - 1] as number) + 1,
        (row[j - 1] as number) + (isSame ? 0 : 1),
        isExchanged ? (last[j - 2] as number) + 1 : Infinity,
      );
    }
    [last, row] = [row, next];
  }
  return row[other.length] as number;
}
