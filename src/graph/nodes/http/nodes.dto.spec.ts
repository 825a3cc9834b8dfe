import { fieldsOf } from '../../../kernel/http/fields/field-metadata.js';
import { SHOWN_FIELDS } from '../../common/index.js';
import { NODE_BODY_FIELDS } from '../domain/node-fields.js';
import { NodeDto } from './nodes-answers.dto.js';
import { ChangeNodeBody, CreateNodeBody } from './nodes.dto.js';

const namesOf = (dto: object): string[] => [...fieldsOf(dto).keys()].sort();

describe('The DTOs of nodes', () => {
  it.each([
    [CreateNodeBody, ['created_at', 'updated_at']],
    [ChangeNodeBody, []],
  ] as const)('%p has every field of a node body', (body, refused) => {
    expect(namesOf(body)).toEqual([...NODE_BODY_FIELDS, ...refused].sort());
  });

  it('answers of nodes have every field that an answer can hold', () => {
    const beside = [
      'id',
      'tags',
      'owner_id',
      'created_at',
      'updated_at',
      'version',
      'value_truncated',
      'is_shared',
    ];
    expect(namesOf(NodeDto)).toEqual([...SHOWN_FIELDS, ...beside].sort());
  });
});
