import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { AccessLog } from '../application/access-log.service.js';
import { AccessLogDto, AccessLogQuery } from './access-log.dto.js';
import { AccessLogPresenter } from './access-log.presenter.js';

/** For owners: who was here. */
@ApiTags('Access log')
@Controller('access-log')
export class AccessLogController {
  constructor(
    private readonly log: AccessLog,
    private readonly presenter: AccessLogPresenter,
  ) {}

  @Get()
  @Endpoint({
    summary: 'Which app, or which other person, read or changed what of yours',
    description:
      'Newest first, kept for 90 days. Everything that apps were answered in your name, what was sent to them, and ' +
      'what other people read or changed of what you share. What you do yourself is not in it, and nothing of what ' +
      'your nodes say. Other processes write what they have every two seconds.',
    requires: { callers: 'user' },
    answers: AccessLogDto,
  })
  async list(@CurrentAccess() access: Access, @Query() query: AccessLogQuery): Promise<AccessLogDto> {
    const { app_id, node_id, limit, offset, ...filter } = query;
    const page = await this.log.list(access.ownerId, {
      ...filter,
      appId: app_id,
      nodeId: node_id,
      limit,
      offset,
    });
    const entries = await this.presenter.present(access.ownerId, page.entries);
    return { entries, total: page.total, limit, offset };
  }
}
