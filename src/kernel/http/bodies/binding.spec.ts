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
const { OnlyKnownFields, rememberField } = await import('../fields/field-metadata.js');

class Lenient {
  @IsObject()
  @rememberField({})
  metadata!: object;
}

@OnlyKnownFields()
class Strict extends Lenient {}

const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`u${i}`, i]));

describe('bodies with many fields', () => {
  beforeEach(() => keysSeen.splice(0));

  it('bodies with many fields are not handed to the transformer, which compares each key with all others', () => {
    expect(() => bind(Lenient, { ...many, metadata: 'wrong' })).toThrow('metadata must be an object');
    expect(bind(Lenient, { ...many, metadata: many })).toEqual({ metadata: many });
    expect(() => bind(Strict, { ...many, metadata: many })).toThrow('is not a known field');
    expect(keysSeen).toEqual([0, 0]);
  });

  it('name at most twenty unknown ones in the refusal', () => {
    let details: unknown;
    try {
      bind(Strict, { ...many, metadata: many });
    } catch (error) {
      ({ details } = error as { details: unknown });
    }
    const named = Array.from({ length: 20 }, (_, i) => ({ field: `u${i}`, message: 'is not a known field' }));
    expect(details).toEqual(named);
  });
});
