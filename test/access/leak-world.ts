import { Clock } from '../../src/kernel/clock.js';
import { type NODE_FIELDS, type WrittenField } from '../../src/graph/common/domain/node-record.js';
import { SYSTEM_SCHEMA_IDS } from '../../src/privacy/index.js';
import { byToken } from '../support/app-token.js';
import { type Client } from '../support/client.js';
import { everything, someTags } from '../support/defaults.js';
import { idOf, proposalsOf } from '../support/plausible.js';
import { type TestApp, type TestUser, type World } from '../support/world.js';
import { type Caller, type Class, type Ids, merged } from './leak-classes.js';
import { dealings, files, schemas } from './leak-furniture.js';

const nothing = async (): Promise<Record<string, string>> => ({});
const FREEFORM = { read: { schema_ids: ['__freeform__'] }, write: { schema_ids: ['__freeform__'] } };

/** The fields of a node that hold what people write, but for the type, which every caller of a node is shown. */
type FreeField = Exclude<
  {
    [Name in WrittenField]: (typeof NODE_FIELDS)[Name] extends { values: readonly string[] }
      ? never
      : (typeof NODE_FIELDS)[Name]['column'] extends 'text' | 'jsonb'
        ? Name
        : never;
  }[WrittenField],
  'node_type'
>;

/**
 * Alice's graph, in which everything hidden carries a marker, Bob's graph, and the callers who look at them. A node is
 * visible if it has the tag `shown` and nothing that a profile excludes.
 */
export class LeakWorld {
  readonly markers = new Map<string, Class>();
  /** Ids by kind: Alice's that are hidden from all apps, and Bob's. */
  readonly hidden: Ids = {};
  readonly foreign: Ids = {};
  alice!: TestUser;
  bob!: TestUser;
  shownTag!: string;
  private numbers = 0;
  private rules!: Record<string, unknown>;
  private visibleSession!: string;

  private constructor(private readonly world: World) {}

  static async make(world: World): Promise<LeakWorld> {
    const made = new LeakWorld(world);
    made.alice = await world.user(made.mark('account'));
    made.bob = await world.user(made.mark('account'));
    // Names of users are public (rule 1.4); e-mail addresses that contain them are not.
    for (const { name } of [made.alice, made.bob]) {
      made.markers.delete(name);
      made.markers.set(`${name}@`, name === made.alice.name ? 'account' : 'foreign account');
    }
    await made.furnishAlice();
    await made.furnishBob();
    return made;
  }

  /** Logs in again, because a sweep may outlast the log-ins before it. */
  async logIn(): Promise<void> {
    for (const user of [this.alice, this.bob]) await user.logsIn();
  }

  /** A unique text of letters and digits, which no encoding changes. */
  mark(what: Class): string {
    const marker = `zq${what.replace(' ', '')}${String(++this.numbers).padStart(4, '0')}qz`;
    this.markers.set(marker, what);
    return marker;
  }

  /**
   * A node that apps see, with a marker in every field that a detail level or a transformation can hide; it was hidden
   * once.
   */
  private visible = async (...tags: string[]): Promise<string> => {
    const id = await this.node(this.alice, this.hiddenBody([this.mark('hidden')], 'past'));
    const texts = {
      title: this.mark('title'),
      value: `${this.mark('value')} ${this.mark('email')}@example.org`,
      metadata: { open: this.mark('metadata'), secret: this.mark('masked') },
      agent_metadata: { agent_name: this.mark('agent'), session_id: this.visibleSession },
    } satisfies Record<FreeField, unknown>;
    const shown = await this.alice.put(`/nodes/${id}`, {
      ...texts,
      change_reason: this.mark('value'),
      tags: [this.shownTag, this.mark('hidden'), ...tags],
    });
    if (shown.status !== 200) throw new Error(shown.text);
    return id;
  };

  private visibleEdge = async (from: string, to: string): Promise<string> =>
    idOf(this.alice, '/relationships', {
      from_node_id: from,
      to_node_id: to,
      relationship_type: 'near',
      context: this.mark('context'),
    });

  private visibleTag = (): Promise<string> => this.tag(this.alice, 'tag name', 'tag text');

