import { beforeEach, describe, expect, it } from '@jest/globals';
import { group } from '../support/worlds/people.js';
import { codeOf } from '../support/worlds/nodes.js';
import { type TestUser } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';

const STALE = [412, 'PRECONDITION_FAILED'];

describe('ETag', () => {
  let alice: TestUser;
  let owners: Record<string, string>;

  withAlice((met) => ({ alice } = met));
  beforeEach(async () => {
    owners = { person: '/exposure-profiles', group: `/groups/${await group(alice)}/exposure-profiles` };
  });

  const under = (tag: string) => ({ headers: { 'If-Match': tag } });
  const listed = async (path: string, id: string) => {
    const { body } = await alice.get(path);
    return (body.exposure_profiles as { id: string; version: number; description: string | null }[]).find(
      (profile) => profile.id === id,
    );
  };

  describe.each(['person', 'group'])('owned by a %s', (owner) => {
    it('an exposure profile that is written under If-Match and owned by a %s is replaced only as it was last read, and says its revision', async () => {
      const path = owners[owner] as string;
      const made = await alice.post(path, { name: 'p' });
      expect([made.headers['etag'], made.body.version]).toEqual(['"1"', 1]);
      const one = `${path}/${made.body.id}`;
      const first = await alice.put(one, { description: 'first' }, under('"1"'));
      expect([first.status, first.headers['etag'], first.body.version]).toEqual([200, '"2"', 2]);
      const stale = await alice.put(one, { tag_permissions: { read: { allow_all: true } } }, under('"1"'));
      expect(codeOf(stale)).toEqual(STALE);
      expect(await listed(path, made.body.id)).toMatchObject({ version: 2, description: 'first' });
      expect((await alice.put(one, { description: 'second' }, under('*'))).status).toBe(200);
      expect((await alice.put(one, { description: 'third' })).headers['etag']).toBe('"4"');
    });

    it('an exposure profile that is written under If-Match and owned by a %s takes exactly one of two concurrent writes under one entity tag', async () => {
      const path = owners[owner] as string;
      const { id } = (await alice.post(path, { name: 'p' })).body;
      const tabs = ['left', 'right', 'third'];
      const answers = await Promise.all(
        tabs.map((description) => alice.put(`${path}/${id}`, { description }, under('"1"'))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
      const winner = tabs[answers.findIndex(({ status }) => status === 200)];
      expect(await listed(path, id)).toMatchObject({ version: 2, description: winner });
    });

    it('an exposure profile that is written under If-Match and owned by a %s is deleted only as it was last read', async () => {
      const path = owners[owner] as string;
      const { id } = (await alice.post(path, { name: 'p' })).body;
      await alice.put(`${path}/${id}`, { description: 'changed' });
      expect(codeOf(await alice.delete(`${path}/${id}`, undefined, under('"1"')))).toEqual(STALE);
      expect((await alice.delete(`${path}/${id}`, undefined, under('"2"'))).status).toBe(200);
    });
  });

  it('an exposure profile that is written under If-Match has one entity tag on every read of it, and back again as it was another one', async () => {
    const made = await alice.post('/exposure-profiles/from-template', { template: 'restrictive', name: 'p' });
    const path = `/exposure-profiles/${made.body.id}`;
    const tags = [made, await alice.get(path)].map((a) => a.headers['etag']);
    expect(tags).toEqual(['"1"', '"1"']);
    expect((await alice.get('/exposure-profiles/default')).headers['etag']).toBe('"1"');
    await alice.put(path, { max_detail_level: 'full' });
    await alice.put(path, { max_detail_level: 'minimal' });
    expect((await alice.get(path)).headers['etag']).toBe('"3"');
    expect(codeOf(await alice.put(path, { name: 'q' }, under('"1"')))).toEqual(STALE);
  });
});
