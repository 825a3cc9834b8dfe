import { type Answer, type Client } from '../support/client.js';
import { type TestApp, type TestUser } from '../support/world.js';
import {
  type Asked,
  bindNames,
  type Caller,
  emptyProfile,
  excludeNames,
  type ModelEdge,
  type ModelNode,
  type ModelProfile,
  type ModelScope,
  type ModelState,
  type ModelTag,
} from './sync-model.js';
import { SyncReplicas } from './sync-replicas.js';
import { type Step } from './sync-steps.js';

const NAMES = ['work', 'home', 'play', 'secret', 'new'];
const TYPES = ['note', 'person', 'place'];
const SCHEMA = '00000000-0000-7000-8000-000000000005';
const all = { schema_ids: [], allow_all: true };

/** The requests of the app; all stories share one app, so each begins with everything. */
export const REQUESTS: Record<Asked, object> = {
  everything: { tags: { read: true }, schemas: { read: all } },
  freeform: { tags: { read: true }, schemas: { read: { schema_ids: ['__freeform__'], allow_all: false } } },
  nothing: { tags: { read: false }, schemas: { read: all } },
};

const pick = <T>(list: readonly T[], number: number): T | undefined =>
  list[number % Math.max(list.length, 1)];

/** A person, an app, and their story; the model follows every step. */
export class SyncStory {
  private readonly state: ModelState = {
    nodes: [],
    edges: [],
    tags: [],
    profiles: [],
    current: 0,
    authorized: false,
    approved: 'everything',
    asked: 'everything',
  };
  private readonly history: ModelState[] = [];
  private readonly profileIds: string[] = [];
  private authorizationId = '';
  private count = 0;
  private readonly replicas: SyncReplicas;

  constructor(
    private readonly owner: TestUser,
    private readonly app: TestApp,
    private readonly developer: Client,
  ) {
    this.replicas = new SyncReplicas({ owner, app: app.as(owner) }, this.state, this.history);
  }

  async begin(): Promise<void> {
    await this.ask('everything');
    for (const name of NAMES.slice(0, 4)) await this.makeTag(name);
    const [work, home] = this.state.tags as [ModelTag, ModelTag];
    await this.makeProfile({ ...emptyProfile(), readTags: [work.id, home.id] });
    await this.makeProfile({ ...emptyProfile(), readAll: true });
    await this.authorize();
    await this.makeNodes([[work], [home], [work, home], []]);
    this.remember();
  }

  async take(step: Step): Promise<void> {
    if (step.do === 'pull') return this.replicas.pull(step, this.scope(step.scope));
    if (step.do === 'go back') return this.replicas.goBack(step.caller, this.scope(step.scope), step.to);
    if (step.do === 'start anew') return this.replicas.startAnew(step.caller, this.scope(step.scope));
    await this.write(step);
    bindNames(this.state);
    this.remember();
  }

  /** Lets every client that has pulled pull to the end. */
  async end(): Promise<void> {
    for (const caller of ['owner', 'app'] as Caller[]) {
      for (const scope of [0, 1, 2, 3]) {
        if (!this.replicas.isUsed(caller, this.scope(scope))) continue;
        const step = {
          do: 'pull',
          caller,
          scope,
          limit: 2,
          pages: 99,
          loses: false,
          include: 'relationships,tags',
        } as const;
        await this.replicas.pull(step, this.scope(scope));
      }
    }
  }

  private remember(): void {
    this.history.push(structuredClone(this.state));
  }

  private scope(number: number): ModelScope {
    if (number === 0) return { kind: 'all' };
    if (number === 3) return { kind: 'schema' };
    return { kind: 'tag', id: (this.state.tags[number - 1] as ModelTag).id };
  }

