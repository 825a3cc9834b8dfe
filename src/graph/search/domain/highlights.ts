import { withFewMarks } from '../../../kernel/text/marks.js';
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
  /** The word in small letters. */
  written: string;
  /** The same without accents, as the words of questions are. */
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

/** Small letters as the index has them: the counterpart of `plain_letters` in the migration of the stems. */
export function plainLetters(small: string): string {
  if (/^[a-z0-9]*$/.test(small)) return small;
  return withFewMarks(small)
    .normalize('NFC')
    .replace(/[øłđðıßæœ]/g, (letter) => OTHER_LETTERS[letter] as string)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');
}

/** The first words of a text. */
export function wordsOf(text: string): TextWord[] {
  const part = text.slice(0, MARKED_IN);
  return [...part.matchAll(WORD)].map(({ 0: word, index }) => {
    const written = word.toLowerCase();
    return { start: index, end: index + word.length, written, plain: plainLetters(written) };
  });
}

/** The words of a question, prepared for many texts. */
export class SoughtForms {
  private readonly forms: ReadonlySet<string>;
  private readonly beginnings: readonly string[];
  private readonly signs: readonly string[];
  private readonly firstLetters: ReadonlySet<string>;

  constructor(terms: readonly SoughtTerm[]) {
    this.forms = new Set(terms.flatMap(({ word, forms }) => [word, ...forms]));
    this.beginnings = terms.filter(({ isBeginning }) => isBeginning).map(({ word }) => word);
    this.signs = terms.map(({ word }) => word).filter((word) => [...word].every((sign) => SIGN.test(sign)));
    this.firstLetters = new Set([...this.forms].map(firstTwo));
  }

  /** False if the word has no stem that is sought: the stem of a word begins like the word, in nearly all languages. */
  mayMatch({ plain }: TextWord): boolean {
    return this.firstLetters.has(firstTwo(plain.slice(0, 4)));
  }

  /**
   * The parts of a word that match, from its beginning: all of it or nothing, except in a run of signs that are written
   * without spaces, where the sought pairs match.
   */
  matchesIn({ start, end, plain }: TextWord, stems: readonly string[]): [start: number, end: number][] {
    const isMatch =
      this.forms.has(plain) ||
      stems.some((stem) => this.forms.has(stem)) ||
      this.beginnings.some((beginning) => plain.startsWith(beginning));
    if (isMatch) return [[0, end - start]];
    // Their letters are as many in both forms, so a place in one is the place in the other.
    if (plain.length !== end - start) return [];
    return this.signs.flatMap((signs) => placesOf(signs, plain));
  }
}

const firstTwo = (word: string): string => [...word].slice(0, 2).join('');

function placesOf(sought: string, text: string): [number, number][] {
  const places: [number, number][] = [];
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1))
    places.push([at, at + sought.length]);
  return places;
}

/**
 * The part of a text with the most marked words, in pieces. An ellipsis replaces text before and behind it. A text without
 * marked words has no snippet.
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

/** The marks in the order of their places; those that overlap are one. */
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
