import { codeOf, node } from '../support/worlds/nodes.js';
import { group } from '../support/worlds/people.js';
import { Database } from '../../src/kernel/database/database.js';
import { sql } from '../../src/kernel/database/sql.js';
import { UnitOfWork } from '../../src/kernel/change-log/unit-of-work.js';
import { readOnly } from '../support/defaults.js';
import { type TestUser, World } from '../support/world.js';

const BAD = [
  ...['a\u202Eb', 'a\u200Bb', 'a\nb', 'a\u0007b', 'a\u2028b', 'a\uFEFFb', 'a\u3164', 'a\uFFA0', 'a\u2800'],
  ...['a\u034Fb', 'a\uFE0F', 'a\u{E0100}', 'a\u17B4', 'a\u{1D159}'],
];

describe('a name that people choose by', () => {
  let world: World;
  let alice: TestUser;

  beforeAll(async () => {
    world = await World.startHere();
    alice = await world.user();
  });
  afterAll(() => world.stop());

  const bodies: Record<string, (name: string) => Promise<[path: string, body: object]>> = {
    'a tag': (name) => Promise.resolve(['/tags', { name }]),
    'a tag of a node': (name) => Promise.resolve(['/nodes', { title: 't', node_type: 'NOTE', tags: [name] }]),
    'an app': (name) => Promise.resolve(['/apps', { name, requested_permissions: readOnly }]),
    'a profile': (name) => Promise.resolve(['/exposure-profiles', { name }]),
    'a group': (name) => Promise.resolve(['/groups', { name }]),
    'a schema': (name) =>
      Promise.resolve([
        '/schemas',
        { name, scope: 'private', private_to: 'user', json_schema: { type: 'object' } },
      ]),
    'an API key': async (name) => {
      const app = await alice.post('/apps', { name: 'keys', requested_permissions: readOnly });
      return [`/apps/${app.body.id}/keys`, { name }];
    },
  };

  it.each(Object.keys(bodies))('the name of %s is refused with invisible characters', async (thing) => {
    for (const bad of BAD) {
      const [path, body] = await bodies[thing]!(bad + world.number());
      expect([JSON.stringify(bad), ...codeOf(await alice.post(path, body))]).toEqual([
        JSON.stringify(bad),
        400,
        'VALIDATION_ERROR',
      ]);
    }
    const [path, body] = await bodies[thing]!(`Zoë 👨‍👩‍👧 ❤️ 1️⃣ ${world.number()}`);
    const made = await alice.post(path, body);
    expect([made.status, made.body.error]).toEqual([201, undefined]);
  });

  it('a tag or a group cannot be renamed to a name with invisible characters', async () => {
    const tag = (await alice.post('/tags', { name: 'seen' })).body;
    expect(codeOf(await alice.put(`/tags/${tag.id}`, { name: 'un\u200Bseen' }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    const path = `/groups/${await group(alice)}`;
    expect((await alice.put(path, { name: 'cr\u200Bew' })).status).toBe(400);
  });

  it('a stored name with invisible characters stays, and can be assigned, read and written around', async () => {
    const tag = (await alice.post('/tags', { name: 'former' })).body;
    const database = world.nest.get(Database);
    await world.nest
      .get(UnitOfWork)
      .run(() =>
        database.write(
          sql`UPDATE tags SET name = ${'for\u200Bmer'}, name_key = ${'for\u200Bmer'} WHERE id = ${tag.id}`,
        ),
      );
    const made = await node(alice, { title: 'n', tags: ['for\u200Bmer'] });
    expect((await alice.get(`/nodes/${made.id}`)).body.tags).toEqual(['for\u200Bmer']);
    expect((await alice.put(`/tags/${tag.id}`, { color: '#112233', name: 'for\u200Bmer' })).status).toBe(200);
  });

  it('a look-alike tag is reported to its owner, but not to an app', async () => {
    const bob = await world.user();
    await bob.post('/tags', { name: 'private' });
    expect((await bob.post('/tags', { name: 'priv\u0430te' })).body.confusable_with).toBe('private');
    expect((await bob.post('/tags', { name: 'sport' })).body).not.toHaveProperty('confusable_with');
    const app = await bob.lets(await world.app());
    expect((await app.post('/tags', { name: 'pr\u0456vate' })).body).not.toHaveProperty('confusable_with');
  });
});
