import { Controller, Get, Logger, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type Caller, CallerReferences, CurrentCaller } from '../../identity/index.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { BytesUnderWay } from '../../kernel/http/bodies/bytes-under-way.js';
import { ID, PRESENT, TIME } from '../../kernel/http/openapi/examples.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import {
  DateField,
  IntegerField,
  NestedArrayField,
  NumberField,
  StringField,
  UuidField,
} from '../../kernel/http/fields/fields.js';
import { commaSeparated, sendJson } from '../../kernel/http/answers/streamed-json.js';
import { PAGE_BYTES } from '../../kernel/database/page-bytes.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import {
  AbsentNodes,
  type EdgeAtTime,
  GraphSnapshotQueries,
  type NodeAtTime,
  type SnapshotMoment,
} from '../infrastructure/graph-snapshot.queries.js';

class SnapshotQuery {
  @DateField({
    description:
      'ISO 8601; without an offset it is UTC. Write the `+` of an offset as `%2B`. A time in the future means now.',
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
  @StringField({ description: 'The time of this snapshot.', ...TIME })
  timestamp: string;

  @NestedArrayField(() => SnapshotNodeDto, {
    description: 'In the order in which they were added to the graph.',
  })
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
  private readonly logger = new Logger('snapshot');

  constructor(
    private readonly queries: GraphSnapshotQueries,
    private readonly clock: Clock,
    private readonly underWay: BytesUnderWay,
    private readonly callers: CallerReferences,
  ) {}

  @Get('snapshot')
  @Endpoint({
    summary: 'Get the graph at a point in time',
    lasts: true,
    description:
      'Contains own nodes that existed at that time, in their state of that time, and the relationships between them. ' +
      'There is no limit: the answer is sent as it is read, without a `Content-Length`.',
    requires: { callers: 'user' },
    answers: SnapshotDto,
  })
  async snapshot(
    @CurrentAccess() access: Access,
    @CurrentCaller() caller: Caller,
    @Query() { timestamp }: SnapshotQuery,
    @Res() response: Response,
  ): Promise<void> {
    const time = new Date(Math.min(timestamp.getTime(), this.clock.now().getTime()));
    const moment = await this.queries.moment(access.ownerId, time);
    // The answer holds a page while its reader takes it.
    this.underWay.hold('sent', response, PAGE_BYTES);
    try {
      await sendJson(response, this.callers.whileAccepted(caller, this.pieces(moment)));
    } catch (error) {
      if (!response.headersSent) throw error;
      if (!(error instanceof DomainError)) this.logger.error({ err: error }, 'a snapshot was aborted');
    }
  }

  /** The text of a SnapshotDto, in pieces as the database returns it. */
  private async *pieces(moment: SnapshotMoment): AsyncGenerator<string> {
    const count = { nodes: 0, relationships: 0 };
    const absent = new AbsentNodes();
    const counted = async function* <Then, Shown>(
      found: AsyncIterable<Then[]>,
      of: keyof typeof count,
      show: (then: Then) => Shown,
    ) {
      for await (const part of found) {
        count[of] += part.length;
        yield part.map(show);
      }
    };
    yield `{"timestamp":${JSON.stringify(moment.time)},"nodes":[`;
    yield* commaSeparated(counted(this.queries.nodes(moment, absent), 'nodes', nodeThen));
    yield '],"relationships":[';
    yield* commaSeparated(counted(this.queries.edges(moment, absent), 'relationships', edgeThen));
    yield `],"total_nodes":${count.nodes},"total_relationships":${count.relationships}}`;
  }
}

const nodeThen = ({ id, title, node_type, meaning_level, importance_score, created_at }: NodeAtTime) =>
  ({
    id,
    title,
    node_type,
    meaning_level,
    importance_score,
    created_at: created_at.toISOString(),
  }) satisfies SnapshotNodeDto;

const edgeThen = ({ id, from_node_id, to_node_id, relationship_type, strength }: EdgeAtTime) =>
  ({ id, from_node_id, to_node_id, relationship_type, strength }) satisfies SnapshotRelationshipDto;
