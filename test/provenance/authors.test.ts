import { exported, rowsOf } from '../portability/archives.js';
import { type Client } from '../support/client.js';
import { type TestUser } from '../support/world.js';
import { node } from '../support/worlds/nodes.js';
import { group, type People, withPeople } from '../support/worlds/people.js';

let people: People;
withPeople((met) => (people = met));

type Named = [type: string, person: string | null, app: string | null];

const historyOf = async (viewer: Client, path: string): Promise<Named[]> =>
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  (await viewer.get(path)).body.history.map((entry: any) => [
    entry.changed_by_type,
    entry.changed_by_user_id,
    entry.changed_by_app_id,
  ]);

const contributorsTo = async (viewer: Client, id: string): Promise<(string | null)[][]> =>
  (await viewer.get(`/nodes/${id}/contributions?status=all`)).body.contributions
    .filter(({ field_path }: { field_path: string }) => field_path === 'value')
    .map((one: Record<string, string | null>) => [one['contributor_type'], one['contributor_id']]);

const shares = async (from: TestUser, to: TestUser, id: string, more: object = {}): Promise<void> => {
  const body = { shared_with_user_id: to.id, scope: 'specific_nodes', node_ids: [id], ...more };
  expect((await from.post('/sharing', body)).status).toBe(201);
};

const writes = async (writer: Client, id: string, value: string): Promise<void> =>
  expect((await writer.put(`/nodes/${id}`, { value })).status).toBe(200);

describe('authors of changes', () => {
  /** A node of Alice that her app, Bob, and Carol, with whom Bob shares it, have written. */
  async function written() {
    const { world, alice, bob, carol } = people;
    const { id } = await node(alice, { value: 'by alice' });
    const app = await world.app();
    const client = await alice.lets(app);
    await writes(client, id, 'by an app');
    await shares(alice, bob, id, { can_write: true, can_share: true });
    await shares(bob, carol, id, { can_write: true });
    await writes(bob, id, 'by bob');
    await writes(carol, id, 'by carol');
    return { id, app, client };
  }

  it('history and contributions name the people whom the access log names, and apps of the viewer (rule 7.1d)', async () => {
    const { world, alice, bob, carol } = people;
    const { id, app, client } = await written();
    const dave = await world.user();
    await shares(alice, dave, id);
    const rows = (named: { bob?: string; carol?: string; app?: string }): Named[] => [
      ['user', named.carol ?? null, null],
      ['user', named.bob ?? null, null],
      ['app', alice.id, named.app ?? null],
      ['user', alice.id, null],
    ];
    const viewers: [viewer: Client, seen: Named[]][] = [
      [alice, rows({ bob: bob.id, app: app.id })],
      [client, rows({ app: app.id })],
      [bob, rows({ bob: bob.id, carol: carol.id })],
      [carol, rows({ carol: carol.id })],
      [dave, rows({})],
    ];
    for (const [viewer, seen] of viewers) {
      expect(await historyOf(viewer, `/nodes/${id}/history`)).toEqual(seen);
      const one = (await viewer.get(`/nodes/${id}/history/4`)).body;
      expect([one.changed_by_type, one.changed_by_user_id, one.changed_by_app_id]).toEqual(seen[0]);
      expect(await contributorsTo(viewer, id)).toEqual(
        seen.map(([type, person, its]) => [type, type === 'app' ? its : person]),
      );
    }
    expect(await historyOf(alice, '/nodes/history')).toEqual(viewers[0]?.[1]);
  });

  it('people in one group see each other in the history of what one of them shares', async () => {
    const { alice, carol } = people;
    const { id } = await written();
    const authorOf = async () => (await historyOf(alice, `/nodes/${id}/history`))[0]?.[1];
    expect(await authorOf()).toBeNull();
    await group(alice, [carol]);
    expect(await authorOf()).toBe(carol.id);
  });

  it('an archive names the same authors as the history', async () => {
    const { alice, bob, carol } = people;
    await written();
    const archive = await exported(alice);
    const authors = rowsOf(archive, 'data/changes.ndjson')
      .filter(({ entity }) => entity === 'node')
      .map(({ changed_by_user_id }) => changed_by_user_id);
    expect(authors.slice(-2)).toEqual([bob.id, null]);
    const contributors = rowsOf(archive, 'data/contributions.ndjson').map(
      ({ contributor_id }) => contributor_id,
    );
    expect(contributors).toContain(bob.id);
    for (const name of ['data/changes.ndjson', 'data/contributions.ndjson', 'listed/other_changes.ndjson'])
      expect([name, String(archive.get(name)).includes(carol.id)]).toEqual([name, false]);
  });
});
