import { StepCounts } from './step-counts.js';

const at = (version: number): string => `2026-01-0${version}T00:00:00.000Z`;

/** Steps by letter: s is shown, h hidden, u hidden because the state after it may not be read. */
function counted(steps: string): StepCounts {
  const counts = new StepCounts();
  for (const [index, letter] of [...steps].entries()) {
    const version = index + 1;
    counts.take('id', { version, at: at(version), isShown: letter === 's', isReadable: letter !== 'u' });
  }
  return counts;
}

const stamps = (steps: string): (readonly [number, string])[] => {
  const counts = counted(steps);
  return [...steps].map((_letter, index) => {
    const stamp = counts.stampOf('id', index + 1, at(index + 1));
    return [stamp.version, stamp.updated_at];
  });
};

describe('the count of shown steps', () => {
  it('numbers shown versions, and gives hidden ones the number and time of the last shown one', () => {
    expect(stamps('shhsh')).toEqual([
      [1, at(1)],
      [1, at(1)],
      [1, at(1)],
      [2, at(4)],
      [2, at(4)],
    ]);
  });

  it('begins with 1 at the version from which on a node may be read', () => {
    expect(stamps('uushs').slice(2)).toEqual([
      [1, at(3)],
      [1, at(3)],
      [2, at(5)],
    ]);
  });

  it('goes on where a node could not be read for a while', () => {
    expect(stamps('suus')[3]).toEqual([2, at(4)]);
  });

  it('knows the nodes whose newest step is hidden, but no node that may not be read', () => {
    expect([...counted('sh').behind]).toEqual([['id', Date.parse(at(1))]]);
    expect([...counted('shs').behind]).toEqual([]);
    expect([...counted('shu').behind]).toEqual([]);
  });

  it('finds the version that a number was given to, and the last shown one before a hidden one', () => {
    const counts = counted('uushuss');
    expect([1, 2, 3].map((number) => counts.shownVersionOf('id', number))).toEqual([3, 6, 7]);
    expect([3, 4, 5, 6].map((version) => counts.lastShown('id', version))).toEqual([3, 3, 5, 6]);
  });

  it('lists the hidden versions that may be read', () => {
    expect([...counted('uushhus').hiddenVersions()]).toEqual([{ id: 'id', from: 4, to: 5 }]);
    expect([...counted('shs').hiddenVersions('other')]).toEqual([]);
  });

  it('keeps one entry for hidden versions in a row', () => {
    expect(counted('shhhh').size).toBe(2);
  });

  it('says nothing of versions that were not taken', () => {
    expect(new StepCounts().stampOf('id', 7, at(7))).toEqual({ version: 7, updated_at: at(7) });
  });
});
