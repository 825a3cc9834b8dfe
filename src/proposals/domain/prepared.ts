import { type RelationshipBody, type TagChange } from '../../graph/index.js';
import { type Delta } from './deltas.js';

/**
 * What an app's words about existing things mean, made out when it wrote them, from what it was shown then: what it
 * wrote back as it read it is no change, so that redaction never destroys an original (decisions 3.17). Deltas, so that
 * what others change meanwhile stays.
 */
export interface PreparedNode {
  deltas: readonly Delta[];
  tags: TagChange;
  reason: string | null;
}

export interface PreparedStep {
  node?: PreparedNode;
  edge?: RelationshipBody;
  /** The fields that they set and that the app is not shown as they are stored: they make a version, whatever is stored (rule 3.16). */
  unseen?: readonly string[];
  /** The stored version of the node or relationship that the words are about, when the app wrote them; earlier releases kept none. */
  version?: number;
  /** The same of the nodes that a merge names, by id. */
  versions?: Readonly<Record<string, number>>;
}

/** By step. A step that needs none, or whose node the app could not see, is missing. */
export type Prepared = Readonly<Record<string, PreparedStep>>;

/** Words read again: those of unchanged steps mean what they meant about the versions of then. */
export function withEarlier(earlier: Prepared, prepared: Prepared, unchanged: ReadonlySet<string>): Prepared {
  const steps = Object.entries(prepared).map(([id, step]): [string, PreparedStep] => {
    const before = unchanged.has(id) && Object.hasOwn(earlier, id) ? earlier[id] : undefined;
    return [id, (before?.version ?? before?.versions) === undefined ? step : (before as PreparedStep)];
  });
  return Object.fromEntries(steps);
}

export const UNCHANGED: PreparedNode = { deltas: [], tags: { added: [], removed: [] }, reason: null };
