import { jest } from '@jest/globals';
import { Database } from '../../src/kernel/database/database.js';
import { Sql } from '../../src/kernel/database/sql.js';
import { type Client } from '../support/client.js';
import { idOf } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';
import { withPeople } from '../support/worlds/people.js';

const MANY = 60;
/** The ids of a request, an owner for each, and what else a statement names. */
const FEW = 12;

describe('statements for a recipient of many shares (rule 10.7k)', () => {
  let alice: TestUser;
  let bob: TestUser;
  let carol: TestUser;

  withPeople(
    (people) => ({ alice, bob, carol } = people),
    () => World.startHere(),
  );
  afterEach(() => jest.restoreAllMocks());

  const nodes = async (owner: TestUser, tags: readonly string[]): Promise<string[]> => {
    const batch = tags.map((tag, i) => ({
      title: `${tag} ${i} ${tags.length}`,
      node_type: 'note',
      tags: [tag],
    }));
    const { body } = await owner.post('/nodes/batch', { nodes: batch });
    return body.created.map(({ id }: { id: string }) => id);
  };
  const share = (from: TestUser, to: TestUser, body: object): Promise<string> =>
    idOf(from, '/sharing', { shared_with_user_id: to.id, ...body });

  /** The most elements that one statement has in its lists while the work runs. */
  async function mostSent(work: () => Promise<unknown>): Promise<{ statement: string; elements: number }> {
    let most = { statement: 'none', elements: 0 };
    for (const method of ['read', 'write'] as const) {
      const original = Database.prototype[method];
      jest.spyOn(Database.prototype, method).mockImplementation(async function (this: Database, ...given) {
        const params = given[0] instanceof Sql ? given[0].params : [];
        const lengths = params.map((param) => (Array.isArray(param) ? param.length : 0));
        const elements = lengths.reduce((sum, one) => sum + one, 0);
        if (elements > most.elements)
          most = { statement: String(given[1] ?? given[0].text.slice(0, 400)), elements };
        return original.apply(this, given);
      });
    }
    await work();
    jest.restoreAllMocks();
    return most;
  }

  it('name the ids of the request, not all that is shared', async () => {
    const tags = Array.from({ length: MANY }, (_, number) => `t${number}`);
    const tagged = await nodes(alice, tags);
    const single = await nodes(carol, tags);
    const { body } = await alice.get('/tags?per_page=200');
    const tag_ids = (body.tags as { id: string }[]).map(({ id }) => id);
    await share(alice, bob, { scope: 'specific_tags', tag_ids, can_write: true });
    await share(carol, bob, { scope: 'specific_nodes', node_ids: single, can_write: true });
    const [hidden] = await nodes(carol, ['t1']);
    const read = async (client: Client, id: string, status: number) =>
      expect((await client.get(`/nodes/${id}`)).status).toBe(status);
    // The first request after a share reads them all.
    await read(bob, tagged[0] as string, 200);
    const most = await mostSent(async () => {
      // A sharer's counters move with each write, and with each new tag.
      for (const written of [{ tags: ['t0'] }, { tags: ['new'] }])
        expect((await carol.post('/nodes', { title: 'n', node_type: 'note', ...written })).status).toBe(201);
      await read(bob, tagged[1] as string, 200);
      await read(bob, single[1] as string, 200);
      await read(bob, hidden as string, 404);
      const edge = { from_node_id: tagged[2], to_node_id: tagged[3], relationship_type: 'knows' };
      await bob.post('/relationships', edge);
      await bob.get(`/relationships/${hidden}`);
      expect((await bob.patch(`/nodes/${single[2]}`, { title: 'by bob' })).status).toBe(200);
      expect((await bob.patch(`/nodes/${tagged[2]}`, { title: 'by bob' })).status).toBe(200);
      const deleted = await bob.post('/nodes/bulk-delete', { node_ids: [hidden, single[3], tagged[3]] });
      expect(deleted.status).toBe(200);
    });
    expect(most.elements > FEW ? most : null).toBeNull();
  });

  it('end a tag share with the next request after its tag was deleted', async () => {
    const [node] = await nodes(alice, ['own']);
    const { body } = await alice.get('/tags?search=own');
    const [{ id }] = body.tags;
    await share(alice, bob, { scope: 'specific_tags', tag_ids: [id] });
    expect((await bob.get(`/nodes/${node}`)).status).toBe(200);
    await nodes(alice, ['else']);
    expect((await bob.get(`/nodes/${node}`)).status).toBe(200);
    expect((await alice.delete(`/tags/${id}`)).status).toBeLessThan(300);
    expect((await bob.get(`/nodes/${node}`)).status).toBe(404);
  });
});
