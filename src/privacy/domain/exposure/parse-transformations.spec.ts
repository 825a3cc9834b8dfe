import { DomainError, type FieldError } from '../../../kernel/errors/domain-error.js';
import { parseTransformations } from './parse-transformations.js';

const tag = '01890a5d-ac96-774b-bcce-b302099a8057';

function wrongFields(input: unknown): string[] {
  try {
    parseTransformations(input);
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    expect((error as DomainError).code).toBe('INVALID_TRANSFORMATION');
    return ((error as DomainError).details as FieldError[]).map(({ field }) => field);
  }
  return [];
}

const manyPaths = (beginning: string, count: number) => ({
  type: 'field_mask',
  config: { paths: Array.from({ length: count }, (_, index) => `${beginning}.x${index}`) },
});

describe('parseTransformations', () => {
  it('transformations as written are read as they are, a bare text as its type', () => {
    const written = [
      'pii_redaction',
      { type: 'pii_redaction', config: { entities: ['email', 'iban'], replacement: '<entity>' } },
      { type: 'field_mask', config: { paths: ['title', 'metadata.properties.*.email'], strategy: 'last4' } },
      { type: 'truncate', config: { field: 'value', max: 0 } },
      { type: 'round_date', config: { granularity: 'year' }, apply_to: { fields: ['created_at'] } },
      { type: 'pseudonymize', config: { paths: ['last_modified_by_agent_id'] } },
      { type: 'round_date', apply_to: { tag_ids: [tag], node_types: ['GOAL'], fields: [] } },
    ];
    expect(parseTransformations(written)).toEqual([{ type: 'pii_redaction' }, ...written.slice(1)]);
    expect(parseTransformations(undefined)).toEqual([]);
    expect(parseTransformations([])).toEqual([]);
  });

  it.each([
    ['no list', null, ['transformations']],
    ['a text for the list', 'pii_redaction', ['transformations']],
    ['too many', Array.from({ length: 21 }, () => 'round_date'), ['transformations']],
    ['too many redactions', Array.from({ length: 5 }, () => 'pii_redaction'), ['transformations']],
    ['too many paths', Array.from({ length: 3 }, () => manyPaths('metadata.a', 67)), ['transformations']],
    ['too many wildcards', [manyPaths('metadata.*', 41)], ['transformations']],
    ['no object', [1], ['transformations[0]']],
    ['null', [null], ['transformations[0]']],
    ['an unknown type', ['pii'], ['transformations[0].type']],
    ['a type of every object', ['constructor'], ['transformations[0].type']],
    ['no type', [{ config: {} }], ['transformations[0].type']],
    ['an unknown key', [{ type: 'round_date', fields: [] }], ['transformations[0].fields']],
    ['no object for config', [{ type: 'round_date', config: [] }], ['transformations[0].config']],
    ['null for config', [{ type: 'round_date', config: null }], ['transformations[0].config']],
    [
      'an unknown key of config',
      [{ type: 'round_date', config: { unit: 'day' } }],
      ['transformations[0].config.unit'],
    ],
    [
      'an unknown entity',
      [{ type: 'pii_redaction', config: { entities: ['name'] } }],
      ['transformations[0].config.entities'],
    ],
    [
      'no entities',
      [{ type: 'pii_redaction', config: { entities: [] } }],
      ['transformations[0].config.entities'],
    ],
    [
      'a number to put in',
      [{ type: 'pii_redaction', config: { replacement: 1 } }],
      ['transformations[0].config.replacement'],
    ],
    [
      'an identifier to put in',
      [{ type: 'pii_redaction', config: { replacement: 'x@example.com' } }],
      ['transformations[0].config.replacement'],
    ],
    ['a mask without paths', ['field_mask'], ['transformations[0].config.paths']],
    [
      'an empty list of paths',
      [{ type: 'field_mask', config: { paths: [] } }],
      ['transformations[0].config.paths'],
    ],
    [
      'an unknown strategy',
      [{ type: 'field_mask', config: { paths: ['title'], strategy: 'blur' } }],
      ['transformations[0].config.strategy'],
    ],
    [
      'a hashed score',
      [{ type: 'field_mask', config: { paths: ['importance_score'], strategy: 'hash' } }],
      ['transformations[0].config.strategy'],
    ],
    [
      'a truncation without a length',
      [{ type: 'truncate', config: { field: 'title' } }],
      ['transformations[0].config.max'],
    ],
    [
      'a negative length',
      [{ type: 'truncate', config: { field: 'title', max: -1 } }],
      ['transformations[0].config.max'],
    ],
    [
      'a length that is no whole number',
      [{ type: 'truncate', config: { field: 'title', max: 1.5 } }],
      ['transformations[0].config.max'],
    ],
    [
      'an unknown granularity',
      [{ type: 'round_date', config: { granularity: 'week' } }],
      ['transformations[0].config.granularity'],
    ],
    [
      'a tag by name',
      [{ type: 'round_date', apply_to: { tag_ids: [7] } }],
      ['transformations[0].apply_to.tag_ids'],
    ],
    [
      'an unknown key of apply_to',
      [{ type: 'round_date', apply_to: { tags: [] } }],
      ['transformations[0].apply_to.tags'],
    ],
    [
      'null for tags',
      [{ type: 'round_date', apply_to: { tag_ids: null } }],
      ['transformations[0].apply_to.tag_ids'],
    ],
    [
      'a second one',
      ['round_date', { type: 'truncate', config: {} }],
      ['transformations[1].config.field', 'transformations[1].config.max'],
    ],
  ])('transformations as written are refused: %s', (_name, input, fields) => {
    expect(wrongFields(input)).toEqual(fields);
  });

  it.each([
    '',
    '.',
    'titel',
    'title.',
    '*',
    '*.email',
    'id',
    'tags',
    'owner_id',
    'created_at',
    'a'.repeat(501),
    1,
    null,
  ])('transformations as written are refused with the path %p, which protects nothing', (path) => {
    expect(wrongFields([{ type: 'field_mask', config: { paths: [path] } }])).toHaveLength(1);
  });

  it('transformations as written are refused with fields that the type does nothing at', () => {
    expect(wrongFields([{ type: 'pii_redaction', apply_to: { fields: ['created_at'] } }])).toHaveLength(1);
    expect(wrongFields([{ type: 'truncate', config: { field: 'importance_score', max: 1 } }])).toHaveLength(
      1,
    );
  });
});
