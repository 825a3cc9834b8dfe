import { Config } from '../../src/config/config.js';
import { PlainChangeSink } from '../../src/kernel/change-log/plain-change-sink.js';
import { Database } from '../../src/kernel/database/database.js';
import { migrate } from '../../src/kernel/database/migrations.js';
import { BatchedChangeSink } from '../../src/kernel/write-batching/batched-change-sink.js';
import { freshDatabase } from '../support/database.js';
import { CONTRACT } from './change-sink-contract.js';
import { SinkWorld, type SinkType } from './sink-world.js';

const SINKS: Record<string, SinkType> = { plain: PlainChangeSink, batched: BatchedChangeSink };
const TITLES = Object.keys(CONTRACT) as (keyof typeof CONTRACT)[];

type Plant = [title: keyof typeof CONTRACT, sinks: string[], text: string, instead: string];

/** Faults in the statements of sinks. */
const PLANTS: Plant[] = [
  [
    'numbers are without gaps at every moment, also when units of several owners commit and fail at once',
    ['plain', 'batched'],
    '+ r.position',
    '+ 2 * r.position',
  ],
  [
    'no change is older than the one before it, whatever the clocks say',
    ['plain'],
    'greatest(s.changed_at, EXCLUDED.changed_at)',
    'EXCLUDED.changed_at',
  ],
  [
    'no change is older than the one before it, whatever the clocks say',
    ['batched'],
    'greatest(c.since, r.at)',
    'r.at',
  ],
  [
    'each change has its deferred row and the row of its follower',
    ['plain', 'batched'],
    'counted.changes - $2 + p.position',
    'counted.changes - $2 + p.position - 1',
  ],
  [
    'a unit beyond a quota is refused and writes nothing',
    ['plain', 'batched'],
    'refuse_exceeded(',
    'true OR NULL IS NOT DISTINCT FROM (',
  ],
  [
    'changes of many owners at once are numbered, followed, dated and limited like those of one',
    ['batched'],
    'SELECT counted.owner_id, counted.changes, r.entity',
    'SELECT counted.owner_id, counted.changes + 1, r.entity',
  ],
  [
    'a unit that expects a counter is written only if nobody has moved it or holds its lock',
    ['plain', 'batched'],
    'AND changes = $',
    'AND -1 <> $',
  ],
];

/** The specification and the batched way to write keep the same promises. */
describe('change sinks', () => {
  let database: Database;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const fresh = await freshDatabase();
    drop = fresh.drop;
    database = await Database.open(new Config({ DATABASE_URL: fresh.url }), []);
    await migrate(database);
    await database.writeAlone({
      text: 'CREATE TABLE followed (owner_id uuid, sequence bigint, entity_id uuid, changed_at timestamptz)',
    });
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  describe.each(Object.entries(SINKS))('written by the %s sink', (_, type) => {
    it.each(TITLES)('%s', (title) => CONTRACT[title](new SinkWorld(database, type)));
  });

  const planted = PLANTS.flatMap(([title, sinks, text, instead]) =>
    sinks.map((sink) => ({ sink, title, text, instead })),
  );
  it.each(planted)('the contract catches `$instead` in the $sink sink', async ({ sink, title, ...fault }) => {
    const world = new SinkWorld(database, SINKS[sink] as SinkType, fault);
    await expect(CONTRACT[title](world)).rejects.toThrow();
    expect(world.isFaulty).toBe(true);
  });
});
