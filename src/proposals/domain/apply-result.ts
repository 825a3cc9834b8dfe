import { type JsonObject, nodeNotFound } from '../../graph/index.js';
import { namedNodes } from './named-things.js';
import { type Step } from './proposal-content.js';

/** The reason that an action was not applied. */
export interface ActionError {
  action_id: string;
  type: string;
  code: string;
  message: string;
  /** Set for a conflict: names of paths that changed since the base of the action. */
  fields?: readonly string[];
  /** Existing nodes that the action names: to viewers who cannot read them they are absent. */
  node_ids?: readonly string[];
}

/** The result of applying (rule 8.7). */
export interface ApplyResult {
  nodes_created: number;
  relationships_created: number;
  tags_created: number;
  errors: ActionError[];
  created: { node_ids: string[]; relationship_ids: string[]; tag_ids: string[] };
}

/** The result of a proposal that is not applied because it would show apps something else than its approval said. */
export const notAsApproved = (steps: readonly Step[]): ApplyResult =>
  applyResult(
    [],
    steps.map((step) => ({
      action_id: step.id,
      type: step.type,
      code: NOT_APPLIED,
      message: NOT_AS_APPROVED,
      node_ids: namedNodes(step),
    })),
  );

const NOT_AS_APPROVED =
  'What this shows to apps has changed since it was approved, or is not compared completely: review and approve it ' +
  'again; with incomplete disclosures, apply it yourself';

export interface Made {
  nodeIds?: readonly string[];
  relationshipIds?: readonly string[];
  tagIds?: readonly string[];
}

export function applyResult(made: readonly Made[], errors: ActionError[]): ApplyResult {
  const created = {
    node_ids: made.flatMap(({ nodeIds = [] }) => nodeIds),
    relationship_ids: made.flatMap(({ relationshipIds = [] }) => relationshipIds),
    tag_ids: made.flatMap(({ tagIds = [] }) => tagIds),
  };
  return {
    nodes_created: created.node_ids.length,
    relationships_created: created.relationship_ids.length,
    tags_created: created.tag_ids.length,
    errors,
    created,
  };
}

export interface Viewer {
  isOwner: boolean;
  canRead: (nodeId: string) => boolean;
  /** True if the field is shown as it is stored. */
  showsPlainly: (field: string) => boolean;
  /** True if no relationship is hidden. */
  seesEverything: boolean;
}

/**
 * Errors as one viewer may see them. To an app, an action about a node that it cannot read (any longer) reads
 * like one about an absent node, and no text reveals the node's content.
 */
export function shownErrors(errors: readonly ActionError[], viewer: Viewer): JsonObject[] {
  return errors.map(({ node_ids = [], ...error }) => {
    if (viewer.isOwner) return { ...error };
    if (!node_ids.every((id) => viewer.canRead(id))) {
      const { code, message } = nodeNotFound();
      return { action_id: error.action_id, type: error.type, code, message };
    }
    const fields = error.fields?.filter((field) => viewer.showsPlainly(field));
    const mayHide =
      !viewer.showsPlainly('metadata') || (error.type === 'MERGE_NODES' && !viewer.seesEverything);
    const isUnseen = fields?.length === 0 || (OF_CONTENT.has(error.code) && mayHide);
    const { action_id, type } = error;
    const code = isUnseen ? NOT_APPLIED : error.code;
    const message = MESSAGES[code] ?? 'This action could not be applied';
    return { action_id, type, code, message, ...(fields === undefined || isUnseen ? {} : { fields }) };
  });
}

/** Codes of errors that may be due to a hidden part of the node, or, of a merge, to hidden relationships. */
const OF_CONTENT = new Set(['SCHEMA_VALIDATION_FAILED', 'VALIDATION_ERROR']);

export const CONFLICT = 'The fields have changed since this action was proposed';

export const NOT_APPLIED = 'NOT_APPLIED';

const MESSAGES: Readonly<Record<string, string>> = {
  CONFLICT,
  NODE_NOT_FOUND: nodeNotFound().message,
  NOT_FOUND: 'Not found',
  NOT_APPLIED: 'This action was not applied',
};
