import { type Client } from '../support/client.js';
import { type TestApp, type TestUser, World } from '../support/world.js';
import { codeOf, node, profile } from '../support/worlds/nodes.js';
import { approved, batch, EVERY_VERB, proposed, ready } from '../support/worlds/proposals.js';

type Body = Record<string, unknown>;

/** The app reads everything, but neither value, metadata nor agent metadata of a DIARY or a node with the tag `private`. */
describe('approvals and what they show to apps (rule 8.10d)', () => {
  let world: World;
  let alice: TestUser;
  let diary: TestApp;
  let app: Client;
  let tag: string;

  const SECRET = 'HIV positive';
  const masks = (...paths: string[]): Body => ({
    type: 'field_mask',
    config: { paths, strategy: 'remove' },
    apply_to: { tag_ids: [tag] },
  });

  beforeAll(async () => {
    world = await World.start();
    diary = await world.app();
  });
  beforeEach(async () => {
    alice = await world.user();
    tag = (await alice.post('/tags', { name: 'private' })).body.id;
    const mask = masks('value', 'metadata', 'agent_metadata');
    const transformations = [mask, { ...mask, apply_to: { node_types: ['DIARY'] } }];
    app = await alice.lets(diary, profile(EVERY_VERB, { transformations }));
  });
  afterAll(() => world.stop());

  const made = async (body: Body = {}): Promise<string> =>
    (await node(alice, { title: 't', node_type: 'NOTE', tags: ['private', 'x'], ...body })).id;
  const untag = (id: string): Body => ({
    type: 'REMOVE_TAGS',
    canonical_data: { node_id: id, tags: ['private'] },
  });
  const diffOf = async (id: string) => (await alice.get(`/proposals/${id}/diff`)).body;
  const offered = async (body: Body): Promise<string> => {
    const { id } = await proposed(app, body);
    expect((await ready(app, id)).status).toBe(200);
    return id;
  };
  const approve = (id: string, body: Body = {}) => alice.post(`/proposals/${id}/approve`, body);
  const applied = async (id: string, by: Client = app) => (await by.post(`/proposals/${id}/apply`)).body;
  const writes = async (id: string, body: Body) =>
    expect((await alice.put(`/nodes/${id}`, body)).status).toBe(200);
  const isNotApplied = async (id: string) =>
    expect(await applied(id)).toMatchObject({ status: 'FAILED', errors: [{ code: 'NOT_APPLIED' }] });

  describe('incomplete comparisons', () => {
    it('a comparison that has become too large is not as approved, and its user still applies it', async () => {
      const secret = await made();
      const others = [];
      for (let index = 0; index < 12; index++) others.push(await made({ tags: ['x'] }));
      const renames = others.map((id): [string, Body] => [
        'UPDATE_NODE',
        { node_id: id, changes: { title: 'renamed' } },
      ]);
      const id = await offered(batch(['REMOVE_TAGS', { node_id: secret, tags: ['private'] }], ...renames));
      expect(await diffOf(id)).toMatchObject({ disclosures_complete: true });
      expect((await approve(id)).status).toBe(200);
      await writes(secret, { value: SECRET });
      const large = { value: 'v'.repeat(98_000), metadata: { text: 'm'.repeat(250_000) } };
      for (const other of others) expect((await app.put(`/nodes/${other}`, large)).status).toBe(200);
      expect(await applied(id)).toMatchObject({ status: 'FAILED' });
      expect((await app.get(`/nodes/${secret}`)).body.value).toBeUndefined();
      expect(await diffOf(id)).toMatchObject({ disclosures: [], disclosures_complete: false });
      expect((await approve(id)).status).toBe(200);
      expect(await applied(id)).toMatchObject({ status: 'FAILED' });
      expect((await approve(id)).status).toBe(200);
      expect(await applied(id, alice)).toMatchObject({ status: 'APPLIED' });
    });

    it('apps that are authorized later leave no older app out of the comparison', async () => {
      const secret = await made();
      const spy = await alice.lets(
        await world.app(),
        profile(EVERY_VERB, { transformations: [masks('value')] }),
      );
      const id = await approved(alice, app, untag(secret));
      await writes(secret, { value: SECRET });
      const newer = await world.app();
      for (let index = 0; index < 25; index++) await alice.lets(index === 0 ? newer : await world.app());
      await isNotApplied(id);
      expect((await spy.get(`/nodes/${secret}`)).body.value).toBeUndefined();
      const { disclosures, disclosures_complete } = await diffOf(id);
      expect(disclosures_complete).toBe(true);
      expect(disclosures).toHaveLength(2);
    });
  });

  describe('relationships', () => {
    const relate = async (from: string, to: string, rest: Body): Promise<string> => {
      const body = { from_node_id: from, to_node_id: to, relationship_type: 'knows', ...rest };
      return (await alice.post('/relationships', body)).body.id;
    };

    it.each(['another text', 'another relationship'])(
      '%s of equal number is not as approved',
      async (form) => {
        const secret = await made();
        const [bob, carol] = [
          await made({ title: 'Bob', tags: ['x'] }),
          await made({ title: 'Carol', tags: ['x'] }),
        ];
        const edge = await relate(secret, bob, { context: 'from the choir' });
        const id = await offered(untag(secret));
        expect((await diffOf(id)).disclosures).toMatchObject([{ relationship_texts: 1 }]);
        expect((await approve(id)).status).toBe(200);
        if (form === 'another text') await alice.put(`/relationships/${edge}`, { context: SECRET });
        else {
          await alice.delete(`/relationships/${edge}`);
          await relate(secret, carol, { context: SECRET });
        }
        await isNotApplied(id);
        expect((await app.get('/relationships')).text).not.toContain(SECRET);
      },
    );

    it('an app is shown approved relationships that have not changed', async () => {
      const secret = await made();
      await relate(secret, await made({ tags: ['x'] }), { context: 'from the choir' });
      const id = await approved(alice, app, untag(secret));
      expect(await applied(id)).toMatchObject({ status: 'APPLIED', errors: [] });
    });
  });

  describe('approving after reading', () => {
    it('a text that is written after the diff was read is not approved before it is read again', async () => {
      const secret = await made();
      const id = await offered(untag(secret));
      const { revision } = await diffOf(id);
      await writes(secret, { value: SECRET });
      await alice.get(`/proposals/${id}`);
      expect(codeOf(await approve(id, { expected_revision: revision }))).toEqual([409, 'REVISION_CONFLICT']);
      const refused = await approve(id);
      expect(codeOf(refused)).toEqual([409, 'REVISION_CONFLICT']);
      expect(refused.body.error.message).toContain('shows to apps has changed since you read');
      expect((await diffOf(id)).disclosures).toMatchObject([{ nodes: [{ id: secret, fields: ['value'] }] }]);
      expect((await approve(id)).status).toBe(200);
      expect(await applied(id)).toMatchObject({ status: 'APPLIED', errors: [] });
    });

    it('a part is approved after the diff of the whole, until that shows something else', async () => {
      const [secret, open] = [await made({ value: SECRET }), await made({ value: 'sun' })];
      const body = batch(
        ['REMOVE_TAGS', { node_id: secret, tags: ['private'] }],
        ['REMOVE_TAGS', { node_id: open, tags: ['private'] }],
      );
      const part = { approved_actions: ['a1'] };
      const id = await offered(body);
      await diffOf(id);
      await writes(open, { value: 'rain' });
      expect(codeOf(await approve(id, part))).toEqual([409, 'REVISION_CONFLICT']);
      await diffOf(id);
      expect((await approve(id, part)).status).toBe(200);
      expect(await applied(id)).toMatchObject({ status: 'APPLIED', errors: [] });
      expect((await app.get(`/nodes/${open}`)).body.value).toBe('rain');
    });
  });

  describe('the past of a node', () => {
    const pastOf = async (id: string): Promise<boolean[]> => {
      const history = await app.get(`/nodes/${id}/history?include_snapshots=true`);
      const contributions = await app.get(`/nodes/${id}/contributions?status=all&limit=100`);
      return [history, contributions].map(({ text }) => text.includes(SECRET));
    };
    const hide: Record<string, [hidden: (id: string) => Promise<unknown>, shown: (id: string) => Body]> = {
      tag: [(id) => alice.post(`/nodes/${id}/tags`, { tag_id: tag }), untag],
      type: [
        (id) => writes(id, { node_type: 'DIARY' }),
        (id) => ({ type: 'UPDATE_NODE', canonical_data: { node_id: id, changes: { node_type: 'NOTE' } } }),
      ],
    };

    it.each(['tag', 'type'])('a removed %s that hides earlier versions now discloses them', async (form) => {
      const [hidden, shown] = hide[form]!;
      const id = await made({ value: SECRET, tags: ['x'] });
      await hidden(id);
      await writes(id, { value: null });
      expect(await pastOf(id)).toEqual([false, false]);
      const proposal = await offered(shown(id));
      const { disclosures } = await diffOf(proposal);
      expect(disclosures).toMatchObject([
        { nodes: [{ id, newly_readable: false, fields: [], earlier_versions: true }] },
      ]);
      expect(disclosures[0].summary).toMatch(/ can read more of the earlier versions of 1 node\.$/);
      expect((await approve(proposal)).status).toBe(200);
      expect(await applied(proposal)).toMatchObject({ status: 'APPLIED', errors: [] });
      expect(await pastOf(id)).toEqual([true, true]);
    });

    it('a version between approval and application is not as approved where the past opens', async () => {
      const id = await made({ tags: ['x'] });
      await alice.post(`/nodes/${id}/tags`, { tag_id: tag });
      const proposal = await approved(alice, app, untag(id));
      await writes(id, { value: SECRET });
      await writes(id, { value: null });
      await isNotApplied(proposal);
    });

    it('a mask that comes to work ahead of another one discloses earlier versions', async () => {
      const cut = { type: 'truncate', config: { field: 'value', max: 12 }, apply_to: { tag_ids: [tag] } };
      const redaction = { type: 'pii_redaction', config: { entities: ['phone'] } };
      app = await alice.lets(await world.app(), profile(EVERY_VERB, { transformations: [cut, redaction] }));
      const id = await made({ value: 'call +49 30 1234567 now', tags: ['x'] });
      await writes(id, { value: 'nothing' });
      const first = async () => (await app.get(`/nodes/${id}/history/1`)).body.snapshot.value;
      expect(await first()).toBe('call [REDACTED:phone] now');
      const proposal = await offered({
        type: 'ADD_TAGS',
        canonical_data: { node_id: id, tags: ['private'] },
      });
      const { disclosures } = await diffOf(proposal);
      expect(disclosures).toMatchObject([{ nodes: [{ id, earlier_versions: true }] }]);
      expect((await approve(proposal)).status).toBe(200);
      expect(await applied(proposal)).toMatchObject({ status: 'APPLIED' });
      expect(await first()).toBe('call +49 30 ');
    });

    it('versions that stay hidden by what they were themselves are not disclosed', async () => {
      const id = await made({ value: SECRET });
      await writes(id, { value: null });
      const proposal = await offered(untag(id));
      const { disclosures } = await diffOf(proposal);
      expect(disclosures).toMatchObject([
        { nodes: [], summary: expect.stringContaining('no more than now') },
      ]);
      await approve(proposal);
      await applied(proposal);
      expect(await pastOf(id)).toEqual([false, false]);
    });

    it('a node that becomes readable discloses its earlier versions', async () => {
      const spy = await alice.lets(await world.app(), profile(EVERY_VERB, { excluded_tag_ids: [tag] }));
      const id = await made({ value: SECRET, tags: ['x'] });
      await alice.post(`/nodes/${id}/tags`, { tag_id: tag });
      expect((await spy.get(`/nodes/${id}`)).status).toBe(404);
      const { disclosures } = await diffOf(await offered(untag(id)));
      expect(disclosures[1]).toMatchObject({ nodes: [{ newly_readable: true, earlier_versions: true }] });
    });

    it('contributions of a source that is unmasked before its merge are disclosed at the target', async () => {
      const [target, source] = [
        await made({ title: 'target', tags: ['x'] }),
        await made({ value: SECRET, tags: ['x'] }),
      ];
      await alice.post(`/nodes/${source}/tags`, { tag_id: tag });
      await writes(source, { value: null });
      const merge: [string, Body] = ['MERGE_NODES', { target_node_id: target, source_node_ids: [source] }];
      const proposal = await offered(batch(['REMOVE_TAGS', { node_id: source, tags: ['private'] }], merge));
      const { disclosures } = await diffOf(proposal);
      const nodes = [source, target].map((id) => ({ id, earlier_versions: true }));
      expect(disclosures).toMatchObject([{ nodes }]);
      await approve(proposal);
      expect(await applied(proposal, alice)).toMatchObject({ status: 'APPLIED', errors: [] });
      expect((await pastOf(target))[1]).toBe(true);
    });

    it('contributions of a node that was merged earlier are disclosed with those of its target', async () => {
      const [target, source] = [await made(), await made({ value: SECRET, tags: ['x'] })];
      const data = { target_node_id: target, source_node_ids: [source] };
      await applied(await approved(alice, app, { type: 'MERGE_NODES', canonical_data: data }), alice);
      expect((await pastOf(target))[1]).toBe(false);
      const proposal = await offered(untag(target));
      const { disclosures } = await diffOf(proposal);
      expect(disclosures).toMatchObject([{ nodes: [{ id: target, earlier_versions: true }] }]);
      await approve(proposal);
      await applied(proposal);
      expect((await pastOf(target))[1]).toBe(true);
    });
  });

  describe('nodes that a proposal ends', () => {
    it.each([
      ['deletes', (id: string): [string, Body] => ['DELETE_NODE', { node_id: id }]],
      [
        'merges into another',
        (id: string, other: string): [string, Body] => [
          'MERGE_NODES',
          { target_node_id: other, source_node_ids: [id] },
        ],
      ],
    ])('a proposal that unmasks a node and %s it says what restoring it would show', async (_, ending) => {
      const id = await made({ value: SECRET });
      const other = await made({ tags: ['x'] });
      const proposal = await offered(
        batch(['REMOVE_TAGS', { node_id: id, tags: ['private'] }], ending(id, other)),
      );
      const { disclosures } = await diffOf(proposal);
      expect(disclosures[0].nodes).toMatchObject([{ id, fields: ['value'] }]);
      await approve(proposal);
      await writes(id, { value: 'HIV positive, since May' });
      expect(await applied(proposal)).toMatchObject({
        status: 'FAILED',
        errors: [{ code: 'NOT_APPLIED' }, { code: 'NOT_APPLIED' }],
      });
    });

    it('a deletion alone discloses nothing', async () => {
      const { disclosures } = await diffOf(
        await offered({ type: 'DELETE_NODE', canonical_data: { node_id: await made({ value: SECRET }) } }),
      );
      expect(disclosures).toMatchObject([{ nodes: [] }]);
    });
  });

  describe('fields', () => {
    it('exact times and agents that a mask leaves out are disclosed as fields', async () => {
      const round = { type: 'round_date', config: { granularity: 'year' }, apply_to: { tag_ids: [tag] } };
      const transformations = [round, masks('last_modified_by_agent_id')];
      await alice.lets(await world.app(), profile(EVERY_VERB, { transformations }));
      const id = await made({ last_modified_by_agent_id: crypto.randomUUID() });
      const { disclosures } = await diffOf(await offered(untag(id)));
      expect(disclosures[1].nodes[0].fields.sort()).toEqual([
        'created_at',
        'last_modified_by_agent_id',
        'updated_at',
      ]);
    });

    it('many paths of one field leave no other field out', async () => {
      const metadata = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, index]));
      const agent_metadata = { agent_name: 'therapist' };
      const id = await made({ metadata, agent_metadata });
      const proposal = await offered(untag(id));
      const { disclosures } = await diffOf(proposal);
      const { fields } = disclosures[0].nodes[0];
      expect(fields).toHaveLength(51);
      expect(fields).toContain('agent_metadata.agent_name');
      expect(disclosures[0].summary).toContain('is shown `metadata`, `agent_metadata` of 1 node');
    });

    it('a field that is written after the approval counts, however many paths another one has', async () => {
      const metadata = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, index]));
      const id = await made({ metadata });
      const proposal = await approved(alice, app, untag(id));
      await writes(id, { agent_metadata: { agent_name: 'therapist' } });
      await isNotApplied(proposal);
    });
  });
});
