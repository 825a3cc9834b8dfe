import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { Users } from '../../src/identity/index.js';
import { AccessTokens } from '../../src/identity/infrastructure/access-tokens.js';
import { onPostgres } from '../support/database.js';
import { type TestApp, TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { REQUESTS, SyncStory } from './sync-story.js';
import { stories, type Step } from './sync-steps.js';

/** Each database plays other stories. */
const SEED = Number(process.env.SEED ?? (onPostgres ? 20261121 : 20261122));
/** The command plays many more (npm run fuzz:sync). */
const RUNS = Number(process.env.RUNS ?? 100);
/** Lanes run concurrently; each has a seed of its own, counted up from `SEED`. */
const LANES = Number(process.env.LANES ?? 1);

/** The world of the stories of one lane: the app's requests are the same in all of them. */
interface Lane {
  seed: number;
  runs: number;
  app: TestApp;
  developer: TestUser;
}

/** Rule 7.8: a client that applies every page holds exactly the result of a full read. */
describe(`replicas against full reads (seed ${SEED}, ${RUNS} stories, ${LANES} at once)`, () => {
  let world: World;
  let fits = 0;

  withWorld((started) => (world = started));

  /** Registers without the cost of a password. */
  async function person(): Promise<TestUser> {
    const name = randomUUID().slice(0, 13);
    const user = await world.nest.get(Users).add({ email: `${name}@example.org`, username: name }, 'none');
    return logIn(user.id, name);
  }

  async function logIn(id: string, name: string): Promise<TestUser> {
    const logIn = { id: randomUUID(), generation: 0, authenticatedAt: new Date() };
    const token = await world.nest.get(AccessTokens, { strict: false }).issue(id, logIn);
    return new TestUser(world, id, name, token);
  }

  async function lane(number: number): Promise<Lane> {
    const developer = await person();
    const requested = { name: 'sync', requested_permissions: REQUESTS.everything };
    const { id, api_key: apiKey } = (await developer.post('/apps', requested)).body as Record<
      'id' | 'api_key',
      string
    >;
    const client = world.api.with({ 'X-API-Key': apiKey });
    const app: TestApp = { id, apiKey, alone: client, as: (user) => client.with({ 'X-User-ID': user.id }) };
    const runs = Math.ceil((RUNS - number) / LANES);
    return { seed: SEED + number, runs, app, developer };
  }

  async function tell(steps: readonly Step[], { app, developer }: Lane): Promise<void> {
    const story = new SyncStory(await person(), app, await logIn(developer.id, developer.name));
    await story.begin();
    let number = 0;
    const told: string[] = [];
    try {
      for (const step of steps) {
        told.push(`${++number}. ${JSON.stringify(step)}`);
        await story.take(step);
      }
      told.push('end: everybody pulls');
      await story.end();
      if (++fits % 1_000 === 0) process.stdout.write(`${fits} stories fit\n`);
    } catch (error) {
      throw new Error(`${(error as Error).message}\nafter\n${told.join('\n')}`, { cause: error });
    }
  }

  it(
    'replicas hold exactly the visible nodes, with one entry for each step and no id that was never visible',
    async () => {
      const lanes: Lane[] = [];
      for (let number = 0; number < LANES; number++) lanes.push(await lane(number));
      await Promise.all(
        lanes.map((one) =>
          fc.assert(
            fc.asyncProperty(stories, (steps) => tell(steps, one)),
            { seed: one.seed, numRuns: one.runs, endOnFailure: process.env.SHRINK === 'off' },
          ),
        ),
      );
      expect(fits).toBe(RUNS);
    },
    Math.max(120_000, RUNS * 2_000),
  );
});
