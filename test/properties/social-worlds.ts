import { joins } from '../support/worlds/people.js';
import { allSchemas, allTags, someTags } from '../support/defaults.js';
import { type TestUser, type World } from '../support/world.js';
import {
  type NaiveGroup,
  type NaiveNode,
  type NaiveProfile,
  type NaiveShare,
  NaiveWorld,
} from './social-naive.js';

export const OPERATIONS = [
  'share',
  'share on',
  'change share',
  'revoke',
  'follow',
  'retag',
  'delete node',
  'delete tag',
  'group',
  'join',
  'leave',
  'group node',
  'assign',
  'share in',
  'switch profile',
] as const;

/** One step of a random world; the numbers choose among existing things. */
export interface Step {
  operation: (typeof OPERATIONS)[number];
  a: number;
  b: number;
  c: number;
}

const USERS = 4;
const TAGS_EACH = 3;
const NODES_EACH = 4;

/** Drives the service and the naive model through the same steps. */
export class SocialWorld {
  readonly model = new NaiveWorld();
  private readonly tags = new Map<string, string[]>();
  private readonly profiles: { profile: NaiveProfile; path: string; owner: TestUser }[] = [];

  private constructor(
    private readonly world: World,
    readonly users: readonly TestUser[],
  ) {}

  static async make(world: World): Promise<SocialWorld> {
    const users: TestUser[] = [];
    for (let i = 0; i < USERS; i++) users.push(await world.user());
    const made = new SocialWorld(world, users);
    for (const user of users) await made.furnish(user);
    return made;
  }

  async take({ operation, a, b, c }: Step): Promise<void> {
    const user = this.users[a % USERS] as TestUser;
    const other = this.users[(a + 1 + (b % (USERS - 1))) % USERS] as TestUser;
    switch (operation) {
      case 'share':
        return this.share(user, other, { b, c });
      case 'share on':
        return this.shareOn(user, other, c);
      case 'change share':
        return this.changeShare(a, c);
      case 'revoke':
        return this.revoke(a, b);
      case 'follow':
        return this.follow(user, other, c);
      case 'retag':
        return this.retag(b, c);
      case 'delete node':
        return this.deleteNode(b, user);
      case 'delete tag':
        return this.deleteTag(user, c);
      case 'group':
        return this.makeGroup(user);
      case 'join':
        return this.join(user, b, c);
      case 'leave':
        return this.leave(user, b);
      case 'group node':
        return this.groupNode(b, c);
      case 'assign':
        return this.assign(user, b, c);
      case 'share in':
        return this.shareIn(user, b, c);
      case 'switch profile':
        return this.switchProfile(a, c);
    }
  }

  private async furnish(user: TestUser): Promise<void> {
    const ids: string[] = [];
    for (let i = 0; i < TAGS_EACH; i++) ids.push((await user.post('/tags', { name: `tag ${i}` })).body.id);
    this.tags.set(user.id, ids);
    for (let i = 0; i < NODES_EACH; i++) {
      const tags = ids.filter((_, index) => (i >> index) % 2 === 1);
      const made = await user.post('/nodes', { title: `node ${i}`, node_type: 'note', tags });
      this.model.nodes.push({ id: made.body.id, owner: user.id, tags: new Set(tags), isDeleted: false });
    }
  }

  private tagsOf = (owner: string): string[] =>
    (this.tags.get(owner) ?? []).filter((id) => !this.model.deletedTags.has(id));

