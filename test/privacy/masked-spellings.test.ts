import { type Client } from '../support/client.js';
import { type TestUser, World } from '../support/world.js';
import { withWorld } from '../support/worlds/with-world.js';
import { letsIn, node, profile } from '../support/worlds/nodes.js';

const ALL = { read: 'all', create: 'all', edit: 'all', propose: 'all', discover: 'all' } as const;
const SECRET = 'influenza';
/** Spellings of one key. */
const SPELLINGS = ['diagnose', 'Diagnose', ' diagnose', 'ｄｉａｇｎｏｓｅ', 'diag\u00adnose'];
const SIZES = ['Größe', 'Größe'.normalize('NFD'), 'GRÖSSE'];

describe('paths of masks', () => {
  let world: World;
  let owner: TestUser;
  let app: Client;
  let id: string;

  beforeAll(async () => {
    world = await World.start();
  });
  beforeEach(async () => {
    owner = await world.user();
    app = await masked(['metadata.properties.diagnose', `metadata.*.${'größe'.normalize('NFD')}`]);
    id = (await node(owner, { title: 'visit', metadata: { properties } })).id;
  });
  afterAll(() => world.stop());

  const properties = {
    ...Object.fromEntries([...SPELLINGS, ...SIZES].map((key) => [key, SECRET])),
    list: [{ Diagnose: 'shown' }],
    other: 'shown',
  };
  const shown = { properties: { list: [{ Diagnose: 'shown' }], other: 'shown' } };
  const masked = (paths: string[], more: object = {}): Promise<Client> =>
    letsIn(
      world,
      owner,
      profile(ALL, { transformations: [{ type: 'field_mask', config: { paths, ...more } }] }),
    );
  const shownTo = async (client: Client, path: string) => (await client.get(path)).body;
  const stored = async () => (await shownTo(owner, `/nodes/${id}`)).metadata.properties;

  it('an app whose profile masks a key that is spelled in several ways is shown none of them, in nodes, lists, searches and versions (rule 3.15i)', async () => {
    await owner.put(`/nodes/${id}`, { title: 'second visit' });
    expect((await shownTo(app, `/nodes/${id}`)).metadata).toEqual(shown);
    const { nodes } = await shownTo(app, '/nodes?limit=100');
    expect(nodes).toEqual([expect.objectContaining({ id, metadata: shown })]);
    expect((await shownTo(app, `/nodes?search=${SECRET}`)).nodes).toEqual([]);
    expect((await shownTo(owner, `/nodes?search=visit`)).nodes).toHaveLength(1);
    const { history } = await shownTo(app, `/nodes/${id}/history?include_snapshots=true`);
    expect(history.length).toBeGreaterThan(1);
    for (const { snapshot } of history) expect(snapshot.metadata).toEqual(shown);
    expect(JSON.stringify([await shownTo(app, `/nodes/${id}/contributions`), history])).not.toContain(SECRET);
  });

  it('an app whose profile masks a key that is spelled in several ways keeps them when it writes back what it is shown (rule 3.17f)', async () => {
    const written = { properties: { ...shown.properties, other: 'changed' } };
    expect((await app.put(`/nodes/${id}`, { metadata: written })).status).toBe(200);
    expect(await stored()).toEqual({ ...properties, other: 'changed' });
  });

  it('an app whose profile masks a key that is spelled in several ways is not shown a spelling that it adds (rule 3.15i)', async () => {
    const written = { properties: { ...shown.properties, DIAGNOSE: 'own words' } };
    const { status, body } = await app.put(`/nodes/${id}`, { metadata: written });
    expect([status, body.metadata]).toEqual([200, shown]);
    expect((await shownTo(app, `/nodes/${id}`)).metadata).toEqual(shown);
    expect(await stored()).toEqual({ ...properties, DIAGNOSE: 'own words' });
  });

  it('an app whose profile masks a key that is spelled in several ways may not store the mark of a mask under another spelling (rule 3.17c)', async () => {
    const hashing = await masked(['metadata.properties.diagnose'], { strategy: 'hash' });
    const { metadata } = await shownTo(hashing, `/nodes/${id}`);
    const hash = metadata.properties.Diagnose as string;
    expect(hash).toMatch(/^[\da-f]{32}$/);
    const written = { properties: { ...metadata.properties, DIAGNOSE: hash } };
    expect((await hashing.put(`/nodes/${id}`, { metadata: written })).status).toBe(400);
    expect(await stored()).toEqual(properties);
  });
});

describe('dates', () => {
  let world: World;

  withWorld(
    (started) => (world = started),
    () => World.start(),
  );

  it('an app whose profile rounds dates by year is shown no day or month that is written in another form than ISO 8601 (rule 3.15g)', async () => {
    const owner = await world.user();
    const app = await letsIn(
      world,
      owner,
      profile(ALL, { transformations: [{ type: 'round_date', config: { granularity: 'year' } }] }),
    );
    const dates = [
      '2024‐05‐06',
      '2024-05-06/2024-05-07',
      '2024-127',
      '06MAY2024',
      '6-V-2024',
      '2024年5月6日',
      '٢٠٢٤-٠٥-٠٦',
      '6 мая 2024',
      'Seen on 6 May 2024',
    ];
    const kept = ['2024', 'Budget 2024', 'Release 2024.1.3'];
    const { id } = await node(owner, { title: 'dates', metadata: { dates: [...dates, ...kept] } });
    const { body } = await app.get(`/nodes/${id}`);
    expect(body.metadata.dates).toEqual([...dates.map(() => null), ...kept]);
  });
});
