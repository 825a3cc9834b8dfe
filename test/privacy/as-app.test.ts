import { jest } from '@jest/globals';
import { SYSTEM_SCHEMA_IDS } from '../../src/privacy/index.js';
import { OpenStreams } from '../../src/kernel/waiting/open-streams.js';
import { fileNode } from '../support/worlds/files.js';
import { codeOf, node } from '../support/worlds/nodes.js';
import { asApp } from '../support/as-app.js';
import { type Client } from '../support/client.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { getsToKnow } from '../support/worlds/people.js';

const DENIED = [403, 'PERMISSION_DENIED'];

/** The permission table compares the answers of every route, byte for byte. */
describe('people who read as one of their apps (rule 2.11)', () => {
  let world: World;
  let alice: TestUser;
  let app: TestApp;
  let client: Client;

  withWorld((started) => (world = started));
  beforeEach(async () => {
    [alice, app] = [await world.user(), await world.app()];
    client = await alice.lets(app);
  });

  const entriesOf = async (user: Client): Promise<{ action: string; actor: { type: string } }[]> => {
    const { body } = await user.get('/access-log');
    return body.entries;
  };

  it('schemas, files, diffs and webhooks are answered to a person who reads as an app as to the app', async () => {
    const { body: made } = await client.post('/webhooks/subscribe', {
      webhook_url: 'https://example.com/in',
      events: ['node.created'],
    });
    expect(made.id).toEqual(expect.any(String));
    const file = (await fileNode(alice)).id as string;
    const proposal = { canonical_data: { title: 'proposed', node_type: 'note' } };
    const { id } = (await client.post('/proposals', proposal)).body;
    const paths = [
      '/schemas/categories',
      `/schemas/${SYSTEM_SCHEMA_IDS['system:Entity']}/versions`,
      `/raw-files/${file}`,
      `/proposals/${id}/diff`,
      '/webhooks/subscription',
    ];
    for (const path of paths) {
      const [own, seen] = [await client.get(path), await alice.get(asApp(path, app.id))];
      expect([path, seen.status, seen.text]).toEqual([path, own.status, own.text]);
      expect([path, own.status]).toEqual([path, 200]);
    }
  });

  it('a change of the profile is in the next answer to a person who reads as the app', async () => {
    const { id } = await node(alice, { value: 'a diary' });
    const path = asApp(`/nodes/${id}`, app.id);
    expect((await alice.get(path)).body.value).toBe('a diary');
    const [authorization] = (await alice.get('/authorizations')).body.authorizations;
    const profile = `/exposure-profiles/${authorization.exposure_profile_id}`;
    await alice.put(profile, { max_detail_level: 'minimal' });
    const minimal = await alice.get(path);
    expect([minimal.status, minimal.body.value]).toEqual([200, undefined]);
    expect(minimal.text).toBe((await client.get(`/nodes/${id}`)).text);
    await alice.delete(`/authorizations/${authorization.id}`);
    expect(codeOf(await alice.get(path))).toEqual(DENIED);
  });

  it('apps that a person has not authorized have one answer, existing or not', async () => {
    const stranger = await world.app();
    const ids = [stranger.id, alice.id, '', 'x', '%00', `${app.id}0`];
    const answers = await Promise.all(ids.map((id) => alice.get(asApp('/nodes', id))));
    expect(answers.map(codeOf)).toEqual(ids.map(() => DENIED));
    expect(new Set(answers.map(({ body }) => body.error.message)).size).toBe(1);
  });

  it('the parameter as_app is refused to apps, twice, and where nothing is read for an app', async () => {
    const { id } = await node(alice, {});
    const refused = [
      await client.get(asApp('/nodes', app.id)),
      await alice.get(asApp(asApp('/nodes', app.id), app.id)),
      await alice.get(asApp('/exposure-profiles', app.id)),
      await alice.get(asApp(`/nodes/${id}/download`, app.id)),
      await alice.get(asApp('/sync/stream', app.id)),
      await alice.put(asApp(`/nodes/${id}`, app.id), { title: 'x' }),
      await alice.post(asApp('/nodes/search', app.id), { query: 'x' }),
    ];
    expect(refused.map(codeOf)).toEqual([
      DENIED,
      ...Array.from({ length: 6 }, () => [400, 'VALIDATION_ERROR']),
    ]);
    // A name in other letters is the same parameter.
    expect(codeOf(await alice.get(`/nodes?as%5Fapp=${alice.id}`))).toEqual(DENIED);
  });

  it('reads of a person as an app are not logged as reads or refusals of the app', async () => {
    const { id } = await node(alice, {});
    await alice.get(asApp(`/nodes/${id}`, app.id));
    await alice.get(asApp('/nodes', app.id));
    await alice.get(asApp(`/nodes/${alice.id}`, app.id));
    await alice.get(asApp('/sync', app.id));
    expect(await entriesOf(alice)).toEqual([]);
    await client.get(`/nodes/${id}`);
    expect((await entriesOf(alice)).map(({ action }) => action)).toEqual(['read']);
  });

  it('reads of a received node, by an app and as the app, are logged for its owner as reads of the person', async () => {
    const bob = await world.user();
    const { id } = await node(bob, { title: 'shared with alice' });
    await bob.post('/sharing', { shared_with_user_id: alice.id, scope: 'specific_nodes', node_ids: [id] });
    await getsToKnow(alice, bob);
    const own = await client.get(`/nodes/${id}`);
    const seen = await alice.get(asApp(`/nodes/${id}`, app.id));
    expect([own.status, seen.text]).toEqual([200, own.text]);
    const actors = (await entriesOf(bob)).map(({ actor }) => actor.type);
    expect([...new Set(actors)]).toEqual(['user']);
  });

  it('a pull of a person who reads as an app waits at a place of the person', async () => {
    const open = jest.spyOn(world.nest.get(OpenStreams), 'open');
    await node(alice, {});
    await client.get('/sync?wait=1');
    await alice.get(asApp('/sync?wait=1', app.id));
    await alice.get('/sync?wait=1');
    const places = open.mock.calls.map(([{ appId }]) => appId);
    open.mockRestore();
    expect(places).toEqual([app.id, null, null]);
  });

  it("a person who reads as an app leaves the app's position of sync where it is", async () => {
    for (const title of ['one', 'two', 'three']) await node(alice, { title });
    const page = async (reader: Client, path: string) => (await reader.get(path)).body;
    const from = ({ cursor }: { cursor: string }): string =>
      `/sync?limit=1&cursor=${encodeURIComponent(cursor)}`;
    const second = await page(client, from(await page(client, '/sync?limit=1')));
    const before = (await client.get('/sync/status')).text;
    expect((await page(alice, asApp(from(second), app.id))).changes).toHaveLength(1);
    expect((await client.get('/sync/status')).text).toBe(before);
    expect((await alice.get(asApp('/sync/status', app.id))).text).toBe(before);
  });
});