  private async share(user: TestUser, other: TestUser, { b, c }: { b: number; c: number }): Promise<void> {
    const scope = (['all', 'specific_tags', 'specific_nodes'] as const)[c % 3] as NaiveShare['scope'];
    const nodes = this.model.nodes.filter(({ owner, isDeleted }) => owner === user.id && !isDeleted);
    const tag_ids = chosen(this.tagsOf(user.id), b);
    const node_ids = chosen(nodes, b).map(({ id }) => id);
    const body = { scope, tag_ids, node_ids, ...rightsOf(c) };
    const made = await user.post('/sharing', { shared_with_user_id: other.id, ...body });
    const isEmpty = {
      all: false,
      specific_tags: tag_ids.length === 0,
      specific_nodes: node_ids.length === 0,
    }[scope];
    expect(made.status).toBe(isEmpty ? 400 : 201);
    if (isEmpty) return;
    this.model.shares.push({
      ...blank(made.body.id, user, other),
      ...naiveRights(c),
      scope,
      tags: scope === 'specific_tags' ? tag_ids : [],
      nodes: scope === 'specific_nodes' ? node_ids : [],
    });
  }

  private async shareOn(user: TestUser, other: TestUser, c: number): Promise<void> {
    const foreign = this.model.nodes.filter(({ owner }) => owner !== user.id && owner !== other.id);
    const nodes = chosen(foreign, c).slice(0, 2);
    if (nodes.length === 0) return;
    const made = await user.post('/sharing', {
      shared_with_user_id: other.id,
      scope: 'specific_nodes',
      node_ids: nodes.map(({ id }) => id),
      ...rightsOf(c),
    });
    const parents = this.model.parents(user.id, nodes);
    expect(made.status).toBe(parents.length === 0 ? 400 : 201);
    if (parents.length === 0) return;
    const parent = parents.find(({ id }) => id === made.body.parent_share_id);
    expect(parent).toBeDefined();
    this.model.shares.push({
      ...blank(made.body.id, user, other),
      ...naiveRights(c),
      scope: 'specific_nodes',
      nodes: nodes.map(({ id }) => id),
      parent: parent as NaiveShare,
    });
  }

  private async changeShare(a: number, c: number): Promise<void> {
    const share = this.model.shares[a % Math.max(1, this.model.shares.length)];
    if (share === undefined) return;
    const changed = await this.userOf(share.sharer).put(`/sharing/${share.id}`, rightsOf(c));
    const raises = share.isOfFollow && Object.values(naiveRights(c)).includes(true);
    expect(changed.status).toBe(share.isRevoked ? 409 : raises ? 400 : 200);
    if (changed.status === 200) Object.assign(share, naiveRights(c));
  }

  private async revoke(a: number, b: number): Promise<void> {
    const share = this.model.shares[a % Math.max(1, this.model.shares.length)];
    if (share === undefined) return;
    const byRecipient = b % 2 === 1;
    const isThere = !byRecipient || this.model.isInForce(share);
    const { status } = await this.userOf(byRecipient ? share.recipient : share.sharer).delete(
      `/sharing/${share.id}`,
    );
    expect(status).toBe(isThere ? 200 : 404);
    if (isThere) share.isRevoked = true;
  }

  /**
   * Requests to follow, and at once accepts everything, accepts a tag, or declines; ends an existing follow.
   */
  private async follow(user: TestUser, other: TestUser, c: number): Promise<void> {
    const asked = await user.post('/follows', { target_user_id: other.id });
    if (asked.status === 409) {
      const { follows } = (await user.get('/follows/outgoing?status=accepted')).body;
      const { id, share_id } = follows.find(
        (one: { target_user_id: string }) => one.target_user_id === other.id,
      );
      await (c % 2 === 0 ? user : other).delete(`/follows/${id}`);
      (this.model.shares.find((share) => share.id === share_id) as NaiveShare).isRevoked = true;
      return;
    }
    const tags = this.tagsOf(other.id).slice(0, 1);
    const byTag = c % 3 === 0 && tags.length > 0;
    const share = byTag ? { scope: 'specific_tags', tag_ids: tags } : { scope: 'all' };
    const answer = await other.put(`/follows/${asked.body.id}/respond`, {
      action: c % 3 === 1 ? 'decline' : 'accept',
      share,
    });
    if (answer.body.share_id === null) return;
    this.model.shares.push({
      ...blank(answer.body.share_id, other, user),
      isOfFollow: true,
      scope: byTag ? 'specific_tags' : 'all',
      tags: byTag ? tags : [],
    });
  }

