import { describe, expect, it } from '@jest/globals';
import { canBeMisspelt, lengthsOf, neighboursOf } from './neighbours.js';

const term = (word: string, ...forms: string[]) => ({ word, forms: [word, ...forms], isBeginning: false });

describe('neighboursOf', () => {
  it.each([
    ['leran', ['learn'], 'an exchange'],
    ['lern', ['learn'], 'a missing letter'],
    ['learrn', ['learn'], 'a letter too many'],
    ['leatn', ['learn'], 'another letter'],
    ['restarant', ['restaurant'], 'a missing letter of ten'],
    ['restarent', ['restaurant'], 'two letters of nine'],
  ])('%s means %j by %s', (word, words) => {
    expect(neighboursOf(term(word), ['learn', 'restaurant', 'restore', 'reach'])).toEqual(words);
  });

  it('words with two wrong letters out of seven have no neighbours', () => {
    expect(neighboursOf(term('hrabous'), ['harbour'])).toEqual([]);
    expect(neighboursOf(term('hbrbour'), ['harbour'])).toEqual([]);
  });

  it('words with other letters at the beginning are no neighbours', () => {
    expect(neighboursOf(term('brook'), ['crook', 'block'])).toEqual([]);
  });

  it('stems are compared with stems', () => {
    expect(neighboursOf(term('sailling', 'saill'), ['sail'])).toEqual(['sail']);
  });

  it('the nearest words only are neighbours, at most eight in the order of their letters', () => {
    expect(neighboursOf(term('harbours'), ['harbers', 'harbour', 'harbous'])).toEqual(['harbour', 'harbous']);
    const many = [...'abcdefghijkl'].map((letter) => `harb${letter}ur`);
    expect(neighboursOf(term('harb0ur'), many)).toEqual(many.slice(0, 8));
  });

  it('a word that is sought already is no neighbour', () => {
    expect(neighboursOf(term('harbours', 'harbour'), ['harbour'])).toEqual([]);
  });

  it('the lengths of neighbours are those of the forms, and two letters around them', () => {
    expect(lengthsOf([term('harbours', 'harb'), term('learn')])).toEqual([4, 10]);
    expect(lengthsOf([term('restaurants')])).toEqual([9, 13]);
  });

  it('letters of two UTF-16 units count once', () => {
    expect(neighboursOf(term('𐐨𐐩𐐪𐐫'), ['𐐨𐐩𐐪𐐬'])).toEqual(['𐐨𐐩𐐪𐐬']);
  });
});

describe('canBeMisspelt', () => {
  it.each([
    ['learn', true],
    ['sea', false],
    ['2019', false],
    ['mp3player', false],
    ['w'.repeat(32), true],
    ['w'.repeat(33), false],
  ])('says of %s: %s', (word, may) => {
    expect(canBeMisspelt(term(word))).toBe(may);
  });

  it('beginnings of words are never misspelt', () => {
    expect(canBeMisspelt({ ...term('harb'), isBeginning: true })).toBe(false);
  });
});
