import { atOnce } from '../../kernel/slices.js';
import { type ContributedStep, correctedStatuses } from './contribution-statuses.js';

/** Steps of one path, from version 2 on: `from>to` and flags of each. */
const steps = (...texts: string[]): ContributedStep[] =>
  texts.map((one, index) => {
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
const statusesAfter = (...of: string[]): Record<number, string | null> =>
  Object.fromEntries(atOnce(correctedStatuses(steps(...of))).map(({ version, status }) => [version, status]));

describe('correctedStatuses', () => {
  it('corrected contribution statuses do not differ from the stored ones if each step is shown', () => {
    expect(statusesAfter('a>b superseded', 'b>c')).toEqual({});
    expect(statusesAfter('>b superseded', 'b>c rejected', 'c>d')).toEqual({});
    expect(statusesAfter()).toEqual({});
  });

  it('corrected contribution statuses stay active as long as only hidden steps follow', () => {
    expect(statusesAfter('a>b hidden')).toEqual({ 1: 'active', 2: null });
    expect(statusesAfter('a>b superseded', 'b>c superseded hidden', 'c>d hidden')).toEqual({
      2: 'active',
      3: null,
      4: null,
    });
  });

  it('corrected contribution statuses stay active however many hidden steps follow', () => {
    const hidden = Array.from({ length: 30_000 }, (_, index) => `v${index}>v${index + 1} superseded hidden`);
    const corrected = statusesAfter('a>v0 superseded', ...hidden.slice(0, -1), 'v29999>v30000 hidden');
    expect(corrected[2]).toBe('active');
    expect(Object.keys(corrected)).toHaveLength(1 + 30_000);
  });

  it('corrected contribution statuses are found in parts of a few steps, also if each step gives the path back to an old value', () => {
    const texts = Array.from({ length: 1_000 }, (_, index) => `v0>v${index} superseded hidden`);
    let looks = 0;
    const look = { get: (step: ContributedStep, key: keyof ContributedStep) => (looks++, step[key]) };
    const work = correctedStatuses(
      steps(...texts).map((step) => new Proxy(step, look as ProxyHandler<typeof step>)),
    );
    const parts: number[] = [];
    for (let isDone = false; !isDone; looks = 0) {
      isDone = work.next().done === true;
      parts.push(looks);
    }
    // Each step is looked at three times.
    expect(parts.length).toBeGreaterThan((3 * 1_000) / 33);
    expect(Math.max(...parts)).toBeLessThan(32 * 20);
  });

  it('corrected contribution statuses are superseded by the next shown step, or by a path that holds nothing since', () => {
    expect(statusesAfter('a>b superseded hidden', 'b>c')).toEqual({ 2: null });
    expect(statusesAfter('a>b superseded hidden')).toEqual({ 2: null });
    expect(statusesAfter('a>b hidden merged cleared')).toEqual({ 2: null });
  });

  it('corrected contribution statuses stay active after a reverted step that a hidden one follows', () => {
    expect(statusesAfter('a>b superseded', 'a>c hidden')).toEqual({ 1: 'active', 3: null });
    expect(statusesAfter('a>b', 'b>c superseded hidden')).toEqual({ 3: null });
  });

  it('corrected contribution statuses stay active beside a rejected step, shown or not', () => {
    expect(statusesAfter('a>b rejected hidden')).toEqual({ 2: null });
    expect(statusesAfter('>a superseded', 'a>b rejected', 'b>c hidden')).toEqual({ 2: 'active', 4: null });
  });

  it('corrected contribution statuses are merged if the hidden step was merged with its node, not if it came with a merge', () => {
    expect(statusesAfter('a>b hidden merged moved')).toEqual({ 1: 'merged', 2: null });
    expect(statusesAfter('a>b hidden merged')).toEqual({ 1: 'active', 2: null });
    expect(statusesAfter('a>b hidden merged', 'b>c')).toEqual({ 2: null });
  });
});
