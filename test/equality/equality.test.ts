import { jest } from '@jest/globals';
import { drawnId } from '../interference/drawn-ids.js';
import { type Twins } from '../interference/twins.js';
import { seedOf } from '../properties/random.js';
import type * as Comparison from './comparison.js';
import { PLANTS } from './plants.js';

const ids = await import('../../src/kernel/ids.js');
jest.unstable_mockModule('../../src/kernel/ids.js', () => ({ ...ids, newId: drawnId }));

/** Calls beside their requests. The command sends many more (npm run fuzz:mcp). */
const PAIRS = Number(process.env.RUNS ?? 400);
const seed = seedOf('equality');

/**
 * Random callers of random graphs, with random rules: each tool, resource and completion answers like the requests that
 * it stands for, is refused like them, and leaves the same graph (rule 15.3a).
 */
describe('calls by MCP and requests to the API (rule 15.3a)', () => {
  let twins: Twins;
  let rig: typeof Comparison;

  beforeAll(async () => {
    const { Twins: Pair } = await import('../interference/twins.js');
    rig = await import('./comparison.js');
    twins = await Pair.start();
  }, 120_000);
  afterAll(() => twins?.stop());

  it('a call differs from its requests in no answer, no refusal and nothing that is stored', async () => {
    const said: string[] = [];
    const tally = new rig.Tally();
    const say = (text: string): void => void said.push(text);
    const findings = await rig.compare(twins, { seed, pairs: PAIRS, say }, tally);
    console.log(said.join('\n'));
    expect(findings).toEqual([]);
    // A short run may meet no caller for whom everything fits.
    expect(PAIRS < 2000 ? [] : tally.neverAnswered).toEqual([]);
  }, 36_000_000);

  it.each(PLANTS)(
    'a planted fault of a tool is found: $fault',
    async (planted) => {
      const { plant } = await import('./plants.js');
      const mend = await plant(twins, planted);
      try {
        const [finding] = await rig.compare(twins, { seed: 7, pairs: 600, say: () => undefined, enough: 1 });
        expect(finding).toMatch(planted.shows);
      } finally {
        mend();
      }
    },
    600_000,
  );
});
