import { inherited } from './schema-inheritance.js';

const NAME = { type: 'string' };
const LONG = { type: 'string', minLength: 5 };

describe('a schema that extends another (rule 5.3)', () => {
  it.each(['properties', '$defs', 'definitions'])('%s are united, those of the child before', (keyword) => {
    const parent = { [keyword]: { name: NAME, age: { type: 'integer' } } };
    const child = { [keyword]: { name: LONG } };
    expect(inherited(parent, child)).toEqual({ [keyword]: { name: LONG, age: { type: 'integer' } } });
  });

  it('fields required by either are required, once each', () => {
    expect(inherited({ required: ['a', 'b'] }, { required: ['b', 'c'] })).toEqual({
      required: ['a', 'b', 'c'],
    });
    expect(inherited({ required: ['a'] }, {})).toEqual({ required: ['a'] });
  });

  it('properties of one pattern satisfy both schemas', () => {
    const merged = inherited(
      { patternProperties: { '^a': NAME, '^b': NAME } },
      { patternProperties: { '^a': LONG, '^c': LONG } },
    );
    expect(merged).toEqual({
      patternProperties: { '^a': { allOf: [NAME, LONG] }, '^b': NAME, '^c': LONG },
    });
  });

  it('keywords that refer to their siblings stay at the top, the value of the child before', () => {
    expect(inherited({ additionalProperties: false }, { title: 'child' })).toEqual({
      additionalProperties: false,
      title: 'child',
    });
    expect(inherited({ additionalProperties: false }, { additionalProperties: true })).toEqual({
      additionalProperties: true,
    });
  });

  it('a keyword that both have holds twice, unless it is the same', () => {
    expect(inherited({ minProperties: 2 }, { minProperties: 3 })).toEqual({
      minProperties: 3,
      allOf: [{ minProperties: 2 }],
    });
    expect(inherited({ minProperties: 2 }, { minProperties: 2 })).toEqual({ minProperties: 2 });
  });

  it('keywords that have a meaning only together are kept together', () => {
    const parent = { if: { required: ['a'] }, then: { required: ['b'] } };
    expect(inherited(parent, { else: { required: ['c'] } })).toEqual({
      else: { required: ['c'] },
      allOf: [parent],
    });
  });

  it('conditions of both in allOf hold, those of the parent first', () => {
    const [a, b] = [{ required: ['a'] }, { required: ['b'] }];
    expect(inherited({ allOf: [a] }, { allOf: [b] })).toEqual({ allOf: [a, b] });
  });

  it('a reference moves below allOf, because before 2019-09 it disables its siblings', () => {
    expect(inherited({ $ref: '#/$defs/a' }, { required: ['b'] })).toEqual({
      required: ['b'],
      allOf: [{ $ref: '#/$defs/a' }],
    });
    expect(inherited({ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' })).toEqual({
      allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }],
    });
  });

  it('the union of two schemas changes neither of them', () => {
    const [parent, child] = [
      { minProperties: 2, properties: { a: NAME } },
      { minProperties: 3, properties: {} },
    ];
    const before = structuredClone([parent, child]);
    inherited(parent, child);
    expect([parent, child]).toEqual(before);
  });
});
