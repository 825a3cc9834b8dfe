import { Body, Controller, Get, Put, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { StepUp } from '../../../identity/index.js';
import { Endpoint } from '../../../kernel/http/endpoint.js';
import { type Access, CurrentAccess } from '../../../privacy/index.js';
import { EmbeddingSettings, type EmbeddingState } from '../application/embedding-settings.service.js';
import { EmbeddingSettingsBody, EmbeddingSettingsDto } from './embedding-settings.dto.js';

/** The owner's decision whether the service computes vectors of their texts. */
@ApiTags('Embeddings')
@Controller('graph/embedding-settings')
export class EmbeddingSettingsController {
  constructor(
    private readonly settings: EmbeddingSettings,
    private readonly stepUp: StepUp,
  ) {}

  @Get()
  @Endpoint({
    summary: 'Get whether the service computes vectors of your texts',
    description:
      'The profile that decides which texts are sent, how far the work is, and the host and model that the operator has set.',
    requires: { callers: 'user' },
    answers: EmbeddingSettingsDto,
  })
  async get(@CurrentAccess() access: Access): Promise<EmbeddingSettingsDto> {
    return present(await this.settings.of(access));
  }

  @Put()
  @Endpoint({
    summary: 'Set whether the service computes vectors of your texts',
    description:
      "With a profile, title and value of the nodes that it shows in full are sent to the operator's service for vectors, and so are the queries of searches in your graph; all else stays here. Null switches it off and removes what was made. Switching on, or to another profile, requires a log-in from the last five minutes; otherwise 401 `REAUTHENTICATION_REQUIRED`.",
    requires: { callers: 'user', stepUp: 'sometimes' },
    answers: EmbeddingSettingsDto,
    errors: ['EMBEDDINGS_NOT_CONFIGURED', 'NOT_FOUND'],
  })
  async set(
    @CurrentAccess() access: Access,
    @Body() { profile_id: profileId }: EmbeddingSettingsBody,
    @Req() request: Request,
  ): Promise<EmbeddingSettingsDto> {
    if (profileId !== null) this.stepUp.require(request);
    return present(await this.settings.set(access, profileId));
  }
}

const present = ({ profileId, ...rest }: EmbeddingState): EmbeddingSettingsDto => ({
  profile_id: profileId,
  ...rest,
});
