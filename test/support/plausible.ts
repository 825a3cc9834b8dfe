import { type Answer, type Client } from './client.js';
import { mapLeaves, type Operation } from './operations.js';
import { type TestUser, type World } from './world.js';

const PASSWORD = 'correct horse battery';

/** Ids and other things of one person, by the meaning of a parameter's or field's name. */
export interface Things {
  node: string;
  'to node': string;
  tag: string;
  'parent tag': string;
  relationship: string;
  session: string;
  version: string;
  timestamp: string;
  profile: string;
  authorization: string;
  app: string;
  key: string;
  user: string;
  email: string;
  refresh_token: string;
  current_password: string;
  [more: string]: string;
}

/**
 * The kind of thing that a parameter or field of this name refers to: `from_node_id` a node, `allowed_tag_ids` a tag.
 */
export function kindOf(name: string): keyof Things | undefined {
  if (name in { refresh_token: 0, current_password: 0 }) return name;
  if (name === 'schema_id') return 'schema';
  if (name === 'ids') return 'node';
  if (name === 'auth_session_id') return 'log-in';
  if (name === 'passkey_id') return undefined;
  if (!/(^|_)ids?$/.test(name) || /schema|agent/.test(name)) return undefined;
  if (name.startsWith('to_node')) return 'to node';
  if (name.startsWith('parent_tag')) return 'parent tag';
  return /proposal|node|tag|relationship|session|profile|authorization|app|key|user|file|group/.exec(
    name,
  )?.[0];
}

