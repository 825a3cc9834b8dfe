import { DomainError, type FieldError } from '../../kernel/errors/domain-error.js';
import { isObject } from '../../kernel/json/json-values.js';
import { type JsonObject, nodeFieldErrors } from '../../graph/index.js';
import {
  ACTION_TYPES,
  type ActionType,
  LIMITS,
  type ProposalContent,
  type ProposalType,
  type Step,
} from './proposal-content.js';
import { pathCharacters } from './deltas.js';
import { countNamed } from './named-things.js';
import { stepErrors } from './step-shapes.js';

/**
 * The steps of a proposal's content in order: its actions if it has any, else its canonical data. Steps that make nodes
 * come first, so that others can refer to them. Empty: nothing is proposed yet. Bounds are not judged: content that was
 * stored before a bound must remain readable.
 * @throws VALIDATION_ERROR for content without the form of its type (rule 8.3)
 */
export function stepsOf(type: ProposalType, content: ProposalContent): Step[] {
  const steps =
    content.actions.length > 0 ? ofActions(type, content.actions, 'actions') : ofCanonical(type, content);
  const makesNode = ({ type }: Step) => type === 'CREATE_NODE';
  return [...steps.filter(makesNode), ...steps.filter((step) => !makesNode(step))];
}

/** @throws VALIDATION_ERROR naming everything in new content that breaks the form of its type or a bound (rule 8.3) */
export function refuseContent(type: ProposalType, content: ProposalContent): void {
  refuseTags(content);
  const steps = stepsOf(type, content);
  const path = content.actions.length > 0 ? 'actions' : 'canonical_data';
  if (steps.length > LIMITS.steps)
    throw DomainError.validation(path, `must not be more than ${LIMITS.steps}`);
  const errors = [...doubles(steps), ...steps.flatMap((step) => stepErrors(step, steps))];
  if (errors.length > 0) throw DomainError.validations(errors);
  if (countNamed(steps) > LIMITS.namedNodes)
    throw DomainError.validation(path, `must not name more than ${LIMITS.namedNodes} existing nodes`);
  const characters = steps.reduce((sum, { payload }) => sum + pathCharacters(payload['changes']), 0);
  if (characters > LIMITS.pathCharacters) throw DomainError.validation(path, TOO_LONG_PATHS);
}

const TOO_LONG_PATHS = `must not change values whose paths have more than ${LIMITS.pathCharacters} characters together; a key above several values counts for each`;

function refuseTags({ tags, entity_tags: byEntity }: ProposalContent): void {
  const named = (names: unknown, path: string): FieldError[] =>
    (Array.isArray(names)
      ? nodeFieldErrors({ tags: names })
      : [{ field: 'tags', message: 'must be an array' }]
    ).map(({ field, message }) => ({ field: field.replace('tags', path), message }));
  const errors = [
    ...named(tags, 'tags'),
    ...Object.entries(byEntity ?? {}).flatMap(([entity, names]) => named(names, `entity_tags.${entity}`)),
  ];
  if (errors.length > 0) throw DomainError.validations(errors);
}

function ofCanonical(type: ProposalType, { canonical_data: data }: ProposalContent): Step[] {
  if (data === null || Object.keys(data).length === 0) return [];
  const path = 'canonical_data';
  if (type === 'BATCH') {
    const { actions } = data;
    if (!Array.isArray(actions)) throw DomainError.validation(path, 'must contain `actions` for a BATCH');
    return ofActions(type, actions, `${path}.actions`);
  }
  if (type !== 'CREATE_NODE') return [{ id: 'action-1', ref: null, type, payload: data, path }];
  if (!('nodes' in data) && !('relationships' in data)) return [nodeStep(data, 'node-1', path)];
  return [
    ...listed(data, 'nodes').map((node, index) =>
      nodeStep(node, `node-${index + 1}`, `${path}.nodes.${index}`),
    ),
    ...listed(data, 'relationships').map((payload, index) => ({
      id: nameIn(payload, 'id') ?? `relationship-${index + 1}`,
      ref: null,
      type: 'CREATE_RELATIONSHIP' as const,
      payload,
      path: `${path}.relationships.${index}`,
    })),
  ];
}

function nodeStep(payload: JsonObject, fallback: string, path: string): Step {
  const ref = nameIn(payload, 'ref');
  return { id: ref ?? fallback, ref, type: 'CREATE_NODE', payload, path };
}

function listed(data: JsonObject, key: string): JsonObject[] {
  const list = data[key] ?? [];
  if (!Array.isArray(list) || !list.every(isObject)) {
    throw DomainError.validation(`canonical_data.${key}`, 'must be an array of objects');
  }
  return list;
}

function ofActions(type: ProposalType, actions: readonly unknown[], path: string): Step[] {
  const errors: FieldError[] = [];
  const steps = actions.flatMap((action, index) => {
    const at = `${path}.${index}`;
    const wrong = actionErrors(type, action, at);
    errors.push(...wrong);
    return wrong.length > 0 ? [] : [actionStep(action as JsonObject, index, at)];
  });
  if (errors.length > 0) throw DomainError.validations(errors);
  return steps;
}

function actionStep(action: JsonObject, index: number, path: string): Step {
  const payload = action['payload'] as JsonObject;
  const id = nameIn(action, 'id') ?? `action-${index + 1}`;
  return {
    id,
    ref: nameIn(payload, 'ref'),
    type: action['type'] as ActionType,
    payload,
    path: `${path}.payload`,
  };
}

function actionErrors(proposalType: ProposalType, action: unknown, path: string): FieldError[] {
  if (!isObject(action)) return [{ field: path, message: 'must be an object' }];
  const { id, type, payload } = action;
  const errors: FieldError[] = [];
  if (id !== undefined && nameIn(action, 'id') === null) {
    errors.push({ field: `${path}.id`, message: `must be a string of 1 to ${LIMITS.id} characters` });
  }
  const allowed = typesWithin(proposalType);
  if (!allowed.includes(type as ActionType)) {
    errors.push({ field: `${path}.type`, message: `must be one of ${allowed.join(', ')}` });
  }
  if (!isObject(payload)) errors.push({ field: `${path}.payload`, message: 'must be an object' });
  return errors;
}

/** The action types that a proposal's type allows: a reviewer may rely on the type. */
function typesWithin(type: ProposalType): readonly ActionType[] {
  if (type === 'BATCH') return ACTION_TYPES;
  return type === 'CREATE_NODE' ? ['CREATE_NODE', 'CREATE_RELATIONSHIP'] : [type];
}

function nameIn(object: JsonObject, key: string): string | null {
  const name = object[key];
  return typeof name === 'string' && name.length > 0 && name.length <= LIMITS.id ? name : null;
}

function doubles(steps: readonly Step[]): FieldError[] {
  const taken = new Set<string>();
  return steps.flatMap(({ id, ref, path }) => {
    const names = [...new Set([id, ...(ref === null ? [] : [ref])])];
    const isDouble = names.some((name) => taken.has(name));
    for (const name of names) taken.add(name);
    return isDouble
      ? [{ field: path, message: `has the id or ref of another one (${names.join(', ')})` }]
      : [];
  });
}
