import { Body, Controller, Delete, Get, Param, Post, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { StepUp } from '../../identity/index.js';
import { Endpoint, type Requirement } from '../../kernel/http/endpoint.js';
import { Located } from '../../kernel/http/locators.js';
import { PageQuery } from '../../kernel/http/answers/page.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import { SharesService } from '../application/shares.service.js';
import { type Share } from '../domain/share.js';
import { SharesRepository } from '../infrastructure/shares.repository.js';
import { SharePresenter } from './share.presenter.js';
import {
  CreateShareBody,
  RevokedShareDto,
  RevokedSharesDto,
  ShareDto,
  SharesDto,
  UpdateShareBody,
} from './shares.dto.js';

const share = (verb: 'read' | 'edit' | 'end'): Requirement => ({
  callers: 'user',
  resource: { kind: 'share', param: 'share_id', verb },
});

/** Shares between users (specification, Sharing; rules 10.7, 10.8). */
@ApiTags('Sharing')
@Controller('sharing')
export class SharingController {
  constructor(
    private readonly service: SharesService,
    private readonly shares: SharesRepository,
    private readonly presenter: SharePresenter,
    private readonly stepUp: StepUp,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Share with another user',
    description:
      'Shares everything you own, nodes with certain tags, or single nodes. The recipient finds the nodes in the ordinary node ' +
      'endpoints from the next request on. The rights of several shares add up. ' +
      'Scopes `all` and `specific_tags`, and more than 20 single nodes, need a log-in from the last five minutes.',
    requires: { callers: 'user', stepUp: 'sometimes' },
    status: 201,
    answers: ShareDto,
    errors: ['NOT_FOUND'],
  })
  async create(
    @CurrentAccess() access: Access,
    @Body() body: CreateShareBody,
    @Req() request: Request,
  ): Promise<ShareDto> {
    const share = await this.service.create(access, body, this.stepUp.confirmation(request));
    return this.presenter.presentWritten(access, share);
  }

  @Get('outgoing')
  @Endpoint({
    summary: 'List the shares that you give, newest first',
    description: 'The list includes revoked and expired shares.',
    requires: { callers: 'user' },
    answers: SharesDto,
  })
  async outgoing(@CurrentAccess() access: Access, @Query() { limit, offset }: PageQuery): Promise<SharesDto> {
    const { shares, total } = await this.shares.outgoing(access.ownerId, { limit, offset });
    return { shares: await this.presenter.present(access, shares), total, limit, offset };
  }

  @Get('incoming')
  @Endpoint({
    summary: 'List the shares that you receive, newest first',
    description: 'Lists shares by others that are not revoked, without those of users whom you have blocked.',
    requires: { callers: 'user' },
    answers: SharesDto,
  })
  async incoming(@CurrentAccess() access: Access, @Query() { limit, offset }: PageQuery): Promise<SharesDto> {
    const { shares, total } = await this.shares.incoming(access.ownerId, { limit, offset });
    return { shares: await this.presenter.present(access, shares), total, limit, offset };
  }

  @Delete('incoming/:user_id')
  @Endpoint({
    summary: 'Remove all shares that you receive from a user',
    description:
      'Revokes them for both, ends their re-shares and your follow of this user. New shares are not prevented: block the ' +
      'user for that.',
    requires: { callers: 'user' },
    endsAccess: true,
    answers: RevokedSharesDto,
    errors: ['NOT_FOUND'],
  })
  async revokeReceived(
    @CurrentAccess() { ownerId }: Access,
    @Param('user_id') sharerId: string,
  ): Promise<RevokedSharesDto> {
    return { message: 'Shares revoked', revoked: await this.service.revokeReceived(ownerId, sharerId) };
  }

  @Get(':share_id')
  @Endpoint({
    summary: 'Get a share',
    description: 'For the sharer and the recipient; a revoked share is for the sharer only.',
    requires: share('read'),
    answers: ShareDto,
  })
  async get(@CurrentAccess() access: Access, @Located('share') located: Share): Promise<ShareDto> {
    const [shown] = await this.presenter.present(access, [located]);
    return shown as ShareDto;
  }

  @Put(':share_id')
  @Endpoint({
    summary: 'Change a share',
    description:
      'For the sharer. The share of a follow stays read-only. More rights, more tags or a later end need a ' +
      'log-in from the last five minutes; so do single nodes beyond 20.',
    requires: { ...share('edit'), stepUp: 'sometimes' },
    endsAccess: true,
    answers: ShareDto,
    errors: ['INVALID_STATE_TRANSITION'],
  })
  async update(
    @CurrentAccess() access: Access,
    @Located('share') located: Share,
    @Body() body: UpdateShareBody,
    @Req() request: Request,
  ): Promise<ShareDto> {
    const confirm = this.stepUp.confirmation(request);
    const share = await this.service.update(access, located, { fields: body, confirm });
    return this.presenter.presentWritten(access, share);
  }

  @Delete(':share_id')
  @Endpoint({
    summary: 'Revoke a share',
    description: 'For the sharer and the recipient. Its re-shares end with it, and so does its follow.',
    requires: share('end'),
    endsAccess: true,
    answers: RevokedShareDto,
  })
  async revoke(@Located('share') located: Share): Promise<RevokedShareDto> {
    const { id } = await this.service.revoke(located);
    return { message: 'Share revoked', id };
  }
}
