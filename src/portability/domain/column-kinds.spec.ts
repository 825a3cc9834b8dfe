import { jsonBytes } from '../../kernel/json/json-size.js';
import { type Steps } from '../../kernel/slices.js';
import { leastBytes } from './archived-amounts.js';
import { fits, storedBytes } from './column-kinds.js';

function counted<T>(steps: Steps<T>): { value: T; pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, pauses };
  }
}

const VALUES = [
  null,
  true,
  [],
  {},
  'a\n"\u2028🜨',
  [1, -0, 1e300, -1.5e-9, 0.1],
  { a: [{}, [], { 'b"': null }], c: { d: false } },
];

describe('sizes', () => {
  it.each(VALUES)('storedBytes counts %j as jsonBytes does', (value) => {
    expect(counted(storedBytes(value)).value).toBe(jsonBytes(value));
  });

  it.each([[{ a: { constructor: 1 } }], [['\0']], [{ '\ud800': 1 }], [[Infinity]], [nested(65)]])(
    'storedBytes is infinite for what cannot be stored (%#)',
    (value) => {
      expect(counted(storedBytes(value)).value).toBe(Infinity);
    },
  );

  it('storedBytes accepts 64 levels', () => {
    expect(counted(storedBytes(nested(64))).value).toBe(128);
  });
});

describe('kinds of lists', () => {
  it('the tags of a node of an archive are 500 at most, each once in any letter case (rule 12.3k)', () => {
    const ids = Array.from(
      { length: 501 },
      (_, n) => `00000000-0000-4000-8000-a${String(n).padStart(11, '0')}`,
    );
    const [first = '', second = ''] = ids;
    expect(fits('tags', ids.slice(1))).toBe(true);
    expect(fits('tags', ids)).toBe(false);
    expect(fits('tags', [first, second, first.toUpperCase()])).toBe(false);
  });
});

describe('slices', () => {
  it('an object of an archive fits up to its bytes', () => {
    expect(fits('object:8', { a: 10 })).toBe(true);
    expect(fits('object:8', { a: 100 })).toBe(false);
    expect(fits('object:8', [])).toBe(false);
  });

  it.each([
    ['lists', Array.from({ length: 10_000 }, () => ({}))],
    ['keys', Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, 0]))],
  ])(
    'an object of an archive of many %s offers a pause at every 32 parts to all who measure it',
    (_, value) => {
      expect(counted(storedBytes(value)).pauses).toBeGreaterThan(300);
      expect(counted(leastBytes(value)).pauses).toBeGreaterThan(300);
    },
  );
});

function nested(levels: number): unknown {
  return levels === 0 ? 1 : levels === 1 ? [] : [nested(levels - 1)];
}
