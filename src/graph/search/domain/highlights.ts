import { SIGN, type SoughtTerm } from './sought-term.js';

/** A piece of a snippet. */
export interface SnippetPart {
  text: string;
  /** True if it is a word of the question. */
  marked: boolean;
}

/** A run of letters and digits in a text. */
export interface TextWord {
  start: number;
  end: number;
  /** In small letters, without accents, as the words of questions are. */
  plain: string;
}

/** The most UTF-16 units of a text in which words are marked, and of a snippet. */
const MARKED_IN = 20_000;
const SNIPPET = 240;
/** The units that a snippet has before its first marked word. */
const BEFORE = 40;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const OTHER_LETTERS: Readonly<Record<string, string>> = {
  ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ß: 's', æ: 'a', œ: 'o',
}; // prettier-ignore

/** The letters of a word as the index has them: the counterpart of `plain_letters` in the migration of the stems. */
export function plainLetters(word: string): string {
  const small = word.toLowerCase();
  if (/^[a-z0-9]*$/.test(small)) return small;
  return small
    .normalize('NFC')
    .replace(/[øłđðıßæœ]/g, (letter) => OTHER_LETTERS[letter] as string)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');
}

/** The first words of a text. */
export function wordsOf(text: string): TextWord[] {
  const part = text.slice(0, MARKED_IN);
  return [...part.matchAll(WORD)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    plain: plainLetters(word),
  }));
}

/** The beginnings of all words that may match: the stem of a word begins like the word, in nearly all languages. */
export const beginningsOf = (terms: readonly SoughtTerm[]): ReadonlySet<string> =>
  new Set(terms.flatMap(({ word, forms }) => [word, ...forms]).map((form) => [...form].slice(0, 2).join('')));

/**
 * The parts of a word that match: all of it or nothing, except in a run of signs that are written without spaces, where
 * the sought pairs are marked.
 */
export function matchesIn(
  word: TextWord,
  terms: readonly SoughtTerm[],
  stems: readonly string[],
): [start: number, end: number][] {
  const isMatch = ({ word: sought, forms, isBeginning }: SoughtTerm): boolean =>
    forms.includes(word.plain) ||
    stems.some((stem) => forms.includes(stem)) ||
    (isBeginning && word.plain.startsWith(sought));
  if (terms.some(isMatch)) return [[word.start, word.end]];
  // Their letters are as many in both forms, so a place in one is the place in the other.
  if (word.plain.length !== word.end - word.start) return [];
  return terms
    .filter(({ word: sought }) => isOfSigns(sought))
    .flatMap(({ word: sought }) => placesOf(sought, word.plain))
    .map(([start, end]): [number, number] => [word.start + start, word.start + end]);
}

const isOfSigns = (word: string): boolean => [...word].every((sign) => SIGN.test(sign));

function placesOf(sought: string, text: string): [number, number][] {
  const places: [number, number][] = [];
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1))
    places.push([at, at + sought.length]);
  return places;
}

/**
 * The part of a text with the most marked words, in pieces; an ellipsis stands for text that is left out. Without marked
 * words there is none.
 */
export function snippetOf(text: string, marks: readonly [number, number][]): SnippetPart[] {
  const joined = joinedMarks(marks);
  const begun = firstOfBest(joined);
  if (begun === undefined) return [];
  const [from, to] = windowOf(text, begun);
  const parts: SnippetPart[] = [];
  const add = (part: string, marked: boolean): void => {
    if (part !== '') parts.push({ text: part, marked });
  };
  let at = from;
  if (from > 0) add('…', false);
  for (const [start, end] of joined) {
    if (start < from || start >= to) continue;
    add(text.slice(at, start), false);
    at = Math.min(end, to);
    add(text.slice(start, at), true);
  }
  add(text.slice(at, to), false);
  if (to < text.length) add('…', false);
  return parts;
}

/** In the order of their places; those that overlap are one. */
function joinedMarks(marks: readonly [number, number][]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [start, end] of [...marks].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

/** The first mark of the snippet that has the most of them. */
function firstOfBest(marks: readonly [number, number][]): number | undefined {
  let [best, most, behind] = [marks[0]?.[0], 0, 0];
  for (const [index, [start]] of marks.entries()) {
    while (behind < marks.length && (marks[behind] as [number, number])[1] <= start + SNIPPET - BEFORE)
      behind++;
    if (behind - index > most) [best, most] = [start, behind - index];
  }
  return best;
}

/** Begins and ends between words where it can, and never within a letter of two units. */
function windowOf(text: string, mark: number): [number, number] {
  let from = Math.max(0, mark - BEFORE);
  const space = text.slice(from, mark).search(/\s/);
  if (from > 0 && space >= 0) from += space + 1;
  let to = Math.min(text.length, from + SNIPPET);
  const last = text.slice(mark, to).search(/\s\S*$/);
  if (to < text.length && last > 0) to = mark + last;
  if (isLowHalf(text, from)) from--;
  if (isLowHalf(text, to)) to--;
  return [from, to];
}

const isLowHalf = (text: string, at: number): boolean => /^[\udc00-\udfff]/.test(text.slice(at, at + 1));
