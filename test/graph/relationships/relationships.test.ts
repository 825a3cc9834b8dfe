import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { type TestUser, World } from '../../support/world.js';
import { codeOf, node } from '../../support/worlds/nodes.js';
import { versionTag } from '../../support/version-tag.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const FIELDS = {
  relationship_type: 'references',
  strength: 0.5,
  confidence: 0.25,
  context: 'a footnote',
  graph_view: 'neutral',
  emotion_type: 'positive',
  sentiment_score: -0.5,
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Body = any;
const idsOf = (edges: { id: string }[]) => edges.map(({ id }) => id);

describe('relationships, for their owner', () => {
  let world: World;
  let alice: TestUser;
  let a: string;
  let b: string;
  let c: string;

  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user('alice');
    [a, b, c] = [
      (await node(alice, { title: 'A' })).id,
      (await node(alice, { title: 'B' })).id,
      (await node(alice, { title: 'C' })).id,
    ];
  });
  afterAll(() => world.stop());

  const edge = async (body: Record<string, unknown> = {}): Promise<Body> => {
    const made = await alice.post('/relationships', {
      from_node_id: a,
      to_node_id: b,
      relationship_type: 'related_to',
      ...body,
    });
    if (made.status !== 201) throw new Error(`relationship: ${made.status} ${made.text}`);
    return made.body;
  };

  describe('POST /relationships', () => {
    it('a created relationship is answered with 201 and the whole record', async () => {
      const made = await alice.post('/relationships', {
        ...FIELDS,
        from_node_id: a.toUpperCase(),
        to_node_id: b,
        owner_id: ABSENT,
      });
      expect(made.status).toBe(201);
      expect(made.body).toEqual({
        ...FIELDS,
        id: expect.any(String),
        from_node_id: a,
        to_node_id: b,
        bidirectional: false,
        owner_id: alice.id,
        created_at: expect.stringMatching(/Z$/),
        updated_at: made.body.created_at,
        version: 1,
      });
      const read = await alice.get(`/relationships/${made.body.id}`);
      expect(read.body).toEqual(made.body);
      expect(versionTag(read)).toBe('"1"');
    });

    it('missing fields of a new relationship have defaults', async () => {
      const nothing = {
        strength: null,
        confidence: null,
        context: null,
        emotion_type: null,
        sentiment_score: null,
      };
      expect(await edge()).toMatchObject({ ...nothing, bidirectional: false, graph_view: 'identity' });
    });

    it('a bidirectional relationship makes two records', async () => {
      const made = await edge({ ...FIELDS, bidirectional: true });
      expect(made).toMatchObject({ from_node_id: a, to_node_id: b, bidirectional: true });
      const { reverse_relationship_id, ...forward } = made;
      const reverse = await alice.get(`/relationships/${reverse_relationship_id}`);
      expect(reverse.body).toEqual({
        ...forward,
        id: reverse_relationship_id,
        from_node_id: b,
        to_node_id: a,
      });
    });

    it('parallel edges between two nodes are allowed', async () => {
      expect((await edge()).id).not.toBe((await edge()).id);
    });

    it.each([
      [{ from_node_id: undefined }, 'from_node_id'],
      [{ to_node_id: 5 }, 'to_node_id'],
      [{ relationship_type: undefined }, 'relationship_type'],
      [{ relationship_type: ' ' }, 'relationship_type'],
      [{ relationship_type: 'x'.repeat(101) }, 'relationship_type'],
      [{ strength: 1.1 }, 'strength'],
      [{ strength: '1' }, 'strength'],
      [{ confidence: -0.1 }, 'confidence'],
      [{ sentiment_score: 1.01 }, 'sentiment_score'],
      [{ graph_view: 'both' }, 'graph_view'],
      [{ bidirectional: 'yes' }, 'bidirectional'],
      [{ context: {} }, 'context'],
    ])('a new relationship with %j is refused', async (body, field) => {
      const answer = await alice.post('/relationships', {
        from_node_id: a,
        to_node_id: b,
        relationship_type: 'x',
        ...body,
      });
      expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error.details[0].field).toBe(field);
    });

    it('a loop from a node to itself is refused', async () => {
      const loop = { from_node_id: a, to_node_id: a.toUpperCase(), relationship_type: 'x' };
      expect(codeOf(await alice.post('/relationships', loop))).toEqual([400, 'VALIDATION_ERROR']);
    });

    it('unknown, foreign, deleted and malformed nodes are answered equally with 404', async () => {
      const foreign = await node(await world.user());
      const gone = await node(alice);
      await alice.delete(`/nodes/${gone.id}`);
      const texts = new Set<string>();
      for (const id of [ABSENT, foreign.id, gone.id, 'nonsense', '']) {
        for (const ends of [
          { from_node_id: id, to_node_id: b },
          { from_node_id: a, to_node_id: id },
        ]) {
          const answer = await alice.post('/relationships', { ...ends, relationship_type: 'x' });
          expect(codeOf(answer)).toEqual([404, 'NODE_NOT_FOUND']);
          texts.add(answer.text.replace(/"request_id":"[^"]*"/, ''));
        }
      }
      // One for each of the two fields that are named.
      expect(texts.size).toBe(2);
    });

    it('one Idempotency-Key creates one relationship', async () => {
      const headers = { 'Idempotency-Key': 'edge-1' };
      const body = { ...FIELDS, from_node_id: a, to_node_id: c, bidirectional: true };
      const [first, second] = [
        await alice.post('/relationships', body, { headers }),
        await alice.post('/relationships', body, { headers }),
      ];
      expect(second.status).toBe(201);
      expect(second.body).toEqual(first.body);
      await alice.delete(`/relationships/${first.body.id}`);
      await alice.delete(`/relationships/${first.body.reverse_relationship_id}`);
    });
  });

  describe('/relationships/:relationship_id', () => {
    it('anything but a living relationship of the owner is answered with 404', async () => {
      const gone = await edge();
      await alice.delete(`/relationships/${gone.id}`);
      const foreign = await world.user();
      const [x, y] = [await node(foreign), await node(foreign)];
      const others = await foreign.post('/relationships', {
        from_node_id: x.id,
        to_node_id: y.id,
        relationship_type: 'x',
      });
      for (const id of [ABSENT, gone.id, others.body.id, 'nonsense', '%00']) {
        expect(codeOf(await alice.get(`/relationships/${id}`))).toEqual([404, 'NOT_FOUND']);
        expect(codeOf(await alice.put(`/relationships/${id}`, '{'))).toEqual([404, 'NOT_FOUND']);
        expect(codeOf(await alice.delete(`/relationships/${id}`))).toEqual([404, 'NOT_FOUND']);
      }
    });

    it('a PUT of a relationship replaces the sent fields, clears with null and ignores unknown ones', async () => {
      const before = await edge(FIELDS);
      const changed = await alice.put(`/relationships/${before.id}`, {
        relationship_type: 'knows',
        strength: null,
        from_node_id: c,
        bidirectional: true,
        version: 9,
        x: 1,
      });
      expect(changed.status).toBe(200);
      expect(changed.body).toEqual({
        ...before,
        relationship_type: 'knows',
        strength: null,
        version: 2,
        updated_at: expect.any(String),
      });
      expect(changed.headers.etag).toBe('"2"');
      const same = await alice.put(`/relationships/${before.id}`, changed.body);
      expect(same.body).toEqual(changed.body);
    });

    it.each([[{ relationship_type: null }], [{ graph_view: null }], [{ strength: 2 }]])(
      'a change of a relationship with %j is refused',
      async (body) => {
        const { id } = await edge();
        expect(codeOf(await alice.put(`/relationships/${id}`, body))).toEqual([400, 'VALIDATION_ERROR']);
      },
    );

    it('exactly one of many changes of a relationship with one entity tag in If-Match succeeds', async () => {
      const { id } = await edge();
      const headers = { 'If-Match': '"1"' };
      const writers = Array.from({ length: 10 }, (_, i) =>
        alice.put(`/relationships/${id}`, { context: `c${i}` }, { headers }),
      );
      const statuses = (await Promise.all(writers)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 412)).toHaveLength(9);
      expect(codeOf(await alice.delete(`/relationships/${id}`, undefined, { headers }))).toEqual([
        412,
        'PRECONDITION_FAILED',
      ]);
    });

    it('a deletion of a relationship deletes one direction', async () => {
      const made = await edge({ bidirectional: true });
      const answer = await alice.delete(`/relationships/${made.id}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ message: expect.any(String), id: made.id });
      expect((await alice.get(`/relationships/${made.reverse_relationship_id}`)).status).toBe(200);
    });

    it('changes of relationships are recorded in the change log', async () => {
      const made = await edge({ context: 'x' });
      await alice.put(`/relationships/${made.id}`, { context: 'y' });
      await alice.delete(`/relationships/${made.id}`);
      const rows = await world.nest
        .get(Database)
        .read(
          sql`SELECT entity, action, version, changed_fields, snapshot FROM changes WHERE entity_id = ${made.id} ORDER BY sequence`,
        );
      expect(rows).toMatchObject([
        {
          entity: 'relationship',
          action: 'created',
          version: 1,
          snapshot: { context: 'x', from_node_id: a, graph_view: 'identity' },
        },
        { action: 'updated', version: 2, changed_fields: { context: { old: 'x', new: 'y' } } },
        { action: 'deleted', version: 3, snapshot: { context: 'y' } },
      ]);
    });
  });

  describe('GET /relationships', () => {
    let carol: TestUser;
    let nodes: string[];
    let edges: Body[];
    const list = async (query = '') => {
      const answer = await carol.get(`/relationships?${query}`);
      if (answer.status !== 200) throw new Error(`list: ${answer.status} ${answer.text}`);
      return answer.body;
    };

    beforeAll(async () => {
      carol = await world.user('carol');
      nodes = [];
      for (const title of ['one', 'two', 'three']) nodes.push((await node(carol, { title })).id);
      const [one, two, three] = nodes;
      edges = [];
      for (const body of [
        { from_node_id: one, to_node_id: two, relationship_type: 'knows' },
        { from_node_id: two, to_node_id: three, relationship_type: 'knows' },
        { from_node_id: three, to_node_id: one, relationship_type: 'mentions' },
        { from_node_id: one, to_node_id: three, relationship_type: 'mentions', graph_view: 'neutral' },
      ]) {
        edges.push((await carol.post('/relationships', body)).body);
      }
    });

    it('the list of relationships has those of the identity view, newest first, page by page', async () => {
      const all = await list();
      expect(all).toMatchObject({ total: 3, limit: 50, offset: 0 });
      expect(idsOf(all.relationships)).toEqual([2, 1, 0].map((i) => edges[i].id));
      expect(all.relationships[0]).toEqual(edges[2]);
      const page = await list('limit=1&offset=1');
      expect(page).toMatchObject({ total: 3, limit: 1, offset: 1 });
      expect(idsOf(page.relationships)).toEqual([edges[1].id]);
      expect(await list('offset=9')).toMatchObject({ relationships: [], total: 3 });
      expect((await list('limit=100000')).limit).toBe(200);
    });

    it('the list of relationships filters', async () => {
      const [one, two] = nodes;
      const found = async (query: string) => {
        const { relationships, total } = await list(query);
        expect(total).toBe(relationships.length);
        return idsOf(relationships)
          .map((id) => edges.findIndex((e) => e.id === id))
          .sort();
      };
      expect(await found(`from_node_id=${one}`)).toEqual([0]);
      expect(await found(`to_node_id=${one}`)).toEqual([2]);
      expect(await found(`node_id=${one?.toUpperCase()}`)).toEqual([0, 2]);
      expect(await found(`node_id=${one}&to_node_id=${two}`)).toEqual([0]);
      expect(await found('relationship_type=knows')).toEqual([0, 1]);
      expect(await found('relationship_type=KNOWS')).toEqual([]);
      expect(await found('view=neutral')).toEqual([3]);
      expect(await found('access=owned')).toEqual([0, 1, 2]);
      expect(await found('access=shared')).toEqual([]);
      for (const filter of ['from_node_id', 'to_node_id', 'node_id']) {
        expect(await found(`${filter}=${ABSENT}`)).toEqual([]);
        expect(await found(`${filter}=nonsense`)).toEqual([]);
        expect(await found(`${filter}=`)).toEqual([]);
      }
    });

    it.each(['limit=0', 'offset=-1', 'limit=x', 'view=both', 'access=mine', 'include_nodes=1'])(
      'the list of relationships refuses %s',
      async (query) => {
        expect(codeOf(await carol.get(`/relationships?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
      },
    );

    it('the list of relationships includes the nodes on request', async () => {
      const { relationships } = await list(`from_node_id=${nodes[0]}&include_nodes=true`);
      expect(relationships[0]).toMatchObject({
        from_node: { title: 'one', tags: [] },
        to_node: { title: 'two', version: 1 },
      });
      expect(relationships[0].from_node).not.toHaveProperty('graph_view');
    });

    it('the list of relationships has those of a node', async () => {
      const [one, two, three] = nodes;
      const path = `/nodes/${one}/relationships`;
      const both = (await carol.get(path)).body;
      expect(both).toMatchObject({ node_id: one, total_outgoing: 2, total_incoming: 1 });
      expect(idsOf(both.outgoing)).toEqual([edges[3].id, edges[0].id]);
      expect(both.incoming).toEqual([edges[2]]);
      expect((await carol.get(`${path}?direction=outgoing`)).body).toMatchObject({
        incoming: [],
        total_incoming: 0,
        total_outgoing: 2,
      });
      expect((await carol.get(`${path}?direction=incoming`)).body).toMatchObject({
        outgoing: [],
        total_outgoing: 0,
        total_incoming: 1,
      });
      expect((await carol.get(`${path}?relationship_type=knows`)).body).toMatchObject({
        total_outgoing: 1,
        total_incoming: 0,
      });
      expect(codeOf(await carol.get(`${path}?direction=up`))).toEqual([400, 'VALIDATION_ERROR']);
      for (const id of [ABSENT, 'nonsense', a]) {
        expect(codeOf(await carol.get(`/nodes/${id}/relationships`))).toEqual([404, 'NODE_NOT_FOUND']);
      }
      expect((await carol.get(`/nodes/${two}/relationships`)).body.outgoing[0].to_node_id).toBe(three);
    });

    it('the list of relationships hides those of a deleted node until it is restored', async () => {
      const [one, two] = nodes;
      await carol.delete(`/nodes/${two}`);
      expect(idsOf((await list()).relationships)).toEqual([edges[2].id]);
      expect((await list()).total).toBe(1);
      expect((await carol.get(`/nodes/${one}/relationships`)).body).toMatchObject({
        total_outgoing: 1,
        total_incoming: 1,
      });
      for (const answer of [
        await carol.get(`/relationships/${edges[0].id}`),
        await carol.put(`/relationships/${edges[0].id}`, { strength: 1 }),
        await carol.delete(`/relationships/${edges[1].id}`),
      ]) {
        expect(codeOf(answer)).toEqual([404, 'NOT_FOUND']);
      }
      expect((await carol.post(`/nodes/${two}/restore`)).status).toBe(200);
      expect((await list()).total).toBe(3);
      expect((await carol.get(`/relationships/${edges[0].id}`)).body).toEqual(edges[0]);
    });
  });
});
