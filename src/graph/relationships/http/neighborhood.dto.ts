import { BooleanField, IntegerField, NestedArrayField } from '../../../kernel/http/fields/fields.js';
import { LimitField } from '../../../kernel/http/answers/page.js';
import { FieldsField, ValueLimitField } from '../../../kernel/http/lean/lean-fields.js';
import { ListedNodeDto } from '../../nodes/index.js';
import { RelationshipDto } from './relationships.dto.js';

/** The most relationships in the answer; the newest. */
export const MOST_BETWEEN = 1_000;

class NeighborDto extends ListedNodeDto {
  @IntegerField({ min: 0, description: 'The number of relationships on the shortest way to it.', example: 0 })
  distance: number;
}

export class NeighborhoodQuery {
  @IntegerField({
    default: 1,
    min: 1,
    max: 3,
    description: 'The number of relationships between the node and the furthest nodes of the answer.',
  })
  depth: number;

  @LimitField({ default: 100, max: 500 })
  limit: number;

  @FieldsField(() => NeighborDto)
  fields?: string[];

  @FieldsField(() => RelationshipDto, { of: 'relationships', example: 'relationship_type' })
  relationship_fields?: string[];

  @ValueLimitField()
  value_limit?: number;
}

export class NeighborhoodDto {
  @NestedArrayField(() => NeighborDto, {
    description: 'The node itself first, then by distance, each once and with its tags.',
  })
  nodes: NeighborDto[];

  @NestedArrayField(() => RelationshipDto, {
    description: `The relationships between these nodes, newest first, at most ${MOST_BETWEEN}.`,
  })
  relationships: RelationshipDto[];

  @BooleanField({
    description: 'True: there are more nodes as near, or more relationships, than the answer has.',
    example: false,
  })
  truncated: boolean;
}
