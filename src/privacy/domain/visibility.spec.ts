import { type NodeFacts, sees, type Visibility, visibility } from './visibility.js';

const { and, or, not, taggedAny, taggedAll, typeIn, schemaIn, createdBetween, idIn, all, none } = visibility;
const A = '00000002-0000-7000-8000-00000000000a';
const B = '00000002-0000-7000-8000-00000000000b';
const facts = (more: Partial<NodeFacts> = {}): NodeFacts => ({
  id: A,
  tagIds: [],
  schemaId: null,
  nodeType: 'note',
  createdAt: new Date('2024-01-01'),
  ...more,
});

describe('visibility', () => {
  const leaf = typeIn(['note']);
  const other = typeIn(['GOAL']);

  it.each<[string, Visibility, Visibility]>([
    ['and of nothing is all', and(), all],
    ['or of nothing is none', or(), none],
    ['all adds nothing to and', and(all, leaf, all), leaf],
    ['none adds nothing to or', or(none, leaf), leaf],
    ['and with none is none', and(leaf, none), none],
    ['or with all is all', or(leaf, all), all],
    ['and in and is one', and(leaf, and(other, leaf)), { kind: 'and', parts: [leaf, other, leaf] }],
    ['or in or is one', or(leaf, or(other, leaf)), { kind: 'or', parts: [leaf, other, leaf] }],
    ['not not is nothing', not(not(leaf)), leaf],
    ['not all is none', not(all), none],
    ['no tag of none', taggedAny([]), none],
    ['all tags of none', taggedAll([]), all],
    ['a tag that is no id', taggedAny(['x']), none],
    ['all tags, one of them no id', taggedAll([A, 'x']), none],
    ['ids once and in lower case', idIn([A.toUpperCase(), A]), { kind: 'id-in', ids: [A] }],
    ['no type', typeIn([]), none],
    ['no schema', schemaIn([]), none],
    ['no range', createdBetween(null, null), all],
    ['a range that ends first', createdBetween(new Date(1), new Date(0)), none],
  ])('constructors keep expressions simple %s', (_, made, simple) => {
    expect(made).toEqual(simple);
  });
});

describe('evaluation', () => {
  it('takes both ends of a range in', () => {
    const time = new Date('2024-01-01');
    expect(sees(createdBetween(time, time), facts())).toBe(true);
    expect(sees(createdBetween(new Date(time.getTime() + 1), null), facts())).toBe(false);
    expect(sees(createdBetween(null, new Date(time.getTime() - 1)), facts())).toBe(false);
  });

  it('knows nodes without a schema by __freeform__', () => {
    expect(sees(schemaIn(['__freeform__']), facts())).toBe(true);
    expect(sees(schemaIn(['__freeform__']), facts({ schemaId: A }))).toBe(false);
    expect(sees(schemaIn([A]), facts())).toBe(false);
  });

  it('finds its way in long lists, too', () => {
    const many = Array.from(
      { length: 100 },
      (_, i) => `00000002-0000-7000-8000-${String(i).padStart(12, '0')}`,
    );
    expect(sees(taggedAny([...many, B]), facts({ tagIds: [A, B] }))).toBe(true);
    expect(sees(taggedAny(many), facts({ tagIds: [A, B] }))).toBe(false);
  });

  it('sees tells untagged nodes', () => {
    expect(sees(visibility.untagged, facts())).toBe(true);
    expect(sees(visibility.untagged, facts({ tagIds: [A] }))).toBe(false);
  });
});
