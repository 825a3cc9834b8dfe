import { type SharedNodes } from './shared-access.js';
import { isInForce, shareScopes, type EffectiveShare, uniteVisibilities } from './effective-share.js';
import { type Visibility, visibility } from './visibility.js';

/** The shares of one owner's graph to one recipient that differ in nothing but their nodes or tags, as one. */
interface ReceivedGrant extends Pick<EffectiveShare, 'canRead' | 'canWrite' | 'canDelete' | 'expiresAt'> {
  ownerId: string;
  /** Null: not restricted to nodes. */
  nodeIds: Set<string> | null;
  /** A node needs a tag of each list. */
  tagLists: Set<string>[];
}

const NO_TAGS: ReadonlySet<string> = new Set();

/** The size of a grant without ids. */
const GRANT_BYTES = 1024;
/** An id in its set, in the lists of up to three verbs, and in the index of nodes with its list of owners. */
const ID_BYTES = 400;

/**
 * All that a recipient is granted, made from their shares one by one: the lists of a share are not kept, so
 * that any number of shares of the same nodes or tags takes the memory of one.
 */
export class ReceivedGrants {
  private readonly grants = new Map<string, ReceivedGrant>();
  private readonly tags = new Map<string, Set<string>>();

  get isEmpty(): boolean {
    return this.grants.size === 0;
  }

  /** The tags, living and deleted, that the grants of one owner's nodes name. */
  tagIdsOf(ownerId: string): ReadonlySet<string> {
    return this.tags.get(ownerId) ?? NO_TAGS;
  }

  /** An estimate of the memory that the grants, and the decisions made from them, take. */
  get bytes(): number {
    let bytes = GRANT_BYTES;
    for (const { nodeIds, tagLists } of this.grants.values()) {
      const ids = tagLists.reduce((sum, list) => sum + list.size, nodeIds?.size ?? 0);
      bytes += GRANT_BYTES + ids * ID_BYTES;
    }
    return bytes;
  }

  /** Adds a share that is not revoked, with its ids; shares that are revoked through a parent are left out. */
  add(worth: EffectiveShare): void {
    const [share] = worth.chain;
    if (share === undefined || !worth.isLiving) return;
    const { tagLists, nodeIds } = shareScopes(worth);
    // Lists of tags unite only where nothing else restricts the nodes.
    const isUnited = tagLists.length === 0 || (tagLists.length === 1 && nodeIds === null);
    const { canRead, canWrite, canDelete, expiresAt } = worth;
    const key = JSON.stringify([
      share.graphOwnerId,
      [canRead, canWrite, canDelete, expiresAt],
      nodeIds === null,
      isUnited
        ? tagLists.length
        : worth.chain.map(({ ownerId, id, scope }) => scope === 'specific_tags' && [ownerId, id]),
    ]);
    const known = this.grants.get(key) ?? {
      ownerId: share.graphOwnerId,
      canRead,
      canWrite,
      canDelete,
      expiresAt,
      nodeIds: nodeIds && new Set(),
      tagLists: tagLists.map(() => new Set<string>()),
    };
    nodeIds?.forEach((id) => known.nodeIds?.add(id));
    tagLists.forEach((list, index) => list.forEach((id) => known.tagLists[index]?.add(id)));
    const tags = this.tags.get(share.graphOwnerId) ?? new Set<string>();
    tagLists.forEach((list) => list.forEach((id) => tags.add(id)));
    if (tags.size > 0) this.tags.set(share.graphOwnerId, tags);
    this.grants.set(key, known);
  }

  /** The owners of what is granted now. */
  ownerIds(now: Date): string[] {
    return [...new Set(this.inForce(now).map(({ ownerId }) => ownerId))].sort();
  }

  /** The first end of a grant that is in force now; infinite if none ends. */
  firstEnd(now: Date): number {
    const ends = this.inForce(now).flatMap(({ expiresAt }) => expiresAt?.getTime() ?? []);
    return ends.reduce((first, end) => Math.min(first, end), Infinity);
  }

  /** The nodes of each owner that are granted now. */
  nodes(now: Date, isLivingTag: (ownerId: string, id: string) => boolean): SharedNodes[] {
    const byOwner = new Map<string, ReceivedGrant[]>();
    for (const grant of this.inForce(now)) {
      const others = byOwner.get(grant.ownerId);
      if (others) others.push(grant);
      else byOwner.set(grant.ownerId, [grant]);
    }
    return [...byOwner].map(([ownerId, grants]) => {
      const those = (has: (grant: ReceivedGrant) => boolean): Visibility =>
        uniteVisibilities(
          grants.filter(has).map((grant) => grantVisibility(grant, (id) => isLivingTag(ownerId, id))),
        );
      return {
        ownerId,
        read: those(({ canRead }) => canRead),
        edit: those(({ canWrite }) => canWrite),
        delete: those(({ canDelete }) => canDelete),
      };
    });
  }

  private inForce(now: Date): ReceivedGrant[] {
    return [...this.grants.values()].filter(({ expiresAt }) => isInForce({ isLiving: true, expiresAt }, now));
  }
}

const grantVisibility = (
  { nodeIds, tagLists }: ReceivedGrant,
  isLivingTag: (id: string) => boolean,
): Visibility =>
  visibility.and(
    nodeIds === null ? visibility.all : visibility.idIn(nodeIds),
    ...tagLists.map((ids) => visibility.taggedAny([...ids].filter(isLivingTag))),
  );
