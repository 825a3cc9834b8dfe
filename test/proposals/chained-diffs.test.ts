import { jest } from '@jest/globals';
import { OwnerEdits } from '../../src/graph/index.js';
import { type Client } from '../support/client.js';
import { type TestUser, type World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { node, profile } from '../support/worlds/nodes.js';
import { batch, proposed } from '../support/worlds/proposals.js';

type Body = Record<string, unknown>;

let world: World;
let alice: TestUser;
let app: Client;
let secret: string;
let middle: string;
let open: string;

withAlice((met) => ({ world, alice } = met));

const ALL = {
  discover: 'all',
  read: 'all',
  propose: 'all',
  create: 'all',
  edit: 'all',
  delete: 'all',
} as const;

beforeEach(async () => {
  const tag = (await alice.post('/tags', { name: 'private' })).body.id as string;
  const mask = { type: 'field_mask', config: { paths: ['value'], strategy: 'remove' } };
  const transformations = [{ ...mask, apply_to: { tag_ids: [tag] } }];
  app = await alice.lets(await world.app(), profile(ALL, { transformations }));
  secret = (await node(alice, { title: 'blood', value: 'HIV positive', tags: ['private', 'x'] })).id;
  middle = (await node(alice, { title: 'sky', value: 'sun', tags: ['x'] })).id;
  open = (await node(alice, { title: 'weather', value: 'rain', tags: ['x'] })).id;
});

const merge = (target: string, source: string): [string, Body] => [
  'MERGE_NODES',
  { target_node_id: target, source_node_ids: [source], field_choices: { value: 'source' } },
];
const update = (id: string, changes: Body): [string, Body] => ['UPDATE_NODE', { node_id: id, changes }];

const fieldsOf = async (by: Client, id: string, query = ''): Promise<Body> => {
  const { entries } = (await by.get(`/proposals/${id}/diff${query}`)).body;
  return Object.fromEntries(
    (entries as { action_id: string; change: string; fields: { field: string }[] }[]).map((entry) => [
      `${entry.action_id} ${entry.change}`,
      Object.fromEntries(entry.fields.map(({ field, ...rest }) => [field, rest])),
    ]),
  );
};

describe('the diff of actions about the same nodes (rule 8.10e)', () => {
  it('an entry of a second merge has the value that the first one leaves, in the whole diff and in an excerpt', async () => {
    const { id } = await proposed(app, batch(merge(middle, secret), merge(open, middle)));
    const value = { before: 'rain', after: 'HIV positive', conflict: false };
    expect(await fieldsOf(alice, id)).toMatchObject({
      'a0 merge': { value: { before: 'sun', after: 'HIV positive' } },
      'a1 merge': { value, tags: { before: ['x'], after: expect.arrayContaining(['private', 'x']) } },
      'a1 delete': { value: { before: 'HIV positive' } },
    });
    const excerpt = await fieldsOf(alice, id, '?action_id=a1');
    expect(excerpt).toMatchObject({ 'a1 merge': { value } });
    expect(Object.keys(excerpt)).toEqual(['a1 merge', 'a1 delete']);
  });

  it('an entry of an action after another one of its node begins with what that one leaves', async () => {
    const { id } = await proposed(
      app,
      batch(
        update(open, { value: 'snow' }),
        ['ADD_TAGS', { node_id: open, tags: ['brand new'] }],
        update(open, { value: 'hail' }),
        ['DELETE_NODE', { node_id: open }],
      ),
    );
    expect(await fieldsOf(alice, id)).toMatchObject({
      'a0 update': { value: { before: 'rain', after: 'snow' } },
      'a1 update': { tags: { before: ['x'] } },
      'a2 update': { value: { before: 'snow', after: 'hail' } },
      'a3 delete': { value: { before: 'hail' }, tags: { before: expect.arrayContaining(['brand new']) } },
    });
  });

  it('an entry of an action about a node that an earlier one ends says that it is missing', async () => {
    const { id } = await proposed(
      app,
      batch(['DELETE_NODE', { node_id: open }], update(open, { value: 'snow' })),
    );
    const { entries } = (await alice.get(`/proposals/${id}/diff`)).body;
    expect(entries).toMatchObject([{ error: null }, { error: 'NODE_NOT_FOUND', fields: [] }]);
  });

  it('the diff for the app compares with what it is shown now: no earlier action opens a value to it', async () => {
    const { id } = await proposed(
      app,
      batch(['REMOVE_TAGS', { node_id: secret, tags: ['private'] }], merge(open, secret)),
    );
    expect((await app.get(`/proposals/${id}/diff`)).text).not.toContain('HIV');
    expect((await alice.get(`/proposals/${id}/diff`)).text).toContain('HIV positive');
  });

  it('each merge reads the relationships of its own nodes, whatever merges are before it', async () => {
    const read = jest.spyOn(OwnerEdits.prototype, 'readableEdgesAt');
    const { id } = await proposed(app, batch(merge(middle, secret), merge(open, middle)));
    expect((await alice.get(`/proposals/${id}/diff`)).status).toBe(200);
    const named = read.mock.calls.map(([, ids]) => ids);
    read.mockRestore();
    expect(named).toEqual([
      [middle, secret],
      [open, middle],
    ]);
  });
});
