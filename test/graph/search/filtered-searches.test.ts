import { type Client } from '../../support/client.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { codeOf, letsIn, node, profile, tagId } from '../../support/worlds/nodes.js';

const PAST = '2020-01-01T00:00:00Z';
const FUTURE = '2040-01-01T00:00:00Z';

interface Answer {
  nodes: { title?: string; highlights?: { field: string; parts: { text: string; marked: boolean }[] }[] }[];
  total: number;
  offset: number;
  corrections: { word: string; sought: string[] }[];
}

async function search(client: Client, body: Record<string, unknown>): Promise<Answer> {
  const answer = await client.post('/nodes/search', body);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body;
}

const titles = async (client: Client, body: Record<string, unknown>): Promise<string[]> =>
  (await search(client, body)).nodes.map(({ title }) => title as string).sort();

describe('filters of POST /nodes/search', () => {
  let world: World;
  let alice: TestUser;
  withAlice((met) => ({ world, alice } = met));

  beforeEach(async () => {
    await node(alice, { title: 'harbour note', node_type: 'note', tags: ['sea'] });
    await node(alice, { title: 'harbour goal', node_type: 'Goal', tags: ['plans'] });
    await node(alice, { title: 'harbour person', node_type: 'person', meaning_level: 'CONTEXT' });
    for (const [title, unit] of [
      ['vector note', [1, 0]],
      ['vector goal', [0.9, 0.1]],
    ] as const) {
      const { id } = await node(alice, { title, node_type: title.slice(7), tags: ['sea'] });
      expect((await alice.put(`/nodes/${id as string}/embedding`, { embedding: unit })).status).toBe(200);
    }
  });

  it('tags, types, meaning level, schemas and times restrict the hits', async () => {
    const [sea, plans] = [await tagId(alice, 'sea'), await tagId(alice, 'plans')];
    const all = ['harbour goal', 'harbour note', 'harbour person'];
    for (const [filter, expected] of [
      [{}, all],
      [{ tag_ids: [sea] }, ['harbour note']],
      [{ tag_ids: [sea, plans.toUpperCase()] }, ['harbour goal', 'harbour note']],
      [{ tag_ids: ['no tag'] }, []],
      [{ node_types: ['GOAL', 'person'] }, ['harbour goal', 'harbour person']],
      [{ meaning_level: 'IDENTITY' }, []],
      [{ meaning_level: 'CONTEXT' }, all],
      [{ schema_ids: ['__freeform__'] }, all],
      [{ schema_ids: [sea] }, []],
      [{ created_from: PAST, created_before: FUTURE }, all],
      [{ created_from: FUTURE }, []],
      [{ created_before: PAST }, []],
      [{ tag_ids: [sea], node_types: ['goal'] }, []],
    ] as const)
      expect([filter, await titles(alice, { query: 'harbour', ...filter })]).toEqual([filter, expected]);
  });

  it('hits by an embedding pass the same filters', async () => {
    const body = { embedding: [1, 0], min_score: 0.5 };
    expect(await titles(alice, body)).toEqual(['vector goal', 'vector note']);
    const filter = { node_types: ['goal'] };
    const both = await search(alice, { ...body, ...filter, query: 'vector harbour' });
    expect(both.nodes.map(({ title }) => title).sort()).toEqual(['harbour goal', 'vector goal']);
    expect(both.total).toBe(2);
  });

  it('a tag that an app may not discover finds nothing', async () => {
    const [sea, plans] = [await tagId(alice, 'sea'), await tagId(alice, 'plans')];
    await node(alice, { title: 'harbour plan', tags: ['sea', 'plans'] });
    const app = await letsIn(world, alice, profile({ read: [sea] }));
    expect(await titles(app, { query: 'harbour', tag_ids: [sea] })).toEqual(['harbour note', 'harbour plan']);
    expect(await titles(app, { query: 'harbour', tag_ids: [plans] })).toEqual([]);
  });

  it('nodes with a rounded time are not found by their time', async () => {
    const rounded = {
      type: 'round_date',
      config: { granularity: 'year' },
      apply_to: { node_types: ['note'] },
    };
    const app = await letsIn(world, alice, profile({ read: 'all' }, { transformations: [rounded] }));
    expect(await titles(app, { query: 'harbour', created_from: PAST })).toEqual([
      'harbour goal',
      'harbour person',
    ]);
    expect(await titles(app, { query: 'harbour' })).toHaveLength(3);
  });

  it('pages of one search have each hit once', async () => {
    const found: unknown[] = [];
    for (let offset = 0; offset < 5; offset++) {
      const page = await search(alice, { query: 'harbour', limit: 1, offset });
      expect([page.total, page.offset, page.corrections]).toEqual([3, offset, []]);
      found.push(...page.nodes.map(({ title }) => title));
    }
    expect(found.sort()).toEqual(['harbour goal', 'harbour note', 'harbour person']);
  });

  it.each([
    ['an empty list of tags', { tag_ids: [] }, 'tag_ids'],
    ['a type that is no text', { node_types: [1] }, 'node_types'],
    ['more than 100 types', { node_types: Array.from({ length: 101 }, String) }, 'node_types'],
    ['an unknown meaning level', { meaning_level: 'DEEP' }, 'meaning_level'],
    ['a time that is none', { created_from: 'yesterday' }, 'created_from'],
    ['a negative offset', { offset: -1 }, 'offset'],
    ['an offset above 10,000', { offset: 10_001 }, 'offset'],
    ['highlights that are no boolean', { highlights: 'yes' }, 'highlights'],
  ])('%s is refused with 400', async (_, filter, field) => {
    const answer = await alice.post('/nodes/search', { query: 'harbour', ...filter });
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details[0].field).toContain(field);
  });
});