  private async write(step: Exclude<Step, { do: 'pull' | 'go back' | 'start anew' }>): Promise<void> {
    switch (step.do) {
      case 'create':
        return this.create(step);
      case 'edit':
        return this.edit(step);
      case 'retag':
        return this.retag(step);
      case 'untag':
        return this.untag(step);
      case 'delete':
        return this.delete(step.node);
      case 'restore':
        return this.restore(step.node);
      case 'make tag': {
        const name = pick(NAMES, step.tag) as string;
        if (!this.livingTags.some((tag) => tag.name === name)) await this.makeTag(name);
        return;
      }
      case 'rename tag':
        return this.renameTag(step.tag, pick(NAMES, step.name) as string);
      case 'delete tag':
        return this.deleteTag(step.tag);
      case 'connect':
        return this.connect(step);
      case 'edit edge':
        return this.editEdge(step);
      case 'disconnect':
        return this.disconnect(step.edge);
      case 'describe tag':
        return this.describeTag(step);
      case 'change profile':
        return this.changeProfile();
      case 'revoke':
        return this.revoke();
      case 'authorize':
        return this.state.authorized ? undefined : this.authorize();
      case 'ask':
        return this.ask(step.asked);
      default:
        return this.rule(step);
    }
  }

  private get livingTags(): ModelTag[] {
    return this.state.tags.filter(({ deleted }) => !deleted);
  }

  private get livingNodes(): ModelNode[] {
    return this.state.nodes.filter(({ deleted }) => !deleted);
  }

  private tagIds(numbers: readonly number[]): string[] {
    const ids = numbers.flatMap((number) => pick(this.livingTags, number)?.id ?? []);
    return [...new Set(ids)];
  }

  private async create({ tags, type, schema }: Extract<Step, { do: 'create' }>): Promise<void> {
    const node = {
      title: `title ${++this.count}`,
      type: pick(TYPES, type) as string,
      hasSchema: schema,
      tags: this.tagIds(tags),
      deleted: false,
    };
    const body = {
      title: node.title,
      value: `value ${this.count}`,
      node_type: node.type,
      tags: node.tags,
      ...(schema ? { schema_id: SCHEMA } : {}),
    };
    this.state.nodes.push({ id: (await ok(this.owner.post('/nodes', body))).id, ...node });
  }

  /** Makes the nodes at the beginning of a story, in one request. */
  private async makeNodes(tagged: ModelTag[][]): Promise<void> {
    const nodes = tagged.map((tags) => ({
      title: `title ${++this.count}`,
      node_type: pick(TYPES, this.count) as string,
      tags: tags.map(({ id }) => id),
    }));
    const { created } = await ok(this.owner.post('/nodes/batch', { nodes }));
    for (const { index, id } of created as { index: number; id: string }[]) {
      const { title, node_type: type, tags } = nodes[index] as (typeof nodes)[number];
      this.state.nodes.push({ id, title, type, tags, hasSchema: false, deleted: false });
    }
  }

  private async edit({ node: number, field }: Extract<Step, { do: 'edit' }>): Promise<void> {
    const node = pick(this.livingNodes, number);
    if (!node) return;
    const title = `title ${++this.count}`;
    const type = pick(TYPES, TYPES.indexOf(node.type) + 1) as string;
    const bodies = {
      title: { title },
      value: { value: `value ${this.count}` },
      type: { node_type: type },
      schema: { schema_id: node.hasSchema ? null : SCHEMA },
      importance: { importance_score: (this.count % 10) / 10 },
    };
    await ok(this.owner.put(`/nodes/${node.id}`, bodies[field]));
    if (field === 'title') node.title = title;
    if (field === 'type') node.type = type;
    if (field === 'schema') node.hasSchema = !node.hasSchema;
  }

  private async retag({ node: number, tags }: Extract<Step, { do: 'retag' }>): Promise<void> {
    const node = pick(this.livingNodes, number);
    const ids = this.tagIds(tags);
    if (!node || (ids.length === 0 && node.tags.length > 0)) return;
    await ok(this.owner.put(`/nodes/${node.id}`, { tags: ids }));
    node.tags = ids;
  }

