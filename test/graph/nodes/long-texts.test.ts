import { jest } from '@jest/globals';
import { type Client } from '../../support/client.js';
import { everything } from '../../support/defaults.js';
import { type TestUser, World } from '../../support/world.js';
import { upload } from '../../support/worlds/files.js';
import { watched } from '../edits/masks-watch.js';
import { node, profile } from '../../support/worlds/nodes.js';

const AGENT = '0190aaaa-0000-7000-8000-000000000001';
const EVERY_TAG = { discover: 'all', read: 'all', propose: 'all', create: 'all', edit: 'all' } as const;
const LISTS = ['metadata.properties.list', 'agent_metadata.list'];
const PROFILES: Readonly<Record<string, object[]>> = {
  'redacts long texts': [
    { type: 'pii_redaction' },
    { type: 'truncate', config: { field: 'value', max: 9_000 }, apply_to: { node_types: ['OTHER'] } },
  ],
  'masks values of many parts': [
    { type: 'field_mask', config: { paths: LISTS, strategy: 'hash' } },
    { type: 'field_mask', config: { paths: ['metadata.*.absent'], strategy: 'null' } },
    {
      type: 'field_mask',
      config: { paths: LISTS, strategy: 'null' },
      apply_to: { node_types: ['OTHER'] },
    },
  ],
};

/** Texts of thousands of characters, different each time, because redacted texts are cached for a while. */
let number = 0;
const long = (): string => `number ${++number}, ask ada@example.org. `.repeat(200);
const list = (): number[] => Array.from({ length: 600 }, () => ++number);
const content = () => ({
  value: long(),
  metadata: { properties: { about: long(), list: list() } },
  agent_metadata: { agent_id: AGENT, list: list() },
});

/** A node and its related things, which an app with a redacting profile may request. */
interface Asked {
  app: Client;
  owner: TestUser;
  id: string;
  fileId: string;
  profileId: string;
  otherId: string;
  edgeId: string;
}

const once = () => ({ headers: { 'Idempotency-Key': `key ${++number}` } });

const between = (from_node_id: string, to_node_id: string) => ({
  from_node_id,
  to_node_id,
  relationship_type: 'near',
  context: long(),
});

/** A proposal that changes a node's value. */
async function proposal({ app, id }: Asked, changes: object = { value: long() }): Promise<string> {
  const actions = [{ id: 'a', type: 'UPDATE_NODE', payload: { node_id: id, changes } }];
  const { body } = await app.post('/proposals', {
    title: 'else',
    type: 'BATCH',
    canonical_data: {},
    actions,
  });
  return body.id as string;
}

