import { type Chance, Chance as Chances } from '../properties/random.js';
import { type Answer, type Client } from '../support/client.js';
import { type Pool } from './pool.js';
import { WORDS } from './words.js';
import {
  isApp,
  isMember,
  secretEdgeFields,
  secretFields,
  secretTagFields,
  type Subject,
  type Tagging,
} from './subjects.js';
import { upload } from './uploads.js';
import { type Both, type Request, type Twins } from './twins.js';

/** The actors of things that the subject must not notice: Alice, an app she lets do everything, a person she trusts. */
export interface Actors {
  alice: Both<Client>;
  app: Both<Client>;
  confidant: { id: string; clients: Both<Client> };
}

/** The secret things of a subject. */
export interface Setting {
  subject: Subject;
  pool: Pool;
  actors: Actors;
  aliceId: string;
  /** The path at which nodes are created: Alice's, or the group's. */
  nodes: string;
  /** Tags are named by their ids: a name could create a deleted tag again, and hide the subject's own of that name. */
  tagging: Tagging;
  /** Nodes that the subject may see. */
  visible: readonly string[];
  /** The ones among them that the subject has written: what it is shown of them is no longer known. */
  written: ReadonlySet<string>;
  /** Relationships that the subject may see. */
  edges: readonly string[];
}

/** Null: nothing happens. */
type Deed = { by: keyof Actors; request: Request } | null;

/** Steps that happen in one world and not in the other, and must not change anything that the subject sees. */
export class SecretLife {
  /** Things made in secret in each world, by kind. */
  readonly ids: Both<Map<string, string[]>> = [new Map(), new Map()];
  private readonly chances: Both<Chance>;
  private count = 0;

  constructor(
    private readonly twins: Twins,
    private readonly setting: Setting,
    private readonly chance: Chance,
  ) {
    this.chances = [new Chances(chance.below(2 ** 30)), new Chances(chance.below(2 ** 30))];
  }

  /** A different step in each world. @returns a description */
  async step(): Promise<string> {
    const { chance, setting } = this;
    const edit = chance.once(3) ? this.edit() : null;
    const deeds: Both<Deed> = edit ?? [this.deed(0), this.deed(1)];
    const by = (side: 0 | 1): Client => clientsOf(setting.actors, deeds[side]?.by ?? 'alice')[side];
    const requests: Both<Request | null> = [deeds[0]?.request ?? null, deeds[1]?.request ?? null];
    const answers = await this.twins.sendEach([by(0), by(1)], requests, edit !== null || chance.once(2));
    const told: string[] = [];
    for (const side of [0, 1] as const) {
      const [request, answer] = [requests[side], answers[side]];
      told.push(request && answer ? `${line(request)} ${answer.status}` : 'nothing');
      if (request && answer) this.remember(side, request, answer);
    }
    return `in secret: ${told.join(' | ')}`;
  }

  /**
   * An edit of hidden fields of a visible node, relationship or tag, in one world or in both: no number and no order
   * may change by it (rules 3.14e, 3.14g).
   */
  private edit(): Both<Deed> | null {
    const both = this.chance.pick([() => this.nodeEdit(), () => this.edgeEdit(), () => this.tagEdit()])();
    if (both === null) return null;
    return this.chance.pick<Both<Deed>>([both, [both[0], null], [null, both[1]]]);
  }

  private nodeEdit(): Both<Deed> | null {
    const { subject, nodes, visible, written } = this.setting;
    const known = visible.filter((id) => !written.has(id));
    const bodies = this.bodies((side) => secretFields(subject, () => this.text(side)));
    return bodies && known.length > 0 ? this.edits(`${nodes}/${this.chance.pick(known)}`, bodies) : null;
  }

  private edgeEdit(): Both<Deed> | null {
    const { subject, edges } = this.setting;
    if (edges.length === 0) return null;
    const bodies = this.bodies((side) => secretEdgeFields(subject, () => this.text(side)));
    return bodies && this.edits(`/relationships/${this.chance.pick(edges)}`, bodies);
  }

