import { INVALID, type People, withPeople } from '../../support/worlds/people.js';
import { type Client } from '../../support/client.js';
import { codeOf, letsIn, node, profile, titlesOf } from '../../support/worlds/nodes.js';
import { type TestUser, type World } from '../../support/world.js';

describe('the parameter `properties`', () => {
  let world: World;
  let alice: TestUser;
  let bob: TestUser;
  withPeople((people: People) => ({ world, alice, bob } = people));

  const list = (client: Client, properties: unknown) =>
    client.get(`/nodes?sort=title&order=asc&properties=${encodeURIComponent(JSON.stringify(properties))}`);
  const placed = (title: string, properties: object) => node(alice, { title, metadata: { properties } });

  it('filters by properties compare texts, numbers and booleans, and never across types', async () => {
    await placed('a', { city: 'Lisbon', age: 7, at: { on: '2026-03-01' }, open: true });
    await placed('b', { city: 'lisbon', age: '7', at: ['2026-03-01'], open: 'true' });
    await node(alice, { title: 'c' });
    const found = async (...properties: object[]) => titlesOf(await list(alice, properties));
    expect(await found({ path: 'city', eq: 'Lisbon' })).toEqual(['a']);
    expect(await found({ path: 'city', gte: 'Lisbon' })).toEqual(['a', 'b']);
    expect(await found({ path: 'age', gt: 6, lt: 8 })).toEqual(['a']);
    expect(await found({ path: 'age', eq: '7' })).toEqual(['b']);
    expect(await found({ path: 'at.on', gte: '2026' }, { path: 'open', eq: true })).toEqual(['a']);
    expect(await found({ path: 'at.0', eq: '2026-03-01' })).toEqual([]);
    expect(await found({ path: "x'); DROP TABLE nodes; --", eq: "'" })).toEqual([]);
  });

  it('filters by properties find only values that an app is shown', async () => {
    await placed('a', { city: 'ada@example.org' });
    const asked = [{ path: 'city', eq: 'ada@example.org' }];
    const shown = [{ path: 'city', eq: '[REDACTED:email]' }];
    const search = async (client: Client, properties: object[]) =>
      (await client.post('/nodes/search', { query: 'a', properties })).body.total as number;
    const app = (rest: object) =>
      letsIn(world, alice, profile({ read: 'all' }, rest as Record<string, unknown>));
    const [summary, redacted] = [
      await app({ max_detail_level: 'summary' }),
      await app({ transformations: ['pii_redaction'] }),
    ];
    for (const [client, hidden, masked] of [
      [alice, 1, 0],
      [summary, 0, 0],
      [redacted, 0, 1],
    ] as const) {
      expect((await list(client, asked)).body.total).toBe(hidden);
      expect((await list(client, shown)).body.total).toBe(masked);
      expect(await search(client, asked)).toBe(hidden);
      expect(await search(client, shown)).toBe(masked);
    }
    await alice.post('/sharing', { shared_with_user_id: bob.id, scope: 'all' });
    expect((await list(bob, asked)).body.total).toBe(1);
  });

  it.each<[string, unknown]>([
    ['no list', { path: 'city', eq: 'x' }],
    ['an empty list', []],
    ['six filters', Array.from({ length: 6 }, () => ({ path: 'city', eq: 'x' }))],
    ['no comparison', [{ path: 'city' }]],
    ['an unknown operator', [{ path: 'city', like: 'x' }]],
    ['an empty key', [{ path: 'city.', eq: 'x' }]],
    ['too many keys', [{ path: 'a.b.c.d.e.f.g.h.i.j.k', eq: 'x' }]],
    ['a range of booleans', [{ path: 'open', gt: true }]],
    ['an object', [{ path: 'city', eq: {} }]],
    ['null', [{ path: 'city', eq: null }]],
    ['a long text', [{ path: 'city', eq: 'x'.repeat(1001) }]],
    ['NUL', [{ path: 'city', eq: '\0' }]],
    ['a lone surrogate', [{ path: 'city', eq: '\ud800' }]],
  ])('a filter by properties is refused with %s', async (_, properties) => {
    expect(codeOf(await list(alice, properties))).toEqual(INVALID);
    const text = encodeURIComponent(JSON.stringify(properties));
    expect(codeOf(await alice.get(`/nodes/facets?properties=${text}`))).toEqual(INVALID);
    expect(codeOf(await alice.post('/nodes/search', { query: 'a', properties }))).toEqual(INVALID);
  });

  it('a filter by properties in a query is refused where it is no JSON', async () => {
    expect(codeOf(await alice.get('/nodes?properties=city:eq:Lisbon'))).toEqual(INVALID);
  });
});
