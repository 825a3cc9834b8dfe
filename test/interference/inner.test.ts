import { jest } from '@jest/globals';
import { Coverage } from './coverage.js';
import { drawnId } from './drawn-ids.js';
import { INNER_PLANTS } from './inner-plants.js';
import { INNER_SUBJECTS } from './inner-subjects.js';
import { plant } from './plants.js';
import type * as Stories from './stories.js';
import { type Twins } from './twins.js';

const ids = await import('../../src/kernel/ids.js');
jest.unstable_mockModule('../../src/kernel/ids.js', () => ({ ...ids, newId: drawnId }));

/** Requests to both worlds. The command sends many more (npm run fuzz:leaks -- 100000 --inner). */
const ENOUGH = 900;
const PAIRS = Number(process.env.RUNS ?? ENOUGH);
const seed = Number(process.env.SEED ?? 1);

/** Operations that must succeed, because equal refusals prove little. */
const FULFILLED = [
  ...['GET', 'PUT', 'PATCH'].map((method) => `${method} /api/v1/nodes/{node_id}`),
  'POST /api/v1/nodes',
  'POST /api/v1/nodes/search',
  'POST /api/v1/schemas',
  'GET /api/v1/nodes/{node_id}/history',
  'GET /api/v1/nodes/{node_id}/history/{version}',
  'GET /api/v1/nodes/{node_id}/contributions',
  'GET /api/v1/sync',
  'GET /api/v1/webhooks/deliveries',
  'POST /api/v1/webhooks/deliveries/{delivery_id}/redeliver',
  'GET /api/v1/groups/{group_id}/nodes',
  'PUT /api/v1/groups/{group_id}/nodes/{node_id}',
  'POST /api/v1/follows',
  'POST /api/v1/sharing',
  'POST /api/v1/proposals',
  'PATCH /api/v1/proposals/{proposal_id}',
  'GET /api/v1/proposals/{proposal_id}/diff',
  ...['approve', 'apply', 'revert'].map((verb) => `POST /api/v1/proposals/{proposal_id}/${verb}`),
];

/** Two worlds that differ only inside nodes that the caller sees, in the parts that are hidden from it (rule 3.16). */
describe('two worlds (rule 3.16)', () => {
  let twins: Twins;
  let stories: typeof Stories;

  beforeAll(async () => {
    const { Twins: Pair } = await import('./twins.js');
    stories = await import('./stories.js');
    twins = await Pair.start();
  }, 120_000);
  afterAll(() => twins?.stop());

  it('hidden fields of visible nodes change no byte of an answer or webhook, no statement and no schema check', async () => {
    const { compare } = await import('./comparison.js');
    const said: string[] = [];
    const coverage = new Coverage();
    const say = (text: string): number => said.push(text);
    const findings = await compare(twins, { seed, pairs: PAIRS, subjects: INNER_SUBJECTS, coverage, say });
    console.log(said.join('\n'));
    expect(findings).toEqual([]);
    const missing = coverage.unfulfilled(twins.operations);
    // A shorter run may not reach all operations.
    const required = PAIRS < ENOUGH ? [] : FULFILLED;
    expect(required.filter((name) => missing.includes(name))).toEqual([]);
  }, 36_000_000);

  it.each(INNER_PLANTS)(
    'hidden fields of visible nodes would be revealed by $fault ($name)',
    async (planted) => {
      const soils = await plant(twins.worlds, planted);
      try {
        const { subject, only, shows } = planted;
        const { finding } = await stories.runStory(twins, { subject, only, seed: 7, most: 400 });
        expect(finding).toMatch(shows);
      } finally {
        for (const soil of soils) soil.clear();
      }
    },
  );
});