  private tagEdit(): Both<Deed> | null {
    const { subject, tagging } = this.setting;
    const [ones, others] = [0, 1].map((side) =>
      secretTagFields(subject, tagging, () => this.text(side as 0 | 1)),
    );
    if (!ones?.length || !others) return null;
    const at = this.chance.below(ones.length);
    const [[id, one], [, other]] = [ones[at]!, others[at]!];
    return this.edits(`/tags/${id}`, [one, other]);
  }

  private bodies(fields: (side: 0 | 1) => object | null): Both<object> | null {
    const [one, other] = [fields(0), fields(1)];
    return one && other && [one, other];
  }

  private edits(path: string, [one, other]: Both<object>): Both<Deed> {
    return [alices('PUT', path, one), alices('PUT', path, other)];
  }

  /** A deed that the subject does not see; or nothing. */
  private deed(side: 0 | 1): Deed {
    const { chances, setting } = this;
    const choices = [() => null, ...this.onNodes(side), ...this.onOtherThings(side)];
    // A group's graph has nodes and tags; the rest is the person's own.
    if (setting.nodes === '/nodes') choices.push(...this.beyondNodes(side));
    return chances[side].pick(choices)();
  }

  private onNodes(side: 0 | 1): (() => Deed)[] {
    const { nodes } = this.setting;
    const text = (): string => this.text(side);
    const make = (): Deed => alices('POST', nodes, this.node(side));
    const change = (id: string): Deed => alices('PUT', `${nodes}/${id}`, { title: text(), value: text() });
    return [
      make,
      make,
      () => this.onOne(side, 'node', change),
      () => this.onOne(side, 'node', (id) => alices('DELETE', `${nodes}/${id}`)),
    ];
  }

  private onOtherThings(side: 0 | 1): (() => Deed)[] {
    const text = (): string => this.text(side);
    const { actors, aliceId } = this.setting;
    const share = { shared_with_user_id: actors.confidant.id, scope: 'all' };
    return [
      () => alices('POST', '/tags', { name: text(), description: text(), category: text() }),
      () => this.onOne(side, 'tag', (id) => alices('PUT', `/tags/${id}`, { name: text() })),
      () => this.onOne(side, 'tag', (id) => alices('DELETE', `/tags/${id}`)),
      () => alices('POST', '/exposure-profiles', { name: text() }),
      () => alices('POST', '/apps', { name: text(), requested_permissions: {} }),
      () => alices('POST', '/sessions', { external_id: text(), agent_name: 'note-reader' }),
      () => alices('POST', '/schemas', { name: text(), category: 'plan', json_schema: {}, ...PRIVATE }),
      () => alices('POST', '/groups', { name: text() }),
      () => alices('POST', '/sharing', { ...share, can_write: true, can_share: true }),
      () => this.onOne(side, 'share', (id) => alices('DELETE', `/sharing/${id}`)),
      () => ({ by: 'confidant', request: post('/follows', { target_user_id: aliceId }) }),
    ];
  }

  private beyondNodes(side: 0 | 1): (() => Deed)[] {
    const text = (): string => this.text(side);
    const embedding = [0.1, side, 0.8];
    const edge = (id: string): Deed => alices('POST', '/relationships', this.edge(side, id));
    const data = { title: text(), value: text(), node_type: 'note' };
    return [
      () => this.onOne(side, 'node', (id) => alices('PUT', `/nodes/${id}/embedding`, { embedding })),
      () => this.onOne(side, 'node', edge),
      () => this.onOne(side, 'node', edge),
      () => this.onOne(side, 'relationship', (id) => alices('DELETE', `/relationships/${id}`)),
      () => ({ by: 'alice', request: upload('/raw-files', text()) }),
      () => this.onOne(side, 'file', (id) => alices('DELETE', `/raw-files/${id}`)),
      () => ({ by: 'app', request: post('/nodes', this.node(side)) }),
      () => ({ by: 'app', request: post('/proposals', { title: text(), canonical_data: data }) }),
    ];
  }

