import { type Access } from '../../privacy/index.js';
import { confusableWith } from './confusables.js';
import { mayDiscover } from './tag-rights.js';

/** Whether the caller may know that a tag exists. A deleted one exists for nobody. */
export function discovers(access: Access, tagId: string): boolean {
  return access.vocabulary.nameOf(tagId) !== null && mayDiscover(access, tagId);
}

/** Whether the caller knows of no other tag on a node that carries these. */
export const isLastKnown = (access: Access, tagIds: readonly string[], tagId: string): boolean =>
  !tagIds.some((id) => id !== tagId && discovers(access, id));

/** Whether a node's tag keeps it alive. One younger than the guard's look at the vocabulary is none that was deleted. */
export const isKept =
  ({ vocabulary }: Access) =>
  (tagId: string): boolean =>
    vocabulary.get(tagId)?.deleted !== true;

/** The name of a living tag of the owner's that a reader may take for this one. */
export const confusableTag = ({ vocabulary }: Access, name: string): string | null =>
  confusableWith(
    name,
    Array.from(vocabulary.all()).flatMap((tag) => (tag.deleted ? [] : tag.name)),
  );

/** The tag that a word in a node body means among those the caller may know: an id first, then a name (decisions 4.14). */
export function tagMeant(access: Access, word: string): string | null {
  const id = word.trim().toLowerCase();
  if (discovers(access, id)) return id;
  const named = access.vocabulary.idOf(word);
  return named !== null && discovers(access, named) ? named : null;
}
