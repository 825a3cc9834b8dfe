import { type Standing } from '../../graph/index.js';
import { type Access, type NodeFacts, sees, type ShownChanges } from '../../privacy/index.js';
import { isSame } from '../../kernel/json/json-values.js';
import { type EventDecision } from './event-decision.js';
import { type ThingEntity } from './events.js';

/** The knowledge of whether a receiver has a thing. */
export interface Possession {
  /** The receiver may have it: an event of it was sent or is about to be. */
  mayHave: boolean;
  /** The receiver certainly has it, or will have. */
  has: boolean;
}

/** The standings of a thing around a change, by today's rules. */
export interface ThingStandings {
  before: Standing;
  after: Standing;
  present: Standing;
}

/** The fields that every change sets; no event names them. */
const UNNAMED = new Set(['version', 'updated_at']);

/**
 * The event that a change is for a receiver, by the same standings as in sync (rules 7.13, 9.4g). A state is readable if it
 * and the present one are.
 * @param changes null: the thing is shown as before
 */
export function thingDecision(
  entity: ThingEntity,
  { before, after, present }: ThingStandings,
  { held, changes }: { held: Possession; changes: ShownChanges | null },
): EventDecision | null {
  // A receiver need not be known to have a tag: no change of it takes it out of a view.
  const holds = (has: boolean) => (entity === 'relationship' ? { hasNodeAfter: has } : {});
  const lost = (reason: 'deleted' | 'access_removed'): EventDecision => ({
    event: `${entity}.deleted`,
    reason,
    ...holds(false),
  });
  if (after !== 'shown') {
    if (before !== 'shown') return null;
    if (after === 'deleted' && present === 'shown') return { event: `${entity}.deleted`, reason: 'deleted' };
    if (after === 'deleted' && present === 'deleted') return lost('deleted');
    return present !== 'shown' && held.mayHave ? lost('access_removed') : null;
  }
  if (present !== 'shown') return null;
  if (before === 'hidden' && held.has) return { event: `${entity}.updated`, changes: {}, ...holds(true) };
  if (before !== 'shown') return { event: `${entity}.created`, ...holds(true) };
  return changes === null ? null : { event: `${entity}.updated`, changes, ...holds(true) };
}

type Shown = Readonly<Record<string, unknown>>;

/** The shown fields that differ, each with its shown values, without those that every change sets. */
export function shownDifferences(before: Shown, after: Shown): ShownChanges {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = fields.filter((field) => !UNNAMED.has(field) && !isSame(before[field], after[field]));
  return Object.fromEntries(
    differing.map((field) => [
      field,
      {
        ...(Object.hasOwn(before, field) ? { old: before[field] } : {}),
        ...(Object.hasOwn(after, field) ? { new: after[field] } : {}),
      },
    ]),
  );
}

interface NodeStep {
  action: string;
  /** True if the node lives on in another: its relationships move by changes of their own. */
  isMerged: boolean;
  before: NodeFacts | null;
  facts: NodeFacts | null;
}

/**
 * True if a caller may see the relationships of a node otherwise after a change of it: they have no part in what the node
 * says, only in whether it is read and in its masks. A new node has no relationships yet.
 */
export function movesEdges(
  { nodes, exposure }: Pick<Access, 'nodes' | 'exposure'>,
  { action, isMerged, before, facts }: NodeStep,
): boolean {
  if (action === 'created' || isMerged) return false;
  const isSeen = (state: NodeFacts | null) => state !== null && sees(nodes.read, state);
  if (action === 'deleted' || action === 'restored' || before === null || facts === null)
    return isSeen(before) || isSeen(facts);
  if (isSeen(before) !== isSeen(facts)) return true;
  return isSeen(facts) && !exposure.worksAlike(before, facts);
}
