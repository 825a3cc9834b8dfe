import { type Client } from '../support/client.js';
import { type TestApp, type TestUser, World } from '../support/world.js';
import { node, profile } from '../support/worlds/nodes.js';
import { approved, batch, EVERY_VERB, proposed, ready } from '../support/worlds/proposals.js';

type Body = Record<string, unknown>;

/** The app reads everything, but no value of a MEASUREMENT or of a node with the tag `private`. */
describe('approvals', () => {
  let world: World;
  let alice: TestUser;
  let diary: TestApp;
  let app: Client;
  let tag: string;
  let secret: string;
  let open: string;

  const TOLD_NOTHING = [{ is_proposing: true, nodes: [], relationships: 0 }];

  beforeAll(async () => {
    world = await World.start();
    diary = await world.app();
  });
  beforeEach(async () => {
    alice = await world.user();
    tag = (await alice.post('/tags', { name: 'private' })).body.id;
    const mask = { type: 'field_mask', config: { paths: ['value', 'metadata'], strategy: 'remove' } };
    const transformations = [
      { ...mask, apply_to: { node_types: ['MEASUREMENT'] } },
      { ...mask, apply_to: { tag_ids: [tag] } },
    ];
    app = await alice.lets(diary, profile(EVERY_VERB, { transformations }));
    secret = await made({ title: 'blood', value: 'HIV positive', tags: ['private', 'x'] });
    open = await made({ title: 'weather', value: 'sun', tags: ['x'] });
  });
  afterAll(() => world.stop());

  const made = async (body: Body): Promise<string> =>
    (await node(alice, { title: 't', node_type: 'NOTE', ...body })).id;
  const untag = (id: string): [string, Body] => ['REMOVE_TAGS', { node_id: id, tags: ['private'] }];
  const merge = (target: string, source: string, field_choices: Body = {}): [string, Body] => [
    'MERGE_NODES',
    { target_node_id: target, source_node_ids: [source], field_choices },
  ];
  const diffOf = async (id: string) => (await alice.get(`/proposals/${id}/diff`)).body;
  const valueOf = async (id: string) => (await app.get(`/nodes/${id}`)).body.value;
  const applied = async (id: string, by: Client = app) => (await by.post(`/proposals/${id}/apply`)).body;

  describe('disclosures in the diff', () => {
    it.each<[string, () => Body]>([
      [
        'the diff discloses a value that a changed type and a merge unmask',
        () =>
          batch(
            ['UPDATE_NODE', { node_id: secret, changes: { node_type: 'OTHER' } }],
            untag(secret),
            merge(open, secret, { value: 'source' }),
          ),
      ],
      [
        'the diff discloses a value that a removed tag and a merge unmask',
        () => batch(untag(secret), merge(open, secret, { value: 'source' })),
      ],
    ])('%s', async (_, body) => {
      const proposal = await proposed(app, body());
      const { disclosures } = await diffOf(proposal.id);
      expect(disclosures).toHaveLength(1);
      expect(disclosures[0].nodes).toContainEqual(
        expect.objectContaining({ id: open, fields: expect.arrayContaining(['value']) }),
      );
    });

    it('the diff of two chained merges discloses the value of the first source', async () => {
      const between = await made({ title: 'between', value: 'rain', tags: ['x'] });
      const measured = await made({
        title: 'm',
        node_type: 'MEASUREMENT',
        value: 'HIV positive',
        tags: ['x'],
      });
      const body = batch(
        merge(between, measured, { value: 'source' }),
        merge(open, between, { value: 'source' }),
      );
      const { disclosures } = await diffOf((await proposed(app, body)).id);
      expect(disclosures).toHaveLength(1);
      expect(disclosures[0].nodes).toContainEqual(
        expect.objectContaining({ id: open, fields: expect.arrayContaining(['value']) }),
      );
    });

    it('the diff discloses the file name to an app when a file loses its schema', async () => {
      const [{ id: schema }] = (await alice.get('/schemas?search=RawFile')).body.schemas;
      const file = await made({
        title: 'scan',
        schema_id: schema,
        metadata: { filename: 'hiv.pdf', mime_type: 'text/plain', size_bytes: 1 },
        tags: ['x'],
      });
      const mask = { type: 'field_mask', config: { paths: ['title'], strategy: 'remove' } };
      const other = await alice.lets(await world.app(), profile(EVERY_VERB, { transformations: [mask] }));
      const body = { type: 'UPDATE_NODE', canonical_data: { node_id: file, changes: { schema_id: null } } };
      const { disclosures } = await diffOf((await proposed(other, body)).id);
      expect(disclosures[0].nodes).toMatchObject([{ id: file, fields: ['metadata.filename'] }]);
    });
  });

  describe('applying', () => {
    it('an action that shows more is not applied without the one that hides it again', async () => {
      const body = batch(
        untag(secret),
        ['UPDATE_NODE', { node_id: secret, changes: { node_type: 'MEASUREMENT' } }],
        ['DELETE_NODE', { node_id: open }],
      );
      const proposal = await proposed(app, body);
      expect((await diffOf(proposal.id)).disclosures).toMatchObject(TOLD_NOTHING);
      const id = await approvedAs(proposal.id);
      await alice.put(`/nodes/${secret}`, { node_type: 'LETTER' });
      const { status, errors } = await applied(id);
      expect(status).toBe('APPLIED');
      expect(errors.map(({ action_id, code }: Body) => [action_id, code])).toEqual([
        ['a0', 'NOT_APPLIED'],
        ['a1', 'CONFLICT'],
      ]);
      expect((await app.get(`/nodes/${secret}`)).body.value).toBeUndefined();
      expect((await alice.get(`/nodes/${open}`)).status).toBe(404);
    });

    it('a part that shows more than the whole cannot be approved', async () => {
      const body = batch(untag(secret), [
        'UPDATE_NODE',
        { node_id: secret, changes: { node_type: 'MEASUREMENT' } },
      ]);
      const { id } = await proposed(app, body);
      await ready(app, id);
      const refused = await alice.post(`/proposals/${id}/approve`, { approved_actions: ['a0'] });
      expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect((await alice.post(`/proposals/${id}/approve`, { approved_actions: ['a1'] })).status).toBe(200);
    });

    it('a text that is written after the approval is not shown by it, until it is approved again', async () => {
      const empty = await made({ title: 'plans', tags: ['private', 'x'] });
      const body = { type: 'REMOVE_TAGS', canonical_data: { node_id: empty, tags: ['private'] } };
      const proposal = await proposed(app, body);
      expect((await diffOf(proposal.id)).disclosures).toMatchObject(TOLD_NOTHING);
      const id = await approvedAs(proposal.id);
      await alice.put(`/nodes/${empty}`, { value: 'I am leaving him' });
      expect(await applied(id)).toMatchObject({ status: 'FAILED', errors: [{ code: 'NOT_APPLIED' }] });
      expect(await valueOf(empty)).toBeUndefined();
      expect((await diffOf(id)).disclosures).toMatchObject([{ nodes: [{ id: empty, fields: ['value'] }] }]);
      await alice.post(`/proposals/${id}/approve`, { expected_revision: proposal.revision });
      expect(await applied(id)).toMatchObject({ status: 'APPLIED', errors: [] });
      expect(await valueOf(empty)).toBe('I am leaving him');
    });

    it('a merge does not take a text that is newer than its approval', async () => {
      const measured = await made({
        title: 'm',
        node_type: 'MEASUREMENT',
        value: 'nice weather',
        tags: ['x'],
      });
      const id = await approved(alice, app, batch(merge(open, measured, { value: 'source' })));
      await alice.put(`/nodes/${measured}`, { value: 'HIV positive' });
      expect(await applied(id)).toMatchObject({ status: 'FAILED' });
      expect(await valueOf(open)).toBe('sun');
    });

    it('a proposal that opens a node beside making one is applied by its app', async () => {
      const body = batch(untag(secret), [
        'CREATE_NODE',
        { title: 'new', node_type: 'MEASUREMENT', value: 'its own', tags: ['x', 'unheard of'] },
      ]);
      const id = await approved(alice, app, body);
      expect(await applied(id)).toMatchObject({ status: 'APPLIED', errors: [] });
    });

    it('a user takes an approval back by rejecting', async () => {
      const id = await approved(alice, app, batch(untag(secret)));
      expect((await alice.post(`/proposals/${id}/reject`, {})).status).toBe(200);
      expect((await app.post(`/proposals/${id}/apply`)).body.error.code).toBe('PROPOSAL_NOT_APPROVED');
    });

    it('words that are read again and mean something else are a new revision', async () => {
      const body = { type: 'REMOVE_TAGS', canonical_data: { node_id: open, tags: ['private'] } };
      const { id } = (await app.post('/proposals', body)).body;
      await alice.get(`/proposals/${id}/diff`);
      await alice.put(`/nodes/${open}`, { tags: ['private', 'x'] });
      const offered = await ready(app, id);
      expect(offered.body).toMatchObject({ status: 'READY_FOR_APPROVAL', revision: 2 });
      const stale = await alice.post(`/proposals/${id}/approve`, { expected_revision: 1 });
      expect([stale.status, stale.body.error.code]).toEqual([409, 'REVISION_CONFLICT']);
    });

    it('an app applies no action that it may not propose today', async () => {
      const id = await approved(alice, app, batch(['DELETE_NODE', { node_id: open }]));
      const { body } = await alice.get('/authorizations');
      await alice.delete(`/authorizations/${body.authorizations[0].id}`);
      await alice.authorizes(diary, profile({ ...EVERY_VERB, propose: [tag] }));
      const again = diary.as(alice);
      expect(await applied(id, again)).toMatchObject({
        status: 'FAILED',
        errors: [{ action_id: 'a0', code: 'PERMISSION_DENIED' }],
      });
      expect((await alice.get(`/nodes/${open}`)).status).toBe(200);
    });
  });

  async function approvedAs(id: string): Promise<string> {
    await ready(app, id);
    await alice.post(`/proposals/${id}/approve`, {});
    return id;
  }
});
