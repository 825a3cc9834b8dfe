import { type Slices } from '../../../kernel/slices.js';
import { type Access, seesEverything } from '../../../privacy/index.js';
import { mayDiscover, maySeeWhole } from '../../common/index.js';
import { type Tag, tagRecord } from './tag.js';

/** A tag in wire form. Fields that the caller may not see are absent. */
export type WireTag = Record<string, unknown> & { id: string; name: string };

/**
 * A tag as a caller who may know it is shown it: its name, and the rest if it is shown whole (rule 4.14).
 * An unknown parent reads as null. Description and category are the user's texts and are shown like a
 * node's value; the description is absent where the value would be. The time of change moves with every
 * change, so it is for callers from whom nothing is hidden (rule 3.14g).
 */
export async function shownTag(access: Access, tag: Tag, slices: Slices): Promise<WireTag> {
  const { id, name } = tag;
  if (!maySeeWhole(access, id)) return { id, name };
  const { description, parent_tag_id, created_at, updated_at, ...rest } = tagRecord(tag);
  const wire: WireTag = {
    ...rest,
    parent_tag_id: parent_tag_id !== null && mayDiscover(access, parent_tag_id) ? parent_tag_id : null,
    category: await shownCategory(access, tag, slices),
    description: await shownDescription(access, { id, description }, slices),
    created_at: access.exposure.exposeValue(
      'created_at',
      created_at.toISOString(),
      factsOf(id, 'created_at'),
    ),
    ...(seesEverything(access) ? { updated_at: updated_at.toISOString() } : {}),
  };
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== undefined)) as WireTag;
}

/**
 * The category of a tag that is shown whole; undefined when a transformation removes it. Filters use it,
 * too (rule 3.16).
 */
export const shownCategory = (
  { exposure }: Access,
  { id, category }: Pick<Tag, 'id' | 'category'>,
  slices: Slices,
): Promise<unknown> =>
  exposure.transformValueInSlices({ path: 'value', value: category }, factsOf(id, 'category'), slices);

/** Uses the cache as a node's value does: a list may have many long descriptions. */
async function shownDescription(
  { exposure }: Access,
  { id, description }: Pick<Tag, 'id' | 'description'>,
  slices: Slices,
): Promise<unknown> {
  const facts = factsOf(id, 'description');
  return (await exposure.exposeInSlices({ id: facts.id, value: description }, facts, slices))['value'];
}

/** The facts that transformations, which are written for nodes, look at, for one field of a tag. */
const factsOf = (id: string, field: string) => ({ id: `${id} ${field}`, tagIds: [id], nodeType: '' });
