import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withAlice } from '../support/worlds/with-world.js';
import { letsIn, node, profile, tagId } from '../support/worlds/nodes.js';

interface Version {
  version: number;
  changed_at: string;
  snapshot?: { version: number; title: string };
}

interface Contribution {
  id: string;
  version: number;
  field_path: string;
}

/** Versions that changed nothing that a caller is shown are not in its history (rule 3.14e). */
describe('hidden steps (rule 3.14e)', () => {
  let world: World;
  let alice: TestUser;
  let client: Client;
  let id: string;

  withAlice(
    (met) => ({ world, alice } = met),
    () => World.start(),
  );
  beforeEach(async () => {
    client = await letsIn(
      world,
      alice,
      profile(
        { read: 'all', edit: 'all' },
        {
          transformations: [{ type: 'field_mask', config: { paths: ['value'] } }],
        },
      ),
    );
    id = (await node(alice, { title: 'first', value: 'secret' })).id as string;
  });

  const hide = (value: string) => alice.put(`/nodes/${id}`, { value });
  const historyOf = async (caller: Client, query = ''): Promise<{ history: Version[]; total: number }> =>
    (await caller.get(`/nodes/${id}/history${query}`)).body;
  const all = async () => {
    const paths = [
      `/nodes/${id}/history?include_snapshots=true`,
      `/nodes/${id}/history/1`,
      `/nodes/${id}/history/2`,
      `/nodes/${id}/history/3`,
      '/nodes/history',
      `/nodes/history?node_id=${id}`,
    ];
    const answers = [];
    for (const path of paths) answers.push(await client.get(path));
    return answers.map(({ status, text }) => [status, text.replace(/"request_id":"[^"]+"/, '')]);
  };

  it('the history of a partly hidden node does not change by hidden edits and confirming writes', async () => {
    await alice.put(`/nodes/${id}`, { title: 'second' });
    const before = await all();
    await hide('secret 2');
    expect((await client.put(`/nodes/${id}`, { value: 'secret 2' })).status).toBe(200);
    await hide('secret 3');
    expect(await all()).toEqual(before);
    expect((await historyOf(alice)).total).toBeGreaterThan(4);
  });

  it('numbers its versions without gaps, newest first, after any changes', async () => {
    await hide('secret 2');
    await alice.put(`/nodes/${id}`, { title: 'second' });
    await hide('secret 3');
    await hide('secret 4');
    await alice.put(`/nodes/${id}`, { title: 'third', value: 'secret 5' });
    const { history, total } = await historyOf(client, '?include_snapshots=true');
    expect(total).toBe(3);
    expect(history.map(({ version, snapshot }) => [version, snapshot?.version, snapshot?.title])).toEqual([
      [3, 3, 'third'],
      [2, 2, 'second'],
      [1, 1, 'first'],
    ]);
    expect((await historyOf(client, '?limit=1&offset=1')).history).toMatchObject([{ version: 2 }]);
    for (const [number, title] of [
      [1, 'first'],
      [2, 'second'],
      [3, 'third'],
    ])
      expect((await client.get(`/nodes/${id}/history/${number}`)).body).toMatchObject({
        version: number,
        snapshot: { version: number, title },
      });
    expect((await client.get(`/nodes/${id}/history/4`)).status).toBe(404);
    expect((await client.get('/nodes/history')).body.total).toBe(3);
    expect((await historyOf(alice)).total).toBe(6);
  });

  it('numbers contributions as its versions', async () => {
    await hide('secret 2');
    await alice.put(`/nodes/${id}`, { title: 'second' });
    const contributions = async (caller: Client) =>
      ((await caller.get(`/nodes/${id}/contributions?status=all`)).body.contributions as Contribution[])
        .filter(({ field_path }) => field_path === 'title')
        .map(({ version, id: of }) => [version, of]);
    const before = await contributions(client);
    expect(before.map(([version]) => version)).toEqual([2, 1]);
    expect((await contributions(alice)).map(([version]) => version)).toEqual([3, 1]);
    await hide('secret 3');
    expect(await contributions(client)).toEqual(before);
  });

  it('the history of a partly hidden node has at a time the version that was shown then', async () => {
    await hide('secret 2');
    const [hidden, made] = (await historyOf(alice)).history as [Version, Version];
    const shown = await client.get(`/nodes/${id}/history/at-time?timestamp=${hidden.changed_at}`);
    expect(shown.body).toMatchObject({ version: 1, changed_at: made.changed_at, snapshot: { version: 1 } });
    const now = new Date(Date.now() + 60_000).toISOString();
    expect((await client.get(`/nodes/${id}/history/at-time?timestamp=${now}`)).body.version).toBe(1);
    expect((await alice.get(`/nodes/${id}/history/at-time?timestamp=${now}`)).body.version).toBe(2);
  });

  it('the history of a partly hidden node has no version at a time at which the node could not be read', async () => {
    const known = await tagId(alice, 'known');
    const narrow = await letsIn(world, alice, profile({ read: [known] }));
    const at = new Date().toISOString();
    await alice.post(`/nodes/${id}/tags`, { tag_id: known });
    expect((await narrow.get(`/nodes/${id}/history`)).body).toMatchObject({
      total: 1,
      history: [{ version: 1 }],
    });
    expect((await narrow.get(`/nodes/${id}/history/at-time?timestamp=${at}`)).status).toBe(404);
  });
});
