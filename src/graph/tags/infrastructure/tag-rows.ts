import { contentBytes, withinPageBytes } from '../../../kernel/database/page-bytes.js';
import { type Sql, sql } from '../../../kernel/database/sql.js';
import { type Access, type IncomingShares, tagNameKey, type TagGrant } from '../../../privacy/index.js';
import { wholeTagGrants } from '../../common/index.js';
import { type Tag } from '../domain/tag.js';
import { FACT_COLUMNS, type ListPosition, onNodeWithTag, receivedIn } from '../../lists/index.js';

/** The filter of a list of tags; an absent field does not restrict. */
export interface TagFilter {
  /** `shared`: tags on nodes that others share with the caller. */
  access: 'owned' | 'shared' | 'all';
  /** Part of the name, letter case aside; every character literal. */
  search?: string;
  category?: string;
  /** The caller's text: anything but the id of a tag that they may know matches nothing. */
  parentTagId?: string;
}

export interface TagListing {
  filter: TagFilter;
  limit: number;
  offset: number;
}

/** A page of tags. `total` is the exact number that the caller may know in all (rule 4.8). */
export interface TagPage {
  tags: Tag[];
  total: number;
  /** The accesses to the owners of tags other than the caller's own. */
  accesses: ReadonlyMap<string, Access>;
  /** True if sharers have tags beyond those that are looked at (rule 4.15c). */
  isCut: boolean;
}

const COLUMNS = [
  'owner_id',
  'id',
  'name',
  'name_key',
  'color',
  'category',
  'description',
  'parent_tag_id',
  'version',
  'created_at',
  'updated_at',
  'deleted_at',
];
const columnsOf = (table: string): Sql => sql.raw(COLUMNS.map((name) => `${table}.${name}`).join(', '));

/**
 * The first of these tags by name that fill a part of a page.
 * @param from rows of tags, named `t`
 */
export const tagsWithinBytes = (from: Sql): Sql =>
  withinPageBytes({
    from,
    columns: columnsOf('t'),
    order: sql`t.name_key COLLATE "C", t.id`,
    bytes: contentBytes('t', { texts: ['name', 'category', 'description'] }),
    names: columnsOf('page'),
  });

/**
 * Living tags that the caller may know and that pass the filter. Category and parent are compared only for
 * tags that the caller is shown whole, and a parent only if the caller may know it, too: a filter must not
 * reveal what the answer hides (rule 3.16).
 */
export function discoverable(access: Access, filter: TagFilter): Sql {
  const { access: whose, category, parentTagId } = filter;
  if (whose === 'shared') return sql.raw('FALSE');
  const hidden = category !== undefined || parentTagId !== undefined;
  return sql.and([
    sql`t.owner_id = ${access.ownerId} AND t.deleted_at IS NULL`,
    granted([access.tags.discover], 't.id'),
    hidden && granted(wholeTagGrants(access), 't.id'),
    named(filter),
    category !== undefined && !isByShownCategory(access, filter) && sql`t.category = ${category}`,
    parentTagId !== undefined &&
      sql`t.parent_tag_id::text = ${parentTagId.toLowerCase()} AND ${granted([access.tags.discover], 't.parent_tag_id')}`,
  ]);
}

/** True if received tags may match: only their names are known, so no other filter finds them. */
export function mayBeReceived({ category, parentTagId }: TagFilter): boolean {
  return category === undefined && parentTagId === undefined;
}

/** The condition that a tag is on a received node: the index of tags is looked at, tag by tag. */
export const onReceivedNode = (received: Pick<IncomingShares, 'accesses' | 'within'>): Sql =>
  onNodeWithTag(receivedIn(received, sql.raw('n.owner_id'), FACT_COLUMNS));

export function named(filter: TagFilter): Sql {
  const sought = soughtKey(filter);
  return sought === '' ? sql.raw('TRUE') : sql`strpos(t.name_key, ${sought}) > 0`;
}

/** The places whose names have the sought part; their keys are folded names. */
export function namedPlaces(places: readonly ListPosition[], filter: TagFilter): readonly ListPosition[] {
  const sought = soughtKey(filter);
  return sought === '' ? places : places.filter(({ key }) => String(key).includes(sought));
}

const soughtKey = ({ search }: TagFilter): string => (search === undefined ? '' : searchKey(search));

/**
 * True if transformations show the caller other categories than the stored ones: a filter uses the shown
 * ones.
 */
export const isByShownCategory = ({ exposure }: Access, { category }: TagFilter): boolean =>
  category !== undefined && exposure.transforms('value');

/** True if one of the grants reaches the tag in this column. */
function granted(grants: readonly TagGrant[], column: 't.id' | 't.parent_tag_id'): Sql {
  if (grants.some(({ allowAll }) => allowAll)) return sql.raw('TRUE');
  const ids = [...new Set(grants.flatMap(({ tagIds }) => [...tagIds]))];
  return sql`${sql.raw(column)} = ANY(${ids}::uuid[])`;
}

/** Folded like names, except for spaces at the ends, which are literal like any other character. */
function searchKey(search: string): string {
  const core = search.trim();
  return core === '' ? search : search.replace(core, () => tagNameKey(core));
}
