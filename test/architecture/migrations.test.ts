import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../migrations');

const repeated = (names: readonly string[]): string[] => {
  const stamps = names.map((name) => name.split('-')[0]!);
  return names.filter((_, place) => stamps.indexOf(stamps[place]!) !== place);
};

/** Two of one timestamp run in the order of their names: a later one could come first. */
describe('order of migrations', () => {
  it('the timestamps of migrations are unique', () => {
    const names = readdirSync(FOLDER).sort();
    expect(names.length).toBeGreaterThan(1);
    expect(repeated(names)).toEqual([]);
  });

  it('the timestamps of migrations are found to be repeated in a planted pair', () => {
    expect(repeated(['1-first.sql', '2-second.sql', '2-third.sql'])).toEqual(['2-third.sql']);
  });
});
