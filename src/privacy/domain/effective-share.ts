import { type Visibility, visibility } from './visibility.js';

/** The scopes of shares: `all` is everything of the graph owner's; the other two name tags or nodes. */
export const SHARE_SCOPES = ['all', 'specific_tags', 'specific_nodes'] as const;
export type ShareScope = (typeof SHARE_SCOPES)[number];

/** The rights of a share; each of the others implies read (rule 10.7). */
interface ShareRights {
  canRead: boolean;
  canWrite: boolean;
  canDelete: boolean;
  canShare: boolean;
}

/** The rights and times of a share. */
export interface ShareTerms extends ShareRights {
  id: string;
  /** The sharer. */
  ownerId: string;
  /** The owner of the shared nodes. */
  graphOwnerId: string;
  sharedWithUserId: string;
  parentShareId: string | null;
  scope: ShareScope;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/** A share as it is stored, as far as a decision needs it. */
export interface GrantingShare extends ShareTerms {
  tagIds: readonly string[];
  nodeIds: readonly string[];
}

/**
 * The rights and nodes of a share: for a re-share those that its whole chain of parents leaves (rule 10.8).
 * Expiry is not included; every use checks it.
 */
export interface EffectiveShare<Share extends ShareTerms = GrantingShare> extends ShareRights {
  /** True if the chain is whole, nothing in it is revoked, and every parent may be re-shared. */
  isLiving: boolean;
  /** The earliest expiry of the chain. */
  expiresAt: Date | null;
  /** The share and its parents: a node must be in the scope of every one of them. */
  chain: readonly Share[];
}

/** @param chain the share, its parent, the parent of that, … */
export function effectiveShare<Share extends ShareTerms>(chain: readonly Share[]): EffectiveShare<Share> {
  const [share, ...parents] = chain;
  if (share === undefined) throw new Error('a chain of shares has at least one');
  const every = (has: (one: ShareTerms) => boolean): boolean => chain.every(has);
  const times = chain.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt.getTime()]));
  return {
    isLiving:
      isWhole(chain) &&
      every(({ revokedAt }) => revokedAt === null) &&
      parents.every(({ canShare }) => canShare),
    canRead: every(reads),
    canWrite: every(({ canWrite }) => canWrite),
    canDelete: every(({ canDelete }) => canDelete),
    canShare: every(({ canShare }) => canShare),
    expiresAt: times.length === 0 ? null : new Date(Math.min(...times)),
    chain,
  };
}

/**
 * True if each share is by the recipient of its parent, and the last is the graph owner's own: only then has the owner
 * granted what the first one passes on (rule 10.8e). `livingReshares` is the same in SQL.
 */
function isWhole(chain: readonly ShareTerms[]): boolean {
  return chain.every(({ ownerId, graphOwnerId, parentShareId }, index) => {
    const parent = chain[index + 1];
    if (parent === undefined) return parentShareId === null && ownerId === graphOwnerId;
    return (
      parent.id === parentShareId &&
      parent.sharedWithUserId === ownerId &&
      parent.graphOwnerId === graphOwnerId
    );
  });
}

const reads = ({ canRead, canWrite, canDelete, canShare }: ShareRights): boolean =>
  canRead || canWrite || canDelete || canShare;

export const isInForce = (
  { isLiving, expiresAt }: Pick<EffectiveShare, 'isLiving' | 'expiresAt'>,
  now: Date,
): boolean => isLiving && (expiresAt === null || expiresAt > now);

/** The nodes of the graph owner that a share reaches. A deleted tag no longer grants (rule 3.11). */
export function shareVisibility(
  { chain }: Pick<EffectiveShare, 'chain'>,
  isLivingTag: (tagId: string) => boolean,
): Visibility {
  const { nodeIds, tagLists } = shareScopes({ chain });
  return visibility.and(
    nodeIds === null ? visibility.all : visibility.idIn(nodeIds),
    ...tagLists.map((tagIds) => visibility.taggedAny(tagIds.filter(isLivingTag))),
  );
}

/** The nodes that all of a chain name, null for no restriction to nodes, and the lists of tags of the others. */
export function shareScopes({ chain }: Pick<EffectiveShare, 'chain'>): {
  nodeIds: string[] | null;
  tagLists: (readonly string[])[];
} {
  const nodes = chain.filter(({ scope }) => scope === 'specific_nodes').map(({ nodeIds }) => nodeIds);
  return {
    nodeIds: nodes.length === 0 ? null : common(nodes),
    tagLists: chain.filter(({ scope }) => scope === 'specific_tags').map(({ tagIds }) => tagIds),
  };
}

function common([first = [], ...others]: readonly (readonly string[])[]): string[] {
  const sets = others.map((ids) => new Set(ids));
  return first.filter((id) => sets.every((set) => set.has(id)));
}

/**
 * The union of visibilities; several lists of ids, and of tags, become one list each, so that a thousand
 * shares are a short expression.
 */
export function uniteVisibilities(parts: readonly Visibility[]): Visibility {
  const ids = new Set<string>();
  const tagIds = new Set<string>();
  const others: Visibility[] = [];
  for (const part of parts) {
    if (part.kind === 'id-in') part.ids.forEach((id) => ids.add(id));
    else if (part.kind === 'tagged-any') part.tagIds.forEach((id) => tagIds.add(id));
    else others.push(part);
  }
  return visibility.or(visibility.taggedAny(tagIds), visibility.idIn(ids), ...others);
}
