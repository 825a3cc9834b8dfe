import { byVerb } from './ceiling.js';
import { type Access, isShownWhole } from './access.js';
import { FieldExposure } from './exposure/field-exposure.js';
import { ALL_SCHEMAS, ALL_TAGS, NO_TAGS } from './grant-sets.js';
import { TagVocabulary } from './tags/tag-vocabulary.js';
import { type Visibility, visibility } from './visibility.js';

/** The access of a caller to one other person's graph. */
export interface SharedAccess extends Access {
  readonly isReceived: true;
  /** The nodes that the sharer lets through, regardless of the caller's own limits. */
  readonly granted: Visibility;
}

/**
 * The incoming shares of a caller: one access for each owner of nodes. For a single node the access of its
 * owner decides; for lists the accesses are compiled together. Accesses are made on demand: a page of a list
 * needs only those of its own nodes, for any number of sharers.
 */
export interface IncomingShares {
  /** Owners of shared nodes. */
  readonly ownerIds: readonly string[];
  readonly accesses: readonly SharedAccess[];
  readonly accessTo: (ownerId: string) => SharedAccess | undefined;
  /** The nodes among these that shares name by id, each with the owner of the share's nodes. */
  named(nodeIds: readonly string[]): NamedNode[];
  /** The distinct exposures of shared nodes. */
  readonly exposures: readonly FieldExposure[];
  /** True if the caller is shown all of each shared node. */
  readonly isShownWhole: boolean;
  /** The nodes that the caller's own profile lets through, the same for every owner. */
  readonly within: Visibility;
  /** Equal keys mean equal decisions, as in Access. */
  readonly key: string;
  /**
   * The sum of the owners' change counters: none of them ever falls, so an equal sum means that none has
   * moved.
   */
  readonly changes: number;
  /** The change counter of one owner. */
  changesOf(ownerId: string): number;
}

/** A node that a share names; it may not exist, or be another owner's. */
export interface NamedNode {
  ownerId: string;
  id: string;
}

/** The owners whose shares name a node, by its id. */
type OwnersByNode = ReadonlyMap<string, readonly string[]>;

function ownersByNode(shared: Iterable<{ ownerId: string; read: Visibility }>): OwnersByNode {
  const found = new Map<string, string[]>();
  for (const { ownerId, read } of shared)
    for (const id of new Set(idsIn(read))) {
      const owners = found.get(id);
      if (owners) owners.push(ownerId);
      else found.set(id, [ownerId]);
    }
  return found;
}

function idsIn(nodes: Visibility): readonly string[] {
  if (nodes.kind === 'id-in') return nodes.ids;
  return nodes.kind === 'and' || nodes.kind === 'or' ? nodes.parts.flatMap(idsIn) : [];
}

const namedIn = (owners: OwnersByNode, nodeIds: readonly string[]): NamedNode[] =>
  [...new Set(nodeIds.map((id) => id.toLowerCase()))].flatMap((id) =>
    (owners.get(id) ?? []).map((ownerId) => ({ ownerId, id })),
  );

/** @param accesses made for this request, of few owners */
export function incomingSharesOf(
  accesses: readonly SharedAccess[],
  { within, key }: Pick<IncomingShares, 'within' | 'key'>,
): IncomingShares {
  const byOwner = new Map(accesses.map((access) => [access.ownerId, access]));
  return {
    ownerIds: [...byOwner.keys()],
    accesses,
    accessTo: (ownerId) => byOwner.get(ownerId),
    named: (ids) =>
      namedIn(ownersByNode(accesses.map(({ ownerId, granted: read }) => ({ ownerId, read }))), ids),
    exposures: [...new Set(accesses.map(({ exposure }) => exposure))],
    isShownWhole: accesses.every(isShownWhole),
    within,
    key,
    changes: accesses.reduce((sum, { changes }) => sum + changes, 0),
    changesOf: (ownerId) => byOwner.get(ownerId)?.changes ?? 0,
  };
}

