import { type components } from '../../clients/typescript/src/schema.js';
import { countOf, dayOf, listOf } from './words.js';

type Profile = components['schemas']['ExposureProfileDto'];
type TagNames = ReadonlyMap<string, string>;

/** The most tags or kinds that a description names. */
const MOST_NAMES = 4;

const kindOf = (type: string): string => `“${type.toLowerCase().replaceAll('_', ' ')}”`;

/** A few of the names, and the number of the others. */
function named(names: readonly string[], type?: Intl.ListFormatType): string {
  const shown = names.slice(0, MOST_NAMES);
  const others = names.length - shown.length;
  return listOf(others > 0 ? [...shown, countOf(others, 'other')] : shown, type);
}

/** The names of tags by their ids; a tag that is not there has the id in its place, which says nothing to a person. */
const tagsOf = (ids: readonly string[], names: TagNames): string[] =>
  ids.flatMap((id) => names.get(id) ?? []).map((name) => `“${name}”`);

/** A sentence about the notes that a profile shows and how it shows them, from its rules. */
export function describe(profile: Profile, tagNames: TagNames): string {
  if (!profile.is_active) return 'Switched off: it shows nothing.';
  const bounds = [...boundsOf(profile, tagNames), ...beyondBounds(profile)];
  const parts = [scopeOf(profile, tagNames), ...bounds, ...looksOf(profile)];
  return `${parts.join('; ')}.`;
}

function scopeOf(
  { tag_permissions: { read }, allowed_node_ids: single }: Profile,
  tagNames: TagNames,
): string {
  if (read.allow_all) return 'All notes';
  if (read.tag_ids.length === 0)
    return single.length === 0 ? 'No notes' : `Only ${countOf(single.length, 'single note')}`;
  const tags = tagsOf(read.tag_ids, tagNames);
  return `Notes tagged ${tags.length === 0 ? countOf(read.tag_ids.length, 'tag') : named(tags, 'disjunction')}`;
}

/** Single notes, which pass the filters of a profile (rule 3.6), and notes of others (rule 3.21). */
function beyondBounds(profile: Profile): string[] {
  const {
    allowed_node_ids: single,
    tag_permissions,
    tag_filters,
    excluded_tag_ids,
    transformations,
  } = profile;
  const { read } = tag_permissions;
  const isMore = single.length > 0 && (read.allow_all || read.tag_ids.length > 0);
  const hidesByTags =
    tag_filters.exclude_any.length > 0 ||
    excluded_tag_ids.length > 0 ||
    transformations.some((one) => typeof one !== 'string' && (one.apply_to?.tag_ids ?? []).length > 0);
  return [
    ...(isMore ? [`and ${countOf(single.length, 'single note')} that need not fit these rules`] : []),
    ...(read.allow_all && !hidesByTags ? ['also what people you know share with you'] : []),
  ];
}

/** The rules that leave notes out. */
function boundsOf(profile: Profile, tagNames: TagNames): string[] {
  const { include_all, include_any, exclude_any } = profile.tag_filters;
  const allowed = tagsOf(profile.allowed_tag_ids, tagNames);
  const isAll = profile.allowed_tags_logic === 'AND';
  const quoted = (names: readonly string[]): string[] => names.map((name) => `“${name}”`);
  const bounds: [string, string[]][] = [
    ['only of the kind', profile.allowed_node_types.map(kindOf)],
    ['not of the kind', profile.excluded_node_types.map(kindOf)],
    ['only with all of the tags', [...quoted(include_all), ...(isAll ? allowed : [])]],
    ['only with one of the tags', [...quoted(include_any), ...(isAll ? [] : allowed)]],
    ['not those tagged', [...quoted(exclude_any), ...tagsOf(profile.excluded_tag_ids, tagNames)]],
  ];
  const said = bounds.flatMap(([words, names]) => (names.length > 0 ? `${words} ${named(names)}` : []));
  if (profile.tag_expression) said.push('only those that fit a rule of tags');
  if (profile.date_range_start) said.push(`only since ${dayOf(profile.date_range_start)}`);
  if (profile.date_range_end) said.push(`only until ${dayOf(profile.date_range_end)}`);
  return said;
}

const LEVELS = { full: [], summary: ['titles without texts'], minimal: ['neither titles nor texts'] };

/** The parts of a note that are hidden or altered. */
const looksOf = ({ max_detail_level, transformations }: Profile): string[] => [
  ...LEVELS[max_detail_level],
  ...(transformations.length > 0 ? ['some parts masked'] : []),
];
