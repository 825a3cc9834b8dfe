import { type Access, grants, type TagGrant } from '../../privacy/index.js';

export { grants };

/** May know that the tag exists, and its name (rule 3.9). */
export function mayDiscover(access: Access, tagId: string): boolean {
  return grants(access.tags.discover, tagId);
}

/**
 * What stands in a tag beside its name is shown to whom reads or edits with it, and at detail minimal to nobody, for
 * it is the user's text (rules 3.14, 4.14). One of these grants is enough; without any no tag is shown whole.
 */
export function wholeTagGrants(access: Access): readonly TagGrant[] {
  return access.exposure.detail === 'minimal' ? [] : [access.tags.read, access.tags.edit];
}

export function maySeeWhole(access: Access, tagId: string): boolean {
  return wholeTagGrants(access).some((grant) => grants(grant, tagId));
}
