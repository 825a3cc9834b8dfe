import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { node } from '../support/worlds/nodes.js';
import { approved, proposed, proposer, ready } from '../support/worlds/proposals.js';

type Body = Record<string, unknown>;

const hiding = (...paths: string[]) => ({
  transformations: [{ type: 'field_mask', config: { paths, strategy: 'remove' } }],
});

/** More characters of paths than `agent_metadata` may have and still change part by part. */
const many = (value: number) => ({
  ['k'.repeat(2_000)]: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, value])),
});

/** Proposals keep what was written since in parts that their app is not shown (rule 8.7g). */
describe('changes of a node since an action was written', () => {
  let world: World;
  let alice: TestUser;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );

  const stored = async (id: string): Promise<Body> => (await alice.get(`/nodes/${id}`)).body;
  const updating = (id: string, changes: Body): Body => ({
    type: 'UPDATE_NODE',
    canonical_data: { node_id: id, changes },
  });
  /** The field as the entry of the diff has it, with the conflicts of all. */
  const diffOf = async (viewer: Client, proposal: string) => {
    const { conflicts, entries } = (await viewer.get(`/proposals/${proposal}/diff`)).body;
    return { conflicts, fields: entries[0].fields };
  };

  it.each([
    {
      what: 'metadata that did not exist',
      hidden: 'metadata',
      before: {},
      changes: { metadata: { q: 1 } },
      since: { metadata: { secret: 's' } },
      after: { metadata: { secret: 's', q: 1 } },
    },
    {
      what: 'an object that did not exist',
      hidden: 'metadata.health',
      before: { metadata: { other: 1 } },
      changes: { metadata: { health: { q: 1 } } },
      since: { metadata: { health: { secret: 's' } } },
      after: { metadata: { other: 1, health: { secret: 's', q: 1 } } },
    },
    {
      what: 'an object that changes as a whole',
      hidden: 'agent_metadata.pin',
      before: { agent_metadata: { pin: 'old', ...many(0) } },
      changes: { agent_metadata: many(1) },
      since: { agent_metadata: { pin: 'new' } },
      after: { agent_metadata: { pin: 'new', ...many(1) } },
    },
    {
      what: 'a part that was deleted of an object that changes as a whole',
      hidden: 'agent_metadata.pin',
      before: { agent_metadata: { pin: 'old', ...many(0) } },
      changes: { agent_metadata: many(1) },
      since: { agent_metadata: { pin: null } },
      after: { agent_metadata: many(1) },
    },
    {
      what: 'elements of which a part was deleted',
      hidden: 'metadata.visits.*.secret',
      before: { metadata: { visits: [{ n: 1, secret: 's' }, { n: 2 }] } },
      changes: { metadata: { visits: [{ n: 3 }, { n: 2 }] } },
      since: { metadata: { visits: [{ n: 1 }, { n: 2 }] } },
      after: { metadata: { visits: [{ n: 3 }, { n: 2 }] } },
      ofUser: 1,
    },
    {
      what: 'an object that the action deletes',
      hidden: 'metadata.health.secret',
      before: { metadata: { health: { q: 1 } } },
      changes: { metadata: { health: null } },
      since: { metadata: { health: { secret: 's' } } },
      after: { metadata: { health: { secret: 's' } } },
    },
  ])(
    'parts hidden from its app stay as in a direct write of the app, and the diff shows it: $what (rule 8.7g)',
    async ({ hidden, before, changes, since, after, ofUser = 0 }) => {
      const app = await proposer(world, alice, 'all', hiding(hidden));
      const { id } = await node(alice, before);
      const proposal = await approved(alice, app, updating(id, changes));
      await alice.patch(`/nodes/${id}`, since);
      const { conflicts, fields } = await diffOf(alice, proposal);
      expect([conflicts, (await diffOf(app, proposal)).conflicts]).toEqual([ofUser, 0]);
      const [[field, value]] = Object.entries(after) as [[string, unknown]];
      const whole = (fields as { field: string; after: unknown }[]).find((diff) => diff.field === field);
      if (whole !== undefined) expect(whole.after).toEqual(value);
      expect((await app.post(`/proposals/${proposal}/apply`)).body).toMatchObject({
        status: 'APPLIED',
        errors: [],
      });
      expect((await stored(id))[field]).toEqual(value);
    },
  );

  it('a text in the place of an object is a conflict with a value below it (rule 8.7c)', async () => {
    const app = await alice.lets(await world.app());
    const { id } = await node(alice, { metadata: { health: { old: 1 } } });
    const proposal = await approved(alice, app, updating(id, { metadata: { health: { q: 1 } } }));
    await alice.patch(`/nodes/${id}`, { metadata: { health: 'well' } });
    for (const viewer of [alice, app]) expect((await diffOf(viewer, proposal)).conflicts).toBe(1);
    expect((await app.post(`/proposals/${proposal}/apply`)).body.status).toBe('FAILED');
    expect((await stored(id))['metadata']).toEqual({ health: 'well' });
  });

  it('a text in the place of an object stays when a proposal that deleted a value below it is undone (rule 8.9)', async () => {
    const app = await alice.lets(await world.app());
    const { id } = await node(alice, { metadata: { health: { old: 1, q: 1 } } });
    const proposal = await approved(alice, app, updating(id, { metadata: { health: { q: null } } }));
    await alice.post(`/proposals/${proposal}/apply`);
    await alice.patch(`/nodes/${id}`, { metadata: { health: 'well' } });
    const { not_undone } = (await alice.post(`/proposals/${proposal}/revert`)).body;
    expect(not_undone).toMatchObject([{ id, fields: ['metadata.health.q'] }]);
    expect((await stored(id))['metadata']).toEqual({ health: 'well' });
  });

  it.each([
    ['metadata that did not exist', {}, { a: 1 }, { mine: 1 }, 0],
    ['the same key of metadata that did not exist', {}, { a: 1 }, { a: 2 }, 1],
  ])('a change of %s conflicts only with the same part', async (_, before, words, since, conflicts) => {
    const app = await alice.lets(await world.app());
    const { id } = await node(alice, before);
    const proposal = await approved(alice, app, updating(id, { metadata: words }));
    await alice.patch(`/nodes/${id}`, { metadata: since });
    for (const viewer of [alice, app]) expect((await diffOf(viewer, proposal)).conflicts).toBe(conflicts);
    await app.post(`/proposals/${proposal}/apply`);
    expect((await stored(id))['metadata']).toEqual(conflicts === 0 ? { ...words, ...since } : since);
  });

  describe('a hidden part of an array that one proposal changes and unmasks', () => {
    const opening = async () => {
      const { id: tag } = (await alice.post('/tags', { name: 'private' })).body;
      const [mask] = hiding('metadata.visits.*.secret').transformations;
      const app = await proposer(world, alice, 'all', {
        transformations: [{ ...mask, apply_to: { tag_ids: [tag] } }],
      });
      const { id } = await node(alice, {
        tags: ['private', 'x'],
        metadata: { visits: [{ n: 1 }, { n: 2 }] },
      });
      const { id: proposal } = await proposed(app, {
        type: 'BATCH',
        actions: [
          { id: 'fix', ...payload(updating(id, { metadata: { visits: [{ n: 1 }, { n: 3 }] } })) },
          { id: 'open', type: 'REMOVE_TAGS', payload: { node_id: id, tags: ['private'] } },
        ],
      });
      await ready(app, proposal);
      return { app, id, proposal };
    };
    const payload = ({ type, canonical_data }: Body) => ({ type, payload: canonical_data });
    const write = (id: string) =>
      alice.put(`/nodes/${id}`, { metadata: { visits: [{ n: 1, secret: 'HIV positive' }, { n: 2 }] } });

    it('the diff discloses a text that was written into a hidden part of an array since (rule 8.10a)', async () => {
      const { id, proposal } = await opening();
      await write(id);
      const { disclosures } = (await alice.get(`/proposals/${proposal}/diff`)).body;
      expect(disclosures[0].nodes).toMatchObject([{ id, fields: ['metadata.visits'] }]);
    });

    it('an approval does not show a text that was written into a hidden part of an array after it (rule 8.10d)', async () => {
      const { app, id, proposal } = await opening();
      expect((await alice.post(`/proposals/${proposal}/approve`)).status).toBe(200);
      await write(id);
      expect((await app.post(`/proposals/${proposal}/apply`)).body.status).toBe('FAILED');
      expect((await app.get(`/nodes/${id}`)).text).not.toContain('HIV');
    });
  });
});
