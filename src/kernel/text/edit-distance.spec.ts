import { editDistance } from './edit-distance.js';

const distance = (one: string, other: string, most?: number): number =>
  editDistance([...one], [...other], most);

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['learn', 'learn', 0],
    ['lern', 'learn', 1],
    ['leran', 'learn', 1],
    ['leatn', 'learn', 1],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
  ])('%j and %j differ in %i letters', (one, other, differences) => {
    expect([distance(one, other), distance(other, one)]).toEqual([differences, differences]);
  });

  it('more differences than are wanted are Infinity, and others are counted as without a limit', () => {
    const words = ['harbour', 'harbor', 'harbuor', 'arbour', 'barber', 'h', '', 'harbourside'];
    for (const one of words)
      for (const other of words)
        for (const most of [0, 1, 2, 3]) {
          const all = distance(one, other);
          expect([one, other, most, distance(one, other, most)]).toEqual([
            one,
            other,
            most,
            all > most ? Infinity : all,
          ]);
        }
  });

  it('letters of two UTF-16 units count once', () => {
    expect(distance('😀a', '😁a')).toBe(1);
  });
});