  /** Callers with few permissions, with the things of Alice's that they do not see. */
  async callers(): Promise<Caller[]> {
    const { alice, bob, world } = this;
    const app = await world.app();
    await this.proposeUnseen();
    const [bobsApp, bobsOther] = [await bob.lets(app), await bob.lets(await world.app())];
    const visible = await this.visibleThings();
    const unseen = merged(
      this.hidden,
      Object.fromEntries(Object.entries(visible).map(([kind, id]) => [kind, [id]])),
    );
    const outside = { sees: new Set<Class>(), visible: nothing, isOutside: true };
    const all = { ...outside, unseen: merged(unseen, this.foreign) };
    const bobs = { ...all, sees: new Set<Class>(['foreign']), unseen, isOutside: false };
    return [
      ...(await this.readingApps()),
      { ...all, name: 'stranger app', client: app.as(alice) },
      { ...bobs, name: 'app of another user', client: bobsApp, visible: this.bobs(bobsApp, ['apply']) },
      { ...all, name: 'app alone', client: app.alone },
      ...(await this.revoked()).map((caller) => ({ ...all, ...caller })),
      { ...all, name: 'nobody', client: world.api },
      {
        ...bobs,
        name: 'another user',
        client: bob,
        visible: this.bobs(bobsOther),
        sees: new Set<Class>(['foreign', 'foreign account']),
      },
    ];
  }

  /** The owner, who sees everything: proof that answers contain the markers. */
  get owner(): Caller {
    const visible = () => this.visibleThings();
    return { name: 'owner', client: this.alice, sees: new Set(), visible, unseen: this.hidden };
  }

  private async readingApps(): Promise<Caller[]> {
    const redact = [
      { type: 'pii_redaction', config: { entities: ['email'] } },
      { type: 'field_mask', config: { paths: ['metadata.secret', 'agent_metadata'], strategy: 'remove' } },
    ];
    const names: Class[] = ['title', 'tag name', 'tag text'];
    const more: Class[] = [...names, 'value', 'metadata', 'context'];
    const tokened = await this.narrow('summary app by token', { max_detail_level: 'summary' }, names);
    return [
      await this.tokenOf(tokened),
      await this.narrow('summary app', { max_detail_level: 'summary' }, names),
      await this.narrow('minimal app', { max_detail_level: 'minimal' }, ['tag name']),
      { ...(await this.narrow('redacting app', { transformations: redact }, more)), asksForAll: true },
      await this.narrow('discovering app', {}, ['tag name']),
    ];
  }

  /** An app that requested everything and may do much with the tag `shown`, or only discover that tag. */
  private async narrow(name: string, rules: object, sees: Class[]): Promise<Caller> {
    const spare = await this.visibleTag();
    const grant = someTags(this.shownTag, spare);
    const isReader = name !== 'discovering app';
    // Only nodes with its own tag may be deleted, and so restored: the deleted node of the others stays hidden.
    const reading = { read: grant, propose: grant, edit: grant, create: grant, delete: someTags(spare) };
    const app = await this.world.app({ requested: everything });
    const { profile } = await this.alice.authorizes(app);
    const changed = await this.alice.put(`/exposure-profiles/${profile.id}`, {
      ...this.rules,
      ...rules,
      description: this.mark('hidden'),
      tag_permissions: { discover: grant, ...(isReader ? reading : {}) },
    });
    if (changed.status !== 200) throw new Error(`${name}: ${changed.text}`);
    const client = app.as(this.alice);
    const words = { title: 'proposed', node_type: 'note', tags: [this.shownTag] };
    const visible = async () => ({
      ...(isReader ? await this.visibleThings(spare) : {}),
      ...(isReader ? await proposalsOf(this.alice, client, words, ['apply']) : {}),
      tag: spare,
    });
    const unseen = merged(this.hidden, this.foreign);
    return { name, appId: app.id, client, sees: new Set(sees), visible, unseen };
  }

  /** The same caller by an access token in place of the app key. */
  private async tokenOf(caller: Caller): Promise<Caller> {
    const { body } = await this.alice.get('/authorizations?status=active&limit=100');
    const { id } = body.authorizations.find((one: { app_id: string }) => one.app_id === caller.appId);
    const bound = { ownerId: this.alice.id, appId: caller.appId as string, authorizationId: id as string };
    return { ...caller, client: await byToken(this.world, bound) };
  }

