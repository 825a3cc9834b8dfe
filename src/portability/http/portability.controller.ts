import { Body, Controller, Delete, Get, Logger, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { pipeline } from 'node:stream/promises';
import {
  type Caller,
  CallerReferences,
  CurrentCaller,
  CurrentUser,
  CurrentUserCaller,
  type User,
  type UserCaller,
} from '../../identity/index.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { goneSignal } from '../../kernel/http/answers/gone-signal.js';
import { BytesUnderWay } from '../../kernel/http/bodies/bytes-under-way.js';
import { requireLeastRate } from '../../kernel/http/bodies/least-rate.js';
import { type ArchiveUpload } from '../application/archive-uploads.service.js';
import { ErasureService } from '../application/erasure.service.js';
import { ExportService } from '../application/export.service.js';
import { ImportService } from '../application/import.service.js';
import { ArchiveBody, CurrentUpload } from './archive-upload.interceptor.js';
import { EraseAccountBody, ImportedDto, type ImportedRowsDto } from './portability.dto.js';

/** The bytes that an export holds whose reader has stopped: the buffers of its streams, and those of the compression. */
const EXPORT_BYTES = 512 * 1024;

/** Export of a person's data, and erasure of their account. */
@ApiTags('Portability')
@Controller()
export class PortabilityController {
  private readonly logger = new Logger('export');

  constructor(
    private readonly exports: ExportService,
    private readonly imports: ImportService,
    private readonly erasures: ErasureService,
    private readonly callers: CallerReferences,
    private readonly underWay: BytesUnderWay,
  ) {}

  @Get('export')
  @Endpoint({
    summary: 'Export everything of the account as a zip file',
    description:
      'All as of one moment: an import restores `data/`; `listed/` is only for reading (authorizations, shares, ' +
      'proposals, apps); `files/` has the contents by their SHA-256. Two exports with nothing written between them have equal ' +
      '`data/` and `files/`, byte for byte.',
    requires: { callers: 'user', stepUp: 'always' },
    produces: 'application/zip',
    lasts: true,
    limit: { name: 'GET /export', perMinute: 10 },
    errors: ['TOO_MUCH_UNDER_WAY', 'SERVICE_UNAVAILABLE'],
  })
  async export(
    @CurrentUser() user: User,
    @CurrentCaller() caller: Caller,
    @Res() response: Response,
  ): Promise<void> {
    this.underWay.holdTransfer('sent', response, { bytes: EXPORT_BYTES });
    const left = goneSignal(response);
    let hasBegun = false;
    try {
      await this.exports.send(user, left, async (archive) => {
        hasBegun = true;
        response.setHeader('Content-Type', 'application/zip');
        response.setHeader('Content-Disposition', 'attachment; filename="export.zip"');
        response.setHeader('Cache-Control', 'no-store');
        requireLeastRate(response);
        await pipeline(this.callers.whileAccepted(caller, archive), response);
      });
    } catch (error) {
      const hasLeft = left.aborted || (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
      if (!hasBegun && !hasLeft) throw error;
      response.destroy();
      if (hasLeft || error instanceof DomainError) return;
      this.logger.error({ err: error }, 'an export broke off');
    }
  }

  @Post('import')
  @Endpoint({
    summary: 'Fill an empty account with an archive',
    description:
      'Takes an archive from `GET /export`, from this account or another, this server or another: all of it or nothing. The ' +
      'account must be one whose owner has written nothing yet. Everything gets a new id, also where texts, rules and ' +
      'the history name it; an export afterwards has the same `data/` and `files/` but for these ids. Permissions do not ' +
      'come back: apps, shares and groups have to be agreed again.',
    requires: { callers: 'user', stepUp: 'always' },
    status: 201,
    answers: ImportedDto,
    limit: { name: 'POST /import', perMinute: 10 },
    errors: [
      'ACCOUNT_NOT_EMPTY',
      'INVALID_ARCHIVE',
      'INVALID_STATE_TRANSITION',
      'PAYLOAD_TOO_LARGE',
      'QUOTA_EXCEEDED',
      'SCHEMA_URI_EXISTS',
      'TOO_MUCH_UNDER_WAY',
      'UNSUPPORTED_MEDIA_TYPE',
      'SERVICE_UNAVAILABLE',
    ],
  })
  @ArchiveBody()
  async import(@CurrentUser() user: User, @CurrentUpload() upload: ArchiveUpload): Promise<ImportedDto> {
    const { rows } = await this.imports.restore(user.id, upload);
    return { imported: toldOf(rows) };
  }

  @Delete('auth/me')
  @Endpoint({
    summary: 'Erase the account and everything in it',
    description:
      'Permanently, at once, and without recovery: export first. Tokens, apps and keys end with the answer. Groups ' +
      'are left by their own rules, and keep what others are in; those with no other member are erased.',
    requires: { callers: 'user', stepUp: 'always' },
    endsAccess: true,
    status: 204,
    takesBody: true,
  })
  async erase(
    @CurrentUserCaller() caller: UserCaller,
    @Body() { password }: EraseAccountBody,
  ): Promise<void> {
    await this.erasures.erase(caller, password);
  }
}

/** The rows of the things that a person would count. */
const toldOf = (rows: Readonly<Record<string, number>>): ImportedRowsDto => ({
  nodes: rows['nodes'] ?? 0,
  relationships: rows['relationships'] ?? 0,
  tags: rows['tags'] ?? 0,
  schemas: rows['schemas'] ?? 0,
  exposure_profiles: rows['exposure_profiles'] ?? 0,
  files: rows['files'] ?? 0,
  embeddings: rows['embeddings'] ?? 0,
  sessions: rows['sessions'] ?? 0,
  changes: rows['changes'] ?? 0,
});
