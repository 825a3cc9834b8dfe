import { jest } from '@jest/globals';
import { exposureOf, facts, nodeWith } from '../../../../test/support/exposures.js';
import { Slices } from '../../../kernel/slices.js';
import { CompiledTransformation } from './compiled-transformation.js';

/** Counts the steps between which others may be served. */
class CountedSlices extends Slices {
  steps = 0;

  constructor() {
    super(Infinity);
  }

  override run<T>(work: Iterator<unknown, T>): Promise<T> {
    const next = (): IteratorResult<unknown, T> => {
      this.steps += 1;
      return work.next();
    };
    return super.run({ next });
  }
}

const PARTS = 4_000;
const MOST_PARTS_OF_A_STEP = 64;
const path = 'metadata.properties.a';
const absent = 'metadata.*.*.*.absent';

const kinds = {
  removed: { type: 'field_mask', config: { paths: [absent] } },
  nulls: { type: 'field_mask', config: { paths: [absent], strategy: 'null' } },
  hashes: { type: 'field_mask', config: { paths: [path], strategy: 'hash' } },
  'last characters': { type: 'field_mask', config: { paths: [path], strategy: 'last4' } },
  pseudonyms: { type: 'pseudonymize', config: { paths: [path] } },
  'cut texts': { type: 'truncate', config: { field: path, max: 3 } },
  'rounded dates': { type: 'round_date', apply_to: { fields: [path] } },
  redactions: { type: 'pii_redaction' },
};

const large = {
  'an array': Array.from({ length: PARTS }, (_, index) => `${index}`),
  'an object': Object.fromEntries(Array.from({ length: PARTS }, (_, index) => [`k${index}`, 'text'])),
  'empty objects': Array.from({ length: PARTS }, () => ({})),
};

/** A node as it is shown, field by field, without a cache. */
async function shownByFields(
  exposure: ReturnType<typeof exposureOf>,
  node: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const shown: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(node)) {
    const one = await exposure.exposeValueInSlices({ path, value }, facts, new CountedSlices());
    if (one !== undefined) shown[path] = one;
  }
  return shown;
}

const nodeOf = (a: unknown) => nodeWith({ metadata: { properties: { a } } });

