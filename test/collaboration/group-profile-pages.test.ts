import { group, withPeople, assigns, type People } from '../support/worlds/people.js';

/** Rules of about 190 KiB: a body may have 256. */
const rules = (name: string) => {
  const names = (count: number, letter: string) =>
    Array.from({ length: count }, (_, index) => `${letter}${index}-`.padEnd(48, 'x'));
  return {
    name,
    tag_filters: {
      include_all: names(1000, 'a'),
      include_any: names(1000, 'b'),
      exclude_any: names(600, 'c'),
    },
    allowed_node_types: Array.from({ length: 280 }, (_, index) => `T${index}-`.padEnd(190, 'T')),
  };
};

const PROFILES = 30;
/** Bytes of a page, and the one profile that goes beyond them. */
const MOST_BYTES = 4 * 1024 * 1024 + 256 * 1024;

interface Profiles {
  exposure_profiles: { id: string }[];
  total: number;
  limit: number;
}

describe('GET /groups/:group_id/exposure-profiles', () => {
  let met: People;
  withPeople((people) => (met = people));

  it('large profiles of a group come in pages of bytes, each profile once', async () => {
    const { alice } = met;
    const id = await group(alice);
    const made: string[] = [];
    for (let index = 0; index < PROFILES; index++) {
      const answer = await alice.post(`/groups/${id}/exposure-profiles`, rules(`profile ${index}`));
      expect(answer.status).toBe(201);
      made.push(answer.body.id as string);
    }
    const listed: string[] = [];
    while (listed.length < PROFILES) {
      const path = `/groups/${id}/exposure-profiles?limit=100&offset=${listed.length}`;
      const { status, text, body } = await alice.get(path);
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(MOST_BYTES);
      const { exposure_profiles: page, total, limit } = body as Profiles;
      expect(total).toBe(PROFILES);
      expect(page.length).toBeGreaterThan(0);
      if (listed.length + page.length < total) expect(limit).toBe(page.length);
      listed.push(...page.map((profile) => profile.id));
    }
    expect(listed).toEqual(made);
  });

  it('a member finds their assigned profile on the first page of group profiles only', async () => {
    const { alice, bob } = met;
    const id = await group(alice, [bob]);
    await alice.post(`/groups/${id}/exposure-profiles`, { name: 'another' });
    const assigned = await assigns(alice, id, { to: bob, body: {} });
    const first = (await bob.get(`/groups/${id}/exposure-profiles`)).body as Profiles;
    expect([first.total, first.exposure_profiles.map((profile) => profile.id)]).toEqual([1, [assigned]]);
    const second = (await bob.get(`/groups/${id}/exposure-profiles?offset=1`)).body as Profiles;
    expect([second.total, second.exposure_profiles]).toEqual([1, []]);
  });
});
