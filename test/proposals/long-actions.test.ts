import { jest } from '@jest/globals';
import { Database } from '../../src/kernel/database/database.js';
import { watched } from '../graph/edits/masks-watch.js';
import { type Client } from '../support/client.js';
import { sentStatements } from '../support/sent-statements.js';
import { type TestUser, World } from '../support/world.js';
import { letsIn, node, profile } from '../support/worlds/nodes.js';
import { withAlice } from '../support/worlds/with-world.js';
import { approved, proposed, ready } from '../support/worlds/proposals.js';

const EVERY_TAG = { discover: 'all', read: 'all', propose: 'all', create: 'all', edit: 'all' } as const;
const REDACTED = { transformations: [{ type: 'pii_redaction' }] };

/** A text of thousands of characters, different each time, because redacted texts are cached for a while. */
let number = 0;
const long = (): string => `number ${++number}, ask ada@example.org. `.repeat(200);
const about = () => ({ about: long() });

type Payload = Record<string, unknown>;
type Written = (id: string) => [type: string, payload: Payload];

const ACTIONS: Readonly<Record<string, Written>> = {
  'take tags off': (id) => ['REMOVE_TAGS', { node_id: id, tags: ['old'] }],
  'put tags on': (id) => ['ADD_TAGS', { node_id: id, tags: ['kept'] }],
  'change texts': (id) => ['UPDATE_NODE', { node_id: id, changes: { value: long(), metadata: about() } }],
  'name a version': (id) => ['UPDATE_NODE', { node_id: id, changes: { value: long() }, base_version: 1 }],
  'delete nodes': (id) => ['DELETE_NODE', { node_id: id }],
};

const isUpdate = (written: Written): boolean => written('')[0] === 'UPDATE_NODE';
const isRetagging = (written: Written): boolean => written('')[0].endsWith('_TAGS');

/** Long work and locks of an app's proposal must not make its user wait (rule 11.9j). */
describe('a proposal about nodes with long masked texts', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.startHere(),
  );
  beforeEach(async () => {
    client = await letsIn(world, alice, profile(EVERY_TAG, REDACTED));
    for (const name of ['old', 'kept', 'other']) await alice.post('/tags', { name });
  });
  afterEach(() => jest.restoreAllMocks());

  /** A BATCH with one action for each of some nodes, all of which have changed since they were made. */
  const batch = async (count: number, written: Written): Promise<Payload> => {
    const actions = [];
    for (let index = 0; index < count; index++) {
      const { id } = await node(alice, { value: long(), metadata: about(), tags: ['old', 'other'] });
      await alice.put(`/nodes/${id}`, { value: long() });
      const [type, payload] = written(id);
      actions.push({ id: `a${index}`, type, payload });
    }
    return { type: 'BATCH', canonical_data: {}, actions };
  };
  /** Every text changes after the app wrote its actions. */
  const changeTexts = async ({ actions }: Payload) => {
    for (const { payload } of actions as { payload: { node_id: string } }[])
      await alice.put(`/nodes/${payload.node_id}`, { metadata: about() });
  };
  const sent = async (work: () => Promise<unknown>): Promise<string[]> => {
    const { names, stop } = sentStatements(world.nest.get(Database));
    await work();
    stop();
    return names;
  };

  it.each(Object.entries(ACTIONS))(
    'a proposal whose actions %s shows no state of a node while it is rehearsed',
    async (_, written) => {
      const body = await batch(3, written);
      const { id } = await proposed(client, body);
      await changeTexts(body);
      const { holding, inSlices } = watched();
      expect((await ready(client, id)).status).toBe(200);
      expect(holding).toEqual([]);
      // An update's words are read against what the app is shown; nothing else is compared.
      if (!isUpdate(written)) expect(inSlices).toEqual([]);
    },
  );

  it.each(Object.entries(ACTIONS))(
    'a proposal whose actions %s holds no connection while its app applies it and states are compared',
    async (_, written) => {
      const body = await batch(3, written);
      const id = await approved(alice, client, body);
      await changeTexts(body);
      const { holding, inSlices } = watched();
      expect((await client.post(`/proposals/${id}/apply`)).status).toBe(200);
      expect(holding).toEqual([]);
      if (!isRetagging(written)) expect(inSlices).not.toEqual([]);
    },
  );

  it.each(['ready', 'applied'])(
    'the statements of a proposal that is %s grow no faster than its actions',
    async (step) => {
      const numbers: number[] = [];
      for (const count of [5, 10, 20]) {
        const body = await batch(count, ACTIONS['take tags off'] as Written);
        const id = step === 'ready' ? (await proposed(client, body)).id : await approved(alice, client, body);
        await changeTexts(body);
        const names = await sent(() =>
          step === 'ready' ? ready(client, id as string) : client.post(`/proposals/${id}/apply`),
        );
        numbers.push(names.length);
      }
      const [few, more, many] = numbers as [number, number, number];
      // Twice the actions send twice the statements, a square four times as many.
      expect((many - more) / (more - few)).toBeLessThan(3);
    },
  );

  it('a proposal that is applied waits for no other writer of tags unless it assigns one', async () => {
    const locks = async (written: Written) => {
      const id = await approved(alice, client, await batch(1, written));
      const names = await sent(() => client.post(`/proposals/${id}/apply`));
      return names.filter((name) => name === 'tags-lock' || name === 'node-lock');
    };
    const isAssigning = (written: Written) => written('')[0] === 'ADD_TAGS';
    for (const written of Object.values(ACTIONS).filter((one) => !isAssigning(one)))
      expect(await locks(written)).not.toContain('tags-lock');
    for (const tag of ['kept', `new ${++number}`]) {
      const assigned = await locks((id) => ['ADD_TAGS', { node_id: id, tags: [tag] }]);
      expect(assigned[0]).toBe('tags-lock');
    }
  });

  it('undoing an applied proposal locks tags before nodes only when it takes tags back', async () => {
    const locks = async (tag: string) => {
      const body = await batch(1, (id) => ['ADD_TAGS', { node_id: id, tags: [tag] }]);
      const id = await approved(alice, client, body);
      expect((await alice.post(`/proposals/${id}/apply`)).body.status).toBe('APPLIED');
      const names = await sent(() => alice.post(`/proposals/${id}/revert`));
      return names.filter((name) => name === 'tags-lock' || name === 'node-lock');
    };
    expect(await locks('kept')).not.toContain('tags-lock');
    expect((await locks(`new ${++number}`))[0]).toBe('tags-lock');
  });
});
