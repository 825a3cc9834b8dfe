import { Database } from '../../src/kernel/database/database.js';
import { type Sql, sql } from '../../src/kernel/database/sql.js';
import { World } from '../support/world.js';
import {
  type Asked,
  type Measured,
  QuestionAsker,
  questionsOf,
  readingOperations,
} from './asked-questions.js';
import { CopiedRows } from './copied-rows.js';
import { ExecutedPlans } from './executed-plans.js';
import { growingAccount, type GrowingAccount, PUBLIC_URL } from './growing-account.js';
import { GROWTH } from './growth-questions.js';
import { type AtSizes, findings, SIZES } from './growth-verdict.js';

/**
 * The number of copies: the account is small, then eight times as large, then surrounded by other accounts.
 */
const COPIES = { strangers: 160, small: 20, large: 140, crowded: 600 };

/** Faults, each with a request that must reveal it. */
const PLANTS = {
  'a missing index': { title: 'GET /relationships access=owned owner', finding: 'warm' },
  'a quadratic join': { title: 'GET /graph/snapshot owner', finding: 'cold rows' },
  'rows of other owners': { title: 'GET /nodes access=owned owner', finding: 'strangers' },
  'a statement for each row': { title: 'GET /nodes access=owned owner', finding: 'statements' },
} as const;
type Plant = keyof typeof PLANTS;

describe('growth', () => {
  let world: World;
  let account: GrowingAccount;
  let asker: QuestionAsker;
  let asked: Asked[];
  let rows: CopiedRows;
  const measured = new Map<string, AtSizes>();

  beforeAll(async () => {
    world = await World.startHere({ PUBLIC_URL });
    account = await growingAccount(world);
    rows = await CopiedRows.of(world, account.owner.id);
    asker = new QuestionAsker(account, await ExecutedPlans.of(world), world.origin);
    asked = readingOperations(world).flatMap(questionsOf);
    await rows.surround(COPIES.strangers);
    for (const size of SIZES) {
      await (size === 'crowded' ? rows.surround(COPIES.crowded) : rows.grow(COPIES[size]));
      for (const one of asked) note(one.title, size, await asker.measure(one));
      for (const plant of Object.keys(PLANTS) as Plant[]) note(plant, size, await measurePlanted(plant));
    }
  }, 600_000);
  afterAll(async () => {
    await rows.end();
    await world.stop();
  });

  const note = (title: string, size: (typeof SIZES)[number], work: Measured) =>
    measured.set(title, { ...(measured.get(title) as AtSizes), [size]: work });

  async function measurePlanted(plant: Plant): Promise<Measured> {
    const one = asked.find(({ title }) => title === PLANTS[plant].title) as Asked;
    const lift = await FAULTS[plant](world.nest.get(Database), account.owner.id);
    try {
      return await asker.measure(one);
    } finally {
      await lift();
    }
  }

  it('the work of PostgreSQL for an answer is declared for every operation that only reads', () => {
    const names = readingOperations(world).map(({ name }) => name);
    expect(names.filter((name) => GROWTH[name] === undefined)).toEqual([]);
    expect(Object.keys(GROWTH).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('the work of PostgreSQL for an answer grows with the account as declared, and not with those of others', () => {
    expect(asked.length).toBeGreaterThan(200);
    expect(asked.flatMap((one) => findings(one, measured.get(one.title) as AtSizes))).toEqual([]);
  });

  it.each(Object.keys(PLANTS) as Plant[])('the work of PostgreSQL for an answer %s is found', (plant) => {
    const { title, finding } = PLANTS[plant];
    const one = asked.find((candidate) => candidate.title === title) as Asked;
    expect(findings(one, measured.get(plant) as AtSizes).join('\n')).toContain(finding);
  });
});

type Fault = (database: Database, ownerId: string) => Promise<() => Promise<unknown>>;

/** Sends another statement with each of that name. */
const beside =
  (
    name: string,
    others: (ownerId: string) => Sql,
    count: (database: Database) => Promise<number> = async () => 1,
  ): Fault =>
  async (database, ownerId) => {
    const read = database.read.bind(database);
    const times = await count(database);
    const planted = async (statement: Sql, of?: string) => {
      if (of === name) for (let turn = 0; turn < times; turn++) await read(others(ownerId));
      return read(statement, of);
    };
    Object.assign(database, { read: planted });
    return async () => Object.assign(database, { read });
  };

const FAULTS: Record<Plant, Fault> = {
  'a missing index': async ({ dataSource }) => {
    const [{ indexdef }] = await dataSource.query(
      `SELECT indexdef FROM pg_indexes WHERE indexname = 'relationships_recent'`,
    );
    await dataSource.query('DROP INDEX relationships_recent');
    return () => dataSource.query(indexdef as string);
  },
  'a quadratic join': beside(
    'graph-snapshot-head',
    (ownerId) =>
      sql`SELECT count(*) FROM tags AS a JOIN tags AS b ON b.owner_id = a.owner_id WHERE a.owner_id = ${ownerId}`,
  ),
  'rows of other owners': beside('nodes-page', () => sql`SELECT count(*) FROM nodes`),
  'a statement for each row': beside(
    'nodes-page',
    () => sql`SELECT 1`,
    async (database) =>
      (await database.read<{ count: number }>(sql`SELECT count(*) AS count FROM tags`))[0]?.count ?? 0,
  ),
};
