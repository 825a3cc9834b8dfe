import { jest } from '@jest/globals';
import { newProfile, withFields } from './exposure-profile.js';
import { TagVocabulary } from './tags/tag-vocabulary.js';

const BIRTH = { ownerId: 'owner', id: 'profile', name: 'Profile', at: new Date(0) };
const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index}${'\ufdfa'.repeat(96)}`);

describe('withFields', () => {
  it('a profile that is too large is refused before any of its names is looked up', () => {
    const vocabulary = new TagVocabulary([]);
    const lookUps = jest.spyOn(vocabulary, 'named');
    const tag_filters = { include_all: [], include_any: [], exclude_any: names(1_000) };
    const write = () => withFields(newProfile(BIRTH), { rules: { tag_filters } }, vocabulary);
    expect(write).toThrow('at most 262144 are stored');
    expect(lookUps).not.toHaveBeenCalled();
  });
});
