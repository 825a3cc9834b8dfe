import { type Access } from './access.js';

/** What a caller could see at an earlier moment, and since when it was so. */
export interface PastAccess {
  readonly access: Access;
  /** The profile's rules and both ceilings in one text: equal texts, equal rules but for what the tags mean. */
  readonly rules: string;
  /** Since when; null for owners, to whom no rules apply. */
  readonly ruledAt: Date | null;
  /** By tag: since when it is named so, or deleted. */
  readonly namedAt: ReadonlyMap<string, Date>;
  /** When the authorization ends by itself. */
  readonly expiresAt: Date | null;
}

/** How nodes that have not changed themselves can be seen otherwise than before. */
export interface RuleDifference {
  /** Any node can. */
  readonly isAboutAll: boolean;
  /** Nodes that carry one of these can: renamed or deleted tags and their namesakes; since when. */
  readonly tags: ReadonlyMap<string, Date>;
}

/**
 * Tags that came to be between the two do not count: whoever carries one was changed since. So the later moment's
 * vocabulary decides only about tags of the earlier one. Namesakes count, for an exclude may mean all tags of a name:
 * the end of one can be what hides the nodes of another that was deleted long ago.
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
