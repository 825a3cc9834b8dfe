import { SYSTEM_SCHEMA_IDS } from '../../src/privacy/index.js';
import { byToken } from '../support/app-token.js';
import { type Answer, type Client } from '../support/client.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { befriend, type Circle, PEOPLE, type Person } from './people-world.js';

const FREEFORM = '__freeform__';
const ABSENT = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const AGENT = '5c0b1f5e-3c53-4c0e-9d0a-8a3f5b1c2d3e';
const all = { schema_ids: [], allow_all: true };
const freeform = { schema_ids: [FREEFORM], allow_all: false };
const none = { schema_ids: [], allow_all: false };

/** Tag verbs, `files`, and `-delete` for an explicit refusal to delete. Schemas: all by default. */
export type Requested = string;
type Schemas = 'all' | 'freeform' | 'none';
const SCHEMAS = { all, freeform, none };

/**
 * Verb → `all`, `none`, or tags by name; `+` adds new tags, `-` refuses them. Other fields are the profile's own, `$x`
 * is an id.
 */
export interface Granted {
  discover?: string;
  read?: string;
  propose?: string;
  edit?: string;
  create?: string;
  delete?: string;
  schemas?: Schemas;
  writes?: Schemas;
  rules?: object;
}

export type Who =
  | 'owner'
  | 'app'
  | 'user key'
  | 'token'
  | "stranger's user key"
  | 'app not let in'
  | 'stranger'
  | 'nobody'
  | Person;

/**
 * One person's graph, built again for each row that changes something: tags `work`, `private`; nodes `work`, `private`,
 * `both`, `bare` (no tag) and `typed` (tag work, with a schema), all by one `agent`; edges `in` (work to both) and
 * `out` (work to private); sessions `work`, which touched the node, and `idle`; a private schema `own`.
 */
export class TableWorld {
  private readonly ids = new Map<string, string>([
    ['agent', AGENT],
    ['version', '1'],
  ]);
  private people: Map<Person, Client> | null = null;
  /** The last authorization, in the form in which a session of its app begins. */
  bound: Parameters<typeof byToken>[1] | null = null;

  private constructor(
    private readonly world: World,
    readonly alice: TestUser,
  ) {}

  static async make(world: World): Promise<TableWorld> {
    const made = new TableWorld(world, await world.user());
    await made.furnish();
    return made;
  }

  /** Adds everybody of these circles. */
  async befriend(...circles: Circle[]): Promise<this> {
    this.people ??= await befriend(this.world, this.alice, { ids: this.ids, circles });
    return this;
  }

  /** The path with `:name` replaced by the id of that thing, or by an unknown id. */
  path(template: string, isPresent: boolean): string {
    return template.replace(/:([a-z.]+)/g, (_, name: string) => (isPresent ? this.id(name) : ABSENT));
  }

  /** A body with `$name` replaced by the id of that thing. */
  body(template: object): unknown {
    return JSON.parse(JSON.stringify(template).replace(/\$([a-z.]+)/g, (_, name: string) => this.id(name)));
  }

  async client(who: Who, app: TestApp, granted: Granted): Promise<Client> {
    this.ids.set('app', app.id);
    if (isPerson(who)) return this.people?.get(who) as Client;
    switch (who) {
      case 'owner':
        return this.alice;
      case 'stranger':
        return this.world.user();
      case 'nobody':
        return this.world.api;
      case 'app not let in':
        return app.as(this.alice);
      default: {
        const isStrangers = who === "stranger's user key";
        if (isStrangers) await this.alice.lets(app);
        const person = isStrangers ? await this.world.user() : this.alice;
        const { profile, authorization } = await person.authorizes(app);
        this.ids.set('profile', profile.id).set('authorization', authorization.id);
        const narrowed = await person.put(`/exposure-profiles/${profile.id}`, this.profile(granted));
        if (narrowed.status !== 200) throw new Error(narrowed.text);
        this.bound = { ownerId: person.id, appId: app.id, authorizationId: authorization.id };
        if (who === 'token') return byToken(this.world, this.bound);
        return who === 'app'
          ? app.as(this.alice)
          : this.world.api.with({ 'X-API-Key': authorization.user_key });
      }
    }
  }

  /** A proposal that is ready by another app, and a pending one by this caller if it may propose. */
  async propose(client: Client): Promise<void> {
    const other = await this.alice.lets(await this.world.app());
    const body = { title: 'a proposal', canonical_data: { title: 'proposed', node_type: 'note' } };
    const made = await other.post('/proposals', body);
    await other.patch(`/proposals/${made.body.id}`, { status: 'READY_FOR_APPROVAL' });
    this.ids.set('proposal.other', made.body.id);
    const own = await client.post('/proposals', body);
    if (own.status === 201) this.ids.set('proposal.own', own.body.id);
  }

