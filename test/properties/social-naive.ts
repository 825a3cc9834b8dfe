/**
 * Rules 10 again, written from their text alone and as plainly: the readers and writers of one node, one
 * person at a time. Shares no code with the service.
 */
export interface NaiveNode {
  id: string;
  /** A user or a group. */
  owner: string;
  /** Deleted tags included. */
  tags: Set<string>;
  isDeleted: boolean;
}

export interface NaiveShare {
  id: string;
  sharer: string;
  recipient: string;
  scope: 'all' | 'specific_tags' | 'specific_nodes';
  tags: string[];
  nodes: string[];
  canWrite: boolean;
  canDelete: boolean;
  canShare: boolean;
  isRevoked: boolean;
  isOfFollow: boolean;
  parent: NaiveShare | null;
}

export interface NaiveProfile {
  id: string;
  reads: 'all' | string[];
  excludes: string[];
  isActive: boolean;
}

export interface NaiveGroup {
  id: string;
  members: Map<string, { isAdmin: boolean; profile: NaiveProfile | null }>;
  sharedIn: Map<string, NaiveProfile>;
}

export class NaiveWorld {
  readonly nodes: NaiveNode[] = [];
  readonly deletedTags = new Set<string>();
  readonly shares: NaiveShare[] = [];
  readonly groups: NaiveGroup[] = [];

  isInForce(share: NaiveShare): boolean {
    if (share.isRevoked) return false;
    return share.parent === null || (share.parent.canShare && this.isInForce(share.parent));
  }

  /** True if the share and everything above it has the right. */
  has(share: NaiveShare, right: 'canWrite' | 'canDelete' | 'canShare'): boolean {
    return share[right] && (share.parent === null || this.has(share.parent, right));
  }

  covers(share: NaiveShare, node: NaiveNode): boolean {
    if (share.parent !== null && !this.covers(share.parent, node)) return false;
    if (share.scope === 'specific_nodes') return share.nodes.includes(node.id);
    if (node.owner !== share.sharer) return false;
    if (share.scope === 'all') return true;
    return share.tags.some((tag) => node.tags.has(tag) && !this.deletedTags.has(tag));
  }

  private received(viewer: string, node: NaiveNode): NaiveShare[] {
    if (node.isDeleted) return [];
    return this.shares.filter(
      (share) => share.recipient === viewer && this.isInForce(share) && this.covers(share, node),
    );
  }

  sees(viewer: string, node: NaiveNode): boolean {
    if (node.owner === viewer) return !node.isDeleted;
    return this.received(viewer, node).length > 0;
  }

  may(viewer: string, node: NaiveNode, right: 'canWrite' | 'canDelete' | 'canShare'): boolean {
    if (node.owner === viewer) return !node.isDeleted;
    return this.received(viewer, node).some((share) => this.has(share, right));
  }

  /** Shares by which these nodes could be re-shared together. */
  parents(sharer: string, nodes: readonly NaiveNode[]): NaiveShare[] {
    return this.shares.filter(
      (share) =>
        share.recipient === sharer &&
        this.isInForce(share) &&
        this.has(share, 'canShare') &&
        nodes.every((node) => !node.isDeleted && this.covers(share, node)),
    );
  }

  seesInGroup(viewer: string, group: NaiveGroup, node: NaiveNode): boolean {
    const member = group.members.get(viewer);
    if (member === undefined || node.isDeleted) return false;
    const reader = member.isAdmin ? null : member.profile;
    if (node.owner === group.id) return reader === null || this.lets(reader, node.tags);
    const sharer = group.sharedIn.get(node.owner);
    if (sharer === undefined || !group.members.has(node.owner)) return false;
    return this.lets(sharer, node.tags) && (reader === null || this.lets(reader, new Set()));
  }

  private lets({ reads, excludes, isActive }: NaiveProfile, tags: ReadonlySet<string>): boolean {
    if (!isActive || excludes.some((tag) => tags.has(tag))) return false;
    return reads === 'all' || reads.some((tag) => tags.has(tag) && !this.deletedTags.has(tag));
  }
}
