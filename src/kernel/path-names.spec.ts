import { boundedPathName, nameBelow, pathName } from './path-names.js';

describe('names of paths', () => {
  it('different paths have different names, whatever their keys contain', () => {
    const paths = [
      ['a', 'b', 'c'],
      ['a', 'b.c'],
      ['a.b', 'c'],
      ['a', '"b', 'c"'],
      ['a', '"b.c"'],
      ['a', 'b', '', 'c'],
      ['a', 'b', 'c', ''],
    ];
    expect(new Set(paths.map(pathName)).size).toBe(paths.length);
    expect(pathName(['metadata', 'properties', 'status'])).toBe('metadata.properties.status');
    expect(pathName(['metadata', 'a.b'])).toBe('metadata."a.b"');
  });

  it('a bounded name ends above a key that would make it too long', () => {
    const long = 'k'.repeat(250);
    expect(boundedPathName(['metadata', 'a.b', 'c'])).toBe('metadata."a.b".c');
    expect(boundedPathName(['metadata', 'a', long, 'b'])).toBe('metadata.a');
    expect(boundedPathName(['metadata', ...Array<string>(100).fill('abc')])).toHaveLength(200);
    expect(nameBelow('metadata', long)).toBeNull();
    expect(nameBelow('metadata', '"'.repeat(150))).toBeNull();
  });
});