describe('misspelt words of POST /nodes/search', () => {
  let world: World;
  let alice: TestUser;
  withAlice((met) => ({ world, alice } = met));

  it('a word that no readable node has finds the words that it may mean', async () => {
    await node(alice, { title: 'The harbour of Lisbon' });
    await node(alice, { title: 'Restaurants', value: 'a list' });
    for (const [query, title, correction] of [
      ['harbuor', 'The harbour of Lisbon', { word: 'harbuor', sought: ['harbour'] }],
      ['restarent', 'Restaurants', { word: 'restarent', sought: ['restaur'] }],
      ['Lisbno', 'The harbour of Lisbon', { word: 'lisbno', sought: ['lisbon'] }],
    ] as const) {
      const { nodes, corrections } = await search(alice, { query });
      expect([nodes.map((hit) => hit.title), corrections]).toEqual([[title], [correction]]);
    }
  });

  it('words that a readable node has stay as they are', async () => {
    await node(alice, { title: 'harbour' });
    await node(alice, { title: 'harbor' });
    expect(await search(alice, { query: 'harbor' })).toMatchObject({ total: 1, corrections: [] });
    expect(await search(alice, { query: 'harbor', offset: 1 })).toMatchObject({ nodes: [], corrections: [] });
  });

  it('every word is sought as what it may mean with match all', async () => {
    await node(alice, { title: 'harbour in autumn' });
    await node(alice, { title: 'harbour in winter' });
    const body = { query: 'harbuor autunm', match: 'all' };
    expect(await titles(alice, body)).toEqual(['harbour in autumn']);
    const apart = { query: 'autumn winter', match: 'all' };
    expect(await search(alice, apart)).toMatchObject({ total: 0, corrections: [] });
    const { id } = await node(alice, { title: 'found by its vector' });
    await alice.put(`/nodes/${id as string}/embedding`, { embedding: [1] });
    const both = await search(alice, { ...apart, embedding: [1] });
    expect(both).toMatchObject({ total: 1, corrections: [] });
  });

  it('words of hidden nodes and values neither correct a word nor keep it from being corrected', async () => {
    await node(alice, { title: 'harbour', tags: ['work'], value: 'sailing' });
    await node(alice, { title: 'harbor', tags: ['secret'], value: 'autumn' });
    const work = { read: [await tagId(alice, 'work')] };
    const app = await letsIn(world, alice, profile(work));
    expect(await search(app, { query: 'harbor' })).toMatchObject({
      nodes: [{ title: 'harbour' }],
      corrections: [{ word: 'harbor', sought: ['harbour'] }],
    });
    expect(await search(app, { query: 'autunm' })).toMatchObject({ total: 0, corrections: [] });
    const summary = await letsIn(world, alice, profile(work, { max_detail_level: 'summary' }));
    expect(await search(summary, { query: 'sailin' })).toMatchObject({ total: 0, corrections: [] });
  });
});

