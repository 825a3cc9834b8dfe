import { MOST_HELD_ROWS } from '../../kernel/held-rows.js';
import { type JsonObject } from '../../graph/index.js';

export const ACTION_TYPES = [
  'CREATE_NODE',
  'UPDATE_NODE',
  'DELETE_NODE',
  'MERGE_NODES',
  'CREATE_RELATIONSHIP',
  'UPDATE_RELATIONSHIP',
  'DELETE_RELATIONSHIP',
  'ADD_TAGS',
  'REMOVE_TAGS',
] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

/** The types of proposals (rule 8.2). */
export const PROPOSAL_TYPES = [...ACTION_TYPES, 'BATCH'] as const;
export type ProposalType = (typeof PROPOSAL_TYPES)[number];

/** The content of a proposal, in its app's own words. */
export interface ProposalContent {
  canonical_data: JsonObject | null;
  tags: readonly string[];
  entity_tags: JsonObject | null;
  reasoning_metadata: JsonObject | null;
  actions: readonly JsonObject[];
}

/** One step of a proposal; `payload` has the form of canonical_data for this type (rule 8.3). */
export interface Step {
  /** Unique in its proposal; granular approvals name it. */
  id: string;
  /** The name by which other steps refer to the node that this one makes. */
  ref: string | null;
  type: ActionType;
  payload: JsonObject;
  /** The position in the body, for errors. */
  path: string;
}

export const LIMITS = {
  title: 1_000,
  description: 10_000,
  steps: 100,
  /** Proposals that are submitted at once. */
  proposals: 50,
  id: 100,
  sources: 50,
  /** Existing nodes that all steps name together: an approval loads them at once. */
  namedNodes: MOST_HELD_ROWS,
  message: 10_000,
  /**
   * Characters of the paths to all changed values together: a key above many values counts, is stored and is shown for
   * each of them.
   */
  pathCharacters: 4 * 1024 * 1024,
} as const;
