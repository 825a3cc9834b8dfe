import { type Answer, type Client } from '../../support/client.js';
import { letsIn, node, profile, titlesOf } from '../../support/worlds/nodes.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';
import { getsToKnow } from '../../support/worlds/people.js';

const masking = (field: string, apply_to = {}) => ({
  transformations: [{ type: 'field_mask', config: { paths: [field], strategy: 'remove' }, apply_to }],
});
const JOB = { job: 'lighthouse keeper', home: { cities: ['Lisbon', 'Porto'] }, years: 31, is_open: true };

describe('types and properties of nodes in POST /nodes/search (rule 4.18j)', () => {
  let world: World;
  let alice: TestUser;
  withAlice((met) => ({ world, alice } = met));

  const search = async (client: Client, query: string, options = {}): Promise<Answer> => {
    const answer = await client.post('/nodes/search', { query, ...options });
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    return answer;
  };
  const titles = async (client: Client, query: string, options = {}): Promise<string[]> =>
    titlesOf(await search(client, query, options));
  const person = (title: string, properties: unknown = JOB): Promise<{ id: string }> =>
    node(alice, { title, node_type: 'family_member', metadata: { properties } });

  it('each word of a type and of a text at any depth finds the node, keys, numbers and booleans do not', async () => {
    await person('Ada');
    await node(alice, { title: 'Bob' });
    for (const query of ['family', 'members', 'lighthouses', 'keeper', 'LISBON', 'porto', 'lisb'])
      expect([query, await titles(alice, query, { prefix: query === 'lisb' })]).toEqual([query, ['Ada']]);
    for (const query of ['job', 'cities', 'years', '31', 'true', 'is_open'])
      expect([query, await titles(alice, query)]).toEqual([query, []]);
    expect(await titles(alice, 'ada family lisbon keeper', { match: 'all' })).toEqual(['Ada']);
    expect(await titles(alice, 'bob lisbon', { match: 'all' })).toEqual([]);
  });

  it('a title counts above a tag or type, those above a property, and a property above a value', async () => {
    await node(alice, { title: 'by value', node_type: 'thing', value: 'harbour, harbour' });
    await node(alice, {
      title: 'by property',
      node_type: 'thing',
      metadata: { properties: { at: 'harbour' } },
    });
    await node(alice, { title: 'by type', node_type: 'harbour' });
    await node(alice, { title: 'by harbour', node_type: 'thing' });
    const expected = ['by harbour', 'by type', 'by property', 'by value'];
    expect(await titles(alice, 'harbour')).toEqual(expected);
    const app = await letsIn(world, alice, profile({ read: 'all' }, masking('metadata.properties.other')));
    expect(await titles(app, 'harbour')).toEqual(expected);
  });

  it('changes of type and properties are found at once, and those before them no longer', async () => {
    const { id } = await person('Ada');
    const changes = [
      { node_type: 'colleague' },
      { metadata: { properties: { job: 'astronomer' } } },
      { metadata: { notes: 'botanist' } },
    ];
    const found: string[][] = [];
    for (const change of changes) {
      expect((await alice.put(`/nodes/${id}`, change)).status).toBe(200);
      const words = ['family', 'colleague', 'keeper', 'astronomer', 'botanist'];
      const hits = await Promise.all(words.map(async (word) => (await titles(alice, word)).map(() => word)));
      found.push(hits.flat());
    }
    expect(found).toEqual([['colleague', 'keeper'], ['colleague', 'astronomer'], ['colleague']]);
  });

  it('the first thousand different words of properties are found, and text behind 10,000 characters is not', async () => {
    const words = Array.from({ length: 1_200 }, (_, index) => `w${index}`);
    await person('many words', { list: words });
    expect(await titles(alice, 'w0')).toEqual(['many words']);
    expect(await titles(alice, 'w999')).toEqual(['many words']);
    expect(await titles(alice, 'w1000')).toEqual([]);
    await person('long', { list: ['x '.repeat(4_997), 'near', 'far'].map((text) => ({ text })) });
    expect(await titles(alice, 'near')).toEqual(['long']);
    expect(await titles(alice, 'far')).toEqual([]);
  });

  it('below detail full a type finds and scores, and properties do neither', async () => {
    await person('Ada');
    await node(alice, { title: 'Bob', node_type: 'family_member' });
    const app = await letsIn(world, alice, profile({ read: 'all' }, { max_detail_level: 'summary' }));
    const { body } = await search(app, 'family lighthouse Lisbon');
    const hits = body.nodes as { title: string; scores: { text: { score: number } } }[];
    expect(hits.map(({ title }) => title).sort()).toEqual(['Ada', 'Bob']);
    expect(new Set(hits.map(({ scores }) => scores.text.score)).size).toBe(1);
    expect((await search(app, 'lighthouse')).body).toMatchObject({ total: 0, corrections: [] });
    const least = await letsIn(world, alice, profile({ read: 'all' }, { max_detail_level: 'minimal' }));
    expect((await search(least, 'family')).body.total).toBe(0);
  });

  it('words that a transformation hides in properties find nothing, and others there are found', async () => {
    await person('Ada');
    await node(alice, { title: 'Bob', metadata: { properties: JOB }, tags: ['open'] });
    const masked = await letsIn(world, alice, profile({ read: 'all' }, masking('metadata.properties.job')));
    expect([await titles(masked, 'lighthouse'), (await titles(masked, 'lisbon')).sort()]).toEqual([
      [],
      ['Ada', 'Bob'],
    ]);
    expect((await search(masked, 'lighthuose')).body).toMatchObject({ total: 0, corrections: [] });
    const of = { node_types: ['family_member'] };
    const partly = await letsIn(world, alice, profile({ read: 'all' }, masking('metadata', of)));
    expect(await titles(partly, 'lighthouse')).toEqual(['Bob']);
    const cut = { type: 'truncate', config: { field: 'metadata.properties.job', max: 5 } };
    const shortened = await letsIn(world, alice, profile({ read: 'all' }, { transformations: [cut] }));
    expect([await titles(shortened, 'keeper'), (await titles(shortened, 'porto')).length]).toEqual([[], 2]);
  });

  it('misspelt words are corrected to words of properties, and never to those of types', async () => {
    await person('Ada', { job: 'astronomer' });
    expect((await search(alice, 'astronmer')).body).toMatchObject({
      total: 1,
      corrections: [{ word: 'astronmer', sought: ['astronom'] }],
    });
    expect((await search(alice, 'famly')).body).toMatchObject({ total: 0, corrections: [] });
    const app = await letsIn(world, alice, profile({ read: 'all' }, masking('metadata.properties.other')));
    expect((await search(app, 'astronmer famly')).body).toMatchObject({
      total: 1,
      corrections: [{ word: 'astronmer' }],
    });
  });

  it('a hit by type or property alone has no highlight', async () => {
    await person('Ada');
    const { body } = await search(alice, 'keeper family', { highlights: true });
    expect(body.nodes).toMatchObject([{ title: 'Ada', highlights: [] }]);
  });

  it('received nodes are found by their types and properties, as they are shown', async () => {
    const bob = await world.user();
    await person('Ada');
    expect((await alice.post('/sharing', { shared_with_user_id: bob.id, scope: 'all' })).status).toBe(201);
    await getsToKnow(bob, alice);
    expect(await titles(bob, 'lighthouse')).toEqual(['Ada']);
    expect(await titles(bob, 'family')).toEqual(['Ada']);
    const app = await letsIn(world, bob, profile({ read: 'all' }, masking('metadata.properties.job')));
    expect([await titles(app, 'lighthouse'), await titles(app, 'lisbon')]).toEqual([[], ['Ada']]);
    const summary = await letsIn(world, bob, profile({ read: 'all' }, { max_detail_level: 'summary' }));
    expect([await titles(summary, 'lighthouse'), await titles(summary, 'family')]).toEqual([[], ['Ada']]);
  });

  it('similar titles are those of nodes with a like title, never of a like type or property', async () => {
    const { id } = await node(alice, { title: 'lighthouse keeper' });
    await person('Ada');
    await node(alice, { title: 'Bob', node_type: 'lighthouse keeper' });
    expect(titlesOf(await alice.get(`/nodes/${id}/similar`))).toEqual([]);
  });
});
