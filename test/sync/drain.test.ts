import { World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { type Page, pull } from './pages.js';

/**
 * Run with `CHANGES=100000 npm run test:services -- sync/drain` to print times (rule 13.2: the time of a page does not
 * grow with its depth).
 */
const CHANGES = Number(process.env.CHANGES ?? 1_500);
const LIMIT = Math.min(1_000, Math.ceil(CHANGES / 10));
const BATCH = 100;

describe(`${CHANGES} changes, in pages of ${LIMIT}`, () => {
  let world: World;

  withWorld(
    (started) => (world = started),
    () => World.start(),
  );

  const median = (times: readonly number[]): number =>
    [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;

  it(
    'all changes drain to the last one, each once',
    async () => {
      const alice = await world.user();
      for (let made = 0; made < CHANGES; made += BATCH) {
        const nodes = Array.from({ length: Math.min(BATCH, CHANGES - made) }, (_, index) => ({
          title: `a title of about forty characters ${made + index}`,
          value: 'v'.repeat(200),
          node_type: 'note',
          metadata: { properties: { text: 'm'.repeat(250) } },
        }));
        expect((await alice.post('/nodes/batch', { nodes })).status).toBe(201);
      }
      const ids = new Set<string>();
      const times: number[] = [];
      let entries = 0;
      for (let page: Page = null; page === null || page.has_more;) {
        const begun = performance.now();
        page = await pull(alice, {
          limit: LIMIT,
          include_tags: true,
          ...(page === null ? {} : { cursor: page.cursor }),
        });
        times.push(performance.now() - begun);
        entries += page.changes.length as number;
        for (const { node } of page.changes) ids.add(node.id as string);
      }
      expect([entries, ids.size]).toEqual([CHANGES, CHANGES]);
      const tenth = Math.ceil(times.length / 10);
      const total = times.reduce((sum, time) => sum + time, 0);
      process.stdout.write(
        `${CHANGES} changes drained in ${(total / 1000).toFixed(1)} s; median of a page of ${LIMIT}: ` +
          `${median(times.slice(0, tenth)).toFixed(0)} ms in the first tenth, ${median(times.slice(-tenth)).toFixed(0)} ms in the last\n`,
      );
    },
    120_000 + CHANGES * 10,
  );
});
