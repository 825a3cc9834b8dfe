import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Clock } from '../../kernel/clock.js';
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

const ID = '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f';
const TIME = '2026-01-31T12:00:00.000Z';

class SnapshotQuery {
  @DateField({
    description:
      'ISO 8601; without an offset it is UTC. Write the `+` of an offset as `%2B`. In the future it means now.',
    example: TIME,
  })
  timestamp: Date;
}

class SnapshotNodeDto {
  @UuidField({ example: ID })
  id: string;

  @StringField({ example: 'Learn to sail' })
  title: string;

  @StringField({ example: 'GOAL' })
  node_type: string;

  @StringField({ example: 'IDENTITY' })
  meaning_level: string;

  @NumberField({ nullable: true, example: 0.8 })
  importance_score: number | null;

  @StringField({ example: TIME })
  created_at: string;
}

class SnapshotRelationshipDto {
  @UuidField({ example: ID })
  id: string;

  @UuidField({ example: ID })
  from_node_id: string;

  @UuidField({ example: ID })
  to_node_id: string;

  @StringField({ example: 'related_to' })
  relationship_type: string;

  @NumberField({ nullable: true, example: 0.5 })
  strength: number | null;
}

class SnapshotDto {
  @StringField({ description: 'The time of which this is the picture.', example: TIME })
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
