import { jest } from '@jest/globals';
import { assigns, group } from '../../support/worlds/people.js';
import { type Client } from '../../support/client.js';
import { everything } from '../../support/defaults.js';
import { type TestUser, World } from '../../support/world.js';
import { watched } from '../edits/masks-watch.js';
import { node, profile } from '../../support/worlds/nodes.js';

const EVERY_TAG = { discover: 'all', read: 'all', propose: 'all', create: 'all', edit: 'all' } as const;
const REDACTS = { transformations: [{ type: 'pii_redaction' }] };

/** Texts of thousands of characters, different each time, because redacted texts are cached for a while. */
let number = 0;
const long = (): string => `number ${++number}, ask ada@example.org. `.repeat(200);

/** A tag with a long description, and how an app and a member of its group are shown it. */
interface Asked {
  app: Client;
  member: Client;
  id: string;
  groupId: string;
}

const BY: Readonly<Record<string, (asked: Asked) => ReturnType<Client['get']>>> = {
  tags: ({ app }) => app.get('/tags?per_page=200'),
  'tags with their nodes': ({ app }) => app.get('/tags?include_nodes=true'),
  'tags of a shown category': ({ app }) => app.get('/tags?category=topic'),
  'a tag': ({ app, id }) => app.get(`/tags/${id}`),
  'a tag changed': ({ app, id }) => app.put(`/tags/${id}`, { description: long() }),
  'a tag changed if it is as it was': async ({ app, id }) => {
    const { headers } = await app.get(`/tags/${id}`);
    const unchanged = app.with({ 'If-Match': headers.etag as string });
    return unchanged.put(`/tags/${id}`, { description: long() });
  },
  'tags of a group': ({ member, groupId }) => member.get(`/groups/${groupId}/tags`),
};

describe('large lists', () => {
  let world: World;
  let owner: TestUser;
  const asked = {} as Asked;

  beforeAll(async () => {
    world = await World.startHere();
    owner = await world.user();
    const member = await world.user();
    asked.member = member;
    asked.app = await owner.lets(await world.app({ requested: everything }), profile(EVERY_TAG, REDACTS));
    asked.groupId = await group(owner, [member]);
    await assigns(owner, asked.groupId, { to: member, body: profile(EVERY_TAG, REDACTS) });
    asked.id = (await owner.post('/tags', { name: 'sea', category: 'topic', description: long() })).body.id;
    await node(owner, { title: 'at sea, ask ada@example.org now', tags: ['sea'] });
    const tag = { name: 'sea', description: long() };
    expect((await owner.post(`/groups/${asked.groupId}/tags`, tag)).status).toBe(201);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  it.each(Object.keys(BY))(
    'tags with long descriptions are shown as %s without redacting anything long in one piece',
    async (name) => {
      expect((await owner.put(`/tags/${asked.id}`, { description: long() })).status).toBe(200);
      const { atOnce, inSlices, late } = watched();
      const { status, text } = await (BY[name] as (typeof BY)[string])(asked);
      expect(status).toBe(200);
      expect(text).toContain('[REDACTED:email]');
      expect(text).not.toContain('ada@example.org');
      expect(inSlices).not.toEqual([]);
      expect(atOnce).toEqual([]);
      expect(late).toEqual([]);
    },
  );
});
