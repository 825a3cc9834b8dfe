import { generateKeyPairSync } from 'node:crypto';
import { Config } from '../../src/config/config.js';
import { Clock } from '../../src/kernel/clock.js';
import { type Answer, Client } from '../support/client.js';
import { onPostgres } from '../support/database.js';
import { allSchemas, allTags, everything, someTags } from '../support/defaults.js';
import { idOf } from '../support/plausible.js';
import { type TestUser, World } from '../support/world.js';

const MINUTE = 60_000;
const GRANTS = {
  discover: allTags,
  read: allTags,
  propose: allTags,
  edit: allTags,
  create: allTags,
  delete: allTags,
};

/** One person, one app that may do everything, and what they speak of. */
interface Scene {
  alice: TestUser;
  developer: TestUser;
  app: string;
  profile: string;
  authorization: string;
  node: string;
  tag: string;
  tagName: string;
  otherTag: string;
  /** The app, by app key and X-User-ID. */
  client: Client;
  keyId: string;
  profileBody: Record<string, unknown>;
}

type Change = (scene: Scene) => Promise<Answer | void>;
interface Case {
  what: string;
  /** Of the profile, before anything is asked; `$tag` and `$other` are ids. */
  profile?: Record<string, unknown>;
  probe?: (client: Client, scene: Scene) => Promise<unknown>;
  before?: unknown;
  change: Change;
  /** Of the app key and of the user key. */
  after: unknown;
  afterUserKey?: unknown;
}

const title = async (client: Client, { node }: Scene): Promise<unknown> =>
  (await client.get(`/nodes/${node}`)).body.title;
const edits = async (client: Client, { node }: Scene): Promise<unknown> =>
  (await client.put(`/nodes/${node}`, { value: 'v' })).status;
const creates = async (client: Client): Promise<unknown> =>
  (await client.post('/nodes', { title: 'new', node_type: 'note' })).status;

/** A field of the profile, put. */
const put = (fields: Record<string, unknown>): Change => {
  return (scene) => scene.alice.put(`/exposure-profiles/${scene.profile}`, filled(fields, scene));
};
const filled = (fields: Record<string, unknown>, { tag, otherTag, node, tagName }: Scene) =>
  JSON.parse(
    JSON.stringify(fields)
      .replaceAll('$tagName', tagName)
      .replaceAll('$tag', tag)
      .replaceAll('$other', otherTag)
      .replaceAll('$node', node),
  ) as Record<string, unknown>;
const reads = (...tags: string[]) => ({ tag_permissions: { ...GRANTS, read: someTags(...tags) } });
const no = (verb: string) => ({ tag_permissions: { ...GRANTS, [verb]: someTags() } });

const PROFILE_FIELDS: Case[] = [
  { what: 'tag_permissions.read', change: put(reads('$other')), after: 404 },
  { what: 'tag_permissions.edit', probe: edits, change: put(no('edit')), after: 403 },
  { what: 'tag_permissions.create', probe: creates, before: 201, change: put(no('create')), after: 403 },
  {
    what: 'tag_permissions.discover',
    probe: async (client, { otherTag }) => (await client.get(`/tags/${otherTag}`)).status,
    change: put({ tag_permissions: { read: someTags('$tag') } }),
    after: 404,
  },
  { what: 'schema_permissions', change: put({ schema_permissions: {} }), after: 404 },
  {
    what: 'schema_permissions.write',
    probe: edits,
    change: put({ schema_permissions: { read: allSchemas.read } }),
    after: 403,
  },
  {
    what: 'tag_filters.include_all',
    change: put({ tag_filters: { include_all: ['$tagName', 'absent'] } }),
    after: 404,
  },
  { what: 'tag_filters.include_any', change: put({ tag_filters: { include_any: ['absent'] } }), after: 404 },
  {
    what: 'tag_filters.exclude_any',
    change: put({ tag_filters: { exclude_any: ['$tagName'] } }),
    after: 404,
  },
  {
    what: 'tag_expression',
    change: put({ tag_expression: { op: 'AND', conditions: [{ tag: 'absent' }] } }),
    after: 404,
  },
  {
    what: 'tag_expression: null',
    profile: { tag_expression: { op: 'AND', conditions: [{ tag: 'absent' }] } },
    before: 404,
    change: put({ tag_expression: null }),
    after: 200,
  },
  { what: 'allowed_tag_ids', change: put({ allowed_tag_ids: ['$other'] }), after: 404 },
  {
    what: 'allowed_tags_logic',
    profile: { allowed_tag_ids: ['$tag', '$other'] },
    change: put({ allowed_tags_logic: 'AND' }),
    after: 404,
  },
  { what: 'excluded_tag_ids', change: put({ excluded_tag_ids: ['$tag'] }), after: 404 },
  {
    what: 'allowed_node_ids',
    profile: reads('$other'),
    before: 404,
    change: put({ allowed_node_ids: ['$node'] }),
    after: 200,
  },
  { what: 'allowed_node_types', change: put({ allowed_node_types: ['GOAL'] }), after: 404 },
  { what: 'excluded_node_types', change: put({ excluded_node_types: ['note'] }), after: 404 },
  { what: 'date_range_start', change: put({ date_range_start: '2100-01-01' }), after: 404 },
  { what: 'date_range_end', change: put({ date_range_end: '2000-01-01' }), after: 404 },
  {
    what: 'transformations',
    probe: title,
    before: 'a node',
    change: put({ transformations: [{ type: 'truncate', config: { field: 'title', max: 1 } }] }),
    after: expect.not.stringContaining('node'),
  },
  {
    what: 'max_detail_level',
    probe: title,
    before: 'a node',
    change: put({ max_detail_level: 'minimal' }),
    after: undefined,
  },
  { what: 'is_active', change: put({ is_active: false }), after: 403 },
];

