import { Database } from '../../../src/kernel/database/database.js';
import { sql } from '../../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../../src/kernel/change-log/unit-of-work.js';
import { type Client } from '../../support/client.js';
import { sentStatements } from '../../support/sent-statements.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

interface Hit {
  id: string;
  title?: string;
  score: number;
  scores: { text: { rank: number; score: number } | null; vector: { rank: number; score: number } | null };
}

const mask = (...paths: string[]) => ({
  transformations: [{ type: 'field_mask', config: { paths, strategy: 'remove' } }],
});

describe('POST /nodes/search', () => {
  let world: World;
  let alice: TestUser;

  withAlice((met) => ({ world, alice } = met));

  const search = async (client: Client, body: Record<string, unknown>) => {
    const answer = await client.post('/nodes/search', body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body as { nodes: Hit[]; total: number };
  };
  const titles = async (client: Client, query: string | Record<string, unknown>) =>
    (await search(client, { limit: 100, ...(typeof query === 'string' ? { query } : query) })).nodes
      .map(({ title }) => title)
      .sort();
  const made = async (title: string, { embedding, ...body }: Record<string, unknown> = {}) => {
    const { id } = await node(alice, { title, ...body });
    if (embedding) await alice.put(`/nodes/${id}/embedding`, { embedding });
    return id as string;
  };

  it('a search for all words finds nodes with all of them, in title or value, in any letter case and form', async () => {
    await made('Learn to sail', { value: 'Before autumn.' });
    await made('Sailing boats');
    await made('AUTUMN leaves', { value: 'learn them' });
    await made('Straße nach ÉTÉ', { value: 'ΟΔΟΣ „quoted“ a—b' });
    const all = (query: string) => titles(alice, { query, match: 'all' });
    expect(await all('sail')).toEqual(['Learn to sail', 'Sailing boats']);
    expect(await all('SAILED')).toEqual(['Learn to sail', 'Sailing boats']);
    expect(await all('learn')).toEqual(['AUTUMN leaves', 'Learn to sail']);
    expect(await all('autumn learns')).toEqual(['AUTUMN leaves', 'Learn to sail']);
    expect(await all('boats learn')).toEqual([]);
    expect(await all('ete')).toEqual(['Straße nach ÉTÉ']);
    expect(await all('quoted b')).toEqual(['Straße nach ÉTÉ']);
    expect(await all('nothing')).toEqual([]);
  });

  it.each([
    "'",
    "''",
    ':*',
    '&',
    '!a',
    '(',
    ')',
    '\\',
    "a' & 'b",
    '<->',
    '%',
    '_',
    '"a b"',
    'OWNER',
    'a-b',
    'foo/bar',
    'x@y.zz',
    '-',
    'a:*b',
    "l'été",
    '\u{1F600}',
    'http://a.b/c?d=e',
    '1.2.3',
    '<b>x</b>',
    '&amp;',
    '\u{1D504}-\u{1D505}',
    'a'.repeat(190),
  ])('every character of a search is taken literally: %s', async (query) => {
    await made(`before ${query} after`);
    const { nodes, total } = await search(alice, { query });
    expect(nodes).toHaveLength(total);
    expect(await search(alice, { query: `${query} before` })).toMatchObject({ total: expect.any(Number) });
    const words = await search(alice, { query: `before ${query}` });
    expect(words.total).toBeLessThanOrEqual(1);
  });

  it('the word that the index stores for an owner does not find that owner', async () => {
    await made('a node');
    for (const query of [`OWNER ${alice.id}`, alice.id, `'OWNER ${alice.id}'`]) {
      expect(await titles(alice, query)).toEqual([]);
    }
  });

  it('texts of every kind and size that a node may have are indexed', async () => {
    const letters = (from: number) => String.fromCodePoint(0x20000 + from);
    const compound = Array.from({ length: 50_000 }, (_, index) => letters(index % 40_000)).join('-');
    const words = Array.from({ length: 50_000 }, (_, index) => letters(index % 40_000)).join(' ');
    const urls = Array.from({ length: 9_000 }, (_, index) => `http://a.bc/${index}`).join(' ');
    for (const text of [compound, words, urls, 'x'.repeat(100_000)]) {
      const value = Array.from(text).slice(0, 100_000).join('');
      const answer = await alice.post('/nodes', { title: 'long', node_type: 'note', value });
      expect(answer.status).toBe(201);
    }
    expect((await search(alice, { query: 'long' })).total).toBe(4);
  }, 60_000);

  it('the index has no words of a node whose row is gone', async () => {
    const [stays, goes] = [await made('barnacle'), await made('barnacle too')];
    const database = world.nest.get(Database);
    const isOne = sql`owner_id = ${alice.id} AND`;
    await world.nest
      .get(UnitOfWork)
      .run(() => database.write(sql`DELETE FROM nodes WHERE ${isOne} id = ${goes}`));
    const left = await database.read<{ node_id: string }>(
      sql`SELECT node_id FROM node_words WHERE ${isOne} node_id = ANY(${[stays, goes]}::uuid[])`,
    );
    expect(left).toEqual([{ node_id: stays }]);
  });

  it('a hit in the title ranks above one in the value', async () => {
    const inValue = await made('other', { value: 'harbour' });
    const inTitle = await made('harbour', { value: 'other' });
    const { nodes } = await search(alice, { query: 'harbour' });
    expect(nodes.map(({ id }) => id)).toEqual([inTitle, inValue]);
    expect(nodes[0]?.scores.text?.score).toBeGreaterThan(nodes[1]?.scores.text?.score as number);
  });

  it('fuses both halves by their ranks', async () => {
    const both = await made('harbour lights', { embedding: [3, 1] });
    const words = await made('harbour', { embedding: [-1, 0] });
    const alike = await made('other', { embedding: [1, 0] });
    await made('neither', { embedding: [-1, -1] });
    const { nodes, total } = await search(alice, { query: 'harbour', embedding: [1, 0] });
    expect(total).toBe(3);
    expect(nodes[0]).toMatchObject({ id: both, scores: { vector: { rank: 2 } } });
    expect(new Set(nodes.map(({ id }) => id))).toEqual(new Set([both, words, alike]));
    for (const { score, scores } of nodes) {
      const parts = [scores.text, scores.vector].map((half) => (half === null ? 0 : 1 / (60 + half.rank)));
      expect(score).toBeCloseTo((parts[0] as number) + (parts[1] as number), 12);
    }
    const byId = new Map(nodes.map((hit) => [hit.id, hit]));
    expect(byId.get(words)?.scores.vector).toBeNull();
    expect(byId.get(alike)).toMatchObject({ scores: { text: null, vector: { rank: 1, score: 1 } } });
    expect(await search(alice, { embedding: [1, 0] })).toMatchObject({ total: 2 });
    expect((await search(alice, { query: 'harbour', embedding: [1, 0], limit: 1 })).total).toBe(3);
    expect((await search(alice, { query: 'harbour', embedding: [1, 0], min_score: 0.99 })).total).toBe(3);
    expect((await search(alice, { embedding: [1, 0], min_score: 0.99 })).total).toBe(1);
  });

  it('only living, readable nodes of one view are found', async () => {
    const shown = await made('harbour', { tags: ['shown'], embedding: [1] });
    await made('harbour', { tags: ['hidden'], embedding: [1] });
    await made('harbour', { tags: ['shown'], graph_view: 'neutral', embedding: [1] });
    const deleted = await made('harbour', { tags: ['shown'], embedding: [1] });
    await alice.delete(`/nodes/${deleted}`);
    const app = await letsIn(world, alice, profile({ read: [await tagId(alice, 'shown')] }));
    const body = { query: 'harbour', embedding: [1] };
    expect(await search(app, body)).toMatchObject({
      nodes: [{ id: shown, tags: ['shown'], score: 2 / 61 }],
      total: 1,
    });
    expect(await search(app, { ...body, graph_view: 'neutral' })).toMatchObject({ total: 1 });
    expect(await search(alice, body)).toMatchObject({ total: 2 });
    expect(await search(await world.user(), body)).toMatchObject({ nodes: [], total: 0, limit: 10 });
  });

  it('only texts shown at the detail level of the caller are found', async () => {
    await made('harbour', { value: 'lights', embedding: [1] });
    await made('lights', { value: 'harbour', embedding: [1] });
    const at = (max_detail_level: string) =>
      letsIn(world, alice, profile({ read: 'all' }, { max_detail_level }));
    const [summary, minimal] = [await at('summary'), await at('minimal')];
    expect(await titles(summary, 'harbour')).toEqual(['harbour']);
    expect(await titles(summary, { query: 'lights harbour', match: 'all' })).toEqual([]);
    expect(await search(summary, { embedding: [1] })).toMatchObject({ nodes: [], total: 0, limit: 10 });
    expect((await search(summary, { query: 'harbour', embedding: [1] })).nodes).toMatchObject([
      { scores: { vector: null } },
    ]);
    expect(await search(minimal, { query: 'harbour', embedding: [1] })).toEqual({
      nodes: [],
      total: 0,
      limit: 10,
      offset: 0,
      corrections: [],
      vectors: 'given',
    });
  });

  it('only texts as the transformations of the caller show them are found', async () => {
    await made('mail jane@example.org', { value: 'harbour' });
    const redacted = await letsIn(
      world,
      alice,
      profile({ read: 'all' }, { transformations: ['pii_redaction'] }),
    );
    expect(await titles(redacted, 'jane@example.org')).toEqual([]);
    expect(await titles(redacted, 'jane')).toEqual([]);
    expect(await titles(redacted, 'mail redacted')).toEqual(['mail [REDACTED:email]']);
    expect(await titles(redacted, 'harbour')).toHaveLength(1);
    const masked = await letsIn(world, alice, profile({ read: 'all' }, mask('value')));
    expect(await titles(masked, 'harbour')).toEqual([]);
    expect(await titles(masked, 'mail')).toHaveLength(1);
  });

  it('scores shown texts like stored ones', async () => {
    for (let index = 0; index < 5; index++)
      await made(`harbour ${index}`, { value: 'harbour '.repeat(index), embedding: [1, index] });
    const cut = { transformations: [{ type: 'truncate', config: { field: 'title', max: 999 } }] };
    const app = await letsIn(world, alice, profile({ read: 'all' }, cut));
    const body = { query: 'harbour' };
    expect((await search(app, body)).nodes).toEqual((await search(alice, body)).nodes);
  });

  it('callers from whom nodes or values are hidden are answered at the end of a time bucket', async () => {
    const rest = { tag_filters: { exclude_any: ['hidden'] } };
    const app = await letsIn(world, alice, profile({ read: 'all' }, rest));
    const summary = await letsIn(world, alice, profile({ read: 'all' }, { max_detail_level: 'summary' }));
    await node(alice, { title: 'harbour', tags: ['hidden'] });
    await node(alice, { title: 'a', value: 'lights' });
    for (let time = 0; time < 10; time++)
      for (const [caller, query] of [
        [app, 'harbour'],
        [summary, 'lights'],
      ] as const) {
        const begun = performance.now();
        expect((await search(caller, { query })).total).toBe(0);
        expect(performance.now() - begun).toBeGreaterThan(9.9);
      }
  });

  it('the answer to a search has the applied limit', async () => {
    expect((await alice.post('/nodes/search', { query: 'a' })).body.limit).toBe(10);
    expect((await alice.post('/nodes/search', { query: 'a', limit: 1_000 })).body.limit).toBe(100);
  });

  it('a search needs words or a vector of a valid form', async () => {
    for (const body of [
      {},
      { query: '' },
      { query: 5 },
      { query: 'x'.repeat(1_001) },
      { query: 'a', match: 'some' },
      { query: 'a', prefix: 'yes' },
      { embedding: [] },
      { embedding: [0] },
      { query: 'a', embedding: ['1'] },
      { query: 'a\0' },
      { query: 'a', limit: 0 },
    ]) {
      expect(codeOf(await alice.post('/nodes/search', body))).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  /** The look for edits that a caller with masks is not shown; made whether there are any or not (ADR 54). */
  const STEPS = ['node-steps', 'node-steps-contents'];

  it('a search takes three statements for stored texts and eight for shown ones, for any number of nodes', async () => {
    const database = world.nest.get(Database);
    const app = await letsIn(world, alice, profile({ read: 'all' }, { transformations: ['pii_redaction'] }));
    await app.get('/nodes');
    const { names, stop } = sentStatements(database);
    for (const count of [1, 50]) {
      for (let index = count === 1 ? 0 : 1; index < count; index++) await made('harbour', { embedding: [1] });
      for (const [client, expected] of [
        [alice, ['search-terms', 'search-tags', 'search']],
        // The second look finds the end: a part of the nodes may be cut by their size.
        [
          app,
          [
            'search-terms',
            'search-tags',
            'nodes-as-shown',
            'nodes-as-shown',
            'search-as-shown',
            'search',
            ...STEPS,
          ],
        ],
      ] as const) {
        names.length = 0;
        const { nodes } = await search(client, { query: 'harbour', embedding: [1], limit: 100 });
        expect(nodes).toHaveLength(count);
        expect(names).toEqual(expected);
      }
    }
    stop();
  });
});
