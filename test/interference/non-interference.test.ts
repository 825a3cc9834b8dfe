import { jest } from '@jest/globals';
import { seedOf } from '../properties/random.js';
import { ACCEPTED_ORACLES } from './accepted-oracles.js';
import { drawnId } from './drawn-ids.js';
import { plant, PLANTS } from './plants.js';
import type * as Stories from './stories.js';
import { type Twins } from './twins.js';

const ids = await import('../../src/kernel/ids.js');
jest.unstable_mockModule('../../src/kernel/ids.js', () => ({ ...ids, newId: drawnId }));

/** Requests to both worlds. The command sends many more (npm run fuzz:leaks). */
const PAIRS = Number(process.env.RUNS ?? 400);
const seed = seedOf('non-interference');
/**
 * Two worlds that differ only in things hidden from one caller answer that caller byte for byte the same, for any
 * request, and send the same webhooks (rules 3.16, 3.18).
 */
describe('two worlds (rules 3.16, 3.18)', () => {
  let twins: Twins;
  let stories: typeof Stories;

  beforeAll(async () => {
    const { Twins: Pair } = await import('./twins.js');
    stories = await import('./stories.js');
    twins = await Pair.start();
  }, 120_000);
  afterAll(() => twins?.stop());

  it('a thing that is hidden from a caller changes no byte of any answer', async () => {
    const { compare } = await import('./comparison.js');
    const said: string[] = [];
    const findings = await compare(twins, { seed, pairs: PAIRS, say: (text) => said.push(text) });
    console.log(said.join('\n'));
    expect(findings).toEqual([]);
  }, 36_000_000);

  it.each(PLANTS)('a planted leak is found: $fault', async (planted) => {
    const soils = await plant(twins.worlds, planted);
    try {
      const { subject, only, shows } = planted;
      const { finding } = await stories.runStory(twins, { subject, only, seed: 7, most: 400 });
      expect(finding).toMatch(shows);
    } finally {
      for (const soil of soils) soil.clear();
    }
  });

  it('every accepted oracle names a rule and a reason', () => {
    for (const { rules, because } of ACCEPTED_ORACLES) {
      expect(rules).toMatch(/^\d+\.\d+/);
      expect(because).not.toBe('');
    }
  });
});
