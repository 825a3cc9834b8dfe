import { exposureOf } from '../../../test/support/exposures.js';
import { type Access, nameOfFields, nameOfShowing } from './access.js';
import { ownerAccess } from './access-of.js';
import { type FieldExposure } from './exposure/field-exposure.js';
import { TagVocabulary } from './tags/tag-vocabulary.js';
import { visibility } from './visibility.js';

const owner = ownerAccess({
  ownerId: 'owner',
  vocabulary: new TagVocabulary([]),
  key: 'key',
  changes: 0,
  policy: 0,
});

/** An access whose rules are objects of their own. */
function accessTo({ tagIds = ['known'], masks = [] as unknown[], types = ['note'] } = {}): Access {
  const discover = { allowAll: false, allowNew: false, tagIds: new Set(tagIds) };
  return {
    ...owner,
    isUserKey: false,
    isOwner: false,
    tags: { ...owner.tags, discover },
    nodes: { ...owner.nodes, read: visibility.typeIn(types) },
    exposure: exposureOf(masks),
  };
}

const masks = [{ type: 'truncate', config: { field: 'value', max: 3 } }];

describe('nameOfShowing and nameOfFields', () => {
  it('The names of the rules of an access are equal for equal rules, in whatever order their tags came', () => {
    const [one, other] = [accessTo({ tagIds: ['a', 'b'] }), accessTo({ tagIds: ['b', 'a'] })];
    expect(nameOfFields(other)).toBe(nameOfFields(one));
    expect(nameOfShowing(other)).toBe(nameOfShowing(one));
  });

  it.each([
    ['the tags that are named', accessTo({ tagIds: ['known', 'another'] })],
    ['the masks', accessTo({ masks })],
  ])('The names of the rules of an access differ with %s', (_, other) => {
    expect(nameOfFields(other)).not.toBe(nameOfFields(accessTo()));
    expect(nameOfShowing(other)).not.toBe(nameOfShowing(accessTo()));
  });

  it('The names of the rules of an access differ with the readable nodes where nodes are shown, and not where fields are', () => {
    const other = accessTo({ types: ['memory'] });
    expect(nameOfShowing(other)).not.toBe(nameOfShowing(accessTo()));
    expect(nameOfFields(other)).toBe(nameOfFields(accessTo()));
  });

  it('The names of the rules of an access differ with the owner where nodes are shown', () => {
    expect(nameOfShowing({ ...accessTo(), ownerId: 'another' })).not.toBe(nameOfShowing(accessTo()));
  });

  it('The names of the rules of an access are made once for an access that is renewed with newer counters', () => {
    let reads = 0;
    const exposure = {
      get terms() {
        reads++;
        return masks;
      },
    } as unknown as FieldExposure;
    const access = { ...accessTo(), exposure };
    const name = nameOfShowing(access);
    const renewed: Access = { ...access, changes: access.changes + 1 };
    expect(nameOfShowing(renewed)).toBe(name);
    expect(nameOfFields(renewed)).toBe(nameOfFields(access));
    expect(reads).toBe(1);
  });
});
