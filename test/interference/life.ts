import { type Chance } from '../properties/random.js';
import { type Client } from '../support/client.js';
import { Cast, clientsOf, type Person } from './cast.js';
import { Pool } from './pool.js';
import { bindingOf, MASKED_TYPE } from './inner-subjects.js';
import { OwnerDeeds } from './owner-deeds.js';
import { NAMED } from './random-requests.js';
import { type Heard, Reviews } from './reviews.js';
import { line, SecretLife } from './secret-life.js';
import {
  isApp,
  isInner,
  isMember,
  isReceiversApp,
  profileFor,
  secretEdgeFields,
  secretFields,
  type Subject,
  type Tagging,
} from './subjects.js';
import { type Both, type Request, type Twins } from './twins.js';
import { upload } from './uploads.js';
import { WORDS } from './words.js';

/** A tag that only one world's nodes carry, but both know: a new one would have everybody's rules read again. */
const tagged = async (tag: (name: string) => Promise<string>): Promise<Tagging> => ({
  kept: await tag('kept back'),
  shown: await tag('shown'),
  spare: await tag('spare'),
  banned: await tag('banned'),
  named: await tag(NAMED),
});

/** Alice's graph in two worlds, equal in everything that one subject may see and in nothing else. */
export class Life {
  alice!: Person;
  /** The subject's clients. */
  clients!: Both<Client>;
  readonly pool: Pool;
  readonly tagNames = ['shown', 'spare'];
  readonly told: string[] = [];
  /** Tags of the graph that the subject sees: Alice's, or the group's. */
  tagging!: Tagging;
  secret!: SecretLife;
  /** The owner's deeds on the nodes that an inner subject sees. */
  deeds: OwnerDeeds | null = null;
  private reviews: Reviews | null = null;
  private readonly visible: string[] = [];
  private readonly written = new Set<string>();
  private readonly edges: string[] = [];
  private readonly curtained: string[] = [];
  private group = '';
  private count = 0;
  private readonly cast: Cast;

  private constructor(
    private readonly twins: Twins,
    readonly subject: Subject,
    private readonly chance: Chance,
  ) {
    this.pool = new Pool(chance);
    this.cast = new Cast(twins);
  }

  static async begin(twins: Twins, subject: Subject, chance: Chance, heard?: Heard): Promise<Life> {
    twins.catchUp();
    const life = new Life(twins, subject, chance);
    await life.furnish();
    if (isInner(subject) && !isMember(subject)) {
      const options = { isBound: bindingOf(subject) !== null, heard: heard ?? (() => undefined) };
      life.reviews = new Reviews(twins, life.alice.clients, chance, options);
    }
    life.secret = await life.secretly();
    for (let step = 0; step < 8; step++) await life.secretStep();
    return life;
  }

  /** Does something that the subject must not notice, different in each world. */
  async secretStep(): Promise<void> {
    const { deeds } = this;
    this.told.push(deeds === null ? await this.secret.step() : await deeds.step());
  }

  /** Sometimes Alice reviews a proposal of an inner subject. */
  async review(): Promise<void> {
    if (this.reviews !== null && this.chance.once(4)) this.told.push(await this.reviews.step());
  }

  /** Alice does something that the subject may notice, the same in both worlds. */
  async openStep(): Promise<void> {
    // A deleted mask tag must not come back by its name, as another tag.
    if (this.deeds !== null && !(await this.deeds.hasTag())) return;
    const requests = this.openRequests();
    const [request] = requests;
    this.told.push(`in the open: ${line(request)}`);
    const [answer] = await this.twins.sendEach(this.alice.clients, requests, true);
    if (request.method === 'POST' && answer?.status === 201 && /\/nodes$/.test(request.path))
      this.shows(answer.body.id as string);
  }

