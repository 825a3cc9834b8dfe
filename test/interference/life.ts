import { type Chance, Chance as Chances } from '../properties/random.js';
import { type Answer, type Client } from '../support/client.js';
import { everything } from '../support/defaults.js';
import { Pool } from './pool.js';
import { WORDS } from './random-requests.js';
import { isApp, profileFor, secretFields, type Subject, type Tagging } from './subjects.js';
import { type Both, type Request, type Twins } from './twins.js';

export interface Person {
  id: string;
  name: string;
  clients: Both<Client>;
}

/** Alice's graph in two worlds, alike in all that one subject may see and in nothing else. */
export class Life {
  alice!: Person;
  /** Who looks. */
  clients!: Both<Client>;
  readonly pool: Pool;
  readonly tagNames = ['shown', 'spare'];
  readonly told: string[] = [];
  private tagging!: Tagging;
  /** Made in secret in each world, by kind. */
  readonly secretIds: Both<Map<string, string[]>> = [new Map(), new Map()];
  private readonly visible: string[] = [];
  private readonly curtained: string[] = [];
  private readonly secrets: Both<Chance>;
  private group = '';
  private count = 0;

  private constructor(
    private readonly twins: Twins,
    readonly subject: Subject,
    private readonly chance: Chance,
  ) {
    this.pool = new Pool(chance);
    this.secrets = [new Chances(chance.below(2 ** 30)), new Chances(chance.below(2 ** 30))];
  }

  static async begin(twins: Twins, subject: Subject, chance: Chance): Promise<Life> {
    twins.catchUp();
    const life = new Life(twins, subject, chance);
    await life.furnish();
    for (let step = 0; step < 8; step++) await life.secretStep();
    return life;
  }

  /** Alice does something that the subject must not notice, in each world something else. */
  async secretStep(): Promise<void> {
    const { chance, alice } = this;
    const fields = chance.once(3) ? this.secretEdit() : null;
    const requests: Both<Request | null> = fields ?? [this.secretRequest(0), this.secretRequest(1)];
    this.told.push(
      `in secret: ${requests.map((request) => (request ? line(request) : 'nothing')).join(' | ')}`,
    );
    const answers = await this.twins.sendEach(alice.clients, requests, fields !== null || chance.once(2));
    for (const side of [0, 1] as const) this.remember(side, requests[side], answers[side]);
  }

  /** Alice does something that the subject may notice, in both the same. */
  async openStep(): Promise<void> {
    const request = this.openRequest();
    this.told.push(`in the open: ${line(request)}`);
    const [answer] = await this.twins.send(this.alice.clients, request);
    if (request.method === 'POST' && answer.status === 201 && /\/nodes$/.test(request.path))
      this.shows(answer.body.id as string);
  }

  private async furnish(): Promise<void> {
    this.alice = await this.person();
    const tag = (name: string): Promise<string> => this.by(this.alice, '/tags', { name });
    this.tagging = { shown: await tag('shown'), spare: await tag('spare'), banned: await tag('banned') };
    const { shown, spare, banned } = this.tagging;
    this.pool.hides('tag', banned);
    if (this.subject === 'outsider' || this.subject === 'stranger app') this.pool.hides('tag', shown, spare);
    else if (this.subject !== 'member') this.pool.knows('tag', shown, spare);
    this.pool.knows('user', this.alice.id);
    this.clients = await this.look();
    for (const title of ['one', 'sea', 'plan'])
      this.shows(await this.by(this.alice, ...this.openNode(title)));
    const [from_node_id, to_node_id] = this.visible;
    if (this.subject !== 'member') {
      const edge = { from_node_id, to_node_id, relationship_type: 'near' };
      this.pool.knows('relationship', await this.by(this.alice, '/relationships', edge));
    }
  }

  /** Lets the subject in, as far as it is. */
  private async look(): Promise<Both<Client>> {
    const { subject, alice } = this;
    if (isApp(subject)) return this.app(alice, subject === 'stranger app' ? null : subject);
    const person = await this.person();
    this.pool.knows('user', person.id);
    const share = { scope: 'specific_tags', tag_ids: [this.tagging.shown] };
    if (subject.startsWith('receiver')) {
      const rights = { can_write: true, can_delete: true, can_share: true };
      await this.by(alice, '/sharing', { shared_with_user_id: person.id, ...share, ...rights });
    } else if (subject === 'follower') {
      const follow = await this.by(person, '/follows', { target_user_id: alice.id });
      this.pool.knows('follow', follow);
      await this.does(alice, 'PUT', `/follows/${follow}/respond`, { action: 'accept', share });
    } else if (subject === 'member') await this.joins(person);
    return subject === "receiver's app" ? this.app(person, subject) : person.clients;
  }

