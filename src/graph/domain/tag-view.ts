import { type Access, seesEverything } from '../../privacy/index.js';
import { mayDiscover, maySeeWhole } from './tag-rights.js';
import { type Tag, tagRecord } from './tag.js';

/** A tag in wire form. What the caller may not see is not in it. */
export type WireTag = Record<string, unknown> & { id: string; name: string };

/**
 * What this caller is shown of a tag that he may know: its name, and the rest if he is shown it whole (rule
 * 4.14). A parent he may not know reads as none. Description and category are the user's texts, shown as a
 * node's value would be, the description also only where that would be. The time of change moves with every change, so it
 * is for those alone from whom none is hidden (rule 3.14g).
 */
export function shownTag(access: Access, tag: Tag): WireTag {
  const { id, name } = tag;
  if (!maySeeWhole(access, id)) return { id, name };
  const { description, parent_tag_id, created_at, updated_at, ...rest } = tagRecord(tag);
  const facts = factsOf(id);
  const wire: WireTag = {
    ...rest,
    parent_tag_id: parent_tag_id !== null && mayDiscover(access, parent_tag_id) ? parent_tag_id : null,
    category: shownCategory(access, tag),
    description: access.exposure.exposeValue('value', description, facts),
    created_at: access.exposure.exposeValue('created_at', created_at.toISOString(), facts),
    ...(seesEverything(access) ? { updated_at: updated_at.toISOString() } : {}),
  };
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== undefined)) as WireTag;
}

/** Of a tag that he is shown whole; undefined when a transformation removes it. Filters go by it, too (rule 3.16). */
export const shownCategory = (
  { exposure }: Access,
  { id, category }: Pick<Tag, 'id' | 'category'>,
): unknown => exposure.transformValue('value', category, factsOf(id));

/** What transformations look at, which are written for nodes. */
const factsOf = (id: string) => ({ tagIds: [id], nodeType: '' });