  /** A proposal of an app of its own to each, which nobody else sees. */
  private async proposeUnseen(): Promise<void> {
    for (const [user, ids] of [
      [this.alice, this.hidden],
      [this.bob, this.foreign],
    ] as const) {
      const by = await user.lets(await this.world.app());
      const canonical_data = {
        title: this.mark(user === this.bob ? 'foreign' : 'hidden'),
        node_type: 'note',
      };
      ids['proposal'] = [await idOf(by, '/proposals', { title: 'a proposal', canonical_data })];
    }
  }

  private visibleThings = async (...tags: string[]): Promise<Record<string, string>> => {
    const [node, other] = [await this.visible(...tags), await this.visible(...tags)];
    const session = this.visibleSession;
    return { node, 'to node': other, session, relationship: await this.visibleEdge(node, other) };
  };

  /** Bob's things that may be changed and deleted, and proposals of that app. */
  private bobs = (proposer: Client, verbs?: string[]) => async (): Promise<Record<string, string>> => {
    const [node, other] = [
      await this.node(this.bob, { title: 'a' }),
      await this.node(this.bob, { title: 'b' }),
    ];
    const edge = { from_node_id: node, to_node_id: other, relationship_type: 'near' };
    const number = ++this.numbers;
    const app = await idOf(this.bob, '/apps', { name: 'an app', requested_permissions: {} });
    const approval = { app_id: app, exposure_profile_id: this.foreign['profile']?.[0] };
    return {
      app,
      key: await idOf(this.bob, `/apps/${app}/keys`, {}),
      authorization: await idOf(this.bob, '/authorizations', approval),
      node,
      'to node': other,
      relationship: await idOf(this.bob, '/relationships', edge),
      tag: await idOf(this.bob, '/tags', { name: `tag ${number}` }),
      profile: await idOf(this.bob, '/exposure-profiles', { name: `profile ${number}` }),
      session: await idOf(this.bob, '/sessions', {}),
      version: '1',
      user: this.bob.id,
      ...(await proposalsOf(this.bob, proposer, { title: 'c', node_type: 'note' }, verbs)),
    };
  };

  private async revoked(): Promise<Pick<Caller, 'name' | 'client'>[]> {
    const app: TestApp = await this.world.app();
    const { authorization } = await this.alice.authorizes(app);
    const bound = this.world.api.with({ 'X-API-Key': authorization.user_key });
    await this.alice.delete(`/authorizations/${authorization.id}`);
    return [
      { name: 'app of a revoked authorization', client: app.as(this.alice) },
      { name: 'user key of a revoked authorization', client: bound },
    ];
  }

  private async node(user: TestUser, body: Record<string, unknown>): Promise<string> {
    return idOf(user, '/nodes', { node_type: 'note', ...body });
  }

  private tag(user: TestUser, name: Class, text: Class): Promise<string> {
    const texts = { category: this.mark(text), description: this.mark(text) };
    return idOf(user, '/tags', { name: this.mark(name), ...texts });
  }

  private async furnishAlice(): Promise<void> {
    const { alice } = this;
    this.shownTag = await this.visibleTag();
    this.visibleSession = await this.session(alice, 'agent');
    const banned = await this.tag(alice, 'hidden', 'hidden');
    const other = await this.tag(alice, 'hidden', 'hidden');
    const gone = await this.tag(alice, 'hidden', 'hidden');
    await alice.delete(`/tags/${gone}`);
    const type = this.mark('hidden');
    this.rules = {
      schema_permissions: FREEFORM,
      excluded_tag_ids: [banned],
      excluded_node_types: [type],
      date_range_start: '2015-01-01T00:00:00.000Z',
    };
    const visible = await this.visible();
    const nodes = await this.hiddenNodes({ banned, other, type });
    const edges: string[] = [];
    for (const node of nodes) edges.push(...(await this.hiddenEdges(visible, node)));
    const deleted = await this.node(alice, this.hiddenBody([this.shownTag]));
    edges.push(...(await this.hiddenEdges(visible, deleted)));
    await alice.delete(`/nodes/${deleted}`);
    const profile = await idOf(alice, '/exposure-profiles', {
      name: this.mark('hidden'),
      description: this.mark('hidden'),
      tag_filters: { include_any: [this.mark('hidden')] },
    });
    const app = await this.ownApp(alice, 'hidden');
    const { authorization } = await alice.authorizes(await this.world.app());
    Object.assign(this.hidden, {
      node: [...nodes, deleted],
      tag: [banned, other, gone],
      relationship: edges,
      profile: [profile],
      session: [await this.session(alice, 'hidden')],
      authorization: [authorization.id],
      ...app,
      ...(await files(alice, {
        mark: () => this.mark('hidden'),
        tags: [[], [other], [this.shownTag, banned]],
      })),
      ...(await schemas(alice, () => this.mark('hidden'))),
      ...(await dealings(this.world, alice, nodes[0] as string)),
    });
  }

