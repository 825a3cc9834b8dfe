import { NEARLY_SAME, titleForms, titleLikeness } from './title-likeness.js';

const likeness = (one: string, other: string): number => titleLikeness(titleForms(one), titleForms(other));

describe('titleLikeness', () => {
  it.each([
    ['Learn to sail', 'learn  TO sail '],
    ['Café', 'cafe\u0301'],
    ['Ｌｅａｒｎ', 'learn'],
    ['東京都', '東京都'],
    ['', ' '],
  ])('%j and %j are the same title', (one, other) => {
    expect([likeness(one, other), likeness(other, one)]).toEqual([1, 1]);
  });

  it.each([
    ['Learn to sail', 'Learn to sail!'],
    ['Learn to sail', 'Learn to sial'],
    ['Learn to sail', 'sail: learn to'],
    ['Learning to sail', 'Learn to sail'],
    ['The colour of autumn', 'The color of autmn'],
    ['My notebook', 'My note book'],
    ['Meeting 2024', '2024, meeting'],
    ['a'.repeat(300), `${'a'.repeat(300)}!`],
  ])('%j and %j are nearly the same title', (one, other) => {
    expect(likeness(one, other)).toBe(likeness(other, one));
    expect(likeness(one, other)).toBeGreaterThanOrEqual(NEARLY_SAME);
    expect(likeness(one, other)).toBeLessThan(1);
  });

  it.each([
    ['Learn to sail', 'Learn to swim'],
    ['How I want to learn to sail this summer', 'How I want to learn to swim this summer'],
    ['Dinner with Ada at the harbour', 'Dinner with Ana at the harbour'],
    ['Chapter 1', 'Chapter 2'],
    ['Notes of 2024-05-01', 'Notes of 2024-05-02'],
    ['Lisbon', 'Porto'],
    ['sail', 'Learn to sail'],
    ['!', '?'],
    ['', 'a'],
  ])('%j and %j are different titles', (one, other) => {
    expect(likeness(one, other)).toBeLessThan(NEARLY_SAME);
  });
});
