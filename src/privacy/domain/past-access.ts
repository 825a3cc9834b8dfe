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
  /** The time, by tag, of its current name or of its deletion. */
  readonly namedAt: ReadonlyMap<string, Date>;
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

/**
 * The difference of two accesses. Tags that were created between the two do not count: every node that
 * carries one has changed since. So the later moment's vocabulary matters only for tags of the earlier one.
 * Namesakes count, for an exclude may mean all tags of a name: the deletion of one can hide the nodes of
 * another that was deleted long ago.
 */
export function ruleDifference(before: PastAccess | null, after: PastAccess): RuleDifference {
  const tags = new Map<string, Date>();
  if (before === after) return { isAboutAll: false, tags };
  const then = before?.access.vocabulary;
  const now = after.access.vocabulary;
  for (const { id, name, deleted } of then?.all() ?? []) {
    const tag = now.get(id);
    if (tag?.name === name && tag.deleted === deleted) continue;
    const since = after.namedAt.get(id) ?? LONG_AGO;
    const names = tag === undefined ? [name] : [name, tag.name];
    for (const touched of [id, ...names.flatMap((one) => now.named(one).map((namesake) => namesake.id))])
      tags.set(touched, newer(tags.get(touched), since));
  }
  return { isAboutAll: before?.rules !== after.rules, tags };
}

const LONG_AGO = new Date(0);
const newer = (known: Date | undefined, date: Date): Date => (known && known > date ? known : date);