describe('preparation', () => {
  afterEach(() => jest.restoreAllMocks());

  const cases = Object.entries(kinds).flatMap(([name, kind]) =>
    Object.entries(large).map(([shape, value]) => [name, shape, kind, value] as const),
  );

  it.each(cases)(
    'a node of many parts is prepared for %s of %s in small steps, and then shown as it is',
    async (...given) => {
      const [, , kind, value] = given;
      const exposure = exposureOf([kind]);
      const slices = new CountedSlices();
      const node = nodeOf(value);
      await exposure.prepare(node, facts, slices);
      expect(slices.steps).toBeGreaterThan(PARTS / MOST_PARTS_OF_A_STEP);
      const expected = await shownByFields(exposureOf([kind]), node);
      const walks = jest.spyOn(CompiledTransformation.prototype, 'apply');
      expect(exposure.expose(node, facts)).toEqual(expected);
      const containers = walks.mock.calls.filter(([[field]]) => field === 'metadata');
      expect(containers).toEqual([]);
    },
  );

  it('a node of many parts is not walked through again where all of it is left out in the end', async () => {
    const whole = { type: 'field_mask', config: { paths: ['metadata'] } };
    const exposure = exposureOf([kinds.hashes, whole]);
    const node = nodeOf(large['an array']);
    await exposure.prepare(node, facts, new CountedSlices());
    const walks = jest.spyOn(CompiledTransformation.prototype, 'apply');
    expect(exposure.expose(node, facts)).not.toHaveProperty('metadata');
    expect(walks.mock.calls.filter(([[field]]) => field === 'metadata')).toEqual([]);
  });

  it('a node of many parts is refused when it takes longer than it may', async () => {
    const exposure = exposureOf([kinds.hashes]);
    const prepared = exposure.prepare(nodeOf(large['an array']), facts, new Slices(0));
    await expect(prepared).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

describe('long values', () => {
  const text = 'a text of 24 characters '.repeat(1_000);
  const cases = [
    ...Object.entries(large).map(([shape, value]) => [shape, kinds.hashes, nodeOf(value)] as const),
    ['a text to redact', kinds.redactions, nodeWith({ value: text })] as const,
    ['a text to search for dates', { type: 'round_date' }, nodeWith({ value: text })] as const,
    ['a key to redact', kinds.redactions, nodeOf({ [text]: 1 })] as const,
  ];

  it.each(cases)('a long value that was not prepared is not shown in one go: %s', (_shape, kind, node) => {
    const exposure = exposureOf([kind]);
    expect(() => exposure.expose(node, facts)).toThrow('must be prepared');
    const show = () => ['value', 'metadata'].map((path) => exposure.exposeValue(path, node[path], facts));
    expect(show).toThrow('must be prepared');
  });

  it('a long value that was not prepared is shown in one go where no transformation reaches it, or only short parts of it', () => {
    const node = nodeWith({ value: text });
    const elsewhere = exposureOf([{ type: 'field_mask', config: { paths: [path], strategy: 'hash' } }]);
    expect(elsewhere.expose(node, facts)['value']).toBe(text);
    const cut = exposureOf([{ type: 'truncate', config: { field: 'value', max: 6 } }]);
    expect(cut.expose(node, facts)['value']).toBe('a text');
  });
});

describe('cache', () => {
  it('a node that was prepared is shown though others have displaced it in the cache since', async () => {
    const exposure = exposureOf([kinds.nulls]);
    const texts = Array.from({ length: 600 }, () => 'a text of 24 characters '.repeat(200));
    const node = nodeOf(texts);
    const prepared = await exposure.prepare(node, facts, new CountedSlices());
    for (let other = 0; other < 10; other++)
      await exposure.prepare(nodeOf([other, ...texts]), facts, new CountedSlices());
    expect(() => exposure.expose(node, facts)).toThrow('must be prepared');
    const shown = exposure.expose(node, facts, prepared);
    expect(shown).toEqual(await shownByFields(exposure, node));
  });
});

describe('short values', () => {
  it('an ordinary node is shown in one go', async () => {
    const slices = new CountedSlices();
    await exposureOf([kinds.hashes, kinds.nulls]).prepare(nodeOf(['a', 'b']), facts, slices);
    expect(slices.steps).toBe(0);
  });
});

describe('restoration', () => {
  const cases = Object.entries(large).map(([shape, value]) => [shape, value] as const);
  const changed = (value: unknown): unknown =>
    Array.isArray(value) ? ['new', ...(value as unknown[])] : { ...(value as object), new: 'text' };

  it.each(cases)(
    'a large value that is written back is restored and searched for marks in small steps: %s',
    async (_shape, value) => {
      const exposure = exposureOf([kinds.hashes, kinds.removed]);
      const shown = await exposure.exposeValueInSlices({ path, value }, facts, new CountedSlices());
      const written = changed(shown);
      for (const work of [
        exposure.restoring(path, { original: value, shown, written }),
        exposure.marking(path, { shown, written }),
      ]) {
        const slices = new CountedSlices();
        await slices.run<unknown>(work);
        expect(slices.steps).toBeGreaterThan(PARTS / MOST_PARTS_OF_A_STEP);
      }
    },
  );
});

describe('the story of a value that neighbours hash', () => {
  it('ends with the value that is shown, and names the first of them', async () => {
    const exposure = exposureOf([kinds.hashes, kinds.hashes, 'pii_redaction', kinds.hashes]);
    const node = nodeOf(['a', 'b']);
    const value = node['metadata'];
    const story = await exposure.story({ path: 'metadata', value }, facts, new CountedSlices());
    expect(story.changedBy).toEqual([0, 3]);
    expect(story.value).toEqual(exposure.expose(node, facts)['metadata']);
  });
});
