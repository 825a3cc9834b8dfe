import { type FieldError } from '../../kernel/errors/domain-error.js';
import { isObject } from '../../kernel/json/json-values.js';
import {
  type JsonObject,
  newNodeErrors,
  NODE_BODY_FIELDS,
  isNodeField,
  nodeFieldErrors,
  RELATIONSHIP_FIELDS,
  relationshipFieldErrors,
} from '../../graph/index.js';
import { type ActionType, LIMITS, type Step } from './proposal-content.js';

type Check = (payload: JsonObject, steps: readonly Step[]) => FieldError[];

const wrong = (field: string, message: string): FieldError[] => [{ field, message }];
const id: (key: string) => Check = (key) => (payload) =>
  typeof payload[key] === 'string' && payload[key] !== '' ? [] : wrong(key, 'must be the id of one');

/** An end of a relationship, by id or by the name of a node that this proposal makes. */
const end =
  (side: 'from' | 'to'): Check =>
  (payload, steps) => {
    const [ref, nodeId] = [payload[`${side}_ref`], payload[`${side}_node_id`]];
    if ((ref === undefined) === (nodeId === undefined)) {
      return wrong(`${side}_node_id`, `either this or ${side}_ref must be there`);
    }
    if (ref === undefined) return id(`${side}_node_id`)(payload, steps);
    const isMade = steps.some((step) => step.type === 'CREATE_NODE' && (step.ref === ref || step.id === ref));
    return isMade
      ? []
      : wrong(`${side}_ref`, 'must be the ref or action id of a node that this proposal makes');
  };

const changes =
  (fields: readonly string[]): Check =>
  ({ changes }) => {
    if (!isObject(changes)) return wrong('changes', 'must be an object');
    return fields.some((field) => field in changes)
      ? []
      : wrong('changes', 'must have a field that can be changed');
  };

const tags: Check = ({ tags }) => {
  const errors = nodeFieldErrors({ tags });
  if (errors.length > 0) return errors;
  return Array.isArray(tags) && tags.length > 0 ? [] : wrong('tags', 'must be an array of names');
};

const baseVersion: Check = ({ base_version: version }) =>
  version === undefined || version === null || (Number.isSafeInteger(version) && (version as number) >= 1)
    ? []
    : wrong('base_version', 'must be an integer from 1');

const merge: Check = (payload) => {
  const { target_node_id: target, source_node_ids: sources, field_choices: choices } = payload;
  const errors = id('target_node_id')(payload, []);
  const isList =
    Array.isArray(sources) && sources.every((source) => typeof source === 'string' && source !== '');
  if (!isList || sources.length < 1 || sources.length > LIMITS.sources) {
    return [...errors, ...wrong('source_node_ids', `must be an array of 1 to ${LIMITS.sources} ids`)];
  }
  if (errors.length > 0) return errors;
  const nodes = [target as string, ...(sources as string[])].map((one) => one.toLowerCase());
  if (new Set(nodes).size !== nodes.length)
    errors.push(...wrong('source_node_ids', 'must be different nodes'));
  return [...errors, ...choiceErrors(choices, new Set([...nodes, 'target', 'source']))];
};

function choiceErrors(choices: unknown, allowed: ReadonlySet<string>): FieldError[] {
  if (choices === undefined || choices === null) return [];
  if (!isObject(choices)) return wrong('field_choices', 'must be an object');
  return Object.entries(choices).flatMap(([field, choice]) => {
    const at = `field_choices.${field}`;
    if (!isNodeField(field)) return wrong(at, 'is no field that can be chosen');
    const isNode = typeof choice === 'string' && allowed.has(choice.toLowerCase());
    return isNode ? [] : wrong(at, 'must be the id of one of the merged nodes, or target or source');
  });
}

const bidirectional: Check = ({ bidirectional }) =>
  bidirectional === undefined || typeof bidirectional === 'boolean'
    ? []
    : wrong('bidirectional', 'must be true or false');

const newRelationship: Check = (payload) => {
  const missing = payload['relationship_type'] === undefined ? wrong('relationship_type', 'is required') : [];
  const { from_node_id: from, to_node_id: to, from_ref: fromRef, to_ref: toRef } = payload;
  const isLoop =
    (typeof from === 'string' && typeof to === 'string' && from.toLowerCase() === to.toLowerCase()) ||
    (fromRef !== undefined && fromRef === toRef);
  const loop = isLoop ? wrong('to_node_id', 'must be another node than from_node_id') : [];
  return [...missing, ...loop, ...relationshipFieldErrors(payload)];
};

const CHECKS: Readonly<Record<ActionType, readonly Check[]>> = {
  CREATE_NODE: [(payload) => newNodeErrors(payload)],
  UPDATE_NODE: [id('node_id'), changes(NODE_BODY_FIELDS), baseVersion],
  DELETE_NODE: [id('node_id'), baseVersion],
  MERGE_NODES: [merge],
  CREATE_RELATIONSHIP: [end('from'), end('to'), bidirectional, newRelationship],
  UPDATE_RELATIONSHIP: [id('relationship_id'), changes(RELATIONSHIP_FIELDS)],
  DELETE_RELATIONSHIP: [id('relationship_id')],
  ADD_TAGS: [id('node_id'), tags, baseVersion],
  REMOVE_TAGS: [id('node_id'), tags, baseVersion],
};

/** The violations of a step's form. Values of changes are checked once their meaning is resolved. */
export function stepErrors(step: Step, steps: readonly Step[]): FieldError[] {
  const errors = CHECKS[step.type].flatMap((check) => check(step.payload, steps));
  return errors.map(({ field, message }) => ({ field: `${step.path}.${field}`, message }));
}
