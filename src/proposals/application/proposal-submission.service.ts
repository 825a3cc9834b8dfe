import { Injectable } from '@nestjs/common';
import { slicesOfShowing } from '../../graph/index.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError, isFaultOfPart } from '../../kernel/errors/domain-error.js';
import { newId } from '../../kernel/ids.js';
import { rest } from '../../kernel/slices.js';
import { type Access } from '../../privacy/index.js';
import { pathCharacters } from '../domain/deltas.js';
import { countNamed } from '../domain/named-things.js';
import { type Prepared } from '../domain/prepared.js';
import { LIMITS } from '../domain/proposal-content.js';
import { Proposal, type ProposalDraft, type ProposalStep } from '../domain/proposal.js';
import { ProposalsRepository } from '../infrastructure/proposals.repository.js';
import { newRoom, ProposalApplying, type Rehearsal } from './proposal-applying.service.js';
import { changeOfProposal } from './proposal-changes.js';
import { ProposalPreparation } from './proposal-preparation.service.js';

/** A new proposal, and the status with which its app submits it. */
export interface Submission {
  draft: ProposalDraft;
  status: 'PENDING' | 'READY_FOR_APPROVAL';
}

/** An item of several submissions that was refused, by its position. */
export interface RefusedSubmission {
  index: number;
  error: DomainError;
}

export interface SubmittedProposals {
  proposals: { index: number; proposal: Proposal }[];
  refused: RefusedSubmission[];
}

/** The steps of a new proposal: it is made, and declared ready if its app says so. */
type FirstSteps = readonly [made: ProposalStep, ...offered: ProposalStep[]];

/**
 * Takes proposals from apps. A proposal that is submitted as ready is judged as if its app had declared it so afterwards
 * (rule 8.4d). What apps say is read before the unit of work, because texts through masks are long work (rule 11.9j).
 */
@Injectable()
export class ProposalSubmission {
  constructor(
    private readonly proposals: ProposalsRepository,
    private readonly preparation: ProposalPreparation,
    private readonly applying: ProposalApplying,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** @throws VALIDATION_ERROR, PERMISSION_DENIED; for one that is ready any error that would prevent it from being applied */
  async submit(access: Access, submission: Submission): Promise<Proposal> {
    const steps = this.firstSteps(access, submission);
    const prepared = await this.prepared(access, steps, { slices: slicesOfShowing(), room: newRoom() });
    return this.units.run(async () => {
      const [proposal] = await this.insert([{ steps, prepared }]);
      return proposal as Proposal;
    });
  }

  /**
   * Submits several proposals in one unit of work: a refused one refuses no other (rule 8.4e).
   * @param submissions an error stands for an item that could not be read
   * @throws VALIDATION_ERROR when they are larger together than one proposal may be
   */
  async submitAll(
    access: Access,
    submissions: readonly (Submission | DomainError)[],
  ): Promise<SubmittedProposals> {
    const refused: RefusedSubmission[] = [];
    const ofItem = async <T>(index: number, work: () => T | Promise<T>): Promise<T | null> => {
      try {
        return await work();
      } catch (error) {
        if (!isFaultOfPart(error)) throw error;
        refused.push({ index, error });
        return null;
      }
    };
    const drafted: { index: number; steps: FirstSteps }[] = [];
    for (const [index, submission] of submissions.entries()) {
      await rest();
      const steps = await ofItem(index, () => {
        if (submission instanceof DomainError) throw submission;
        return this.firstSteps(access, submission);
      });
      if (steps !== null) drafted.push({ index, steps });
    }
    refuseTooMuch(drafted.map(({ steps }) => newest(steps)));
    // All of them are the work of one request.
    const rehearsal = { slices: slicesOfShowing(), room: newRoom() };
    const ready: { index: number; steps: FirstSteps; prepared: Prepared }[] = [];
    for (const { index, steps } of drafted) {
      const prepared = await ofItem(index, () => this.prepared(access, steps, rehearsal));
      if (prepared !== null) ready.push({ index, steps, prepared });
    }
    const made = ready.length === 0 ? [] : await this.units.run(() => this.insert(ready));
    const proposals = made.map((proposal, at) => ({ index: ready[at]?.index ?? 0, proposal }));
    return { proposals, refused };
  }

  private firstSteps(access: Access, { draft, status }: Submission): FirstSteps {
    const appId = access.actor.appId;
    if (appId === null) throw new DomainError('PERMISSION_DENIED', 'Only apps can make proposals');
    const at = this.clock.now();
    const made = Proposal.submit(draft, { ownerId: access.ownerId, appId, id: newId(), at });
    const offered = made.proposal.enrich({ content: {}, status }, at);
    return offered === null ? [made] : [made, offered];
  }

  private async prepared(access: Access, steps: FirstSteps, rehearsal: Rehearsal): Promise<Prepared> {
    const proposal = newest(steps);
    const isReady = proposal.status === 'READY_FOR_APPROVAL';
    const { slices } = rehearsal;
    const prepared = await this.preparation.prepare(access, proposal, { isComplete: isReady, slices });
    if (isReady) await this.applying.rehearse(access, proposal.withPrepared(prepared), rehearsal);
    return prepared;
  }

  /** Needs a unit of work. */
  private async insert(submitted: readonly { steps: FirstSteps; prepared: Prepared }[]): Promise<Proposal[]> {
    const proposals = submitted.map(({ steps, prepared }) => newest(steps).withPrepared(prepared));
    await this.proposals.insertMany(proposals);
    for (const { steps } of submitted) for (const step of steps) this.changes.append(changeOfProposal(step));
    return proposals;
  }
}

const newest = (steps: FirstSteps): Proposal => (steps.at(-1) as ProposalStep).proposal;

/** Several proposals are the work of one request, like one. */
function refuseTooMuch(proposals: readonly Proposal[]): void {
  const steps = proposals.flatMap((proposal) => proposal.steps);
  if (steps.length > LIMITS.steps)
    throw DomainError.validation('proposals', `must not have more than ${LIMITS.steps} actions together`);
  if (countNamed(steps) > LIMITS.namedNodes)
    throw DomainError.validation(
      'proposals',
      `must not name more than ${LIMITS.namedNodes} existing nodes together`,
    );
  const characters = steps.reduce((sum, { payload }) => sum + pathCharacters(payload['changes']), 0);
  if (characters > LIMITS.pathCharacters)
    throw DomainError.validation(
      'proposals',
      `must not change values whose paths have more than ${LIMITS.pathCharacters} characters together`,
    );
}
