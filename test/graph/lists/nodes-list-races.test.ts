import { jest } from '@jest/globals';
import { Database } from '../../../src/kernel/database/database.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { letsIn, node, profile, tagId, titlesOf } from '../../support/worlds/nodes.js';

/**
 * Lists that are decided on shown values are found first and fetched then; anything can happen in between.
 */
describe('a masked search, between finding and fetching nodes', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));
  afterEach(() => jest.restoreAllMocks());

  const beforeTheFetch = (work: () => Promise<unknown>): void => {
    const database = world.nest.get(Database);
    const read = database.read.bind(database);
    jest.spyOn(database, 'read').mockImplementation(async (statement, name) => {
      if (name === 'nodes-as-shown-page') await work();
      return read(statement, name);
    });
  };

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['deleted', (id) => alice.delete(`/nodes/${id}`)],
    ['hidden', (id) => alice.put(`/nodes/${id}`, { title: 'secret plan', tags: ['private'] })],
    ['reworded', (id) => alice.put(`/nodes/${id}`, { title: 'something else' })],
  ])('leaves out a node that was %s', async (_, change) => {
    await tagId(alice, 'private');
    const { id } = await node(alice, { title: 'plan', tags: ['open'] });
    await node(alice, { title: 'another plan', tags: ['open'] });
    const client = await letsIn(
      world,
      alice,
      profile(
        { read: 'all' },
        { tag_filters: { exclude_any: ['private'] }, transformations: ['pii_redaction'] },
      ),
    );
    beforeTheFetch(() => change(id));
    const listed = await client.get('/nodes?search=plan');
    expect(titlesOf(listed)).toEqual(['another plan']);
    expect(listed.text).not.toContain('secret');
  });
});
