import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Response } from 'express';
import { type ErrorCode } from '../../kernel/errors/catalogue.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { boundItem, nameOfItem } from '../../kernel/http/bodies/batch-items.js';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { setEtag } from '../../kernel/http/preconditions.js';
import { mapInSlices } from '../../kernel/slices.js';
import { type Access, CurrentAccess } from '../../privacy/index.js';
import {
  ProposalSubmission,
  type Submission,
  type SubmittedProposals,
} from '../application/proposal-submission.service.js';
import { statusOfApp } from './app-status.js';
import { ProposalPresenter } from './proposal.presenter.js';
import { ProposalDto, SubmittedProposalsDto } from './proposals-answers.dto.js';
import { SubmitProposalBody, SubmitProposalsBody } from './proposals.dto.js';

/** The errors of a proposal that is submitted as ready. */
const READY_ERRORS: readonly ErrorCode[] = [
  'NOT_FOUND',
  'NODE_NOT_FOUND',
  'LAST_TAG_REMOVAL',
  'INVALID_NODE_TYPE',
  'SCHEMA_NOT_FOUND',
];

/** Proposals as apps submit them, one or many. */
@ApiTags('Proposals')
@Controller('proposals')
export class ProposalSubmissionsController {
  constructor(
    private readonly submission: ProposalSubmission,
    private readonly presenter: ProposalPresenter,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Propose a change',
    description:
      'By an app, for its user. It begins as PENDING; PATCH it to READY_FOR_APPROVAL when it is complete. With ' +
      '`status: "READY_FOR_APPROVAL"` it is ready at once, if it could be applied.',
    requires: { callers: 'key', permission: 'tags.propose' },
    status: 201,
    answers: ProposalDto,
    errors: READY_ERRORS,
  })
  async submit(
    @CurrentAccess() access: Access,
    @Body() body: SubmitProposalBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProposalDto> {
    const proposal = await this.submission.submit(access, submissionOf(body));
    setEtag(response, proposal.record.version);
    return (await this.presenter.present(access, proposal)) as unknown as ProposalDto;
  }

  @Post('batch')
  @Endpoint({
    summary: 'Propose up to 50 changes',
    description:
      'Each is judged alone, as by POST /proposals: a refused one refuses no other, and all others are stored in one ' +
      'transaction. Together they have at most 100 actions about 200 existing nodes. 201 when all were created, else 200.',
    requires: { callers: 'key', permission: 'tags.propose' },
    status: 201,
    alsoStatus: 200,
    answers: SubmittedProposalsDto,
  })
  async submitAll(
    @CurrentAccess() access: Access,
    @Body() { proposals }: SubmitProposalsBody,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SubmittedProposalsDto> {
    const submissions = await mapInSlices(proposals, boundSubmission);
    const submitted = await this.submission.submitAll(access, submissions);
    response.status(submitted.refused.length === 0 ? 201 : 200);
    return presentSubmitted(submitted, proposals);
  }
}

/** @throws PERMISSION_DENIED for a status that an app may not set (rule 8.5) */
function submissionOf({ status, tags, actions, ...rest }: SubmitProposalBody): Submission {
  const draft = { ...rest, tags: tags ?? [], actions: actions ?? [] };
  return { draft, status: statusOfApp(status) };
}

function boundSubmission(item: unknown, index: number): Submission | DomainError {
  const body = boundItem(SubmitProposalBody, item, `proposals.${index}`);
  if (body instanceof DomainError) return body;
  try {
    return submissionOf(body);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error;
  }
}

/** All of it is the app's own words. */
function presentSubmitted(
  { proposals, refused }: SubmittedProposals,
  items: readonly unknown[],
): SubmittedProposalsDto {
  return {
    created: proposals.map(({ index, proposal: { id, record } }) => ({
      index,
      id,
      title: record.title,
      status: record.status,
      revision: record.revision,
    })),
    errors: [...refused]
      .sort((a, b) => a.index - b.index)
      .map(({ index, error }) => ({
        index,
        title: nameOfItem(items[index], 'title'),
        error: error.message,
        code: error.code,
      })),
    summary: { total: items.length, created: proposals.length, errors: refused.length },
  };
}