  private async furnish(): Promise<void> {
    this.alice = await this.cast.person();
    const tag = (name: string): Promise<string> => this.cast.by(this.alice, '/tags', { name });
    this.tagging = await tagged(tag);
    const { shown, spare, banned } = this.tagging;
    this.pool.hides('tag', banned);
    if (this.subject === 'outsider' || this.subject === 'stranger app') this.pool.hides('tag', shown, spare);
    else if (!isMember(this.subject)) this.pool.knows('tag', shown, spare);
    this.pool.knows('user', this.alice.id);
    if (isMember(this.subject)) await this.founds();
    // States from before the inner subject could see anything.
    const veterans = await this.veterans();
    this.clients = await this.look();
    for (const id of veterans) this.shows(id);
    for (const title of ['one', 'sea', 'plan']) {
      const [answer] = await this.twins.sendEach(this.alice.clients, this.openNode(title), true);
      this.shows(answer?.body.id as string);
    }
    const [from_node_id, to_node_id] = this.visible;
    if (!isMember(this.subject)) {
      const [file] = await this.twins.send(
        this.alice.clients,
        upload('/raw-files', 'open', [this.tagging.shown]),
      );
      const isHidden = this.subject === 'outsider' || this.subject === 'stranger app';
      if (isHidden) this.pool.hides('file', file.body.id as string);
      else this.pool.knows('file', file.body.id as string);
      const hiddenAtFirst = secretEdgeFields(this.subject, () => 'first') ?? {};
      const edge = { from_node_id, to_node_id, relationship_type: 'near', ...hiddenAtFirst };
      this.edges.push(await this.cast.by(this.alice, '/relationships', edge));
      this.pool.knows('relationship', ...this.edges);
    }
  }

  private async veterans(): Promise<string[]> {
    const { subject, tagging, nodes, visible, twins, chance } = this;
    if (!isInner(subject)) return [];
    this.deeds = new OwnerDeeds(
      twins,
      { subject, alice: this.alice.clients, nodes, tagging, visible },
      chance,
    );
    return this.deeds.furnish(['long ago', 'sail']);
  }

  /** The actors of secret steps. */
  private async secretly(): Promise<SecretLife> {
    const { subject, pool, alice, nodes, visible, written, edges } = this;
    const confidant = await this.cast.person();
    const app = await this.cast.approved(alice, await this.cast.app());
    pool.hides('authorization', app.authorization);
    pool.hides('profile', app.profile);
    const actors = { alice: alice.clients, app: app.clients, confidant };
    const setting = {
      subject,
      pool,
      actors,
      aliceId: alice.id,
      nodes,
      visible,
      written,
      edges,
      tagging: this.tagging,
    };
    return new SecretLife(this.twins, setting, this.chance);
  }

  /** Authorizes the subject within its limits. */
  private async look(): Promise<Both<Client>> {
    const { subject, alice } = this;
    if (isApp(subject)) return this.app(alice, subject === 'stranger app' ? null : subject);
    const person = await this.cast.person();
    this.pool.knows('user', person.id);
    const share = { scope: 'specific_tags', tag_ids: [this.tagging.shown] };
    if (subject.startsWith('receiver')) {
      const rights = { can_write: true, can_delete: true, can_share: true };
      await this.cast.by(alice, '/sharing', { shared_with_user_id: person.id, ...share, ...rights });
    } else if (subject === 'follower') {
      const follow = await this.cast.by(person, '/follows', { target_user_id: alice.id });
      this.pool.knows('follow', follow);
      await this.cast.does(alice, 'PUT', `/follows/${follow}/respond`, { action: 'accept', share });
    } else if (isMember(subject)) await this.joins(person);
    if (!isReceiversApp(subject)) return person.clients;
    // Apps of a person are shown what acquaintances share.
    this.pool.knows('follow', await this.cast.by(person, '/follows', { target_user_id: alice.id }));
    return this.app(person, subject);
  }

  private async app(user: Person, subject: Subject | null): Promise<Both<Client>> {
    const app = await this.cast.app();
    if (subject === null) return clientsOf(app, user);
    const { authorization, profile, clients } = await this.cast.approved(user, app);
    this.pool.knows('authorization', authorization);
    this.pool.hides('profile', profile);
    if (subject !== "receiver's app") {
      // Approved with a profile that grants all requested permissions, then reduced to the subject's.
      const { transformations, ...others } = profileFor(subject, this.tagging);
      const rules = { transformations, ...(isReceiversApp(subject) ? {} : others), name: 'cut down' };
      await this.cast.does(user, 'PUT', `/exposure-profiles/${profile}`, rules);
    }
    return clients;
  }