export const NO_INCOMING_SHARES: IncomingShares = incomingSharesOf([], {
  within: visibility.none,
  key: 'nothing received',
});

/** The grants of all sharers, and their counters. */
export interface GrantsOfSharers {
  readonly nodes: ReadonlyMap<string, SharedNodes>;
  readonly key: string;
  readonly changes: number;
  changesOf(ownerId: string): number;
}

/** The index of nodes by id, made once for each decision about shares. */
const namedNodes = new WeakMap<GrantsOfSharers['nodes'], OwnersByNode>();

function namedByShares(nodes: GrantsOfSharers['nodes']): OwnersByNode {
  let owners = namedNodes.get(nodes);
  if (owners === undefined) namedNodes.set(nodes, (owners = ownersByNode(nodes.values())));
  return owners;
}

/** @param caller the access to the own graph */
export function incomingShares(caller: Access, given: GrantsOfSharers): IncomingShares {
  const key = `${caller.key} ${given.key}`;
  const made = new Map<string, SharedAccess>();
  const make = (nodes: SharedNodes): SharedAccess => {
    const { ownerId } = nodes;
    const access = sharedAccess(caller, nodes, {
      key: `${key} ${ownerId}`,
      changes: given.changesOf(ownerId),
    });
    made.set(ownerId, access);
    return access;
  };
  const accessTo = (ownerId: string): SharedAccess | undefined => {
    const nodes = given.nodes.get(ownerId);
    return nodes && (made.get(ownerId) ?? make(nodes));
  };
  const ownerIds = [...given.nodes.keys()];
  return {
    ownerIds,
    get accesses() {
      return ownerIds.map((ownerId) => accessTo(ownerId) as SharedAccess);
    },
    accessTo,
    named: (ids) => namedIn(namedByShares(given.nodes), ids),
    exposures: [exposureOf(caller)],
    isShownWhole: exposureOf(caller).isIdentity && RECEIVED_TAGS.discover.allowAll,
    within: caller.nodes.read,
    key,
    changes: given.changes,
    changesOf: (ownerId) => given.changesOf(ownerId),
  };
}

/** The nodes of one owner, by verb. */
export interface SharedNodes {
  ownerId: string;
  read: Visibility;
  edit: Visibility;
  delete: Visibility;
}

const NO_NAMES = new TagVocabulary([]);
const RECEIVED_TAGS = { ...byVerb(() => NO_TAGS), discover: ALL_TAGS };

/**
 * The access of a caller to nodes that another person shares. Tags are the owner's instrument of privacy: a
 * recipient reads their names on the shared nodes, and sets none. An app may only read shared nodes, as far
 * as its profile allows (rule 3.21); its authorization to write covers the user's own graph only.
 * @param caller the access to the own graph
 */
function sharedAccess(
  caller: Access,
  nodes: SharedNodes,
  { key, changes }: { key: string; changes: number },
): SharedAccess {
  const isPerson = caller.isOwner;
  const { and, none } = visibility;
  return {
    ...caller,
    ownerId: nodes.ownerId,
    isOwner: false,
    isReceived: true,
    receives: false,
    key,
    changes,
    granted: nodes.read,
    nodes: {
      read: and(caller.nodes.read, nodes.read),
      propose: none,
      edit: isPerson ? nodes.edit : none,
      delete: isPerson ? nodes.delete : none,
    },
    // Names arrive with the nodes that carry them: only those are looked up, so no other is revealed.
    vocabulary: NO_NAMES,
    tags: RECEIVED_TAGS,
    schemas: isPerson ? { read: ALL_SCHEMAS, write: ALL_SCHEMAS } : caller.schemas,
    exposure: exposureOf(caller),
  };
}

/** A person is shown whole what another person shares; an app, the part that the profile shows it. */
const exposureOf = (caller: Access): FieldExposure => (caller.isOwner ? FieldExposure.full : caller.exposure);