type Asking = (asked: Asked) => ReturnType<Client['get']>;
const BY: Readonly<Record<string, Asking>> = {
  'a node': ({ app, id }) => app.get(`/nodes/${id}`),
  'a list': ({ app }) => app.get('/nodes'),
  'a list sorted by what is redacted': ({ app }) => app.get('/nodes?sort=title&search=number'),
  'a search': ({ app }) => app.post('/nodes/search', { query: 'number' }),
  relationships: ({ app, id }) => app.get(`/relationships?node_id=${id}`),
  'a relationship': ({ app, edgeId }) => app.get(`/relationships/${edgeId}`),
  'a relationship made': ({ app, id, otherId }) =>
    app.post('/relationships', { ...between(id, otherId), relationship_type: `near ${++number}` }),
  'relationships with their nodes': ({ app, id }) =>
    app.get(`/relationships?include_nodes=true&node_id=${id}`),
  'the versions of a node': ({ app, id }) => app.get(`/nodes/${id}/history?include_snapshots=true`),
  'the changes of all nodes': ({ app }) => app.get('/nodes/history'),
  'one version': ({ app, id }) => app.get(`/nodes/${id}/history/2`),
  'what a node was': ({ app, id }) => app.get(`/nodes/${id}/history/at-time?timestamp=2999-01-01T00:00:00Z`),
  'contributions to a node': ({ app, id }) => app.get(`/nodes/${id}/contributions?status=all`),
  'contributions of an agent': ({ app }) => app.get(`/agents/${AGENT}/contributions?status=all`),
  'a first pass of sync': ({ app }) => app.get('/sync'),
  'a later pass of sync': async ({ app, owner, id }) => {
    const { body } = await app.get('/sync?ids_only=true');
    await owner.put(`/nodes/${id}`, content());
    return app.get(`/sync?cursor=${encodeURIComponent(body.cursor as string)}`);
  },
  'its files': async ({ app, owner, fileId }) => {
    await owner.put(`/raw-files/${fileId}`, { metadata: { about: long(), properties: { list: list() } } });
    return app.get('/raw-files');
  },
  'a file': async ({ app, owner, fileId }) => {
    await owner.put(`/raw-files/${fileId}`, { metadata: { about: long(), properties: { list: list() } } });
    return app.get(`/raw-files/${fileId}`);
  },
  'the difference that a proposal makes': async (asked) => {
    const id = await proposal(asked);
    return asked.app.get(`/proposals/${id}/diff`);
  },
  'what a proposal discloses to apps': async (asked) => {
    const id = await proposal(asked);
    return asked.owner.get(`/proposals/${id}/diff`);
  },
  'what a proposal of another type discloses to apps': async (asked) => {
    const { value, metadata } = content();
    const changes = { node_type: 'OTHER', value, metadata };
    const id = await proposal(asked, changes);
    return asked.owner.get(`/proposals/${id}/diff`);
  },
  'the events of proposals that made nodes': async (asked) => {
    const { app, owner } = asked;
    const node = { title: 'made', node_type: 'NOTE', ...content() };
    const { body } = await app.post('/proposals', {
      title: 'one more',
      type: 'CREATE_NODE',
      canonical_data: node,
    });
    for (const step of ['approve', 'apply']) {
      if (step === 'approve') await app.patch(`/proposals/${body.id}`, { status: 'READY_FOR_APPROVAL' });
      expect((await owner.post(`/proposals/${body.id}/${step}`, {})).status).toBe(200);
    }
    const answer = await app.get('/proposals/events?limit=100');
    expect(answer.body.events.at(-1).data.created_nodes).toHaveLength(1);
    return answer;
  },
  'a later pass of sync under other rules': async ({ app, owner, id, profileId }) => {
    const { body } = await app.get('/sync?ids_only=true');
    await owner.put(`/nodes/${id}`, content());
    const { body: rules } = await owner.get(`/exposure-profiles/${profileId}`);
    const more = { type: 'truncate', config: { field: 'title', max: 100 + (++number % 800) } };
    const transformations = [
      ...rules.transformations.filter(({ type }: { type: string }) => type !== 'truncate'),
      more,
    ];
    expect((await owner.put(`/exposure-profiles/${profileId}`, { transformations })).status).toBe(200);
    return app.get(`/sync?cursor=${encodeURIComponent(body.cursor as string)}`);
  },
  'a node made': ({ app }) => app.post('/nodes', { title: 'made', node_type: 'NOTE', ...content() }),
  'a proposal made ready': async ({ app, id }) => {
    const empty = { title: 'else', type: 'BATCH', canonical_data: {} };
    const { body } = await app.post('/proposals', empty);
    const changes = { value: long(), metadata: { properties: { one: long() } } };
    const actions = [{ id: 'a', type: 'UPDATE_NODE', payload: { node_id: id, changes } }];
    return app.patch(`/proposals/${body.id}`, { actions, status: 'READY_FOR_APPROVAL' });
  },
  'a node made under an Idempotency-Key': ({ app }) =>
    app.post('/nodes', { title: 'made', node_type: 'NOTE', ...content() }, once()),
  'a relationship made under an Idempotency-Key': ({ app, id, otherId }) =>
    app.post('/relationships', { ...between(id, otherId), relationship_type: `near ${++number}` }, once()),
  'a batch under an Idempotency-Key': ({ app }) =>
    app.post('/nodes/batch', { nodes: [{ title: 'x', node_type: 'NOTE' }] }, once()),
  'a batch that meets redacted texts': ({ app }) =>
    app.post('/nodes/batch', { nodes: [{ title: 'x', node_type: 'NOTE' }] }),
  'a node replaced': ({ app, id }) => app.put(`/nodes/${id}`, content()),
  'a node changed in part': ({ app, id }) =>
    app.patch(`/nodes/${id}`, { metadata: { properties: { one: long() } } }),
  'a batch that overwrites': async ({ app, owner, id }) => {
    await owner.put(`/nodes/${id}`, { ...content(), value: 'alike' });
    const nodes = [{ title: 'first', node_type: 'NOTE', ...content(), value: 'alike' }];
    return app.post('/nodes/batch', { nodes, on_duplicate: 'overwrite' });
  },
  'a preview of the profile': ({ owner, profileId }) =>
    owner.post(`/exposure-profiles/${profileId}/preview`, { limit: 10 }),
  'an explanation by the profile': ({ owner, profileId, id }) =>
    owner.get(`/exposure-profiles/${profileId}/explain?node_id=${id}`),
};

describe.each(Object.entries(PROFILES))('a profile that %s', (_, transformations) => {
  let world: World;
  const asked = {} as Asked;

  beforeAll(async () => {
    world = await World.startHere();
    asked.owner = await world.user();
    const body = profile(EVERY_TAG, { transformations });
    asked.app = await asked.owner.lets(await world.app({ requested: everything }), body);
    const listed = await asked.owner.get('/exposure-profiles');
    asked.profileId = listed.body.exposure_profiles.find(
      ({ is_default }: { is_default: boolean }) => !is_default,
    ).id;
    asked.id = (await node(asked.owner, { title: 'first', ...content() })).id;
    asked.fileId = (await upload(asked.owner, '/raw-files')).body.id as string;
    const other = await node(asked.owner, { title: 'second', ...content() });
    asked.otherId = other.id;
    asked.edgeId = (await asked.owner.post('/relationships', between(asked.id, other.id))).body.id as string;
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  it.each(Object.keys(BY))('answers %s without changing anything long in one piece', async (name) => {
    await asked.owner.put(`/nodes/${asked.id}`, content());
    await asked.owner.put(`/nodes/${asked.id}`, content());
    const { atOnce, inSlices, holding, late } = watched();
    const { status } = await (BY[name] as Asking)(asked);
    expect([200, 201]).toContain(status);
    expect(inSlices).not.toEqual([]);
    expect(atOnce).toEqual([]);
    expect(late).toEqual([]);
    expect(holding).toEqual([]);
  });
});
