import { jest } from '@jest/globals';
import { type NodesQueries as Queries } from '../../src/graph/infrastructure/nodes.queries.js';
import { seedOf } from '../properties/random.js';
import { ACCEPTED_ORACLES } from './accepted-oracles.js';
import { Coverage } from './coverage.js';
import { drawnId } from './drawn-ids.js';
import type * as Stories from './stories.js';
import { SUBJECTS } from './subjects.js';
import { tells } from './timing.js';
import { type Twins } from './twins.js';

const { isId } = await import('../../src/kernel/ids.js');
jest.unstable_mockModule('../../src/kernel/ids.js', () => ({ isId, newId: drawnId }));

/** Requests to both worlds. The command sends many more (npm run fuzz:leaks). */
const PAIRS = Number(process.env.RUNS ?? 400);
/** A story is as long as its graph is small enough to be read through; at least one of each subject. */
const LONGEST = Math.min(400, Math.ceil(PAIRS / SUBJECTS.length));
const TIMED = Number(process.env.TIMING ?? 0);
const inTime = TIMED > 0 ? it : it.skip;

const seed = seedOf('non-interference');
/** At once, and not when the run is over. */
const say = (text: string): void =>
  void process.stdout.write(`${new Date().toISOString()} seed ${seed}: ${text}\n`);

/**
 * Two worlds that differ only in what one caller may not see answer that caller byte for byte the same, whatever is
 * asked, and send the same webhooks (decisions 3.16, 3.18).
 */
describe('what may not be seen', () => {
  let twins: Twins;
  let stories: typeof Stories;

  beforeAll(async () => {
    const { Twins: Pair } = await import('./twins.js');
    stories = await import('./stories.js');
    twins = await Pair.start();
  }, 120_000);
  afterAll(() => twins?.stop());

  (TIMED > 0 ? it.skip : it)(
    'changes no byte of any answer',
    async () => {
      const findings: string[] = [];
      const coverage = new Coverage();
      for (let number = 0; coverage.pairs < PAIRS && findings.length < 10; number++) {
        const subject = SUBJECTS[(seed + number) % SUBJECTS.length]!;
        const plan = { subject, seed: seed + number, most: LONGEST, heard: coverage.heard };
        const { finding } = await stories.tell(twins, plan);
        if (finding !== null) findings.push(`SEED=${seed + number} ${finding}`);
        if (finding !== null || number % 10 === 9) say(finding ?? `${coverage.pairs} pairs`);
      }
      say(coverage.summary(twins.operations));
      expect(findings).toEqual([]);
    },
    36_000_000,
  );

  it('would be caught: a total that counts hidden nodes', async () => {
    const { NodesQueries } = await import('../../src/graph/infrastructure/nodes.queries.js');
    const { sql } = await import('../../src/kernel/persistence/sql.js');
    const planted = twins.worlds.map(({ nest }) => nest.get<Queries>(NodesQueries, { strict: false }));
    for (const queries of planted)
      queries.count = async ({ ownerId }) => {
        const { database } = queries as unknown as {
          database: { read: (q: object) => Promise<[{ n: number }]> };
        };
        return (await database.read(sql`SELECT count(*)::int AS n FROM nodes WHERE owner_id = ${ownerId}`))[0]
          .n;
      };
    try {
      const plan = { subject: 'narrow app', seed: 7, most: 400, only: /^GET \S+\/nodes$/ } as const;
      const { finding } = await stories.tell(twins, plan);
      expect(finding).toMatch(/total/);
    } finally {
      for (const queries of planted) delete (queries as Partial<Queries>).count;
    }
  }, 300_000);

  it('is accepted to be told only where a decision says so', () => {
    for (const { decision } of ACCEPTED_ORACLES) expect(decision).toMatch(/^\d+\.\d+/);
  });

  inTime(
    'takes as long as what is not there',
    async () => {
      const timed = await stories.time(twins, { subject: 'narrow app', seed, most: TIMED });
      for (const { operation, hidden, absent, bias } of timed)
        console.log(
          `${operation}: hidden ${hidden.toFixed(2)} ms, absent ${absent.toFixed(2)} ms, ${bias.toFixed(1)}σ`,
        );
      expect(timed.length).toBeGreaterThan(20);
      expect(timed.filter(tells)).toEqual([]);
    },
    36_000_000,
  );
});
