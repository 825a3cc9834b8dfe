import { randomUUID } from 'node:crypto';
import { AppSessions, SCOPES } from '../../src/identity/index.js';
import { Cast, clientsOf, type Person } from '../interference/cast.js';
import { type Both, type Request, type Twins } from '../interference/twins.js';
import { upload } from '../interference/uploads.js';
import { WORDS } from '../interference/words.js';
import { type Chance } from '../properties/random.js';
import { type Answer, type Client } from '../support/client.js';
import { everything } from '../support/defaults.js';
import { plainRules, randomRequest, randomRules, TAG_NAMES, TYPES } from './random-rules.js';

/** An app that acts for Alice, and how it is let in. */
export interface Visitor {
  who: string;
  /** Its clients for the API and for MCP: a token is for one of the two. */
  api: Both<Client>;
  mcp: Both<Client>;
  /** True where each verb is granted for everything or not at all. */
  isPlain: boolean;
}

const NODES = 12;

/** Alice's random graph, alike in two worlds, beside people who share with her, and the apps that she lets in. */
export class House {
  alice!: Person;
  /** Ids of every kind of node: Alice's, deleted ones, and others', shared with her and not. */
  readonly nodes: string[] = [];
  readonly tags: string[] = [];
  schema = '';
  private readonly cast: Cast;
  private readonly profiles: string[] = [];

  private constructor(
    private readonly twins: Twins,
    private readonly chance: Chance,
  ) {
    this.cast = new Cast(twins);
  }

  static async build(twins: Twins, chance: Chance): Promise<House> {
    twins.catchUp();
    const house = new House(twins, chance);
    await house.furnish();
    return house;
  }

  async visitor(): Promise<Visitor> {
    const { chance, twins, alice, cast } = this;
    const isPlain = chance.once(3);
    const app = await cast.app(isPlain ? everything : randomRequest(chance));
    const template = { template: 'transparent', name: `all ${app.id}` };
    const profile = await cast.by(alice, '/exposure-profiles/from-template', template);
    const approval = { app_id: app.id, exposure_profile_id: profile };
    const answers = await twins.send(alice.clients, {
      method: 'POST',
      path: '/authorizations',
      body: approval,
    });
    const [{ status, body, text }] = answers;
    if (status >= 300) throw new Error(`authorization: ${text}`);
    const rules = isPlain ? plainRules(chance) : randomRules(chance, this.tags, this.schema);
    await cast.does(alice, 'PUT', `/exposure-profiles/${profile}`, { ...rules, name: `cut ${app.id}` });
    if (!isPlain) this.profiles.push(profile);
    const how = chance.below(3);
    const who = `${isPlain ? 'plain ' : ''}${['app key', 'user key', 'token'][how]}`;
    if (how === 2) {
      const bound = { ownerId: alice.id, appId: app.id, authorizationId: body.id as string };
      return { who, isPlain, ...(await this.tokens(bound)) };
    }
    const keys = how === 0 ? clientsOf(app, alice) : this.userKeys(answers);
    return { who, isPlain, api: keys, mcp: keys };
  }

  private userKeys(answers: Both<Answer>): Both<Client> {
    const client = (side: 0 | 1): Client =>
      this.twins.strangers[side].with({ 'X-API-Key': answers[side].body.user_key as string });
    return [client(0), client(1)];
  }

  /** Tokens with some of the scopes: those for MCP are refused by the API, and the other way round. */
  private async tokens(bound: { ownerId: string; appId: string; authorizationId: string }) {
    const { chance, twins } = this;
    const scopes = SCOPES.filter((scope) => scope === 'graph:read' || !chance.once(4));
    const client = async (side: 0 | 1, audience: 'api' | 'mcp'): Promise<Client> => {
      const { accessToken } = await twins.worlds[side].nest.get(AppSessions).begin({
        ...bound,
        device: null,
        audience,
        isConfidential: false,
        hasDetails: false,
        scopes,
        endsAt: null,
      });
      return twins.strangers[side].with({ Authorization: `Bearer ${accessToken}` });
    };
    const both = async (audience: 'api' | 'mcp') =>
      [await client(0, audience), await client(1, audience)] as const;
    return { api: await both('api'), mcp: await both('mcp') };
  }

  /** Alice's own doing, the same in both worlds. */
  async step(): Promise<void> {
    const { chance, twins, alice } = this;
    const path = `/nodes/${chance.pick(this.nodes)}`;
    const changes = [
      { method: 'PUT', path, body: { tags: this.someTags(), title: this.words() } },
      { method: 'PUT', path, body: { value: this.words(), importance_score: chance.below(10) / 10 } },
      { method: 'POST', path: '/nodes', body: this.node() },
      { method: 'DELETE', path },
    ];
    const kind = chance.below(7);
    if (kind < 4) await twins.send(alice.clients, chance.pick(changes));
    else if (kind < 6) await this.review();
    else if (this.profiles.length > 0) await this.changeRules();
  }

