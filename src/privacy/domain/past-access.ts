import { rest } from '../../kernel/slices.js';
import { type Access } from './access.js';

/** A caller's access at an earlier moment, and since when it applied. */
export interface PastAccess {
  readonly access: Access;
  /**
   * The profile's rules and both ceilings in one text: equal texts mean equal rules, except for the meaning
   * of tags.
   */
  readonly rules: string;
  /** The time of the last rule change; null for owners, to whom no rules apply. */
  readonly ruledAt: Date | null;
  /** The time at which the authorization expires. */
  readonly expiresAt: Date | null;
}

/** The ways in which unchanged nodes can be seen differently than before. */
export interface RuleDifference {
  /** True if any node can. */
  readonly isAboutAll: boolean;
  /** The tags whose nodes can: renamed or deleted tags and their namesakes, each with the time. */
  readonly tags: ReadonlyMap<string, Date>;
}

/** The differences of accesses, by the later and the earlier one: each entry of a page needs the same ones. */
const differences = new WeakMap<PastAccess, WeakMap<PastAccess, Promise<RuleDifference>>>();

/**
 * The difference of two accesses. Tags that were created between the two do not count: every node that
 * carries one has changed since. So the later moment's vocabulary matters only for tags of the earlier one.
 * Namesakes count, for an exclude may mean all tags of a name: the deletion of one can hide the nodes of
 * another that was deleted long ago. It is worked out once, in slices between which others are served.
 */
export async function ruleDifference(before: PastAccess | null, after: PastAccess): Promise<RuleDifference> {
  if (before === after) return SAME;
  if (before === null) return { isAboutAll: true, tags: new Map() };
  let ofLater = differences.get(after);
  if (ofLater === undefined) differences.set(after, (ofLater = new WeakMap()));
  let difference = ofLater.get(before);
  if (difference === undefined) ofLater.set(before, (difference = differenceOf(before, after)));
  return difference;
}

/** True if any node can be seen differently, by more than the names and deletions of tags. */
export const haveOtherRules = (before: PastAccess | null, after: PastAccess): boolean =>
  before !== after && before?.rules !== after.rules;

async function differenceOf(before: PastAccess, after: PastAccess): Promise<RuleDifference> {
  const tags = new Map<string, Date>();
  const now = after.access.vocabulary;
  for (const then of before.access.vocabulary.all()) {
    const pause = rest();
    if (pause !== undefined) await pause;
    const tag = now.get(then.id);
    if (tag === then || (tag?.name === then.name && tag.deleted === then.deleted)) continue;
    const since = tag?.since ?? LONG_AGO;
    const named = tag === undefined ? [then] : [then, tag];
    for (const touched of [then.id, ...named.flatMap((one) => now.namesakes(one).map(({ id }) => id))])
      tags.set(touched, newer(tags.get(touched), since));
  }
  return { isAboutAll: haveOtherRules(before, after), tags };
}

const SAME: RuleDifference = { isAboutAll: false, tags: new Map() };
const LONG_AGO = new Date(0);
const newer = (known: Date | undefined, date: Date): Date => (known && known > date ? known : date);
