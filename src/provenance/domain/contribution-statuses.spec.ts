import { type ContributedStep, correctedStatuses } from './contribution-statuses.js';

/** Steps of one path, from version 2 on: `from>to` and words about each. */
const steps = (...told: string[]): ContributedStep[] =>
  told.map((one, index) => {
    const [values, ...words] = one.split(' ') as [string, ...string[]];
    const [before, after] = values.split('>') as [string, string];
    return {
      version: index + 2,
      status: words.includes('rejected') ? 'rejected' : words.includes('merged') ? 'merged' : 'active',
      isSuperseded: words.includes('superseded'),
      isMoved: words.includes('moved'),
      isCleared: words.includes('cleared'),
      before: before === '' ? null : before,
      after,
      isShown: !words.includes('hidden'),
    };
  });
const told = (...of: string[]): Record<number, string | null> =>
  Object.fromEntries(correctedStatuses(steps(...of)).map(({ version, status }) => [version, status]));

describe('contributions without the steps that a caller is not shown', () => {
  it('stay as they are where each step is shown', () => {
    expect(told('a>b superseded', 'b>c')).toEqual({});
    expect(told('>b superseded', 'b>c rejected', 'c>d')).toEqual({});
    expect(told()).toEqual({});
  });

  it('stand as long as only hidden steps follow', () => {
    expect(told('a>b hidden')).toEqual({ 1: 'active', 2: null });
    expect(told('a>b superseded', 'b>c superseded hidden', 'c>d hidden')).toEqual({
      2: 'active',
      3: null,
      4: null,
    });
  });

  it('are superseded by the next shown step, or where the path holds nothing since', () => {
    expect(told('a>b superseded hidden', 'b>c')).toEqual({ 2: null });
    expect(told('a>b superseded hidden')).toEqual({ 2: null });
    expect(told('a>b hidden merged cleared')).toEqual({ 2: null });
  });

  it('stand after a step that was taken back, when a hidden one follows', () => {
    expect(told('a>b superseded', 'a>c hidden')).toEqual({ 1: 'active', 3: null });
    expect(told('a>b', 'b>c superseded hidden')).toEqual({ 3: null });
  });

  it('stand beside what was rejected, shown or not', () => {
    expect(told('a>b rejected hidden')).toEqual({ 2: null });
    expect(told('>a superseded', 'a>b rejected', 'b>c hidden')).toEqual({ 2: 'active', 4: null });
  });

  it('are merged where the hidden step was merged with its node, and not where it came with a merge', () => {
    expect(told('a>b hidden merged moved')).toEqual({ 1: 'merged', 2: null });
    expect(told('a>b hidden merged')).toEqual({ 1: 'active', 2: null });
    expect(told('a>b hidden merged', 'b>c')).toEqual({ 2: null });
  });
});