const later = (): string => new Date(Date.now() + MINUTE).toISOString();
const authorization = (body: (scene: Scene) => Promise<object> | object): Change => {
  return async (scene) => scene.alice.patch(`/authorizations/${scene.authorization}`, await body(scene));
};
const revoke: Change = ({ alice, authorization: id }) => alice.delete(`/authorizations/${id}`);
const asking =
  (requested_permissions: object): Change =>
  ({ developer, app }) =>
    developer.patch(`/apps/${app}`, { requested_permissions });
let passTime = (): void => undefined;

const OTHER_WRITES: Case[] = [
  {
    what: 'another profile for the authorization',
    change: authorization(async ({ alice, profileBody }) => {
      const other = { ...profileBody, name: `other ${Math.random()}`, excluded_node_types: ['note'] };
      return { exposure_profile_id: await idOf(alice, '/exposure-profiles', other) };
    }),
    after: 404,
  },
  {
    what: 'a new approval that customizes',
    change: ({ alice, app, profile }) =>
      alice.post('/authorizations', {
        app_id: app,
        exposure_profile_id: profile,
        save_mode: 'overwrite',
        customizations: { max_detail_level: 'minimal' },
      }),
    probe: title,
    before: 'a node',
    after: undefined,
  },
  {
    what: 'the passing of expires_at',
    change: async (scene) => {
      await authorization(() => ({ expires_at: later() }))(scene);
      expect((await scene.client.get('/nodes')).status).toBe(200);
      passTime();
    },
    after: 403,
  },
  { what: 'revocation', change: revoke, after: 403, afterUserKey: 401 },
  {
    what: 'an app that gives up access',
    change: ({ client }) => client.delete('/authorizations/current'),
    after: 403,
    afterUserKey: 401,
  },
  { what: 'an app that asks for less: to read', change: asking({ schemas: everything.schemas }), after: 404 },
  {
    what: 'an app that asks for less: to write',
    probe: edits,
    change: asking({ ...everything, tags: { read: true } }),
    after: 403,
  },
  {
    what: 'an app that asks for less: schemas',
    change: asking({ ...everything, schemas: {} }),
    after: 404,
  },
  {
    what: 'an app that is deleted',
    change: ({ developer, app }) => developer.delete(`/apps/${app}`),
    after: 401,
  },
  {
    what: 'an app that is switched off',
    change: ({ developer, app }) => developer.patch(`/apps/${app}`, { is_active: false }),
    after: 403,
  },
  {
    what: 'a key that is deleted',
    change: ({ developer, app, keyId }) => developer.delete(`/apps/${app}/keys/${keyId}`),
    after: 401,
    afterUserKey: 200,
  },
  {
    what: 'a tag that is deleted',
    profile: reads('$tag'),
    change: ({ alice, tag }) => alice.delete(`/tags/${tag}`),
    after: 404,
  },
  {
    what: 'a tag that gets an excluded name',
    profile: { tag_filters: { exclude_any: ['to come'] } },
    change: ({ alice, tag }) => alice.put(`/tags/${tag}`, { name: 'to come' }),
    after: 404,
  },
  {
    what: 'a tag that is renamed keeps its meaning',
    profile: { tag_filters: { include_any: ['$tagName'] } },
    change: ({ alice, tag }) => alice.put(`/tags/${tag}`, { name: `renamed ${tag}` }),
    after: 200,
  },
  {
    what: 'tags that are deleted in bulk',
    profile: reads('$tag'),
    change: ({ alice, tag }) => alice.post('/tags/bulk-delete', { tag_ids: [tag] }),
    after: 404,
  },
  {
    what: 'a node that gets another tag',
    profile: reads('$tag'),
    change: ({ alice, node, otherTag }) => alice.put(`/nodes/${node}`, { tags: [otherTag] }),
    after: 404,
  },
  { what: 'a node that is deleted', change: ({ alice, node }) => alice.delete(`/nodes/${node}`), after: 404 },
];

