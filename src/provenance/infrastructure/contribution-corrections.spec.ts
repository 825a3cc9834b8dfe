import { jest } from '@jest/globals';
import { type Lookup } from '../../kernel/database/lookup.js';
import { sql } from '../../kernel/database/sql.js';
import { Slices } from '../../kernel/slices.js';
import { type Access } from '../../privacy/index.js';
import { type NodeFactsRow } from '../domain/contribution-visibility.js';
import { ContributionCorrections } from './contribution-corrections.js';
import { LEFT_OUT } from './contributions.source.js';
import { type ContributionStepsQueries, type StepRow } from './contribution-steps.queries.js';

const facts: NodeFactsRow = { tag_ids: [], node_type: 'NOTE', schema_id: null };

/** Steps of one path from each value to the next. */
const stepsThrough = (...values: string[]): StepRow[] =>
  values.slice(1).map((after, index) => ({
    node_id: 'node',
    made_to: 'node',
    sequence: index + 2,
    version: index + 2,
    status: 'active',
    is_moved: false,
    is_readable: true,
    states: [{ ...facts }, { ...facts }, { ...facts }, null],
    path: 'title',
    is_superseded: index + 2 < values.length,
    is_cleared: false,
    before: values[index],
    after,
  }));

describe('ContributionCorrections', () => {
  const looked = { rules: 0, inSlices: 0, values: [] as unknown[] };
  let isSlicing = false;
  const exposure = {
    transforms: () => true,
    unmasks: () => false,
    alters: () => {
      looked.rules += 1;
      if (isSlicing) looked.inSlices += 1;
      return true;
    },
    exposeValue: (_path: string, value: unknown) => value,
    exposeValueInSlices: ({ value }: { value: string }) => {
      looked.values.push(value);
      return Promise.resolve(value.slice(0, 1));
    },
    nameIn: () => 'cut',
  };
  const access = { ownerId: 'owner', key: 'key', changes: 9, exposure } as unknown as Access;

  const statesOf = ([step]: readonly StepRow[]) => JSON.stringify(step?.states);
  const correctionsOf = (steps: readonly StepRow[], paths = ['title']) => {
    Object.assign(looked, { rules: 0, inSlices: 0, values: [] });
    const queries = {
      kinds: () => Promise.resolve(paths.map((path) => ({ path, states: statesOf(steps), agent: null }))),
      steps: async function* () {
        yield* await Promise.resolve(steps);
      },
    } as unknown as ContributionStepsQueries;
    return new ContributionCorrections(queries).of(access, { nodeId: 'node' }, false);
  };

  const entriesOf = (lookup: Lookup | undefined) =>
    JSON.parse(lookup?.at(sql.raw('key')).params[0] as string) as Record<string, string>;

  afterEach(() => jest.restoreAllMocks());

  it('steps whose values are shown alike are left out', async () => {
    const corrections = await correctionsOf(stepsThrough('a', 'b1', 'b2', 'c'));
    expect(entriesOf(corrections?.corrected)).toMatchObject({ 'node 3 title': LEFT_OUT });
  });

  it('each value is shown once, and the rules are read once for all steps between the same states', async () => {
    await correctionsOf(stepsThrough('a', 'b', 'c', 'd'));
    expect(looked.values).toEqual(['a', 'b', 'c', 'd']);
    const first = looked.rules;
    await correctionsOf(stepsThrough('a', 'b', 'c', 'd', 'e', 'f', 'g'));
    expect(looked.rules).toBe(first);
  });

  it('the rules are read once for each of many paths, and in slices', async () => {
    const { slice } = Slices.prototype as unknown as { slice: (work: Iterator<unknown>) => unknown };
    const slices = jest.spyOn(Slices.prototype as unknown as { slice: typeof slice }, 'slice');
    slices.mockImplementation(function (this: Slices, work) {
      isSlicing = true;
      try {
        return slice.call(this, work);
      } finally {
        isSlicing = false;
      }
    });
    const paths = Array.from({ length: 1_000 }, (_, index) => `metadata.p${index}`);
    await correctionsOf(stepsThrough('a', 'a'), paths);
    expect(looked.rules).toBeLessThan(1_000 + 10);
    expect(looked.inSlices).toBeGreaterThanOrEqual(1_000);
  });

  it('a value is shown again after a step that the caller may not read', async () => {
    const [first, hidden, last] = stepsThrough('a', 'b', 'c', 'd') as [StepRow, StepRow, StepRow];
    await correctionsOf([first, { ...hidden, is_readable: false }, last]);
    expect(looked.values).toEqual(['a', 'b', 'c', 'd']);
    await correctionsOf([first, { ...hidden, is_readable: false }, { ...last, before: 'b' }]);
    expect(looked.values).toEqual(['a', 'b', 'b', 'd']);
  });

  it('hundreds of thousands of corrections for one node are possible', async () => {
    const steps = stepsThrough(...Array.from({ length: 401 }, (_, index) => `v${index}`));
    const many = Array.from({ length: 400 }, (_, path) =>
      steps.map((step) => ({ ...step, path: `metadata.p${path}`, is_readable: false })),
    ).flat();
    const corrections = await correctionsOf(many);
    // The steps, and the first versions, which stay active.
    expect(Object.keys(entriesOf(corrections?.corrected))).toHaveLength(400 * (400 + 1));
  });
});