  private async retag(b: number, c: number): Promise<void> {
    const node = this.model.nodes.filter(({ owner }) => this.tags.has(owner))[
      b % (USERS * NODES_EACH)
    ] as NaiveNode;
    const tags = chosen(this.tagsOf(node.owner), c);
    if (node.isDeleted || tags.length === 0) return;
    const { status } = await this.userOf(node.owner).put(`/nodes/${node.id}`, { tags });
    expect(status).toBe(200);
    // Writing exactly the tags that the node shows them changes nothing, deleted ones included.
    const living = [...node.tags].filter((tag) => !this.model.deletedTags.has(tag));
    const isSame =
      node.tags.size === living.length &&
      living.length === tags.length &&
      tags.every((tag) => node.tags.has(tag));
    if (!isSame) node.tags = new Set(tags);
  }

  private async deleteNode(b: number, user: TestUser): Promise<void> {
    const node = this.model.nodes[b % this.model.nodes.length] as NaiveNode;
    if (!this.tags.has(node.owner)) return;
    const { status } = await user.delete(`/nodes/${node.id}`);
    const may = this.model.may(user.id, node, 'canDelete');
    expect(status).toBe(may ? 204 : this.model.sees(user.id, node) ? 403 : 404);
    if (may) node.isDeleted = true;
  }

  private async deleteTag(user: TestUser, c: number): Promise<void> {
    const living = this.tagsOf(user.id);
    if (living.length < 2) return;
    const id = living[c % living.length] as string;
    expect((await user.delete(`/tags/${id}`)).status).toBe(200);
    this.model.deletedTags.add(id);
  }

  private async makeGroup(user: TestUser): Promise<void> {
    if (this.model.groups.length > 1) return;
    const { id } = (await user.post('/groups', { name: 'crew', deletion_policy: 'transfer' })).body;
    this.tags.set(`${id} tags`, []);
    const members: NaiveGroup['members'] = new Map([[user.id, { isAdmin: true, profile: null }]]);
    this.model.groups.push({ id, members, sharedIn: new Map() });
  }

  private group = (b: number): NaiveGroup | undefined =>
    this.model.groups[b % Math.max(1, this.model.groups.length)];

  private adminOf({ members }: NaiveGroup): TestUser {
    const [id] = [...members].find(([, { isAdmin }]) => isAdmin) as [string, unknown];
    return this.userOf(id);
  }

  private async join(user: TestUser, b: number, c: number): Promise<void> {
    const group = this.group(b);
    if (group === undefined || group.members.has(user.id)) return;
    const isAdmin = c % 4 === 0;
    await joins(user, this.adminOf(group), group.id, isAdmin ? 'admin' : 'member');
    group.members.set(user.id, { isAdmin, profile: null });
  }

  private async leave(user: TestUser, b: number): Promise<void> {
    const group = this.group(b);
    if (group === undefined || !group.members.has(user.id) || group.members.size === 1) return;
    const { body } = await user.delete(`/groups/${group.id}/members/${user.id}`);
    group.members.delete(user.id);
    group.sharedIn.delete(user.id);
    const hasAdmin = [...group.members.values()].some(({ isAdmin }) => isAdmin);
    const [first] = group.members.keys();
    expect(body).toMatchObject({ group_active: true, new_admin_id: hasAdmin ? null : first });
    if (!hasAdmin) Object.assign(group.members.get(first as string) as object, { isAdmin: true });
  }

  private async groupNode(b: number, c: number): Promise<void> {
    const group = this.group(b);
    if (group === undefined) return;
    const names = chosen(['x', 'y'], c);
    const admin = this.adminOf(group);
    const body = { title: `group ${b}`, node_type: 'note', tags: names };
    const made = await admin.post(`/groups/${group.id}/nodes`, body);
    const known = await this.groupTags(group);
    const tags = names.map((name) => known.get(name) as string);
    this.model.nodes.push({ id: made.body.id, owner: group.id, tags: new Set(tags), isDeleted: false });
  }

