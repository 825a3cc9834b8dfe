import { type Access, grants, type TagGrant } from '../../../privacy/index.js';

export { grants };

/** True if the caller may know the tag and its name (rule 3.9). */
export function mayDiscover(access: Access, tagId: string): boolean {
  return grants(access.tags.discover, tagId);
}

/**
 * The grants that show a tag as a whole. Its fields beside the name are shown to callers who read or edit
 * with it, and to none at detail minimal, because they are the user's texts (rules 3.14, 4.14). One of
 * these grants is enough; without any, no tag is shown whole.
 */
export function wholeTagGrants(access: Access): readonly TagGrant[] {
  return access.exposure.detail === 'minimal' ? [] : [access.tags.read, access.tags.edit];
}

export function maySeeWhole(access: Access, tagId: string): boolean {
  return wholeTagGrants(access).some((grant) => grants(grant, tagId));
}
