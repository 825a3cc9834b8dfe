import { byVerb } from './ceiling.js';
import { type Access, isShownWhole } from './access.js';
import { FieldExposure } from './exposure/field-exposure.js';
import { ALL_SCHEMAS, ALL_TAGS, NO_TAGS } from './grants.js';
import { TagVocabulary } from './tag-vocabulary.js';
import { type Visibility, visibility } from './visibility.js';

/** What reaches a caller of one other person's graph. */
export interface ReceivedAccess extends Access {
  readonly isReceived: true;
  /** Which nodes the giver lets through, whatever the caller's own limits are. */
  readonly granted: Visibility;
}

/**
 * All that others let a caller reach: one access for each owner of nodes. For a single node the access of its owner
 * decides; for lists the accesses are compiled together. Accesses are made when they are asked for: a page of a list
 * needs those of its own nodes only, however many give.
 */
export interface Received {
  /** Owners of whose nodes something is received. */
  readonly ownerIds: readonly string[];
  readonly accesses: readonly ReceivedAccess[];
  readonly accessTo: (ownerId: string) => ReceivedAccess | undefined;
  /** Each way in which received nodes are shown, once. */
  readonly exposures: readonly FieldExposure[];
  /** The caller is shown all of each received node. */
  readonly isShownWhole: boolean;
  /** What the caller's own profile lets through of it, the same for every owner. */
  readonly within: Visibility;
  /** Equal keys mean equal decisions, as in Access. */
  readonly key: string;
  /** Sum of the owners' change counters: none of them ever falls, so an equal sum means that all stand still. */
  readonly changes: number;
  /** Where one owner's change counter stood. */
  changesOf(ownerId: string): number;
}

/** @param accesses made for this request, of few owners */
export function receivedOf(
  accesses: readonly ReceivedAccess[],
  { within, key }: Pick<Received, 'within' | 'key'>,
): Received {
  const byOwner = new Map(accesses.map((access) => [access.ownerId, access]));
  return {
    ownerIds: [...byOwner.keys()],
    accesses,
    accessTo: (ownerId) => byOwner.get(ownerId),
    exposures: [...new Set(accesses.map(({ exposure }) => exposure))],
    isShownWhole: accesses.every(isShownWhole),
    within,
    key,
    changes: accesses.reduce((sum, { changes }) => sum + changes, 0),
    changesOf: (ownerId) => byOwner.get(ownerId)?.changes ?? 0,
  };
}

export const NOTHING_RECEIVED: Received = receivedOf([], {
  within: visibility.none,
  key: 'nothing received',
});

/** What all givers give, and where their counters stood. */
export interface Given {
  readonly nodes: ReadonlyMap<string, ReceivedNodes>;
  readonly key: string;
  readonly changes: number;
  changesOf(ownerId: string): number;
}

/** @param caller to the own graph */
export function receivedFrom(caller: Access, given: Given): Received {
  const key = `${caller.key} ${given.key}`;
  const made = new Map<string, ReceivedAccess>();
  const make = (nodes: ReceivedNodes): ReceivedAccess => {
    const { ownerId } = nodes;
    const access = receivedAccess(caller, nodes, {
      key: `${key} ${ownerId}`,
      changes: given.changesOf(ownerId),
    });
    made.set(ownerId, access);
    return access;
  };
  const accessTo = (ownerId: string): ReceivedAccess | undefined => {
    const nodes = given.nodes.get(ownerId);
    return nodes && (made.get(ownerId) ?? make(nodes));
  };
  const ownerIds = [...given.nodes.keys()];
  return {
    ownerIds,
    get accesses() {
      return ownerIds.map((ownerId) => accessTo(ownerId) as ReceivedAccess);
    },
    accessTo,
    exposures: [exposureOf(caller)],
    isShownWhole: exposureOf(caller).isIdentity && RECEIVED_TAGS.discover.allowAll,
    within: caller.nodes.read,
    key,
    changes: given.changes,
    changesOf: (ownerId) => given.changesOf(ownerId),
  };
}

/** Which nodes of one owner, by what may be done with them. */
export interface ReceivedNodes {
  ownerId: string;
  read: Visibility;
  edit: Visibility;
  delete: Visibility;
}

const NO_NAMES = new TagVocabulary([]);
const RECEIVED_TAGS = { ...byVerb(() => NO_TAGS), discover: ALL_TAGS };

/**
 * Of a caller to nodes that somebody shares. Tags are the owner's instrument of privacy: a receiver reads their names
 * on the nodes received, and sets none. What an app may do with shared nodes is reading, as far as its profile lets
 * it (decisions 3.21); to write for its user it has been let into the user's own graph only.
 * @param caller to the own graph
 */
function receivedAccess(
  caller: Access,
  nodes: ReceivedNodes,
  { key, changes }: { key: string; changes: number },
): ReceivedAccess {
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
    // Names come with the nodes that carry them: only those are looked up, so none other is known.
    vocabulary: NO_NAMES,
    tags: RECEIVED_TAGS,
    schemas: isPerson ? { read: ALL_SCHEMAS, write: ALL_SCHEMAS } : caller.schemas,
    exposure: exposureOf(caller),
  };
}

/** A person is shown whole what another person shares; an app, what the profile shows it. */
const exposureOf = (caller: Access): FieldExposure => (caller.isOwner ? FieldExposure.full : caller.exposure);
