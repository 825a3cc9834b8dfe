import { jest } from '@jest/globals';
import pg from 'pg';
import { Config } from '../../src/config/config.js';
import { OwnerEdits } from '../../src/graph/index.js';
import { type Client } from '../support/client.js';
import { until } from '../support/until.js';
import { type TestUser, type World } from '../support/world.js';
import { approved } from '../support/worlds/proposals.js';
import { withAlice } from '../support/worlds/with-world.js';

/** A goal with a tag, made by a proposal. */
const goal = (title: string) => ({ canonical_data: { title, node_type: 'GOAL', tags: ['sea'] } });

describe('a proposal that assigns a tag, beside the undo of the one that made it', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  let database: pg.Client;
  let ids: { first: string; second: string };

  withAlice((met) => ({ world, alice } = met));
  beforeEach(async () => {
    database = new pg.Client(world.nest.get(Config).databaseUrl as string);
    await database.connect();
    client = await alice.lets(await world.app());
    const first = await approved(alice, client, goal('first'));
    expect((await apply(first)).body).toMatchObject({ status: 'APPLIED', tags_created: 1 });
    ids = { first, second: await approved(alice, client, goal('second')) };
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await database.end();
  });

  const apply = (id: string) => alice.post(`/proposals/${id}/apply`);
  const undo = (id: string) => alice.post(`/proposals/${id}/revert`);

  /** Holds a unit of work after it has done this, until it is let go. */
  function hold(method: 'create' | 'deleteTags') {
    const service: object = world.nest.get(OwnerEdits);
    const edits = service as Record<string, (...given: unknown[]) => Promise<unknown>>;
    const whole = edits[method]!.bind(edits);
    let isHeld = false;
    let letGo = (): void => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    jest.spyOn(edits, method).mockImplementation(async (...given) => {
      const value = await whole(...given);
      isHeld = true;
      await gate;
      return value;
    });
    return { letGo, reached: () => until(() => isHeld, 'the first unit of work is under way') };
  }

  /** Resolves when the work is done, or waits for a lock. */
  async function doneOrWaiting(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    void work.finally(() => (isOver = true));
    await until(async () => {
      const { rows } = await database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return isOver || rows.length > 0;
    }, 'the second one waits for a lock');
  }

  const tagsOfSecond = async () => {
    const { id } = (await alice.get('/nodes?search=second')).body.nodes[0];
    return (await alice.get(`/nodes/${id}`)).body.tags;
  };
  const tagNames = async () => (await alice.get('/tags')).body.tags.map(({ name }: { name: string }) => name);

  it('the undo leaves a tag that the proposal is putting on a node (rule 8.9)', async () => {
    const held = hold('create');
    const applying = apply(ids.second);
    await held.reached();
    const undoing = undo(ids.first);
    await doneOrWaiting(undoing);
    held.letGo();
    expect((await applying).body).toMatchObject({ status: 'APPLIED', errors: [], tags_created: 0 });
    expect((await undoing).body.not_undone).toMatchObject([{ entity: 'tag', reason: 'It is in use' }]);
    expect([await tagsOfSecond(), await tagNames()]).toEqual([['sea'], ['sea']]);
  });

  it('the proposal makes a new tag where the undo has deleted the one of that name (rule 8.9)', async () => {
    const held = hold('deleteTags');
    const undoing = undo(ids.first);
    await held.reached();
    const applying = apply(ids.second);
    await doneOrWaiting(applying);
    held.letGo();
    expect((await undoing).body.not_undone).toEqual([]);
    expect((await applying).body).toMatchObject({ status: 'APPLIED', errors: [], tags_created: 1 });
    expect([await tagsOfSecond(), await tagNames()]).toEqual([['sea'], ['sea']]);
  });
});