  private onOne(side: 0 | 1, kind: string, deed: (id: string) => Deed): Deed {
    const ids = this.ids[side].get(kind) ?? [];
    return ids.length === 0 ? null : deed(this.chances[side].pick(ids));
  }

  private edge(side: 0 | 1, id: string): object {
    const chance = this.chances[side];
    const ends = [id, chance.pick(this.setting.visible)];
    const [from_node_id, to_node_id] = chance.once(2) ? ends : [...ends].reverse();
    return {
      from_node_id,
      to_node_id,
      relationship_type: chance.pick(['near', 'about']),
      context: this.text(side),
    };
  }

  private node(side: 0 | 1): object {
    const { subject, tagging } = this.setting;
    const chance = this.chances[side];
    const text = (): string => this.text(side);
    const seesByTag = !isApp(subject) && !isMember(subject);
    const tags = chance.pick([
      [],
      ['kept back'],
      [text()],
      ...(seesByTag ? [] : [[tagging.shown, tagging.banned]]),
    ]);
    const isDiary = !seesByTag && chance.once(4);
    return {
      title: chance.once(2) ? chance.pick(WORDS) : text(),
      value: text(),
      node_type: isDiary ? 'diary' : 'note',
      metadata: { [text()]: text() },
      agent_metadata: { agent_name: 'note-reader', session_id: text() },
      tags: isDiary ? [tagging.shown] : tags,
    };
  }

  private text(side: 0 | 1): string {
    const chance = this.chances[side];
    const words = Array.from({ length: 1 + chance.below(3) }, () => chance.pick(WORDS.slice(0, 6)));
    return `${words.join('')}${side}${++this.count}`;
  }

  private remember(side: 0 | 1, { method, path, body }: Request, answer: Answer): void {
    const kind = KINDS.find(([pattern]) => pattern.test(path))?.[1];
    const [gone] = method === 'DELETE' && answer.status < 300 ? (/[^/]+$/.exec(path) ?? []) : [];
    if (gone !== undefined)
      for (const [kind, ids] of this.ids[side])
        this.ids[side].set(
          kind,
          ids.filter((id) => id !== gone),
        );
    if (answer.status < 300) this.setting.pool.hides('tag name', ...tagNamesIn(path, body));
    if (answer.status !== 201 || kind === undefined) return;
    const id = answer.body.id as string;
    this.setting.pool.hides(kind, id);
    this.ids[side].set(kind, [...(this.ids[side].get(kind) ?? []), id]);
  }
}

const clientsOf = (actors: Actors, by: keyof Actors): Both<Client> =>
  by === 'confidant' ? actors.confidant.clients : actors[by];

const post = (path: string, body: unknown): Request => ({ method: 'POST', path, body });
const alices = (method: string, path: string, body?: object): Deed => ({
  by: 'alice',
  request: { method, path, body },
});

function tagNamesIn(path: string, body: unknown): string[] {
  const { name, tags = [] } = (body ?? {}) as { name?: string; tags?: string[] };
  return /^\/tags/.test(path) && name !== undefined ? [name] : tags;
}

/** Kinds of secret things. Groups and apps are not among them: their existence may be known (rules 10.1, 2.1). */
const KINDS: [RegExp, string][] = [
  [/\/nodes$/, 'node'],
  [/\/tags$/, 'tag'],
  [/profiles$/, 'profile'],
  [/sessions$/, 'session'],
  [/schemas$/, 'schema'],
  [/relationships$/, 'relationship'],
  [/raw-files$/, 'file'],
  [/proposals$/, 'proposal'],
  [/sharing$/, 'share'],
  [/follows$/, 'follow'],
];
const PRIVATE = { scope: 'private', private_to: 'user' };

export const line = ({ method, path, body, headers }: Request): string =>
  `${method} ${path} ${JSON.stringify(body) ?? ''} ${JSON.stringify(headers) ?? ''}`.trim();