describe('highlights of POST /nodes/search', () => {
  let world: World;
  let alice: TestUser;
  withAlice((met) => ({ world, alice } = met));

  /** Snippets by field, with marked words in brackets. */
  async function snippets(client: Client, query: string): Promise<Record<string, string>> {
    const { nodes } = await search(client, { query, highlights: true });
    return Object.fromEntries(
      (nodes[0]?.highlights ?? []).map(({ field, parts }) => [
        field,
        parts.map(({ text, marked }) => (marked ? `[${text}]` : text)).join(''),
      ]),
    );
  }

  it.each([
    ['where did we sail', 'Sailing', 'We sailed to a café, and sails again.', { title: '[Sailing]', value: 'We [sailed] to a café, and [sails] again.' }],
    ['CAFE', 'Notes', 'We sailed to a Café.', { value: 'We sailed to a [Café].' }],
    ['Wohnung', 'Meine Wohnungen', 'sind nicht groß', { title: 'Meine [Wohnungen]' }],
    ['大学', '東京大学に行く', '', { title: '東京[大学]に行く' }],
    ['harbuor', 'The harbour', '', { title: 'The [harbour]' }],
    ['новая', 'новую лодку', '', { title: '[новую] лодку' }],
  ])('the words of %s are marked in title and value', async (query, title, value, expected) => {
    await node(alice, { title, value });
    expect(await snippets(alice, query)).toEqual(expected);
  }); // prettier-ignore

  it('a snippet is the part of a long text with the most words of the query', async () => {
    const far = `${'one word '.repeat(200)}the harbour and a boat near the harbour${' other words'.repeat(200)}`;
    await node(alice, { title: 'Long', value: `A boat. ${far}` });
    const { value } = await snippets(alice, 'harbour boat');
    expect(value).toMatch(/^….{0,40}the \[harbour\] and a \[boat\] near the \[harbour\] other.*…$/);
    expect((value as string).length).toBeLessThan(260);
  });

  it('snippets are cut from what the caller is shown', async () => {
    await node(alice, { title: 'The harbour', value: 'write to ada@example.org about the harbour' });
    const redacted = await letsIn(
      world,
      alice,
      profile({ read: 'all' }, { transformations: [{ type: 'pii_redaction', config: {} }] }),
    );
    expect((await snippets(redacted, 'harbour'))['value']).not.toContain('ada@example.org');
    const summary = await letsIn(world, alice, profile({ read: 'all' }, { max_detail_level: 'summary' }));
    expect(await snippets(summary, 'harbour')).toEqual({ title: 'The [harbour]' });
  });

  it('hits without the words have no snippets, and hits of other searches none at all', async () => {
    const { id } = await node(alice, { title: 'found by its vector' });
    await alice.put(`/nodes/${id as string}/embedding`, { embedding: [1] });
    const [hit] = (await search(alice, { query: 'harbour', embedding: [1], highlights: true })).nodes;
    expect(hit?.highlights).toEqual([]);
    const [other] = (await search(alice, { query: 'vector' })).nodes;
    expect(other).not.toHaveProperty('highlights');
  });
});
