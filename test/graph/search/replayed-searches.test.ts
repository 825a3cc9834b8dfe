import { letsIn, node, profile, tagId, titlesOf } from '../../support/worlds/nodes.js';
import { type TestUser, type World } from '../../support/world.js';
import { withAlice } from '../../support/worlds/with-world.js';

const masking = (field: string) => ({
  transformations: [{ type: 'field_mask', config: { paths: [field], strategy: 'remove' } }],
});

describe('replays of POST /nodes/search with filters (rule 11.6c)', () => {
  let world: World;
  let alice: TestUser;
  withAlice((met) => ({ world, alice } = met));

  it.each([
    ['a property', { properties: [{ path: 'salary', gt: 5 }] }, masking('metadata.properties.salary'), []],
    ['a property beside', { properties: [{ path: 'age', gt: 5 }] }, masking('metadata.notes'), ['one']],
    [
      'the time of creation',
      { created_from: '2020-01-01T00:00:00Z' },
      { transformations: ['round_date'] },
      [],
    ],
    ['a tag', { with_tag: true }, null, []],
    ['nothing but words', {}, masking('metadata.notes'), ['one']],
  ])('a hit by %s is left out if that is hidden now', async (_, asked, mask, expected) => {
    const metadata = { properties: { salary: 7, age: 7 } };
    await node(alice, { title: 'one', metadata, tags: ['open', 'secret'] });
    const [open, secret] = [await tagId(alice, 'open'), await tagId(alice, 'secret')];
    const app = await letsIn(world, alice, profile({ read: [open, secret] }));
    const body = { query: 'one', ...('with_tag' in asked ? { tag_ids: [secret] } : asked) };
    const headers = { 'Idempotency-Key': 'filtered' };
    const again = async () => titlesOf(await app.post('/nodes/search', body, { headers }));
    expect([await again(), await again()]).toEqual([['one'], ['one']]);
    const [{ id }] = (await alice.get('/exposure-profiles')).body.exposure_profiles as [{ id: string }];
    const narrower = mask === null ? profile({ read: [open] }) : profile({ read: [open, secret] }, mask);
    expect((await alice.put(`/exposure-profiles/${id}`, narrower)).status).toBe(200);
    expect(await again()).toEqual(expected);
  });
});
