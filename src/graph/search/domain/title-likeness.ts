import { editDistance } from '../../../kernel/text/edit-distance.js';

/** The least likeness of two titles that are nearly the same: one of five letters differs. */
export const NEARLY_SAME = 0.8;
const LETTERS_OF_A_DIFFERENCE = 5;
/** The likeness of titles that are not the same is less than 1. */
const MOST_OF_NEARLY = 0.99;
/** Longer titles are compared by their trigrams alone. */
const LONGEST_BY_LETTERS = 256;

/** The number of letters of which one may be wrong: of Ada and Ana none is. */
const LETTERS_OF_A_FAULT = 4;
const LEAST_STEM = 4;
const LONGEST_ENDING = 3;

/** A title in the forms that are compared. */
export interface TitleForms {
  /** In small letters, without accents and further spaces. */
  folded: string;
  words: readonly string[];
  letters: readonly string[];
  /** Its numbers, in order of their digits. */
  numbers: string;
  trigrams: ReadonlySet<string>;
}

export function titleForms(title: string): TitleForms {
  const plain = title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .normalize('NFC');
  const words = plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return {
    folded: plain.replace(/\s+/gu, ' ').trim(),
    words,
    letters: [...words.join(' ')],
    numbers: (plain.match(/\p{N}+/gu) ?? []).sort().join(' '),
    trigrams: trigramsOf(words),
  };
}

/**
 * The likeness of two titles, from 0 to 1 (rule 4.20b): 1 if they are the same after folding, else the greater part of
 * letters in their places and of trigrams in common. Titles with different numbers, or with words that are not forms of
 * each other, are those of two things: 0.
 */
export function titleLikeness(one: TitleForms, other: TitleForms): number {
  if (one.folded === other.folded) return 1;
  if (one.numbers !== other.numbers || !differsInForms(one.words, other.words)) return 0;
  const likeness = Math.max(
    lettersInPlace(one.letters, other.letters),
    inCommon(one.trigrams, other.trigrams),
  );
  return Math.min(likeness, MOST_OF_NEARLY);
}

/** 0 below {@link NEARLY_SAME}, which takes less time than to count all differences. */
function lettersInPlace(one: readonly string[], other: readonly string[]): number {
  const length = Math.max(one.length, other.length);
  if (length === 0 || length > LONGEST_BY_LETTERS) return 0;
  const differences = editDistance(one, other, Math.floor(length / LETTERS_OF_A_DIFFERENCE));
  return differences === Infinity ? 0 : 1 - differences / length;
}

/** True if the words that only one of the titles has are the others misspelt or bent: "sail" and "swim" are not. */
function differsInForms(one: readonly string[], other: readonly string[]): boolean {
  const [known, knownOthers] = [new Set(one), new Set(other)];
  const ones = one.filter((word) => !knownOthers.has(word));
  const others = other.filter((word) => !known.has(word));
  const [first, second] = [[...ones.join('')], [...others.join('')]];
  const length = Math.max(first.length, second.length);
  if (length > LONGEST_BY_LETTERS) return false;
  if (editDistance(first, second, Math.floor(length / LETTERS_OF_A_FAULT)) < Infinity) return true;
  return ones.length === 1 && others.length === 1 && haveOneStem(first, second);
}

/** True if two words differ in an ending alone. */
function haveOneStem(one: readonly string[], other: readonly string[]): boolean {
  let common = 0;
  while (common < one.length && one[common] === other[common]) common++;
  return common >= LEAST_STEM && Math.max(one.length, other.length) - common <= LONGEST_ENDING;
}

function inCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const trigram of one) if (other.has(trigram)) common++;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}

/** The trigrams of words, each with two spaces before it and one behind it. */
function trigramsOf(words: readonly string[]): Set<string> {
  const trigrams = new Set<string>();
  for (const word of words) {
    const signs = [' ', ' ', ...word, ' '];
    for (let at = 2; at < signs.length; at++) trigrams.add(signs.slice(at - 2, at + 1).join(''));
  }
  return trigrams;
}
