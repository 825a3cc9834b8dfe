import { describe as sentenceOf } from '../../console/src/profile-words.js';
import { type components } from '../../clients/typescript/src/schema.js';

type Profile = components['schemas']['ExposureProfileDto'];

const NAMES = new Map([
  ['t1', 'work'],
  ['t2', 'home'],
]);

const profile = (read: { allow_all?: boolean; tag_ids?: string[] }, rest: object = {}): Profile =>
  ({
    is_active: true,
    tag_permissions: { read: { allow_all: false, tag_ids: [], ...read } },
    tag_filters: { include_all: [], include_any: [], exclude_any: [] },
    tag_expression: null,
    allowed_tag_ids: [],
    allowed_tags_logic: 'OR',
    excluded_tag_ids: [],
    allowed_node_ids: [],
    allowed_node_types: [],
    excluded_node_types: [],
    date_range_start: null,
    date_range_end: null,
    max_detail_level: 'full',
    transformations: [],
    ...rest,
  }) as unknown as Profile;

describe('the sentence about a profile in the console', () => {
  it.each([
    ['nothing', profile({}), 'No notes.'],
    ['single notes alone', profile({}, { allowed_node_ids: ['a', 'b'] }), 'Only 2 single notes.'],
    ['all notes', profile({ allow_all: true }), 'All notes; also what people you know share with you.'],
    [
      'all notes but those with a tag, and so none of others',
      profile({ allow_all: true }, { excluded_tag_ids: ['t1'] }),
      'All notes; not those tagged “work”.',
    ],
    [
      'notes of a kind, and single ones of any kind',
      profile(
        { allow_all: true },
        { allowed_node_types: ['GOAL'], allowed_node_ids: ['a'], excluded_tag_ids: ['t2'] },
      ),
      'All notes; only of the kind “goal”; not those tagged “home”; and 1 single note that need not fit these rules.',
    ],
    [
      'notes with each of two tags',
      profile({ tag_ids: ['t1'] }, { allowed_tag_ids: ['t1', 't2'], allowed_tags_logic: 'AND' }),
      'Notes tagged “work”; only with all of the tags “work” and “home”.',
    ],
  ])('a profile of %s is described by its rules', (_, given, expected) => {
    expect(sentenceOf(given, NAMES)).toBe(expected);
  });
});
