import { type ChangeFacts, type RecordedChange } from '../../kernel/change-log/change.js';
import { FieldExposure } from './exposure/field-exposure.js';
import {
  type GrantingShare,
  isInForce,
  shareVisibility,
  type EffectiveShare,
  effectiveShare,
} from './effective-share.js';
import { type NodeFacts, sees, type Visibility } from './visibility.js';

/** Another person, app or group that reads nodes of a graph. */
export interface Onlooker {
  read: Visibility;
  exposure: FieldExposure;
  expiresAt: Date | null;
}

/**
 * The recipients of shares. One is added for all shares of equal visibility, up to the latest end of them; shares that
 * are over or show nothing add none.
 */
export function addOnlookersOfShares(
  united: Map<string, Onlooker>,
  chains: readonly (readonly GrantingShare[])[],
  { isLivingTag, now }: { isLivingTag: (tagId: string) => boolean; now: Date },
): void {
  for (const worth of chains.map(effectiveShare).filter((one) => isInForce(one, now))) {
    const read = shareVisibility(worth, isLivingTag);
    if (read.kind === 'none') continue;
    const name = scopesOf(worth);
    const expiresAt = latest(worth.expiresAt, united.get(name)?.expiresAt);
    united.set(name, { read, exposure: FieldExposure.full, expiresAt });
  }
}

const scopesOf = ({ chain }: EffectiveShare): string =>
  JSON.stringify(chain.map(({ scope, tagIds, nodeIds }) => [scope, [...tagIds].sort(), [...nodeIds].sort()]));

/** The later end. Null is no end, undefined no time at all. */
export const latest = (one: Date | null, other: Date | null | undefined): Date | null => {
  if (other === undefined) return one;
  return one === null || other === null ? null : one > other ? one : other;
};

/**
 * The ids of the nodes that any onlooker is newly shown, or shown more of, in steps: there may be a hundred nodes and
 * thousands of onlookers.
 */
export function* shownMore(
  moved: readonly MovedNode[],
  onlookers: readonly Onlooker[],
): Generator<undefined, string[]> {
  const shown: string[] = [];
  for (const node of moved) {
    for (const onlooker of onlookers) {
      yield;
      if (!isShownMore(onlooker, node)) continue;
      shown.push(node.id);
      break;
    }
  }
  return shown;
}

/**
 * True if a move to another type or schema could show the onlooker the node, or more of it, with whatever tags: those
 * may come later.
 */
function isOpenedByKind({ read, exposure }: Onlooker, { id, from, to }: MovedNode): boolean {
  if (from === null) return false;
  const before = { id, ...to, nodeType: from.nodeType, schemaId: from.schemaId };
  const after = { id, ...to };
  if (before.nodeType === after.nodeType && before.schemaId === after.schemaId) return false;
  const isWider = couldSee(read, after) && couldOpen(read, { before, after });
  return isWider || exposure.loosens({ before, after, isKnownTag: () => false });
}

/** True if any of the moves is an opening one for any onlooker, in steps. */
export function* anyOpened(
  moved: readonly MovedNode[],
  onlookers: readonly Onlooker[],
): Generator<undefined, boolean> {
  for (const node of moved) {
    for (const onlooker of onlookers) {
      yield;
      if (isOpenedByKind(onlooker, node)) return true;
    }
  }
  return false;
}

/** True if the expression lets the node through with some tags. */
function couldSee(expression: Visibility, facts: NodeFacts, ofTags = true): boolean {
  switch (expression.kind) {
    case 'and':
      return expression.parts.every((part) => couldSee(part, facts, ofTags));
    case 'or':
      return expression.parts.some((part) => couldSee(part, facts, ofTags));
    case 'not':
      return !couldSee(expression.part, facts, !ofTags);
    case 'tagged-any':
    case 'tagged-all':
    case 'untagged':
      return ofTags;
    default:
      return sees(expression, facts);
  }
}

/** True if the step satisfies a condition that was not satisfied before; conditions on tags stay as they are. */
function couldOpen(
  expression: Visibility,
  step: { before: NodeFacts; after: NodeFacts },
  isNegated = false,
): boolean {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.parts.some((part) => couldOpen(part, step, isNegated));
    case 'not':
      return couldOpen(expression.part, step, !isNegated);
    case 'type-in':
    case 'schema-in':
      return sees(expression, step.after) !== isNegated && sees(expression, step.before) === isNegated;
    default:
      return false;
  }
}

/** A node that was there before a unit of work, and its facts before (null if it was deleted) and after. */
interface MovedNode {
  id: string;
  from: ChangeFacts | null;
  to: ChangeFacts;
}

/**
 * The existing nodes whose facts a unit changes, each once. A node that the unit itself creates was hidden
 * from nobody before.
 */
export function movedNodes(recorded: readonly RecordedChange[]): MovedNode[] {
  const made = new Set<string>();
  const moved = new Map<string, MovedNode>();
  for (const { change } of recorded) {
    const { entity, entityId: id, action } = change;
    if (entity !== 'node') continue;
    if (action === 'created') made.add(id);
    if (change.moved === undefined || made.has(id)) continue;
    const { from } = moved.get(id) ?? change.moved;
    moved.set(id, { id, from, to: change.moved.to });
  }
  return [...moved.values()];
}

/**
 * True if the move shows the onlooker the node, or more of it than before. A deleted node was shown to no onlooker. A move
 * of a node that is deleted by it is judged as if the node stayed.
 */
function isShownMore({ read, exposure }: Onlooker, { id, from, to }: MovedNode): boolean {
  const after = { id, ...to };
  if (!sees(read, after)) return false;
  if (from === null) return true;
  const before = { id, ...from };
  return !sees(read, before) || exposure.loosens({ before, after, isKnownTag: () => true });
}
