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
}

/** By step. A step that needs none, or whose node the app could not see, is missing. */
export type Prepared = Readonly<Record<string, PreparedStep>>;

export const UNCHANGED: PreparedNode = { deltas: [], tags: { added: [], removed: [] }, reason: null };