  private async untag({ node: number, tag }: Extract<Step, { do: 'untag' }>): Promise<void> {
    const node = pick(this.livingNodes, number);
    const living = node?.tags.filter((id) => this.livingTags.some((one) => one.id === id)) ?? [];
    const id = pick(living, tag);
    if (!node || id === undefined) return;
    const { node_deleted } = await ok(this.owner.delete(`/nodes/${node.id}/tags/${id}`));
    node.deleted = node_deleted as boolean;
    if (!node.deleted) node.tags = node.tags.filter((one) => one !== id);
  }

  private async delete(number: number): Promise<void> {
    const node = pick(this.livingNodes, number);
    if (!node) return;
    await ok(this.owner.delete(`/nodes/${node.id}`));
    node.deleted = true;
  }

  private async restore(number: number): Promise<void> {
    const node = pick(
      this.state.nodes.filter(({ deleted }) => deleted),
      number,
    );
    if (!node) return;
    await ok(this.owner.post(`/nodes/${node.id}/restore`));
    node.deleted = false;
  }

  private get livingEdges(): ModelEdge[] {
    const isLiving = (id: string) => this.livingNodes.some((node) => node.id === id);
    return this.state.edges.filter(({ from, to, deleted }) => !deleted && isLiving(from) && isLiving(to));
  }

  private async connect({ from, to }: Extract<Step, { do: 'connect' }>): Promise<void> {
    const [one, other] = [pick(this.livingNodes, from), pick(this.livingNodes, to)];
    if (!one || !other || one === other) return;
    const ends = { from_node_id: one.id, to_node_id: other.id };
    const body = { ...ends, relationship_type: `type ${++this.count}`, context: `context ${this.count}` };
    const { id } = await ok(this.owner.post('/relationships', body));
    this.state.edges.push({ id, from: one.id, to: other.id, deleted: false });
  }

  private async editEdge({ edge: number, field }: Extract<Step, { do: 'edit edge' }>): Promise<void> {
    const edge = pick(this.livingEdges, number);
    if (!edge) return;
    const value = (++this.count % 10) / 10;
    const bodies = {
      type: { relationship_type: `type ${this.count}` },
      context: { context: `context ${this.count}` },
      strength: { strength: value },
    };
    await ok(this.owner.put(`/relationships/${edge.id}`, bodies[field]));
  }

  private async disconnect(number: number): Promise<void> {
    const edge = pick(this.livingEdges, number);
    if (!edge) return;
    await ok(this.owner.delete(`/relationships/${edge.id}`));
    edge.deleted = true;
  }

  private async describeTag({ tag: number, parent }: Extract<Step, { do: 'describe tag' }>): Promise<void> {
    const tag = pick(this.livingTags, number);
    const above = parent === null ? null : pick(this.livingTags, parent);
    if (!tag || above === undefined) return;
    const body = { description: `tag ${++this.count}`, parent_tag_id: above?.id ?? null };
    const { status } = await this.owner.put(`/tags/${tag.id}`, body);
    if (status !== 200 && status !== 400) throw new Error(`a parent of a tag: ${status}`);
  }

  private async makeTag(name: string): Promise<void> {
    const { id } = await ok(this.owner.post('/tags', { name }));
    this.state.tags.push({ id, name, deleted: false });
  }

  private async renameTag(number: number, wanted: string): Promise<void> {
    const tag = pick(this.livingTags, number);
    if (!tag) return;
    const isTaken = this.livingTags.some((other) => other.name === wanted);
    const name = isTaken ? `other ${++this.count}` : wanted;
    await ok(this.owner.put(`/tags/${tag.id}`, { name }));
    tag.name = name;
  }

  private async deleteTag(number: number): Promise<void> {
    const tag = pick(this.livingTags, number);
    if (!tag) return;
    await ok(this.owner.delete(`/tags/${tag.id}`));
    tag.deleted = true;
  }

  private async makeProfile(profile: ModelProfile): Promise<void> {
    const name = `profile ${this.profileIds.length}`;
    const body = {
      name,
      tag_permissions: { read: grant(profile), discover: { tag_ids: [], allow_all: false } },
      schema_permissions: { read: all, write: { schema_ids: [], allow_all: false } },
    };
    this.profileIds.push((await ok(this.owner.post('/exposure-profiles', body))).id);
    this.state.profiles.push(profile);
  }

