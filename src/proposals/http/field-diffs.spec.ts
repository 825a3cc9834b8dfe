import { jest } from '@jest/globals';
import { conflictsOf, withDeltas } from '../domain/deltas.js';
import { ConflictPaths } from './conflict-paths.js';
import { diffsOfDeltas } from './field-diffs.js';

describe('the difference of changed paths', () => {
  const shown = { title: 'old', metadata: { a: 1, b: { c: 1 }, 'b.c': 1 } };
  const after = { title: 'new', metadata: { a: 2, b: { c: 2 }, 'b.c': 1 } };

  it('marks the paths in conflict, and a whole field with a conflict inside', () => {
    const deltas = [{ path: ['metadata', 'a'] }, { path: ['metadata', 'b'] }, { path: ['title'] }];
    const marked = (...conflicts: string[]): string[] =>
      diffsOfDeltas({ shown, after }, deltas, new ConflictPaths(conflicts)).flatMap(({ field, conflict }) =>
        conflict ? [field] : [],
      );
    expect(marked('metadata.a', 'title')).toEqual(['metadata.a', 'title']);
    expect(marked('metadata.b.c', 'titles')).toEqual([]);
    const [whole] = diffsOfDeltas(
      { shown, after },
      [{ path: ['metadata'] }],
      new ConflictPaths(['metadata.b.c']),
    );
    expect(whole?.conflict).toBe(true);
  });
});

describe('names of changed paths', () => {
  it('a path and a key with dots in it are two fields, with conflicts of their own', () => {
    const deltas = [
      { path: ['metadata', 'b', 'c'], value: 2 },
      { path: ['metadata', 'b.c'], value: 3 },
    ];
    const then = { metadata: { b: { c: 1 }, 'b.c': 1 } };
    const now = { metadata: { b: { c: 9 }, 'b.c': 1 } };
    const conflicts = new ConflictPaths(conflictsOf(deltas, { then, now }));
    expect(diffsOfDeltas({ shown: now, after: withDeltas(now, deltas) }, deltas, conflicts)).toEqual([
      { field: 'metadata.b.c', before: 9, after: 2, conflict: true },
      { field: 'metadata."b.c"', before: 1, after: 3, conflict: false },
    ]);
    expect(conflicts.covers(['metadata', 'b.c'])).toBe(false);
  });
});

describe('ConflictPaths', () => {
  it('paths in conflict concern themselves and what leads to them, and nothing whose name only begins alike', () => {
    const conflicts = new ConflictPaths(['metadata.ab.c', 'metadata.a-b', 'metadata.x', 'title']);
    const concerned = ['metadata', 'metadata.ab', 'metadata.ab.c', 'metadata.x', 'title'];
    const others = ['', 'meta', 'metadata.a', 'metadata.ab.c.d', 'metadata.ab.', 'metadata.z', 'titl'];
    expect([...concerned, ...others].filter((path) => conflicts.concerns(path))).toEqual(concerned);
    expect(new ConflictPaths([]).concerns('metadata')).toBe(false);
  });

  it('paths in conflict cover themselves, what leads to them and what is below them', () => {
    const conflicts = new ConflictPaths(['metadata.ab']);
    const covered = [['metadata'], ['metadata', 'ab'], ['metadata', 'ab', 'c']];
    const others = [['title'], ['metadata', 'a'], ['metadata', 'abc']];
    expect([...covered, ...others].filter((path) => conflicts.covers(path))).toEqual(covered);
  });

  it('paths in conflict are not gone through for each path that is asked about', () => {
    const paths = Array.from({ length: 1_000 }, (_, index) => `metadata.k${index}`);
    const deltas = paths.map((path) => ({ path: path.split('.') }));
    const conflicts = new ConflictPaths(paths);
    const rounds = jest.spyOn(Set.prototype as { [Symbol.iterator]: () => unknown }, Symbol.iterator);
    const diffs = diffsOfDeltas({ shown: {}, after: {} }, deltas, conflicts);
    const taken = rounds.mock.calls.length;
    jest.restoreAllMocks();
    expect(diffs.filter(({ conflict }) => conflict)).toHaveLength(1_000);
    expect(taken).toBe(0);
  });
});
