import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Clock } from '../../kernel/clock.js';
import { ID, PRESENT, TIME } from '../../kernel/http/examples.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import {
  DateField,
  IntegerField,
  NestedArrayField,
  NumberField,
  StringField,
  UuidField,
} from '../../kernel/http/fields.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { GraphSnapshotQueries } from '../infrastructure/graph-snapshot.queries.js';

class SnapshotQuery {
  @DateField({
    description:
      'ISO 8601; without an offset it is UTC. Write the `+` of an offset as `%2B`. In the future it means now.',
    ...PRESENT,
  })
  timestamp: Date;
}

class SnapshotNodeDto {
  @UuidField(ID)
  id: string;

  @StringField({ example: 'Learn to sail' })
  title: string;

  @StringField({ example: 'GOAL' })
  node_type: string;

  @StringField({ example: 'IDENTITY' })
  meaning_level: string;

  @NumberField({ nullable: true, example: 0.8 })
  importance_score: number | null;

  @StringField(TIME)
  created_at: string;
}

class SnapshotRelationshipDto {
  @UuidField(ID)
  id: string;

  @UuidField(ID)
  from_node_id: string;

  @UuidField(ID)
  to_node_id: string;

  @StringField({ example: 'related_to' })
  relationship_type: string;

  @NumberField({ nullable: true, example: 0.5 })
  strength: number | null;
}

class SnapshotDto {
  @StringField({ description: 'The time of which this is the picture.', ...TIME })
  timestamp: string;

  @NestedArrayField(() => SnapshotNodeDto, { description: 'Oldest first.' })
  nodes: SnapshotNodeDto[];

  @NestedArrayField(() => SnapshotRelationshipDto)
  relationships: SnapshotRelationshipDto[];

  @IntegerField({ example: 1 })
  total_nodes: number;

  @IntegerField({ example: 0 })
  total_relationships: number;
}

/** A person's whole graph at a time, for that person only. */
@ApiTags('Graph')
@Controller('graph')
export class GraphSnapshotController {
  constructor(
    private readonly queries: GraphSnapshotQueries,
    private readonly clock: Clock,
  ) {}

  @Get('snapshot')
  @Endpoint({
    summary: 'The graph as it was at a time',
    description:
      'Own nodes that were there and not deleted, in their state of that time, and the relationships between them.',
    requires: { callers: 'user' },
    answers: SnapshotDto,
  })
  async snapshot(
    @CurrentAccess() access: Access,
    @Query() { timestamp }: SnapshotQuery,
  ): Promise<SnapshotDto> {
    const time = new Date(Math.min(timestamp.getTime(), this.clock.now().getTime()));
    const { nodes, edges } = await this.queries.at(access.ownerId, time);
    return {
      timestamp: time.toISOString(),
      nodes: nodes.map(({ id, title, node_type, meaning_level, importance_score, created_at }) => ({
        id,
        title,
        node_type,
        meaning_level,
        importance_score,
        created_at: created_at.toISOString(),
      })),
      relationships: edges.map(({ id, from_node_id, to_node_id, relationship_type, strength }) => ({
        id,
        from_node_id,
        to_node_id,
        relationship_type,
        strength,
      })),
      total_nodes: nodes.length,
      total_relationships: edges.length,
    };
  }
}
