import { type TestUser, World } from '../../support/world.js';
import { codeOf, node, tagId, titlesOf } from '../../support/worlds/nodes.js';

const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';

describe('GET /nodes', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.start();
    alice = await world.user('alice');
    await node(alice, { title: 'Apfel', node_type: 'fruit', tags: ['red', 'round'] });
    await node(alice, { title: 'banane', node_type: 'fruit', value: 'STRASSE 100% wahr', tags: ['yellow'] });
    await node(alice, { title: 'Straße_1', meaning_level: 'DATA', graph_view: 'neutral' });
    await node(alice, { title: 'Ziel', node_type: 'GOAL', meaning_level: 'IDENTITY', tags: ['red'] });
    await node(await world.user(), { title: 'of somebody else', tags: ['red'] });
  });
  afterAll(() => world.stop());

  const titles = async (query: string) => titlesOf(await alice.get(`/nodes?${query}`));

  it('an owner lists all own nodes, the last changed first, with the exact total', async () => {
    const answer = await alice.get('/nodes');
    expect(answer.status).toBe(200);
    expect(titlesOf(answer)).toEqual(['Ziel', 'Straße_1', 'banane', 'Apfel']);
    expect(answer.body).toMatchObject({ total: 4, limit: 20, offset: 0 });
    for (const entry of answer.body.nodes) {
      expect(entry.is_shared).toBe(false);
      expect(entry).not.toHaveProperty('tags');
      expect(entry).not.toHaveProperty('owner');
      expect(entry).not.toHaveProperty('graph_view');
      expect(entry).not.toHaveProperty('deleted_at');
    }
  });

  it('tags and the owner are included on request', async () => {
    const { body } = await alice.get('/nodes?include_tags=true&include_owner=true&search=apfel');
    expect(body.nodes[0]).toMatchObject({
      tags: ['red', 'round'],
      owner: { id: alice.id, username: 'alice' },
    });
  });

  it.each([
    ['node_type=fruit', ['banane', 'Apfel']],
    ['meaning_level=DATA', ['Straße_1']],
    ['view=neutral', ['Straße_1']],
    ['view=identity', ['Ziel', 'banane', 'Apfel']],
    ['access=owned', ['Ziel', 'Straße_1', 'banane', 'Apfel']],
    ['access=shared', []],
    ['sort=title&order=asc', ['Apfel', 'Straße_1', 'Ziel', 'banane']],
    ['sort=created_at&order=asc', ['Apfel', 'banane', 'Straße_1', 'Ziel']],
    ['limit=2&offset=1', ['Straße_1', 'banane']],
    ['offset=1000000', []],
    ['search=', ['Ziel', 'Straße_1', 'banane', 'Apfel']],
    ['search=APFEL', ['Apfel']],
    ['search=strasse', ['Straße_1', 'banane']],
    ['search=stra%C3%9Fe', ['Straße_1', 'banane']],
    ['search=%25', ['banane']],
    ['search=_', ['Straße_1']],
    ['search=%5C', []],
    ['search=100%25 w', ['banane']],
    [`tag_id=${ABSENT}`, []],
    ['tag_id=nothing', []],
    ['tag_id=', []],
    ['deleted=true', []],
  ])('the query %s lists the matching nodes', async (query, expected) => {
    const answer = await alice.get(`/nodes?${query}`);
    expect(titlesOf(answer)).toEqual(expected);
    if (!query.includes('limit') && !query.includes('offset'))
      expect(answer.body.total).toBe(expected.length);
    else expect(answer.body.total).toBe(4);
  });

  it('the list can be limited to a tag', async () => {
    expect(await titles(`tag_id=${await tagId(alice, 'red')}`)).toEqual(['Ziel', 'Apfel']);
    expect(await titles(`tag_id=${(await tagId(alice, 'red')).toUpperCase()}&node_type=fruit`)).toEqual([
      'Apfel',
    ]);
  });

  it('a limit over 100 is lowered to 100, which the answer says', async () => {
    expect((await alice.get('/nodes?limit=1000')).body.limit).toBe(100);
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=x',
    'limit=1.5',
    'limit=100.5',
    'offset=-1',
    'sort=value',
    'order=up',
    'access=mine',
    'meaning_level=data',
    'view=both',
    'include_tags=yes',
    'node_type=a&node_type=b',
    `search=${'x'.repeat(201)}`,
  ])('the query %s is refused', async (query) => {
    expect(codeOf(await alice.get(`/nodes?${query}`))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('nodes are counted by schemas and tags', async () => {
    const [red, yellow] = [await tagId(alice, 'red'), await tagId(alice, 'yellow')];
    const count = async (query: string) => (await alice.get(`/nodes/count?${query}`)).body;
    expect(await count('')).toEqual({ count: 4 });
    expect(await count(`tag_ids=${red},${yellow}`)).toEqual({ count: 3 });
    expect(await count(`tag_ids=${red},${ABSENT},x`)).toEqual({ count: 2 });
    expect(await count(`tag_ids=${ABSENT}`)).toEqual({ count: 0 });
    expect(await count('schema_ids=__freeform__')).toEqual({ count: 4 });
    expect(await count(`schema_ids=${ABSENT}`)).toEqual({ count: 0 });
    expect(await count(`schema_ids=__freeform__,${ABSENT}&tag_ids=${yellow}`)).toEqual({ count: 1 });
  });

  it('the total is current after every change', async () => {
    const bob = await world.user();
    const total = async () => (await bob.get('/nodes')).body.total as number;
    const totals = [await total()];
    const made = await node(bob);
    totals.push(await total(), await total());
    await bob.delete(`/nodes/${made.id}`);
    totals.push(await total());
    await bob.post(`/nodes/${made.id}/restore`);
    totals.push(await total());
    await bob.post('/nodes/batch', {
      nodes: [
        { title: 'a', node_type: 'n' },
        { title: 'b', node_type: 'n' },
      ],
    });
    totals.push(await total());
    expect(totals).toEqual([0, 1, 1, 0, 1, 3]);
  });
});
