import { newlyShownPaths, unknownPaths } from './newly-shown.js';

describe('paths of newly shown values', () => {
  const LONG = 'k'.repeat(10_000);
  const metadata = (value: string) => ({
    [LONG]: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`v${index}`, value])),
    note: value,
  });

  it('paths below a key as long as a value end above it, and leave out no other one', () => {
    const [hidden, stored] = [{ metadata: metadata('hash') }, { metadata: metadata('text') }];
    expect(newlyShownPaths(hidden, stored, stored)).toEqual(['metadata', 'metadata.note']);
    expect(unknownPaths(undefined, metadata('text'), 'metadata')).toEqual(['metadata', 'metadata.note']);
  });

  it('a path and a key with dots in it have different names', () => {
    const shown = { metadata: { a: { b: 1 }, 'a.b': 1 } };
    expect(newlyShownPaths({}, shown, shown)).toEqual(['metadata.a.b', 'metadata."a.b"']);
  });
});
