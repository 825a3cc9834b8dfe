import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { isId } from '../../../kernel/ids.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { SchemasQueries } from '../../schemas/index.js';
import { NodeFacets } from '../infrastructure/node-facets.queries.js';
import { NodeFacetsDto } from './node-facets.dto.js';
import { NodeFilterQuery } from './nodes.dto.js';
import { filtersOf } from './nodes-question.js';

@ApiTags('Nodes')
@Controller('nodes/facets')
export class NodeFacetsController {
  constructor(
    private readonly facets: NodeFacets,
    private readonly schemas: SchemasQueries,
  ) {}

  @Get()
  @Endpoint({
    summary: 'Count the nodes of a list by tag, type, level, schema and month',
    holdsNoSecret: true,
    description:
      'Counts the nodes that GET /nodes lists with the same filters, own and shared ones, by what the list shows of them. The most frequent values of each facet are named.',
    requires: { callers: 'any' },
    answers: NodeFacetsDto,
    errors: ['TOO_MUCH_UNDER_WAY', 'SERVICE_UNAVAILABLE'],
  })
  async get(@CurrentAccess() access: Access, @Query() query: NodeFilterQuery): Promise<NodeFacetsDto> {
    const counted = await this.facets.of(access, filtersOf(access, query));
    const names = await this.names(access, counted.schemas.values);
    return {
      total: counted.nodes,
      tags: counted.tags.values.map(({ id, value: name, count }) => ({ id, name, count })),
      tags_total: counted.tags.total,
      tags_truncated: counted.areTagsCut,
      node_types: counted.nodeTypes.values.map(({ value, count }) => ({ node_type: value, count })),
      node_types_total: counted.nodeTypes.total,
      meaning_levels: counted.meaningLevels.values.map(({ value, count }) => ({
        meaning_level: value,
        count,
      })),
      schemas: counted.schemas.values.map(({ value: id, count }) => ({
        id,
        name: names.get(id) ?? null,
        count,
      })),
      schemas_total: counted.schemas.total,
      months: counted.months.values.map(({ value, count }) => ({ month: value, count })),
      months_total: counted.months.total,
    };
  }

  private names(access: Access, schemas: readonly { value: string }[]): Promise<Map<string, string>> {
    return this.schemas.names(access, schemas.map(({ value }) => value).filter(isId));
  }
}
