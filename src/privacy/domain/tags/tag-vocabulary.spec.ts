import { jest } from '@jest/globals';
import { type KnownTag, TagVocabulary } from './tag-vocabulary.js';

/** Each of these letters is eighteen in its compatibility form: the key of a name of them is long. */
const LONG_LETTER = '\ufdfa';

/** Tags whose names are of no other test, so that no key of theirs is known. */
const tagsOf = (test: string, count: number): KnownTag[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${test} ${index}`,
    name: `${test}${index}${LONG_LETTER.repeat(85)}`,
    deleted: index % 3 === 0,
  }));

/** Tags of the same names as they come from another read. */
const readAgain = (tags: readonly KnownTag[]): KnownTag[] => tags.map((tag) => ({ ...tag }));

describe('a vocabulary of tags', () => {
  /** The number of keys worked out: each name that is not ASCII is normalized for its key. */
  const keysMade = async (work: () => unknown): Promise<number> => {
    const forms = jest.spyOn(String.prototype, 'normalize');
    try {
      await work();
      return forms.mock.calls.filter(([form]) => form === 'NFKC').length;
    } finally {
      forms.mockRestore();
    }
  };

  it('a lookup by name works out the key of that name alone', async () => {
    const tags = tagsOf('looked up', 100);
    const vocabulary = await TagVocabulary.of(tags);
    expect(await keysMade(() => vocabulary.idOf('a name of \u{1d54b}'))).toBe(1);
    expect(vocabulary.idOf(tags[4]?.name.toUpperCase() ?? '')).toBe(tags[4]?.id);
    expect(vocabulary.named(tags[3]?.name ?? '')).toEqual([expect.objectContaining({ id: tags[3]?.id })]);
  });

  it('a vocabulary that is read again works out the keys of new names alone', async () => {
    const tags = tagsOf('read again', 100);
    await TagVocabulary.of(tags);
    const more = [...readAgain(tags), { id: 'new', name: `new ${LONG_LETTER}`, deleted: false }];
    const made = await keysMade(async () => {
      const vocabulary = await TagVocabulary.of(more);
      expect(vocabulary.idOf(`NEW ${LONG_LETTER}`)).toBe('new');
    });
    expect(made).toBe(2);
  });

  it('a vocabulary made from the tags of another one works out no key again', async () => {
    const first = await TagVocabulary.of(tagsOf('derived', 100));
    const made = await keysMade(() => {
      const derived = new TagVocabulary([...first.all(), { id: 'x', name: 'plain', deleted: false }]);
      expect(derived.idOf('PLAIN')).toBe('x');
    });
    expect(made).toBe(0);
  });

  it('others are served while the keys of many long names are worked out', async () => {
    let turns = 0;
    const beside = setInterval(() => void (turns += 1), 0);
    try {
      await TagVocabulary.of(tagsOf('many', 1_000));
    } finally {
      clearInterval(beside);
    }
    expect(turns).toBeGreaterThan(0);
  });

  it('counts the memory of long names', () => {
    const [short, long] = ['a', LONG_LETTER.repeat(100)].map(
      (name) => new TagVocabulary([{ id: '1', name, deleted: false }]),
    );
    expect((long?.bytes ?? 0) - (short?.bytes ?? 0)).toBeGreaterThan(190);
  });

  it('long names that are drawn alike have one key, and others have keys of their own', async () => {
    const [one, other] = [`1${LONG_LETTER.repeat(90)}`, `2${LONG_LETTER.repeat(90)}`];
    const vocabulary = await TagVocabulary.of([
      { id: '1', name: one, deleted: false },
      { id: '2', name: other, deleted: false },
    ]);
    expect(vocabulary.idOf(`\u2460${LONG_LETTER.repeat(90)}`)).toBe('1');
    expect(vocabulary.idOf(`\uff12${LONG_LETTER.repeat(90)}`)).toBe('2');
    expect(vocabulary.idOf(`3${LONG_LETTER.repeat(90)}`)).toBeNull();
  });

  it('a vocabulary after changes answers like one that was read as a whole', async () => {
    const all = new Map<string, KnownTag>(tagsOf('after changes', 60).map((tag) => [tag.id, tag]));
    let vocabulary = await TagVocabulary.of([...all.values()]);
    const names = ['plain', 'PLAIN', `wide ${LONG_LETTER}`, 'other'];
    // More changes than one vocabulary stores upon another.
    for (let round = 0; round < 300; round++) {
      const id = `after changes ${(round * 7) % 250}`;
      const tag = { id, name: `${names[round % 4]} ${round % 40}`, deleted: round % 5 === 0 };
      all.set(id, tag);
      vocabulary = await vocabulary.with([tag]);
    }
    const read = await TagVocabulary.of([...all.values()]);
    const sorted = (tags: Iterable<KnownTag>): string[] => Array.from(tags, ({ id }) => id).sort();
    expect(sorted(vocabulary.all())).toEqual(sorted(all.values()));
    for (const { id, name, deleted } of all.values()) {
      expect(vocabulary.get(id)).toMatchObject({ name, deleted });
      expect(sorted(vocabulary.named(name))).toEqual(sorted(read.named(name)));
      expect(sorted(vocabulary.namesakes({ name }))).toEqual(sorted(read.named(name)));
      expect(vocabulary.nameOf(id)).toEqual(read.nameOf(id));
    }
  });

  it('a vocabulary stays as it was when tags change after it', async () => {
    const before = await TagVocabulary.of([{ id: '1', name: 'one', deleted: false }]);
    const after = await before.with([{ id: '1', name: 'two', deleted: true }]);
    expect([before.idOf('one'), before.named('two')]).toEqual(['1', []]);
    expect([after.idOf('two'), after.named('one'), after.isLiving('1')]).toEqual([null, [], false]);
    expect(await after.with([])).toBe(after);
  });
});
