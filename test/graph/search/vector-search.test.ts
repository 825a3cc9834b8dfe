import { jest } from '@jest/globals';
import { Database } from '../../../src/kernel/database/database.js';
import { type Client } from '../../support/client.js';
import { everything } from '../../support/defaults.js';
import { Chance } from '../../properties/random.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

const SEED = Number(process.env.SEED ?? 20261121);
const MODELS = [null, 'small', 'large'];
const LENGTHS = [3, 4];

interface Stored {
  nodeId: string;
  model: string | null;
  embedding: number[];
}

describe('vector search', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));

  const search = async (client: Client, body: Record<string, unknown>) => {
    const answer = await client.post('/nodes/search/vector', body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body as {
      nodes: (Record<string, unknown> & { id: string; similarity_score: number })[];
      total: number;
      limit: number;
    };
  };
  const embedded = async (embedding: number[], body: Record<string, unknown> = {}) => {
    const { id } = await node(alice, body);
    await alice.put(`/nodes/${id}/embedding`, { embedding });
    return id as string;
  };

  describe(`vector search against brute force over the listable nodes (seed ${SEED})`, () => {
    const draws = new Chance(SEED);
    const chance = () => draws.below(1_000_000) / 1_000_000;
    const vector = (length: number) => Array.from({ length }, () => Math.round(chance() * 8) - 4);
    const notZero = (length: number) => {
      for (;;) {
        const given = vector(length);
        if (given.some((number) => number !== 0)) return given;
      }
    };

    /** 1 %, 10 % and all of the nodes carry these tags. */
    async function fill(): Promise<Stored[]> {
      const nodes = Array.from({ length: 200 }, (_, index) => ({
        title: `node ${index}`,
        node_type: index % 3 === 0 ? 'GOAL' : 'note',
        graph_view: index % 7 === 3 ? 'neutral' : 'identity',
        tags: ['all', ...(index % 10 === 0 ? ['ten'] : []), ...(index % 100 === 0 ? ['one'] : [])],
      }));
      const stored: Stored[] = [];
      for (let start = 0; start < nodes.length; start += 100) {
        const { body } = await alice.post('/nodes/batch', { nodes: nodes.slice(start, start + 100) });
        for (const { id, index } of body.created as { id: string; index: number }[]) {
          // One in five has none, some have several.
          if (index % 5 === 4) continue;
          for (const model of MODELS.filter(() => chance() < 0.6))
            for (const length of LENGTHS.filter(() => chance() < 0.7))
              stored.push({ nodeId: id, model, embedding: notZero(length) });
        }
      }
      for (let start = 0; start < stored.length; start += 100) {
        const embeddings = stored
          .slice(start, start + 100)
          .map(({ nodeId: id, ...rest }) => ({ id, ...rest }));
        const { body } = await alice.put('/nodes/batch/embeddings', { embeddings });
        expect(body).toMatchObject({ failed: 0 });
      }
      return stored;
    }

    async function listed(client: Client, view: string): Promise<Set<string>> {
      const ids = new Set<string>();
      for (let offset = 0; ; offset += 100) {
        const { body } = await client.get(`/nodes?limit=100&offset=${offset}&view=${view}`);
        for (const { id } of body.nodes as { id: string }[]) ids.add(id);
        if (body.nodes.length < 100) return ids;
      }
    }

    function bruteForce(stored: Stored[], readable: Set<string>, { embedding, model, min_score }: Question) {
      const best = new Map<string, number>();
      for (const each of stored) {
        if (!readable.has(each.nodeId) || each.embedding.length !== embedding.length) continue;
        if (model !== undefined && each.model !== model) continue;
        const score = cosine(each.embedding, embedding);
        if (score > (best.get(each.nodeId) ?? -2)) best.set(each.nodeId, score);
      }
      return [...best]
        .map(([id, score]) => ({ id, score }))
        .filter(({ score }) => score >= min_score - 1e-7)
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    }

    it('searching by vector returns what a brute-force search of readable nodes returns', async () => {
      const stored = await fill();
      const [one, ten, all] = [
        await tagId(alice, 'one'),
        await tagId(alice, 'ten'),
        await tagId(alice, 'all'),
      ];
      const callers: [string, Client][] = [
        ['the owner', alice],
        ['1 %', await letsIn(world, alice, profile({ read: [one] }))],
        ['10 %', await letsIn(world, alice, profile({ read: [ten] }))],
        ['100 %', await letsIn(world, alice, profile({ read: [all] }))],
        [
          '90 %',
          await letsIn(world, alice, profile({ read: 'all' }, { tag_filters: { exclude_any: ['ten'] } })),
        ],
        ['a type', await letsIn(world, alice, profile({ read: [all] }, { allowed_node_types: ['GOAL'] }))],
        ['nothing', await letsIn(world, alice, profile({ edit: [all] }))],
      ];
      let compared = 0;
      for (const [name, client] of callers) {
        const readable = {
          identity: await listed(client, 'identity'),
          neutral: await listed(client, 'neutral'),
        };
        for (let run = 0; run < 12; run++) {
          const question: Question = {
            // Off the grid, so that no score is equal to the least one or to another vector's.
            embedding: notZero(LENGTHS[run % 2] as number).map((number) => number + chance() / 7),
            min_score: [0, -1, 0.5, 0.9][run % 4] as number,
            ...(run % 3 === 0 ? { model: run % 2 === 0 ? 'small' : 'large' } : {}),
          };
          const graph_view = run % 5 === 4 ? 'neutral' : 'identity';
          const expected = bruteForce(stored, readable[graph_view], question);
          const limit = run % 4 === 1 ? 100 : 10;
          const scores = new Map(expected.map(({ id, score }) => [id, score]));
          for (const way of ['in the database', 'read into memory', 'in memory']) {
            const { nodes, total } = await search(client, { ...question, graph_view, limit });
            const where = `${name}, run ${run}, ${way}`;
            expect([where, total]).toEqual([where, expected.length]);
            expect(nodes).toHaveLength(Math.min(limit, expected.length));
            nodes.forEach(({ id, similarity_score }, place) => {
              // Equal vectors have equal scores but for the last digits: the score of each place is what must agree.
              expect([where, similarity_score]).toEqual([
                where,
                expect.closeTo(expected[place]?.score ?? NaN, 5),
              ]);
              expect([where, scores.get(id)]).toEqual([where, expect.closeTo(similarity_score, 5)]);
              compared++;
            });
          }
        }
      }
      expect(compared).toBeGreaterThan(900);
    }, 120_000);
  });

  describe('caching', () => {
    const embedding = [3, 4, 0];
    const ids = async (client: Client, body = {}) =>
      (await search(client, { embedding, min_score: -1, ...body })).nodes.map(({ id }) => id);
    /** Waits until the vectors are in memory. */
    const warm = async (client: Client) => {
      for (let round = 0; round < 3; round++) await search(client, { embedding, min_score: -1 });
    };
    async function statements(work: () => Promise<unknown>): Promise<string[]> {
      const read = jest.spyOn(world.nest.get(Database), 'read');
      await work();
      const names = read.mock.calls
        .map(([, name]) => name ?? '')
        .filter((name) => /^(vector|nodes-first)/.test(name));
      read.mockRestore();
      return names;
    }

    it('repeated vector searches read the vectors once and readability after each change, and otherwise only the hits', async () => {
      const id = await embedded([3, 4, 0]);
      const question = { embedding };
      expect(await statements(() => search(alice, question))).toEqual(['vector-search']);
      expect(await statements(() => search(alice, question))).toEqual([
        'vectors-readable',
        'vectors-load',
        'nodes-first-readable',
      ]);
      expect(await statements(() => search(alice, question))).toEqual(['nodes-first-readable']);
      await alice.put(`/nodes/${id}`, { title: 'other' });
      expect(await statements(() => search(alice, question))).toEqual([
        'vectors-readable',
        'nodes-first-readable',
      ]);
      await alice.put(`/nodes/${id}/embedding`, { embedding: [4, 3, 0] });
      expect(await statements(() => search(alice, question))).toContain('vectors-load');
      expect((await search(alice, question)).nodes).toMatchObject([
        { title: 'other', similarity_score: expect.closeTo(0.96, 6) },
      ]);
    });

    it('repeated vector searches score a vector with itself as 1 and order ties by id', async () => {
      const made = [];
      for (let index = 0; index < 12; index++) made.push(await embedded([0.3, 0.4, 0]));
      await warm(alice);
      const { nodes, total } = await search(alice, { embedding, min_score: 1 });
      expect(total).toBe(12);
      expect(nodes.map(({ id, similarity_score }) => [id, similarity_score])).toEqual(
        made
          .sort()
          .slice(0, 10)
          .map((id) => [id, 1]),
      );
    });

    it('repeated vector searches respect every change of readability from the next request on', async () => {
      const first = await embedded([1, 0, 0], { tags: ['shown'] });
      const second = await embedded([0, 1, 0], { tags: ['shown'] });
      const app = await world.app({
        requested: { ...everything, tags: { read: true }, files: { read: false } },
      });
      const rules = profile(
        { read: [await tagId(alice, 'shown')] },
        { tag_filters: { exclude_any: ['hidden'] } },
      );
      const { profile: made } = await alice.authorizes(app, rules);
      const client = app.as(alice);
      await warm(client);
      expect(await ids(client)).toEqual([second, first]);
      await alice.put(`/nodes/${second}`, { tags: ['shown', 'hidden'] });
      expect(await ids(client)).toEqual([first]);
      const third = await embedded([1, 1, 1], { tags: ['shown'] });
      expect(await ids(client)).toEqual([third, first]);
      await alice.put(`/nodes/${third}/embedding`, { embedding: [-1, 0, 0] });
      expect(await ids(client)).toEqual([first, third]);
      await alice.put(`/nodes/${third}/embedding`, { embedding: [1, 1, 0], model: 'm' });
      expect(await ids(client)).toEqual([third, first]);
      expect(await ids(client, { model: 'm' })).toEqual([third]);
      await alice.delete(`/nodes/${first}`);
      expect(await ids(client)).toEqual([third]);
      await alice.put(`/exposure-profiles/${made.id}`, { max_detail_level: 'summary' });
      expect(await ids(client)).toEqual([]);
      await alice.put(`/exposure-profiles/${made.id}`, { max_detail_level: 'full', tag_filters: {} });
      await warm(client);
      expect((await ids(client)).sort()).toEqual([second, third].sort());
    });

    it('repeated vector searches do not mix views, owners and callers', async () => {
      const mine = await embedded([1, 0, 0]);
      const neutral = await embedded([1, 0, 0], { graph_view: 'neutral' });
      const bob = await world.user();
      await warm(alice);
      await warm(bob);
      expect(await ids(alice)).toEqual([mine]);
      for (let round = 0; round < 3; round++)
        expect(await ids(alice, { graph_view: 'neutral' })).toEqual([neutral]);
      expect(await ids(bob)).toEqual([]);
    });
  });

  it('returns nodes as lists show them, their tags, and the score', async () => {
    const id = await embedded([1, 1], { title: 'T', tags: ['t'], metadata: { a: 1 } });
    const [listed] = (await alice.get('/nodes?include_tags=true')).body.nodes;
    const { nodes, total } = await search(alice, { embedding: [1, 0] });
    expect(total).toBe(1);
    expect(nodes).toEqual([{ ...listed, similarity_score: expect.closeTo(Math.SQRT1_2, 6) }]);
    expect(nodes[0]).toMatchObject({ id, tags: ['t'], metadata: { a: 1 } });
    expect(nodes[0]).not.toHaveProperty('graph_view');
  });

  it('returns ten hits by default, at most a hundred, and none below the similarity threshold', async () => {
    for (let index = 0; index < 12; index++) await embedded([1, index]);
    const opposite = await embedded([-1, 0]);
    const usual = await search(alice, { embedding: [1, 0] });
    expect(usual.nodes).toHaveLength(10);
    expect(usual.total).toBe(12);
    expect(usual.limit).toBe(10);
    expect(await search(alice, { embedding: [1, 0], limit: 1000 })).toMatchObject({ total: 12, limit: 100 });
    const all = await search(alice, { embedding: [1, 0], min_score: -1, limit: 100 });
    expect(all.total).toBe(13);
    expect(all.nodes.at(-1)).toMatchObject({ id: opposite, similarity_score: -1 });
    expect((await search(alice, { embedding: [1, 0], min_score: 1 })).total).toBe(1);
    for (const body of [
      { limit: 0 },
      { limit: 1.5 },
      { limit: '5' },
      { min_score: 'x' },
      { graph_view: 'both' },
      { model: '' },
    ]) {
      expect((await alice.post('/nodes/search/vector', { embedding: [1], ...body })).status).toBe(400);
    }
  });

  it('orders equal scores by id', async () => {
    const ids = [];
    for (let index = 0; index < 15; index++) ids.push(await embedded([2, 2]));
    const { nodes, total } = await search(alice, { embedding: [1, 1] });
    expect(total).toBe(15);
    expect(nodes.map(({ id }) => id)).toEqual([...ids].sort().slice(0, 10));
  });

  it('fills the limit despite hidden nodes', async () => {
    for (let index = 0; index < 40; index++) await embedded([1, index / 1000], { tags: ['hidden'] });
    for (let index = 0; index < 12; index++) await embedded([index + 1, -30], { tags: ['shown'] });
    const app = await letsIn(world, alice, profile({ read: [await tagId(alice, 'shown')] }));
    const { nodes, total } = await search(app, { embedding: [1, 0] });
    expect([nodes.length, total]).toEqual([10, 12]);
  });

  it('returns nothing to strangers and apps without read', async () => {
    await embedded([1, 1], { tags: ['t'] });
    const nothing = { nodes: [], total: 0, limit: 10 };
    expect(await search(await world.user(), { embedding: [1, 1] })).toEqual(nothing);
    expect(
      await search(await letsIn(world, alice, profile({ create: 'all' })), { embedding: [1, 1] }),
    ).toEqual(nothing);
  });

  it.each(['summary', 'minimal'])('returns nothing to apps at detail %s', async (max_detail_level) => {
    await embedded([1, 1]);
    const app = await letsIn(world, alice, profile({ read: 'all' }, { max_detail_level }));
    expect(await search(app, { embedding: [1, 1], min_score: -1 })).toEqual({
      nodes: [],
      total: 0,
      limit: 10,
    });
  });

  it('shows hits as the profile transforms them, where their vectors are not made from transformed texts', async () => {
    await embedded([1, 1], { title: 'a', metadata: { made: '2024-05-17T10:11:12.123Z' } });
    const mask = { type: 'field_mask', config: { paths: ['agent_metadata'] } };
    const app = await letsIn(world, alice, profile({ read: 'all' }, { transformations: [mask] }));
    const { nodes } = await search(app, { embedding: [1, 1] });
    expect(nodes).toMatchObject([{ title: 'a', similarity_score: 1 }]);
    expect(nodes[0]).not.toHaveProperty('agent_metadata');
  });

  it('ends with the authorization', async () => {
    await embedded([1, 1]);
    const app = await world.app();
    const { authorization } = await alice.authorizes(app);
    expect((await search(app.as(alice), { embedding: [1, 1] })).total).toBe(1);
    await alice.delete(`/authorizations/${authorization.id}`);
    expect((await app.as(alice).post('/nodes/search/vector', { embedding: [1, 1] })).status).toBe(403);
  });

  it('takes the same number of statements for any number of nodes', async () => {
    const read = jest.spyOn(world.nest.get(Database), 'read');
    for (const count of [1, 50] as const) {
      for (let index = count === 1 ? 0 : 1; index < count; index++)
        await embedded([1, index], { tags: ['t'] });
      read.mockClear();
      const { nodes } = await search(alice, { embedding: [1, 0], limit: 100 });
      expect([nodes.length, ...read.mock.calls.map(([, name]) => name)]).toEqual([
        count,
        ...STATEMENTS[count],
      ]);
    }
    read.mockRestore();
  });

  describe('vector search for an app to which a transformation shows other texts', () => {
    const lets = (transformations: unknown[]) =>
      letsIn(world, alice, profile({ read: 'all', discover: 'all' }, { transformations }));
    const mask = (apply_to: object, paths = ['value']) => ({
      type: 'field_mask',
      config: { paths },
      apply_to,
    });
    const found = async (client: Client) => {
      const { nodes, total } = await search(client, { embedding: [1, 0, 0], min_score: 0 });
      return [nodes.map(({ title }) => title).sort(), total];
    };
    const hybrid = async (client: Client) => {
      const { body } = await client.post('/nodes/search', { embedding: [1, 0, 0], min_score: 0 });
      return [(body.nodes as { title: string }[]).map(({ title }) => title).sort(), body.total];
    };

    it('excludes the transformed nodes: no hit, no score, no total', async () => {
      const health = await tagId(alice, 'health');
      await embedded([1, 0, 0], { title: 'by tag', tags: ['health'] });
      await embedded([1, 1, 0], { title: 'by type', node_type: 'DIAGNOSIS' });
      await embedded([1, 1, 1], { title: 'plain' });
      const app = await lets([
        mask({ tag_ids: [health] }),
        mask({ node_types: ['DIAGNOSIS'] }, ['metadata.a']),
      ]);
      // A repeated search is compared in memory.
      for (let time = 0; time < 3; time++) {
        expect(await found(app)).toEqual([['plain'], 1]);
        expect(await hybrid(app)).toEqual([['plain'], 1]);
        expect((await found(alice))[1]).toBe(3);
      }
    });

    it('excludes a node as soon as a label makes it transformed', async () => {
      const health = await tagId(alice, 'health');
      const id = await embedded([1, 0, 0], { title: 'one' });
      const app = await lets([mask({ tag_ids: [health] })]);
      for (let time = 0; time < 3; time++) expect(await found(app)).toEqual([['one'], 1]);
      await alice.post(`/nodes/${id}/tags`, { tag_id: health });
      for (let time = 0; time < 3; time++) expect(await found(app)).toEqual([[], 0]);
    });

    it('excludes a vector of a text that was transformed or hidden while the node had it, until it is set again', async () => {
      const health = await tagId(alice, 'health');
      await tagId(alice, 'note');
      const byTag = await lets([mask({ tag_ids: [health] })]);
      const byType = await lets([mask({ node_types: ['DIAGNOSIS'] })]);
      const excluding = await letsIn(
        world,
        alice,
        profile({ read: 'all', discover: 'all' }, { excluded_tag_ids: [health] }),
      );
      const id = await embedded([1, 0, 0], { title: 'one', value: 'secret', tags: ['health', 'note'] });
      await alice.put(`/nodes/${id}`, { node_type: 'DIAGNOSIS' });
      await alice.put(`/nodes/${id}`, { value: 'weather', tags: ['note'], node_type: 'note' });
      await alice.put(`/nodes/${id}`, { value: 'other weather' });
      for (const app of [byTag, byType, excluding])
        for (let time = 0; time < 3; time++) {
          expect(await found(app)).toEqual([[], 0]);
          expect(await hybrid(app)).toEqual([[], 0]);
        }
      expect(await found(alice)).toEqual([['one'], 1]);
      await alice.put(`/nodes/${id}/embedding`, { embedding: [1, 1, 0] });
      for (const app of [byTag, byType, excluding]) expect(await found(app)).toEqual([['one'], 1]);
    });

    it('keeps a vector of a present text whose transformation has ended', async () => {
      const health = await tagId(alice, 'health');
      const app = await lets([mask({ tag_ids: [health] })]);
      const id = await embedded([1, 0, 0], { title: 'one', value: 'open', tags: ['health', 'note'] });
      await alice.put(`/nodes/${id}`, { tags: ['note'] });
      expect(await found(app)).toEqual([['one'], 1]);
      await alice.put(`/nodes/${id}`, { value: 'else' });
      expect(await found(app)).toEqual([['one'], 1]);
    });

    it('excludes all nodes where the transformation is bound to no tag and no type', async () => {
      await embedded([1, 0, 0], { title: 'one' });
      for (const bound of [mask({}), mask({}, ['metadata']), { type: 'pii_redaction' }]) {
        expect(await found(await lets([bound]))).toEqual([[], 0]);
      }
      const dates = await lets([mask({}, ['importance_score']), mask({}, ['agent_metadata'])]);
      expect(await found(dates)).toEqual([['one'], 1]);
    });
  });
});

/** The statements of the first search, and of each further one after a change. */
const STATEMENTS = { 1: ['vector-search'], 50: ['vectors-readable', 'vectors-load', 'nodes-first-readable'] };

interface Question {
  embedding: number[];
  model?: string;
  min_score: number;
}

function cosine(one: number[], other: number[]): number {
  const dot = one.reduce((sum, number, index) => sum + number * (other[index] as number), 0);
  return dot / (Math.hypot(...one) * Math.hypot(...other));
}
