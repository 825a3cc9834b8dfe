import { type EdgeWithEnds, type RelationshipBody, type TagChange } from '../../graph/index.js';
import { type Access } from '../../privacy/index.js';
import { type Delta } from './deltas.js';

/**
 * The meaning of an app's words about existing things, resolved when it wrote them, against what it was shown
 * then: a value written back as it was read is no change, so that redaction never destroys an original (rule
 * 3.17). Stored as deltas, so that changes by others in the meantime stay.
 */
export interface PreparedNode {
  deltas: readonly Delta[];
  /** The same from what the app was shown, without anything hidden; missing where it was shown everything. */
  wished?: readonly Delta[];
  tags: TagChange;
  reason: string | null;
}

export interface PreparedStep {
  node?: PreparedNode;
  edge?: RelationshipBody;
  /**
   * The fields that they set and that the app is not shown as they are stored: they make a version for any
   * stored value (rule 3.16).
   */
  unseen?: readonly string[];
  /**
   * The stored version of the node or relationship when the app wrote the words; earlier releases stored
   * none.
   */
  version?: number;
  /** The same for the nodes that a merge names, by id. */
  versions?: Readonly<Record<string, number>>;
  /** The facts of a relationship's nodes when the app wrote its words: masks that worked then still count (rule 3.20). */
  ends?: Pick<EdgeWithEnds, 'from' | 'to'>;
  /** Marks a reading that passed over tags which the node did not have for the app. */
  isPartial?: true;
}

/** Prepared words by step. A step that needs none, or whose node the app could not see, is missing. */
export type Prepared = Readonly<Record<string, PreparedStep>>;

/**
 * Words read again: those of unchanged steps mean what they meant about the versions of then. What could not be read
 * then, because it was not there for the app, is added; a reading without it would leave things with no base.
 */
export function withEarlier(earlier: Prepared, prepared: Prepared, unchanged: ReadonlySet<string>): Prepared {
  const known = Object.entries(earlier).filter(
    ([id, { version, versions, isPartial }]) =>
      unchanged.has(id) && (version ?? versions) !== undefined && isPartial !== true,
  );
  const kept = known.map(([id, step]): [string, PreparedStep] => {
    const versions = { ...(Object.hasOwn(prepared, id) ? prepared[id]?.versions : {}), ...step.versions };
    return [id, step.versions === undefined ? step : { ...step, versions }];
  });
  return { ...prepared, ...Object.fromEntries(kept) };
}

export const UNCHANGED: PreparedNode = { deltas: [], tags: { added: [], removed: [] }, reason: null };

/** The words of a step; undefined where none are stored. Ids are the app's words: none may reach a prototype. */
export const preparedFor = (prepared: Prepared, id: string): PreparedStep | undefined =>
  Object.hasOwn(prepared, id) ? prepared[id] : undefined;

/** True for callers who are shown the metadata of all nodes as it is stored, and are judged by the whole (rule 3.16d). */
export const isMetadataShown = ({ exposure }: Access): boolean =>
  !exposure.touches('metadata') && !exposure.touches('agent_metadata');