  private async app(user: Person, subject: Subject | null): Promise<Both<Client>> {
    const developer = await this.person();
    const body = { name: 'an app', client_level: 'L2', requested_permissions: everything };
    const answers = await this.twins.send(developer.clients, { method: 'POST', path: '/apps', body });
    const app_id = answers[0].body.id as string;
    if (subject !== null) {
      const transparent = { template: 'transparent', name: 'all' };
      const exposure_profile_id =
        subject === "receiver's app"
          ? await this.by(user, '/exposure-profiles/from-template', transparent)
          : await this.by(user, '/exposure-profiles', profileFor(subject, this.tagging));
      // Approved with a profile that grants all that is asked for, then cut down to what it is to see.
      const wide = await this.by(user, '/exposure-profiles/from-template', { ...transparent, name: 'wide' });
      const approval = await this.by(user, '/authorizations', { app_id, exposure_profile_id: wide });
      if (subject !== "receiver's app") {
        const rules = { ...profileFor(subject, this.tagging), name: 'cut down' };
        await this.does(user, 'PUT', `/exposure-profiles/${wide}`, rules);
      }
      this.pool.knows('authorization', approval);
      this.pool.hides('profile', exposure_profile_id, wide);
    }
    const with_ = (side: 0 | 1): Client =>
      this.twins.worlds[side].api.with({ 'X-API-Key': answers[side].body.api_key, 'X-User-ID': user.id });
    return [with_(0), with_(1)];
  }

  private async joins(person: Person): Promise<void> {
    const { alice } = this;
    this.group = await this.by(alice, '/groups', { name: 'crew' });
    this.pool.knows('group', this.group);
    const below = `/groups/${this.group}`;
    const invitation = await this.by(alice, `${below}/invitations`, { user_id: person.id });
    await this.does(person, 'PUT', `/groups/invitations/${invitation}`, { action: 'accept' });
    const tag = (name: string): Promise<string> => this.by(alice, `${below}/tags`, { name });
    const tagging = { shown: await tag('shown'), spare: await tag('spare'), banned: await tag('banned') };
    this.pool.knows('tag', tagging.shown, tagging.spare);
    const profile = await this.by(alice, `${below}/exposure-profiles`, profileFor('narrow app', tagging));
    this.pool.knows('profile', profile);
    await this.does(alice, 'PUT', `${below}/members/${person.id}`, { exposure_profile_id: profile });
  }

  private async person(): Promise<Person> {
    const name = `person${this.twins.step().replace(/\D/g, '')}`;
    const apis = this.twins.worlds.map(({ api }) => api) as unknown as Both<Client>;
    const body = { email: `${name}@example.org`, username: name, password: 'correct horse battery' };
    const answers = await this.twins.send(apis, { method: 'POST', path: '/auth/register', body });
    const client = (side: 0 | 1): Client =>
      apis[side].with({ Authorization: `Bearer ${answers[side].body.access_token}` });
    return { id: answers[0].body.user.id as string, name, clients: [client(0), client(1)] };
  }

  private shows(id: string): void {
    this.visible.push(id);
    const isHidden = this.subject === 'outsider' || this.subject === 'stranger app';
    if (isHidden) this.pool.hides('node', id);
    else this.pool.knows('node', id);
  }

  private async by(person: Person, path: string, body: object): Promise<string> {
    return (await this.twins.made(person.clients, path, body)).body.id as string;
  }

