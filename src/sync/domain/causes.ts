import { factsOf, type NodeSnapshot } from '../../graph/index.js';
import { grants, type PastAccess, ruleDifference, sees } from '../../privacy/index.js';

/** The rules before and after, as a caller meets them. */
interface RuleStep {
  /** Null: nothing was visible. */
  before: PastAccess | null;
  after: PastAccess;
}

/** Fields that every save changes; they are in the node, but no change of their own (rules 7.8, 7.9). */
export const UNNAMED: ReadonlySet<string> = new Set(['version', 'updated_at']);

/**
 * The times of the changes of rules and tag names by which one state of a node is seen otherwise than before. Only what
 * the caller is shown counts: a new name of a known tag, and a tag or rule by which the node came or went (rule 7.7d).
 * @param changed the fields that are shown otherwise; null: the node came or went
 */
export async function causesOf(
  step: RuleStep,
  node: NodeSnapshot,
  changed: readonly string[] | null,
): Promise<Date[]> {
  const { before, after } = step;
  const { isAboutAll, tags } = await ruleDifference(before, after);
  const ruled = isAboutAll && after.ruledAt !== null ? [after.ruledAt] : [];
  if (changed !== null) {
    const names = newNames(step, node);
    return names.length > 0 && isByNamesAlone(step, node, changed) ? names : [...ruled, ...names];
  }
  const touched = node.tag_ids.filter((id) => tags.has(id));
  const deciding = touched.filter((id) => decidesOtherwise(step, node, { id, touched }));
  const timesOf = (ids: readonly string[]) => ids.map((id) => tags.get(id) as Date);
  const causes = [...ruled, ...timesOf(deciding)];
  // Tags that decide only together.
  return causes.length > 0 ? causes : timesOf(touched);
}

/** The times of the present names of tags that the caller knew, and is shown otherwise or no longer. */
function newNames({ before, after }: RuleStep, { tag_ids }: NodeSnapshot): Date[] {
  if (before === null || !after.access.exposure.shows('tags')) return [];
  return tag_ids.flatMap((id) => {
    const [then, now] = [before.access.vocabulary.nameOf(id), after.access.vocabulary.nameOf(id)];
    const isKnown = knows(before, id) && (now === null || knows(after, id));
    const at = after.access.vocabulary.get(id)?.since;
    return isKnown && then !== now && at !== undefined ? [at] : [];
  });
}

function isByNamesAlone(step: RuleStep, { tag_ids }: NodeSnapshot, changed: readonly string[]): boolean {
  const { before, after } = step;
  const isLiving = (id: string) => after.access.vocabulary.isLiving(id);
  return (
    changed.every((field) => field === 'tags' || UNNAMED.has(field)) &&
    !tag_ids.some((id) => isLiving(id) && before !== null && knows(before, id) !== knows(after, id))
  );
}

/** True if a tag lets the node be read, or hides it, where it did not before, or the reverse. */
function decidesOtherwise(
  { before, after }: RuleStep,
  node: NodeSnapshot,
  { id, touched }: { id: string; touched: readonly string[] },
): boolean {
  if (before === null) return false;
  const facts = factsOf(node);
  const others = facts.tagIds.filter((other) => !touched.includes(other));
  const decides = ({ access: { nodes } }: PastAccess) =>
    sees(nodes.read, { ...facts, tagIds: others }) !==
    sees(nodes.read, { ...facts, tagIds: [...others, id] });
  return decides(before) !== decides(after);
}

const knows = ({ access }: PastAccess, id: string): boolean => grants(access.tags.discover, id);
