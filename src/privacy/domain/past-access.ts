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
  /** Nodes that carry one of these can: renamed or deleted tags. */
  readonly tagIds: ReadonlySet<string>;
}

/**
 * Tags that came to be between the two do not count: whoever carries one was changed since. So the later moment's
 * vocabulary decides only about tags of the earlier one.
 */
export function ruleDifference(before: PastAccess | null, after: PastAccess): RuleDifference {
  const tagIds = new Set<string>();
  if (before === after) return { isAboutAll: false, tagIds };
  const { vocabulary } = after.access;
  for (const { id, name, deleted } of before?.access.vocabulary.all() ?? []) {
    const now = vocabulary.get(id);
    if (now?.name !== name || now.deleted !== deleted) tagIds.add(id);
  }
  return { isAboutAll: before?.rules !== after.rules, tagIds };
}
