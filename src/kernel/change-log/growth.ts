import { type Change } from './change.js';

/** Changes that add to a graph, or to what others are shown of it. */
const GROWING: Readonly<Record<string, readonly string[]>> = {
  node: ['created', 'updated', 'tag_added', 'merged', 'restored'],
  embedding: ['updated'],
  relationship: ['created', 'updated', 'restored'],
  tag: ['created', 'updated'],
  schema: ['created', 'updated'],
  exposure_profile: ['created'],
  proposal: ['created', 'revised', 'ready'],
  share: ['created', 'updated'],
};

/**
 * Rules, changes of which may narrow them. Only large rows are refused, and not at once: otherwise one account could fill
 * the disk by long lists, or could not take back what it shows.
 */
const RULES: Readonly<Record<string, readonly string[]>> = {
  exposure_profile: ['updated'],
  authorization: ['created', 'updated'],
  app: ['updated'],
  group: ['created', 'updated'],
  group_member: ['created', 'updated'],
  group_share: ['created', 'updated'],
};

/** The length of a row in the log, in characters, up to which a change of rules is never refused. */
const SMALL_ROW = 4096;
/** The part of the limit by which larger ones may go beyond it. */
const RESERVE_OF_RULES = 0.1;

type GrowingChange = Pick<Change, 'entity' | 'action' | 'isNeverRefused' | 'snapshot' | 'changedFields'>;

/**
 * The part of the limit of bytes by which a write may go beyond it (rule 9.8d): 0 where it adds to the graph, a reserve for
 * large changes of rules, null for a write that removes, restricts or decides, whose bytes are counted and never refused.
 */
export function reserveOf(changes: readonly GrowingChange[]): number | null {
  const refusable = changes.filter(({ isNeverRefused }) => isNeverRefused !== true);
  if (refusable.some(({ entity, action }) => GROWING[entity]?.includes(action))) return 0;
  const isLarge = refusable.some(
    ({ entity, action, snapshot, changedFields }) =>
      RULES[entity]?.includes(action) && JSON.stringify([snapshot, changedFields]).length > SMALL_ROW,
  );
  return isLarge ? RESERVE_OF_RULES : null;
}