  /** Alice approves or rejects the last proposal. */
  private async review(): Promise<void> {
    const { twins, alice, chance } = this;
    const asked = { method: 'GET', path: '/proposals?status=READY_FOR_APPROVAL&limit=1' };
    const [{ body }] = await twins.send(alice.clients, asked);
    const id = (body.proposals as { id: string }[])[0]?.id;
    if (id === undefined) return;
    const [verb, decision] = chance.once(3)
      ? ['reject', { reason: 'no' }]
      : ['approve', { expected_revision: 1, apply: true }];
    await twins.send(alice.clients, { method: 'POST', path: `/proposals/${id}/${verb}`, body: decision });
  }

  private async changeRules(): Promise<void> {
    const rules = randomRules(this.chance, this.tags, this.schema);
    const path = `/exposure-profiles/${this.chance.pick(this.profiles)}`;
    await this.cast.does(this.alice, 'PUT', path, rules);
  }

  private async furnish(): Promise<void> {
    const { chance, cast } = this;
    this.alice = await cast.person();
    const { alice } = this;
    for (const name of TAG_NAMES) this.tags.push(await cast.by(alice, '/tags', { name }));
    const json_schema = { type: 'object', properties: { pin: { type: 'string' } } };
    this.schema = await cast.by(alice, '/schemas', { name: 'pins', category: 'plan', json_schema });
    for (let count = 0; count < NODES; count++) this.nodes.push(await cast.by(alice, '/nodes', this.node()));
    for (let count = 0; count < NODES; count++) await this.edge();
    for (let count = 0; count < 6; count++) await this.step();
    await this.mustSend(upload('/raw-files', 'a file', chance.some(this.tags, 2)));
    await this.friends();
  }

  private async edge(): Promise<void> {
    const { chance, nodes } = this;
    const ends = { from_node_id: chance.pick(nodes), to_node_id: chance.pick(nodes) };
    const body = { ...ends, relationship_type: chance.pick(WORDS), context: this.words() };
    await this.twins.send(this.alice.clients, { method: 'POST', path: '/relationships', body });
  }

  /** A person who shares with Alice, one who does not, and a group with both of them. */
  private async friends(): Promise<void> {
    const { chance, cast, alice } = this;
    const [bob, eve] = [await cast.person(), await cast.person()];
    const tag = await cast.by(bob, '/tags', { name: 'sea' });
    for (const tags of [['sea'], ['sea'], []])
      this.nodes.push(await cast.by(bob, '/nodes', { ...this.node(), tags, schema_id: null }));
    this.nodes.push(await cast.by(eve, '/nodes', { title: 'nobody sees', node_type: 'note' }));
    const scope = chance.once(2) ? { scope: 'all' } : { scope: 'specific_tags', tag_ids: [tag] };
    const rights = { can_write: chance.once(2), can_delete: chance.once(2), can_share: false };
    if (!chance.once(4))
      await cast.by(bob, '/sharing', { shared_with_user_id: alice.id, ...scope, ...rights });
    // Alice's apps are shown what acquaintances share.
    if (!chance.once(4)) await cast.by(alice, '/follows', { target_user_id: bob.id });
    const group = await cast.by(bob, '/groups', { name: 'crew' });
    const invitation = await cast.by(bob, `/groups/${group}/invitations`, { user_id: alice.id });
    await cast.does(alice, 'PUT', `/groups/invitations/${invitation}`, { action: 'accept' });
    const inGroup = { ...this.node(), tags: ['sea'], schema_id: null };
    this.nodes.push(await cast.by(bob, `/groups/${group}/nodes`, inGroup));
  }

  private async mustSend(request: Request): Promise<void> {
    const [{ status, text }] = await this.twins.send(this.alice.clients, request);
    if (status >= 300) throw new Error(`${request.path}: ${text}`);
  }

  someTags = (): string[] => this.chance.some(TAG_NAMES, 3);
  words = (): string => `${this.chance.pick(WORDS)} ${this.chance.pick(WORDS)} ${this.chance.below(50)}`;
  absent = (): string => randomUUID();

  private node(): Record<string, unknown> {
    const { chance } = this;
    const pin = chance.pick(['1234567', 'sea', 'blue']);
    return {
      title: this.words(),
      value: `${this.words()} write to ${chance.pick(WORDS).replace('.', '')}@example.org`,
      node_type: chance.pick(TYPES),
      tags: this.someTags(),
      metadata: { open: 'sea', secret: { pin }, properties: { pin, colour: 'blue' } },
      ...(chance.once(3) ? { schema_id: this.schema } : {}),
    };
  }
}
