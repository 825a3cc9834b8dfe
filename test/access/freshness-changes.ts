import { type Answer, type Client } from '../support/client.js';
import { allTags, allSchemas, everything, someTags } from '../support/defaults.js';
import { idOf } from '../support/plausible.js';
import { type TestUser } from '../support/world.js';

/** Every change that affects an app's permissions, with the required answers of a request before and after it. */

const MINUTE = 60_000;
export const GRANTS = {
  discover: allTags,
  read: allTags,
  propose: allTags,
  edit: allTags,
  create: allTags,
  delete: allTags,
};

/** One person, one app that may do everything, and the things that they use. */
export interface Scene {
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
export interface Case {
  what: string;
  /** The profile before the change; `$tag` and `$other` are ids. */
  profile?: Record<string, unknown>;
  probe?: (client: Client, scene: Scene) => Promise<unknown>;
  before?: unknown;
  change: Change;
  /** The answers to the app key and to the user key. */
  after: unknown;
  afterUserKey?: unknown;
}

const title = async (client: Client, { node }: Scene): Promise<unknown> =>
  (await client.get(`/nodes/${node}`)).body.title;
const edits = async (client: Client, { node }: Scene): Promise<unknown> =>
  (await client.put(`/nodes/${node}`, { value: 'v' })).status;
const creates = async (client: Client): Promise<unknown> =>
  (await client.post('/nodes', { title: 'new', node_type: 'note' })).status;

/** A PUT of a field of the profile. */
const put = (fields: Record<string, unknown>): Change => {
  return (scene) => scene.alice.put(`/exposure-profiles/${scene.profile}`, filled(fields, scene));
};
export const filled = (fields: Record<string, unknown>, { tag, otherTag, node, tagName }: Scene) =>
  JSON.parse(
    JSON.stringify(fields)
      .replaceAll('$tagName', tagName)
      .replaceAll('$tag', tag)
      .replaceAll('$other', otherTag)
      .replaceAll('$node', node),
  ) as Record<string, unknown>;
const reads = (...tags: string[]) => ({ tag_permissions: { ...GRANTS, read: someTags(...tags) } });
const no = (verb: string) => ({ tag_permissions: { ...GRANTS, [verb]: someTags() } });

export const PROFILE_FIELDS: Case[] = [
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

export const later = (): string => new Date(Date.now() + MINUTE).toISOString();
const authorization = (body: (scene: Scene) => Promise<object> | object): Change => {
  return async (scene) => scene.alice.patch(`/authorizations/${scene.authorization}`, await body(scene));
};
const revoke: Change = ({ alice, authorization: id }) => alice.delete(`/authorizations/${id}`);
const asking =
  (requested_permissions: object): Change =>
  ({ developer, app }) =>
    developer.patch(`/apps/${app}`, { requested_permissions });
/** The seconds by which the services' clocks run ahead. */
export const time = { ahead: 0 };
export const passTime = (): void => void (time.ahead = 2 * MINUTE);

export const OTHER_WRITES: Case[] = [
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