  private session(user: TestUser, what: Class): Promise<string> {
    return idOf(user, '/sessions', { external_id: this.mark(what), agent_name: this.mark(what) });
  }

  private hiddenBody(tags: string[], what: Class = 'hidden'): Record<string, unknown> {
    const mark = (): string => this.mark(what);
    const metadata = { [mark()]: mark(), properties: { name: mark(), category: 'person' } };
    const agent_metadata = { agent_name: mark(), session_id: mark() };
    return { title: mark(), value: mark(), metadata, agent_metadata, change_reason: mark(), tags };
  }

  /** One node for each rule that hides. */
  private async hiddenNodes({
    banned,
    other,
    type,
  }: Record<'banned' | 'other' | 'type', string>): Promise<string[]> {
    const shown = this.shownTag;
    const make = (tags: string[], more: Record<string, unknown> = {}): Promise<string> =>
      this.node(this.alice, { ...this.hiddenBody(tags), ...more });
    const typed = {
      schema_id: SYSTEM_SCHEMA_IDS['system:Entity'],
      node_type: 'ENTITY',
      meaning_level: 'IDENTITY',
    };
    const nodes = [
      await make([]),
      await make([other]),
      await make([shown, banned]),
      await make([shown], { node_type: type }),
      await make([shown], typed),
    ];
    const clock = this.world.nest.get(Clock);
    const now = clock.now;
    clock.now = () => new Date('2010-06-01T00:00:00.000Z');
    const longAgo = await make([shown]).finally(() => (clock.now = now));
    return [...nodes, longAgo];
  }

  private async hiddenEdges(visible: string, hidden: string): Promise<string[]> {
    const edge = (from_node_id: string, to_node_id: string): Promise<string> =>
      idOf(this.alice, '/relationships', {
        from_node_id,
        to_node_id,
        relationship_type: this.mark('hidden'),
        context: this.mark('hidden'),
      });
    return [await edge(visible, hidden), await edge(hidden, visible)];
  }

  private async furnishBob(): Promise<void> {
    const { bob } = this;
    const tag = await this.tag(bob, 'foreign', 'foreign');
    const mark = (): string => this.mark('foreign');
    const make = (): Promise<string> =>
      this.node(bob, { title: mark(), value: mark(), metadata: { [mark()]: mark() }, tags: [tag] });
    const [node, another] = [await make(), await make()];
    const ends = { from_node_id: node, to_node_id: another };
    const edge = { ...ends, relationship_type: mark(), context: mark() };
    const profile = await idOf(bob, '/exposure-profiles', { name: mark(), description: mark() });
    const { authorization } = await bob.authorizes(await this.world.app());
    Object.assign(this.foreign, {
      node: [node],
      tag: [tag],
      relationship: [await idOf(bob, '/relationships', edge)],
      profile: [profile],
      session: [await this.session(bob, 'foreign')],
      authorization: [authorization.id],
      ...(await this.ownApp(bob, 'foreign')),
      ...(await files(bob, { mark, tags: [[tag]] })),
      ...(await schemas(bob, mark)),
      ...(await dealings(this.world, bob, node)),
    });
  }

  /** An app's public description does not include its redirect URIs and its keys. */
  private async ownApp(user: TestUser, what: Class): Promise<Record<'app' | 'key', string[]>> {
    const app = await idOf(user, '/apps', {
      name: 'an app',
      redirect_uris: [`https://${this.mark(what)}.example.org/`],
      requested_permissions: {},
    });
    return { app: [app], key: [await idOf(user, `/apps/${app}/keys`, { name: this.mark(what) })] };
  }
}
