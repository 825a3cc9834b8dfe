import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OAuthWorld } from '../support/oauth.js';
import { type TestUser } from '../support/world.js';
import { upload } from '../support/worlds/files.js';

const HIDDEN = 'zqhidden';

describe('tokens with fewer scopes than their authorization (rule 14.2b)', () => {
  let oauth: OAuthWorld;
  let person: TestUser;
  let appId: string;
  let profile: string;
  let hidden: string;
  beforeAll(async () => {
    oauth = await OAuthWorld.start();
    person = await oauth.world.user();
    ({ id: appId } = await oauth.app());
    const work = (await person.post('/tags', { name: 'work' })).body.id as string;
    await person.post('/nodes', { title: 'Plan', node_type: 'FACT', tags: ['work', HIDDEN] });
    hidden = (await person.get(`/tags?search=${HIDDEN}`)).body.tags[0].id;
    const made = await person.post('/exposure-profiles', {
      name: 'Work, and the names of all tags',
      tag_permissions: {
        discover: { tag_ids: [], allow_all: true },
        read: { tag_ids: [work], allow_all: false },
      },
      schema_permissions: { read: { schema_ids: [], allow_all: true } },
    });
    profile = made.body.id;
  });
  afterAll(() => oauth.world.stop());

  const connect = (scope: string) =>
    oauth.connect(appId, person, { parameters: { scope }, terms: { exposure_profile_id: profile } });

  it.each(['/nodes?include_tags=true', '/sync?include=tags', '/tags'])(
    'a token without graph:discover is shown no other tags by GET %s, and one with it is',
    async (path) => {
      const narrow = oauth.with((await connect('graph:read')).access_token);
      const wide = oauth.with((await connect('graph:read graph:discover')).access_token);
      const seen = async (client: typeof narrow) => {
        const { status, text } = await client.get(path);
        return [status, text.includes(HIDDEN) || text.includes(hidden)];
      };
      expect([await seen(narrow), await seen(wide)]).toEqual([
        [200, false],
        [200, true],
      ]);
    },
  );

  it('a token with other scopes cannot continue a replica, whose cursor says what it holds', async () => {
    const narrow = oauth.with((await connect('graph:read')).access_token);
    const wide = oauth.with((await connect('graph:read graph:discover')).access_token);
    const { cursor } = (await wide.get('/sync?include=tags')).body;
    const answer = await narrow.get(`/sync?include=tags&cursor=${cursor}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_CURSOR']);
    const again = oauth.with((await connect('graph:read graph:discover')).access_token);
    expect((await again.get(`/sync?include=tags&cursor=${cursor}`)).status).toBe(200);
  });

  it('a replica by token has no position that another token of the app reads', async () => {
    const wide = oauth.with((await connect('graph:read graph:discover')).access_token);
    const { cursor } = (await wide.get('/sync')).body;
    await wide.get(`/sync?cursor=${cursor}`);
    expect((await wide.get('/sync/status')).body.scopes).toEqual({});
  });

  it('a link to a file ends with the token that asked for it', async () => {
    const { body: node } = await upload(person, '/nodes/upload', { fields: { tags: '["work"]' } });
    const { access_token } = await connect('graph:read files:read');
    const link = await oauth.with(access_token).get(`/nodes/${node.id}/download`);
    const { pathname, search } = new URL(link.body.download_url as string);
    const open = async () => (await oauth.world.api.get(`/${pathname}${search}`)).status;
    expect(await open()).toBe(200);
    await oauth.form('revoke', { client_id: appId, token: access_token });
    expect(await open()).toBe(401);
  });
});
