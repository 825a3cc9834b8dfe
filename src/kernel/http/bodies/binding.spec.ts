import { jest } from '@jest/globals';
import { IsObject } from 'class-validator';

const library = await import('class-transformer');
const keysSeen: number[] = [];
jest.unstable_mockModule('class-transformer', () => ({
  ...library,
  plainToInstance: (type: new () => object, value: object, options: object) => {
    keysSeen.push(Object.keys(value).length);
    return library.plainToInstance(type, value, options);
  },
}));
const { bind } = await import('./binding.js');
const { NestedArrayField, NestedField, StringField } = await import('../fields/fields.js');
const { OnlyKnownFields, rememberField } = await import('../fields/field-metadata.js');

class Lenient {
  @IsObject()
  @rememberField({})
  metadata!: object;
}

@OnlyKnownFields()
class Strict extends Lenient {}

class Nesting {
  @NestedField(() => Lenient)
  one!: Lenient;

  @StringField({ trim: true, optional: true })
  name?: string;

  @NestedArrayField(() => Strict, { maxItems: 2, optional: true })
  several?: Strict[];
}

const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`u${i}`, i]));

describe('binding', () => {
  beforeEach(() => keysSeen.splice(0));

  it('bodies with many fields are not handed to the transformer, which compares each key with all others', () => {
    expect(() => bind(Lenient, { ...many, metadata: 'wrong' })).toThrow('metadata must be an object');
    expect(bind(Lenient, { ...many, metadata: many })).toEqual({ metadata: many });
    expect(() => bind(Strict, { ...many, metadata: many })).toThrow('is not a known field');
    expect(keysSeen).toEqual([0, 0]);
  });

  it('a refusal names at most twenty unknown fields', () => {
    let details: unknown;
    try {
      bind(Strict, { ...many, metadata: many });
    } catch (error) {
      ({ details } = error as { details: unknown });
    }
    const named = Array.from({ length: 20 }, (_, i) => ({ field: `u${i}`, message: 'is not a known field' }));
    expect(details).toEqual(named);
  });

  it('nested objects with many fields are not handed to the transformer either', () => {
    const bound = bind(Nesting, { one: { ...many, metadata: many } });
    expect(bound.one).toBeInstanceOf(Lenient);
    expect(bound).toEqual({ one: { metadata: many } });
    expect(() => bind(Nesting, { one: { metadata: {} }, several: [{ ...many, metadata: {} }] })).toThrow(
      'several.0.u0: is not a known field',
    );
    expect(keysSeen.every((keys) => keys === 0)).toBe(true);
  });

  it('an object in the place of a text is refused without a look at its keys', () => {
    expect(() => bind(Nesting, { one: { metadata: {} }, name: many })).toThrow('name: must be');
    expect(bind(Nesting, { one: { metadata: {} }, name: ' x ' }).name).toBe('x');
    expect(keysSeen).toEqual([0, 0, 0, 1]);
  });

  it('arrays that are too long, or in the place of an object, are refused without a look at their items', () => {
    let reads = 0;
    const items = Array.from({ length: 1_000 }, () =>
      Object.defineProperty({}, 'metadata', { enumerable: true, get: () => ++reads }),
    );
    expect(() => bind(Nesting, { one: items })).toThrow('one: must be an object');
    expect(() => bind(Nesting, { one: { metadata: {} }, several: items })).toThrow('several: must');
    // Values that no field accepts are sought once in all that was sent.
    expect(reads).toBeLessThan(2 * items.length + 100);
  });
});