/** The request after a write decides anew, by either key, in every process (decisions 2.8). */
describe('the very next request sees', () => {
  let world: World;
  let second: World | null = null;
  let alice: TestUser;
  let developer: TestUser;
  let ahead = 0;

  beforeAll(async () => {
    const keys = {
      JWT_PRIVATE_KEY: generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    world = await World.start(keys);
    const url = world.nest.get(Config).databaseUrl as string;
    if (onPostgres) second = await World.start({ ...keys, DATABASE_URL: url });
    for (const each of [world, second])
      if (each) each.nest.get(Clock).now = () => new Date(Date.now() + ahead);
    passTime = () => (ahead = 2 * MINUTE);
    alice = await world.user();
    developer = await world.user();
  });
  beforeEach(() => (ahead = 0));
  afterAll(async () => {
    await second?.stop();
    await world.stop();
  });

  async function scene(profile: Record<string, unknown> = {}): Promise<{ scene: Scene; userKey: string }> {
    const number = world.number();
    const tagName = `tag ${number}`;
    const tag = await idOf(alice, '/tags', { name: tagName });
    const otherTag = await idOf(alice, '/tags', { name: `other ${number}` });
    const node = await idOf(alice, '/nodes', { title: 'a node', node_type: 'note', tags: [tag] });
    const made = { name: `app ${number}`, requested_permissions: everything };
    const { body: app } = await developer.post('/apps', made);
    const { body: key } = await developer.post(`/apps/${app.id}/keys`, {});
    const client = new Client(world.origin, { 'X-API-Key': key.api_key, 'X-User-ID': alice.id });
    const plain = { tag_permissions: GRANTS, schema_permissions: allSchemas };
    const ids = { tag, otherTag, tagName, node, client, alice, developer, app: app.id, keyId: key.id };
    const profileBody = { ...plain, ...filled(profile, ids as Scene) };
    const id = await idOf(alice, '/exposure-profiles', { name: `profile ${number}`, ...profileBody });
    const approval = { app_id: app.id, exposure_profile_id: id };
    const { status, body, text } = await alice.post('/authorizations', approval);
    if (status === 409) return approvedBefore(ids as Scene, { plain, profileBody, number });
    if (status !== 201) throw new Error(text);
    return {
      scene: { ...ids, profile: id, authorization: body.id, profileBody },
      userKey: body.user_key,
    };
  }

  /** A profile that has shrunk since the approval (decisions 2.7). */
  async function approvedBefore(
    ids: Scene,
    { plain, profileBody, number }: { plain: object; profileBody: Record<string, unknown>; number: number },
  ): Promise<{ scene: Scene; userKey: string }> {
    const profile = await idOf(alice, '/exposure-profiles', { name: `wide ${number}`, ...plain });
    const { body } = await alice.post('/authorizations', { app_id: ids.app, exposure_profile_id: profile });
    await alice.put(`/exposure-profiles/${profile}`, profileBody);
    return { scene: { ...ids, profile, authorization: body.id, profileBody }, userKey: body.user_key };
  }

  const status = async (client: Client, { node }: Scene): Promise<unknown> =>
    (await client.get(`/nodes/${node}`)).status;

  it.each([...PROFILE_FIELDS, ...OTHER_WRITES].map((each) => [each.what, each] as const))(
    '%s',
    async (_, { profile, probe = status, before = 200, change, after, afterUserKey = after }) => {
      const made = await scene(profile);
      const origins = [...new Set([(second ?? world).origin, world.origin])];
      const byApp = origins.map((origin) => new Client(origin, made.scene.client.credentials));
      const byUserKey = origins.map((origin) => new Client(origin, { 'X-API-Key': made.userKey }));
      for (const client of [...byApp, ...byUserKey, ...byApp]) {
        expect(await probe(client, made.scene)).toEqual(before);
      }
      const written = await change(made.scene);
      if (written && written.status >= 300) throw new Error(`${written.status} ${written.text}`);
      for (const client of byApp) expect(await probe(client, made.scene)).toEqual(after);
      for (const client of byUserKey) expect(await probe(client, made.scene)).toEqual(afterUserKey);
    },
  );
});