  private async founds(): Promise<void> {
    this.group = await this.cast.by(this.alice, '/groups', { name: 'crew' });
    this.pool.knows('group', this.group);
    this.tagging = await tagged((name) => this.cast.by(this.alice, `/groups/${this.group}/tags`, { name }));
    this.pool.knows('tag', this.tagging.shown, this.tagging.spare);
  }

  private async joins(person: Person): Promise<void> {
    const { alice, subject, tagging } = this;
    const below = `/groups/${this.group}`;
    const invitation = await this.cast.by(alice, `${below}/invitations`, { user_id: person.id });
    await this.cast.does(person, 'PUT', `/groups/invitations/${invitation}`, { action: 'accept' });
    const rules = profileFor(isInner(subject) ? subject : 'narrow app', tagging);
    const profile = await this.cast.by(alice, `${below}/exposure-profiles`, rules);
    this.pool.knows('profile', profile);
    await this.cast.does(alice, 'PUT', `${below}/members/${person.id}`, { exposure_profile_id: profile });
  }

  /** Learns of a request of the subject that may have changed nodes, now or when somebody decides on it. */
  wrote(request: { path: string; body?: unknown }): void {
    const text = `${request.path} ${JSON.stringify(request.body ?? null)}`;
    for (const id of this.visible) if (text.includes(id)) this.written.add(id);
  }

  private shows(id: string): void {
    this.visible.push(id);
    const isHidden = this.subject === 'outsider' || this.subject === 'stranger app';
    if (isHidden) this.pool.hides('node', id);
    else this.pool.knows('node', id);
  }

  /** The path at which nodes are created: Alice's, or the group's. */
  get nodes(): string {
    return this.group === '' ? '/nodes' : `/groups/${this.group}/nodes`;
  }

  /** If some tags are hidden from the subject, the node has one more tag in one world. */
  private openNode(title: string): Both<Request> {
    const { nodes, subject, openKind } = this;
    const hidesTags = isApp(subject) || isMember(subject);
    // A hidden edit in one world alone must not be the first to write the shown part of such a field.
    const hiddenAtFirst = secretFields(subject, () => 'first') ?? {};
    const request = (side: 0 | 1): Request => {
      const tags = openKind.tags.filter((tag) => side === 0 || !hidesTags || tag !== 'kept back');
      return {
        method: 'POST',
        path: nodes,
        body: { title, value: 'quiet', ...hiddenAtFirst, ...openKind, tags },
      };
    };
    return [request(0), request(1)];
  }

  /** The type and tags that make nodes visible, and masked if the subject's mask is bound. */
  private get openKind(): { node_type: string; tags: string[] } {
    const tags = ['shown', 'kept back'];
    if (!isInner(this.subject)) return { node_type: 'note', tags };
    // Tagged by id: rules do not follow a name.
    return { node_type: MASKED_TYPE, tags: [...tags, this.tagging.spare] };
  }

  private openRequests(): Both<Request> {
    const request = this.openChange();
    return request === null ? this.openNode(this.title()) : [request, request];
  }

  private title(): string {
    return `${this.chance.pick(WORDS)} ${++this.count}`;
  }

  /** A change of a node that the subject sees; or null. */
  private openChange(): Request | null {
    const { chance, visible, curtained } = this;
    const id = chance.pick(visible);
    const path = `${this.nodes}/${id}`;
    const kind = chance.below(6);
    if (kind === 0) return { method: 'DELETE', path };
    if (kind === 1) {
      curtained.push(id);
      return { method: 'PUT', path, body: { tags: ['kept back'] } };
    }
    if (kind === 2 && curtained.length > 0) {
      const body = { tags: this.openKind.tags, title: this.title() };
      return { method: 'PUT', path: `${this.nodes}/${chance.pick(curtained)}`, body };
    }
    if (kind === 3) return { method: 'PUT', path, body: { importance_score: chance.below(10) / 10 } };
    return null;
  }
}