  private async rule(step: Extract<Step, { profile: number }>): Promise<void> {
    const profile = this.state.profiles[step.profile] as ModelProfile;
    const put = (body: object) =>
      ok(this.owner.put(`/exposure-profiles/${this.profileIds[step.profile]}`, body));
    switch (step.do) {
      case 'grant':
        profile.readAll = step.all;
        profile.readTags = this.tagIds(step.tags);
        await put({ tag_permissions: { read: grant(profile), discover: { tag_ids: [], allow_all: false } } });
        break;
      case 'exclude':
        profile.excludedTags = this.tagIds(step.tags);
        await put({ excluded_tag_ids: profile.excludedTags });
        break;
      case 'exclude names': {
        const names = [...new Set(step.names.map((name) => pick(NAMES, name) as string))];
        excludeNames(this.state, profile, names);
        await put({ tag_filters: { include_all: [], include_any: [], exclude_any: names } });
        break;
      }
      case 'exclude types':
        profile.excludedTypes = [...new Set(step.types.map((type) => pick(TYPES, type) as string))];
        await put({ excluded_node_types: profile.excludedTypes });
        break;
      case 'allow nodes':
        profile.allowedNodes = [
          ...new Set(step.nodes.flatMap((node) => pick(this.livingNodes, node)?.id ?? [])),
        ];
        await put({ allowed_node_ids: profile.allowedNodes });
        break;
      case 'detail':
        profile.detail = step.detail;
        await put({ max_detail_level: step.detail });
        break;
      case 'transform':
        profile.change = step.change;
        await put({ transformations: TRANSFORMATIONS[step.change] });
        break;
      case 'switch profile on or off':
        profile.active = !profile.active;
        await put({ is_active: profile.active });
    }
  }

  private async changeProfile(): Promise<void> {
    if (!this.state.authorized) return;
    const other = 1 - this.state.current;
    const body = { exposure_profile_id: this.profileIds[other] };
    const { status } = await this.owner.patch(`/authorizations/${this.authorizationId}`, body);
    if (status === 200) this.state.current = other;
    else if (status !== 409) throw new Error(`another profile: ${status}`);
  }

  /** Refused when the profile grants less than the app requests: the authorization then stays unchanged. */
  private async authorize(): Promise<void> {
    const body = { app_id: this.app.id, exposure_profile_id: this.profileIds[this.state.current] };
    const answer = await this.owner.post('/authorizations', body);
    if (answer.status === 409) return;
    if (answer.status >= 300) throw new Error(`authorize: ${answer.status} ${answer.text}`);
    this.authorizationId = answer.body.id as string;
    this.state.authorized = true;
    this.state.approved = this.state.asked;
  }

  private async revoke(): Promise<void> {
    if (!this.state.authorized) return;
    await ok(this.owner.delete(`/authorizations/${this.authorizationId}`));
    this.state.authorized = false;
  }

  private async ask(asked: Asked): Promise<void> {
    await ok(this.developer.patch(`/apps/${this.app.id}`, { requested_permissions: REQUESTS[asked] }));
    this.state.asked = asked;
  }
}

const TRANSFORMATIONS = {
  none: [],
  cut: [{ type: 'truncate', config: { field: 'title', max: 3 } }],
  mask: [{ type: 'field_mask', config: { paths: ['value', 'importance_score'], strategy: 'remove' } }],
  round: [{ type: 'round_date', config: { granularity: 'day' } }],
};

const grant = ({ readAll, readTags }: ModelProfile) => ({ tag_ids: readTags, allow_all: readAll });

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function ok(sent: Promise<Answer>): Promise<any> {
  const answer = await sent;
  if (answer.status >= 300) throw new Error(`unexpected answer: ${answer.status} ${answer.text}`);
  return answer.body;
}