  /** A schema in alice's graph that is private to this app, which she has authorized. */
  async addSchemaOf(app: TestApp): Promise<void> {
    const body = { name: 'private to the app', scope: 'private', private_to: 'app', json_schema: {} };
    await this.add('schema.app', '/schemas', body, app.as(this.alice));
  }

  private id(name: string): string {
    const id = this.ids.get(name);
    if (id === undefined) throw new Error(`nothing is called ${name}`);
    return id;
  }

  private profile({ schemas = 'all', writes = 'all', rules = {}, ...verbs }: Granted): object {
    const grants = Object.entries(verbs).map(([verb, words]) => [verb, this.grant(words)]);
    return {
      tag_permissions: Object.fromEntries(grants) as object,
      schema_permissions: { read: SCHEMAS[schemas], write: SCHEMAS[writes] },
      ...(this.body(rules) as object),
    };
  }

  private grant(words: string): object {
    const names = words
      .replace(/[+-]/g, ' ')
      .split(' ')
      .filter((name) => name !== '' && name !== 'all' && name !== 'none');
    return {
      tag_ids: names.map((name) => this.id(`tag.${name}`)),
      allow_all: words.includes('all'),
      ...(words.includes('+') ? { allow_new: true } : words.includes('-') ? { allow_new: false } : {}),
    };
  }

  private async furnish(): Promise<void> {
    for (const name of ['work', 'private']) await this.add(`tag.${name}`, '/tags', { name });
    const node = (title: string, tags: string[], more: object = {}) =>
      this.add(title, '/nodes', {
        title,
        node_type: 'note',
        tags,
        last_modified_by_agent_id: AGENT,
        ...more,
      });
    for (const name of ['work', 'idle'])
      await this.add(`session.${name}`, '/sessions', { external_id: name });
    await node('work', ['work'], { agent_metadata: { session_id: 'work' } });
    await node('private', ['private']);
    await node('both', ['work', 'private']);
    await node('bare', []);
    await node('typed', ['work'], {
      node_type: 'ENTITY',
      meaning_level: 'IDENTITY',
      schema_id: SYSTEM_SCHEMA_IDS['system:Entity'],
      metadata: { properties: { name: 'Ada', category: 'person' } },
    });
    const edge = (name: string, from: string, to: string) =>
      this.add(`edge.${name}`, '/relationships', {
        from_node_id: this.id(from),
        to_node_id: this.id(to),
        relationship_type: 'references',
      });
    await edge('in', 'work', 'both');
    await edge('out', 'work', 'private');
    await this.add('profile', '/exposure-profiles', { name: 'mine' });
    await this.add('schema.own', '/schemas', {
      name: 'own',
      scope: 'private',
      private_to: 'user',
      json_schema: {},
    });
  }

  private async add(name: string, path: string, body: object, by: Client = this.alice): Promise<void> {
    const { status, body: made, text } = await by.post(path, body);
    if (status !== 201) throw new Error(`${name}: ${status} ${text}`);
    this.ids.set(name, made.id);
  }
}

export const isPerson = (who: Who): who is Person => (PEOPLE as readonly string[]).includes(who);

/** The request of an app, from words. */
export function requestedBy(words: Requested, schemas: { reads?: Schemas; writes?: Schemas } = {}): object {
  const list = words.split(' ');
  const verbs = ['discover', 'read', 'propose', 'create', 'edit', 'write', 'delete'];
  const tags = Object.fromEntries(verbs.filter((verb) => list.includes(verb)).map((verb) => [verb, true]));
  return {
    tags: { ...tags, ...(list.includes('-delete') ? { delete: false } : {}) },
    files: { read: list.includes('files') },
    schemas: { read: SCHEMAS[schemas.reads ?? 'all'], write: SCHEMAS[schemas.writes ?? 'all'] },
  };
}

/** `200`, `404 NODE_NOT_FOUND`; for a list `200 of 3` (its total or count). */
export function outcomeOf({ status, body }: Answer): string {
  if (body?.error?.code) return `${status} ${body.error.code}`;
  const total = body?.total ?? body?.count ?? body?.deleted ?? body?.deleted_count;
  return typeof total === 'number' ? `${status} of ${total}` : String(status);
}
