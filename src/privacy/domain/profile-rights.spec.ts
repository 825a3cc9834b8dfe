import { addedRights } from '../../identity/index.js';
import { type ExposureProfile } from './exposure-profile.js';
import { type ProfileRules, templateRules } from './profile-rules.js';
import { profileRights } from './profile-rights.js';
import { byName } from './tags/tag-references.js';

const RULES = byName(templateRules('transparent'));
const profile = (rules: Partial<ProfileRules>, isActive = true): ExposureProfile => {
  const at = new Date(0);
  const rest = { ownerId: 'o', id: 'p', name: 'n', description: null, isDefault: false, version: 1 };
  return { ...rest, isActive, createdAt: at, updatedAt: at, rules: { ...RULES, ...rules } };
};
const reading = (tag_ids: string[], allow_all = false): Partial<ProfileRules> => ({
  tag_permissions: { ...RULES.tag_permissions, read: { tag_ids, allow_all } },
});
const writing = (schema_ids: string[], allow_all = false): Partial<ProfileRules> => ({
  schema_permissions: { ...RULES.schema_permissions, write: { schema_ids, allow_all } },
});
const mask: ProfileRules['transformations'][number] = { type: 'omit', path: 'value' } as never;
const { delete: _, ...withoutDelete } = RULES.tag_permissions;

/** Each pair: less, and more. */
const PAIRS: [string, Partial<ProfileRules>, Partial<ProfileRules>][] = [
  ['one tag of two', reading(['a']), reading(['a', 'b'])],
  ['tags in the place of all', reading(['a']), reading([], true)],
  ['no tags', reading([]), reading(['a'])],
  ['one schema of two', writing(['a']), writing(['a', 'b'])],
  ['schemas in the place of all', writing(['a']), writing([], true)],
  ['a further excluded tag', { excluded_tag_ids: ['a', 'b'] }, { excluded_tag_ids: ['b'] }],
  ['a further excluded type', { excluded_node_types: ['diary'] }, {}],
  ['a lower level', { max_detail_level: 'minimal' }, { max_detail_level: 'summary' }],
];

describe('profileRights', () => {
  const added = (before: ExposureProfile, after: ExposureProfile) =>
    addedRights(profileRights(before), profileRights(after));
  const NOTHING = { isWide: false, singles: 0 };

  it.each(PAIRS)('the rights through a profile are less with %s', (_, less, more) => {
    expect(added(profile(more), profile(less))).toEqual(NOTHING);
    expect(added(profile(less), profile(more)).isWide).toBe(true);
  });

  it('the rights through a profile are counted for single nodes', () => {
    const [one, two] = [profile({ allowed_node_ids: ['a'] }), profile({ allowed_node_ids: ['a', 'b'] })];
    expect(added(two, one)).toEqual(NOTHING);
    expect(added(one, two)).toEqual({ isWide: false, singles: 1 });
  });

  it.each<[string, Partial<ProfileRules>]>([
    ['transformations', { transformations: [mask] }],
    ['an expression', { tag_expression: { has: { id: 'a', name: 'a' } } as never }],
    ['a filter', { allowed_node_types: ['note'] }],
    ['a date range', { date_range_start: '2026-01-01T00:00:00.000Z' }],
    ['no word about deleting', { tag_permissions: withoutDelete }],
  ])('the rights through a profile count as more with other %s, in either direction', (_, rules) => {
    expect(added(profile({}), profile(rules)).isWide).toBe(true);
    expect(added(profile(rules), profile({})).isWide).toBe(true);
  });

  it('the rights through a profile are none of an inactive profile, and all of one that is active again', () => {
    expect(added(profile({}), profile({}, false))).toEqual(NOTHING);
    expect(added(profile({}, false), profile({})).isWide).toBe(true);
  });

  it('the rights through a profile are the same with equal rules, whatever the order of their fields', () => {
    const turned = Object.fromEntries(Object.entries(RULES).reverse()) as unknown as ProfileRules;
    expect(added(profile({}), profile(turned))).toEqual(NOTHING);
  });
});