/** The path of an operation with the ids of these things, and with its required query. */
export function pathOf({ path, parameters }: Operation, things: Things): string {
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = needed.map(({ name }) => `${name}=${encodeURIComponent(idIn(things, name))}`);
  const filled = path.replace(/\{([A-Za-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent(things[`${kindOf(name)} to ${path.split('/').at(-1)}`] ?? idIn(things, name)),
  );
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

const idIn = (things: Things, name: string): string => things[kindOf(name) ?? name] ?? name;

/** The example of the body with these things in it, and names of its own if they must be unique. */
export function bodyOf(
  { example, path }: Operation,
  things: Things,
  number: number,
): Record<string, unknown> | undefined {
  if (example === undefined) return undefined;
  const suffix = String(number).padStart(6, '0');
  return mapLeaves(example, (leaf, key) => {
    if (typeof leaf !== 'string') return leaf;
    if (key === 'email' && /login/.test(path)) return things.email;
    if (key === 'password') return PASSWORD;
    if (key === 'email') return `person${suffix}@example.org`;
    if (key === 'username') return `person${suffix}`;
    if (key === 'external_id') return `${leaf}-${suffix}`;
    if (key === 'name' || key === 'new_profile_name') return `${leaf} ${suffix}`;
    const kind = kindOf(key);
    return (kind === undefined ? undefined : things[kind]) ?? leaf;
  }) as Record<string, unknown>;
}

/**
 * Operations that need a second person, a multipart body, an archive, a link, a receiver, an authenticator app or a
 * passkey, or that end the person: other tests have these things. Here such operations get unknown ids.
 */
export const ELSEWHERE =
  /\/oauth\/|\/sessions\/\{app_session_id\}$|\/(sharing|follows|blocked-users)(\/|$)|\/groups\/(invitations|\{group_id\}\/(invitations|connections|members|share|nodes\/|tags|exposure-profiles))|\/nodes\/upload$|POST \S+\/raw-files$|\/(content|metrics)$|\/webhooks\/|\/proposals\/subscribe$|\/nodes\/\{node_id\}\/download$|POST \S+\/import$|\/password\/reset$|\/email\/(verify|confirm|undo)$|\/second-factor$|\/totp\/confirm$|DELETE \S+\/totp$|\/recovery-codes$|\/passkey(\/options)?$|(POST|PATCH|DELETE) \S+\/passkeys(\/|$)|DELETE \S+\/auth\/me$/;

const ENDS_SOMETHING =
  /DELETE|logout|refresh|password|bulk-delete|approve|reject|apply|revert|PATCH \S+\/auth\/me$/;

/** True if the answer may have changed the place: its things may be gone or used up. */
export const endsSomething = ({ name }: Operation, { status, body }: Answer): boolean =>
  status < 300 && ENDS_SOMETHING.test(name) && (body?.deleted ?? 1) > 0;

const FILE =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="quiet.txt"\r\n\r\nquiet\r\n--x--\r\n';

/** One person with one of everything, an app that may do everything for them, and a client for each. */
export class Place {
  private constructor(
    readonly user: TestUser,
    private readonly appClient: Client,
    private readonly anonymous: Client,
    readonly things: Things,
  ) {}

  static async make(world: World, credential: 'app key' | 'user key' = 'app key'): Promise<Place> {
    const user = await world.user();
    const made = (path: string, body: object, by: Client = user) => idOf(by, path, body);
    const tag = await made('/tags', { name: 'shelf' });
    const note = { node_type: 'note', value: 'quiet', tags: ['shelf'] };
    const [node, other] = [
      await made('/nodes', { ...note, title: 'one' }),
      await made('/nodes', { ...note, title: 'two' }),
    ];
    const edge = {
      from_node_id: node,
      to_node_id: other,
      relationship_type: 'near',
      context: 'on the shelf',
    };
    const app = await world.app();
    const { authorization } = await user.authorizes(app);
    const asked = { tags: { discover: true, read: true } };
    const ownApp = await made('/apps', { name: 'own', requested_permissions: asked });
    const email = `${user.name}@example.org`;
    const { body } = await world.api.post('/auth/login', { email, password: PASSWORD });
    const things: Things = {
      node,
      'to node': other,
      tag,
      'parent tag': await made('/tags', { name: 'room' }),
      relationship: await made('/relationships', edge),
      session: await made('/sessions', {}),
      version: '1',
      timestamp: '2999-01-01T00:00:00Z',
      profile: await made('/exposure-profiles/from-template', { template: 'transparent', name: 'mine' }),
      authorization: authorization.id,
      app: ownApp,
      key: await made(`/apps/${ownApp}/keys`, { name: 'spare' }),
      user: user.id,
      email,
      refresh_token: body.refresh_token,
      current_password: PASSWORD,
      'log-in': (await user.get('/auth/sessions')).body.sessions[0].id,
      schema: await made('/schemas', { name: 'template', json_schema: {} }),
      schema_uri: 'system:Goal',
      group: await made('/groups', { name: 'club' }),
      file: await fileOf(user),
      ...(await proposalsOf(user, app.as(user), { title: 'thought', node_type: 'note' })),
    };
    const client =
      credential === 'app key' ? app.as(user) : world.api.with({ 'X-API-Key': authorization.user_key });
    return new Place(user, client, world.api, things);
  }

  /** A client that may call the operation; for operations open to both, the person. */
  clientFor({ callers }: Operation): Client {
    return callers === 'public' ? this.anonymous : callers === 'key' ? this.appClient : this.user;
  }
}

async function fileOf(user: Client): Promise<string> {
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const { body, text } = await user.post('/raw-files', FILE, { headers });
  if (typeof body?.id !== 'string') throw new Error(text);
  return body.id;
}

export async function idOf(client: Client, path: string, body: object): Promise<string> {
  const { status, body: made, text } = await client.post(path, body);
  if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  return made.id as string;
}

/**
 * Proposals of an app, one for each operation on them. None if the app may not propose; operations of the user are left
 * out without a client of the user.
 */
export async function proposalsOf(
  user: Client | null,
  app: Client,
  canonical_data: object,
  verbs: readonly string[] = ['reject', 'approve', 'apply', 'revert'],
): Promise<Record<string, string>> {
  const made = await app.post('/proposals', { title: 'a proposal', canonical_data });
  if (made.status !== 201) return {};
  const things: Record<string, string> = { proposal: made.body.id as string };
  if (user === null) return things;
  const steps = { reject: [], approve: [], apply: ['approve'], revert: ['approve', 'apply'] };
  for (const [verb, before] of Object.entries(steps).filter(([verb]) => verbs.includes(verb))) {
    const id = await idOf(app, '/proposals', { title: `a proposal to ${verb}`, canonical_data });
    await app.patch(`/proposals/${id}`, { status: 'READY_FOR_APPROVAL' });
    for (const step of before) await user.post(`/proposals/${id}/${step}`, {});
    things[`proposal to ${verb}`] = id;
  }
  return things;
}
