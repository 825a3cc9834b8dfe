import { byVerb } from './ceiling.js';
import { type Access } from './access.js';
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
 * decides; for lists the accesses are compiled together.
 */
export interface Received {
  readonly accesses: readonly ReceivedAccess[];
  /** What the caller's own profile lets through of it, the same for every owner. */
  readonly within: Visibility;
  /** Equal keys mean equal decisions, as in Access. */
  readonly key: string;
  /** Sum of the owners' change counters: none of them ever falls, so an equal sum means that all stand still. */
  readonly changes: number;
}

export const NOTHING_RECEIVED: Received = {
  accesses: [],
  within: visibility.none,
  key: 'nothing received',
  changes: 0,
};

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
export function receivedAccess(
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
    exposure: isPerson ? FieldExposure.full : caller.exposure,
  };
}