  private async groupTags(group: NaiveGroup): Promise<Map<string, string>> {
    const { body } = await this.adminOf(group).get(`/groups/${group.id}/tags`);
    return new Map(body.tags.map(({ id, name }: { id: string; name: string }) => [name, id]));
  }

  private async assign(user: TestUser, b: number, c: number): Promise<void> {
    const group = this.group(b);
    const member = group?.members.get(user.id);
    if (group === undefined || member === undefined) return;
    const path = `/groups/${group.id}/exposure-profiles`;
    const tags = [...(await this.groupTags(group)).values()];
    const profile = await this.profile(this.adminOf(group), path, { tags, c });
    const assigned = await this.adminOf(group).put(`/groups/${group.id}/members/${user.id}`, {
      exposure_profile_id: profile.id,
    });
    expect(assigned.status).toBe(200);
    member.profile = profile;
  }

  private async shareIn(user: TestUser, b: number, c: number): Promise<void> {
    const group = this.group(b);
    if (group === undefined || !group.members.has(user.id)) return;
    const path = `/groups/${group.id}/share`;
    if (c % 5 === 0 && group.sharedIn.delete(user.id)) {
      expect((await user.delete(path)).status).toBe(200);
      return;
    }
    const profile = await this.profile(user, '/exposure-profiles', { tags: this.tagsOf(user.id), c });
    const method = group.sharedIn.has(user.id) ? 'PUT' : 'POST';
    expect((await user.send(method, path, { exposure_profile_id: profile.id })).status).toBeLessThan(300);
    group.sharedIn.set(user.id, profile);
  }

  private async profile(
    owner: TestUser,
    path: string,
    { tags, c }: { tags: string[]; c: number },
  ): Promise<NaiveProfile> {
    const reads = c % 2 === 0 ? 'all' : chosen(tags, c);
    const excludes = c % 3 === 0 ? tags.slice(0, 1) : [];
    const made = await owner.post(path, {
      name: `profile ${this.world.number()}`,
      tag_permissions: { read: reads === 'all' ? allTags : someTags(...reads) },
      schema_permissions: allSchemas,
      excluded_tag_ids: excludes,
    });
    expect(made.status).toBe(201);
    const profile: NaiveProfile = { id: made.body.id, reads, excludes, isActive: true };
    this.profiles.push({ profile, path: `${path}/${profile.id}`, owner });
    return profile;
  }

  private async switchProfile(a: number, c: number): Promise<void> {
    const found = this.profiles[a % Math.max(1, this.profiles.length)];
    if (found === undefined) return;
    const { status } = await found.owner.put(found.path, { is_active: c % 2 === 0 });
    // In a group, the member who made the profile may have left, or may no longer be an admin.
    if (status === 200) found.profile.isActive = c % 2 === 0;
  }

  userOf(id: string): TestUser {
    return this.users.find((user) => user.id === id) as TestUser;
  }
}

const chosen = <T>(list: readonly T[], number: number): T[] =>
  list.filter((_, index) => (number >> index) % 2 === 1);

const rightsOf = (c: number) => ({
  can_read: true,
  can_write: c % 2 === 0,
  can_delete: c % 5 === 0,
  can_share: c % 3 !== 0,
});

const naiveRights = (c: number) => ({ canWrite: c % 2 === 0, canDelete: c % 5 === 0, canShare: c % 3 !== 0 });

const blank = (id: string, sharer: TestUser, recipient: TestUser): NaiveShare => ({
  id,
  sharer: sharer.id,
  recipient: recipient.id,
  scope: 'all',
  tags: [],
  nodes: [],
  canWrite: false,
  canDelete: false,
  canShare: false,
  isRevoked: false,
  isOfFollow: false,
  parent: null,
});
