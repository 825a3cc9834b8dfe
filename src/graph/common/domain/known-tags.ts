import { Slices } from '../../../kernel/slices.js';
import { type Access, type TagVocabulary } from '../../../privacy/index.js';
import { LookAlikes } from './confusables.js';
import { mayDiscover } from './tag-rights.js';

/** True if the caller may know that a tag exists. A deleted tag exists for no caller. */
export function discovers(access: Access, tagId: string): boolean {
  return access.vocabulary.nameOf(tagId) !== null && mayDiscover(access, tagId);
}

/**
 * Leaves the tags by which the caller may ask for nodes. At a detail level that hides the tags of nodes a filter, or a
 * count, by a tag would tell them (rule 3.16a).
 */
export const askableTags = (access: Access, tagIds: readonly string[]): string[] =>
  access.exposure.shows('tags') ? tagIds.filter((id) => discovers(access, id)) : [];

const isDeleted = ({ vocabulary }: Access, tagId: string): boolean => vocabulary.get(tagId)?.deleted === true;

/** True if the caller knows of no other tag among a node's tags. */
export const isLastKnown = (access: Access, tagIds: readonly string[], tagId: string): boolean =>
  !tagIds.some((id) => id !== tagId && discovers(access, id));

/** True if a node's tag keeps it alive. A tag younger than the guard's vocabulary counts as living. */
export const isLivingTag =
  (access: Access) =>
  (tagId: string): boolean =>
    !isDeleted(access, tagId);

/**
 * The tags of a node after a write, with the deleted tags that it carries: those still hide the node until
 * the owner removes them one by one (rule 3.11b).
 */
export const withDeletedTags = (
  access: Access,
  { before, written }: { before: readonly string[]; written: readonly string[] },
): readonly string[] => {
  const kept = before.filter((id) => !written.includes(id) && isDeleted(access, id));
  return kept.length === 0 ? written : [...written, ...kept];
};

/**
 * True for a tag on a node that the caller may remove if they know of it; the owner also knows of deleted
 * ones.
 */
export const mayNameOnNode = (access: Access, tagId: string): boolean =>
  discovers(access, tagId) || (access.isOwner && isDeleted(access, tagId));

const lookAlikes = new WeakMap<TagVocabulary, Promise<LookAlikes>>();

/** The owner's living tags by how their names look; made once for a vocabulary, in slices. */
export function lookAlikesIn({ vocabulary }: Access): Promise<LookAlikes> {
  let made = lookAlikes.get(vocabulary);
  if (made === undefined) lookAlikes.set(vocabulary, (made = lookAlikesAmong(vocabulary)));
  return made;
}

async function lookAlikesAmong(vocabulary: TagVocabulary): Promise<LookAlikes> {
  const all = new LookAlikes();
  const living = Array.from(vocabulary.all()).flatMap((tag) => (tag.deleted ? [] : tag.name));
  await new Slices(Infinity).run(all.add(living));
  return all;
}

/**
 * The tag that a word in a node body refers to among those the caller may know: an id first, then a name
 * (rule 4.14).
 */
export function resolveTag(access: Access, word: string): string | null {
  const id = word.trim().toLowerCase();
  if (discovers(access, id)) return id;
  const named = access.vocabulary.idOf(word);
  return named !== null && discovers(access, named) ? named : null;
}