  private async does(person: Person, method: string, path: string, body: object): Promise<void> {
    const [answer] = await this.twins.send(person.clients, { method, path, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  }

  /** Where nodes are made: Alice's, or the group's. */
  private get nodes(): string {
    return this.group === '' ? '/nodes' : `/groups/${this.group}/nodes`;
  }

  private openNode(title: string): [string, object] {
    // As many hidden tags in one world as in the other (decision 4.5).
    return [this.nodes, { title, value: 'quiet', node_type: 'note', tags: ['shown', 'kept back'] }];
  }

  private openRequest(): Request {
    const { chance, visible, curtained } = this;
    const id = chance.pick(visible);
    const path = `${this.nodes}/${id}`;
    const title = `${chance.pick(WORDS)} ${++this.count}`;
    const kind = chance.below(6);
    if (kind === 0) return { method: 'DELETE', path };
    if (kind === 1) {
      curtained.push(id);
      return { method: 'PUT', path, body: { tags: ['kept back'] } };
    }
    if (kind === 2 && curtained.length > 0) {
      const body = { tags: ['shown', 'kept back'], title };
      return { method: 'PUT', path: `${this.nodes}/${chance.pick(curtained)}`, body };
    }
    if (kind === 3) return { method: 'PUT', path, body: { importance_score: chance.below(10) / 10 } };
    const [where, body] = this.openNode(title);
    return { method: 'POST', path: where, body };
  }

  /** Hidden fields of a node that is seen, as often in one world as in the other (decision 4.1). */
  private secretEdit(): Both<Request> | null {
    const path = `${this.nodes}/${this.chance.pick(this.visible)}`;
    const edit = (side: 0 | 1): Request | null => {
      const body = secretFields(this.subject, () => this.secretText(side));
      return body === null ? null : { method: 'PUT', path, body };
    };
    const both = [edit(0), edit(1)];
    return both[0] === null ? null : (both as unknown as Both<Request>);
  }

  private secretText(side: 0 | 1): string {
    const chance = this.secrets[side];
    const words = Array.from({ length: 1 + chance.below(3) }, () => chance.pick(WORDS.slice(0, 6)));
    return `${words.join('')}${side}${++this.count}`;
  }

  /** Something of Alice's that the subject does not see; or nothing. */
  private secretRequest(side: 0 | 1): Request | null {
    const chance = this.secrets[side];
    const text = (): string => this.secretText(side);
    const own = this.secretIds[side].get('node') ?? [];
    const id = own.length > 0 ? chance.pick(own) : null;
    const post = (path: string, body: object): Request => ({ method: 'POST', path, body });
    const one = `${this.nodes}/${id}`;
    const choices: (() => Request | null)[] = [
      () => null,
      () => post(this.nodes, this.secretNode(side)),
      () => post(this.nodes, this.secretNode(side)),
      () => (id === null ? null : { method: 'PUT', path: one, body: { title: text(), value: text() } }),
      () => (id === null ? null : { method: 'DELETE', path: one }),
      () => post('/tags', { name: text(), description: text(), category: text() }),
      () => post('/exposure-profiles', { name: text() }),
      () => post('/apps', { name: text(), requested_permissions: {} }),
      () => post('/sessions', { external_id: text(), agent_name: 'note-reader' }),
      () => post('/schemas', { ...{ name: text(), category: 'plan', json_schema: {} }, ...PRIVATE }),
    ];
    if (this.group === '') {
      choices.push(
        () =>
          id === null
            ? null
            : { method: 'PUT', path: `${one}/embedding`, body: { embedding: [0.1, side, 0.8] } },
        () => (id === null ? null : post('/relationships', this.secretEdge(side, id))),
        () => (id === null ? null : post('/relationships', this.secretEdge(side, id))),
        () => ({ method: 'POST', path: '/raw-files', body: file(text()), headers: MULTIPART }),
      );
    }
    return chance.pick(choices)();
  }

  private secretEdge(side: 0 | 1, id: string): object {
    const chance = this.secrets[side];
    const ends = [id, chance.pick(this.visible)];
    const [from_node_id, to_node_id] = chance.once(2) ? ends : [...ends].reverse();
    const [relationship_type, context] = [chance.pick(['near', 'about']), this.secretText(side)];
    return { from_node_id, to_node_id, relationship_type, context };
  }

  private secretNode(side: 0 | 1): object {
    const chance = this.secrets[side];
    const text = (): string => this.secretText(side);
    const seesByTag = !isApp(this.subject) && this.subject !== 'member';
    const tags = chance.pick([[], ['kept back'], [text()], ...(seesByTag ? [] : [['shown', 'banned']])]);
    const isDiary = !seesByTag && chance.once(4);
    return {
      title: chance.once(2) ? chance.pick(WORDS) : text(),
      value: text(),
      node_type: isDiary ? 'diary' : 'note',
      metadata: { [text()]: text() },
      agent_metadata: { agent_name: 'note-reader', session_id: text() },
      tags: isDiary ? ['shown'] : tags,
    };
  }

  private remember(side: 0 | 1, request: Request | null, answer: Answer | null): void {
    if (request === null || answer === null || answer.status >= 300) return;
    if (answer.status !== 201) return;
    const id = answer.body.id as string;
    const kind = KINDS.find(([pattern]) => pattern.test(request.path))?.[1];
    if (kind === undefined) return;
    this.pool.hides(kind, id);
    this.secretIds[side].set(kind, [...(this.secretIds[side].get(kind) ?? []), id]);
  }
}

const KINDS: [RegExp, string][] = [
  [/\/nodes$/, 'node'],
  [/\/tags$/, 'tag'],
  [/profiles$/, 'profile'],
  [/sessions$/, 'session'],
  [/schemas$/, 'schema'],
  [/relationships$/, 'relationship'],
  [/raw-files$/, 'file'],
];
const PRIVATE = { scope: 'private', private_to: 'user' };
const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=x' };
const file = (text: string): string =>
  `--x\r\nContent-Disposition: form-data; name="file"; filename="${text}.txt"\r\n\r\n${text}\r\n--x--\r\n`;

export const line = ({ method, path, body, headers }: Request): string =>
  `${method} ${path} ${JSON.stringify(body) ?? ''} ${JSON.stringify(headers) ?? ''}`.trim();
