import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { AccessLog } from '../application/access-log.service.js';
import { AccessLogDto, AccessLogQuery } from './access-log.dto.js';
import { AccessLogPresenter } from './access-log.presenter.js';

/** The access log, for its owner. */
@ApiTags('Access log')
@Controller('access-log')
export class AccessLogController {
  constructor(
    private readonly log: AccessLog,
    private readonly presenter: AccessLogPresenter,
  ) {}

  @Get()
  @Endpoint({
    summary: 'List accesses to your graph',
    holdsNoSecret: true,
    description:
      'Newest first; entries are stored for 90 days. It lists all answers and events to apps that act for you, and ' +
      'changes by other people of things you share, and their reads of nodes that they named by id, by the hour. It ' +
      'lists neither what others search for nor your own requests, and stores no content of nodes: `nodes` has their ' +
      'present titles. Other processes write their entries every two seconds.',
    requires: { callers: 'user' },
    answers: AccessLogDto,
  })
  async list(@CurrentAccess() access: Access, @Query() query: AccessLogQuery): Promise<AccessLogDto> {
    const { app_id, node_id, session_id, limit, offset, ...filter } = query;
    const page = await this.log.list(access.ownerId, {
      ...filter,
      appId: app_id,
      nodeId: node_id,
      sessionId: session_id,
      limit,
      offset,
    });
    const entries = await this.presenter.present(access, page.entries);
    return { entries, total: page.total, limit, offset };
  }
}
