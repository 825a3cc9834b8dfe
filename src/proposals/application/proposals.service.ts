import { Injectable } from '@nestjs/common';
import { type ConfirmRights, NO_RIGHTS } from '../../identity/index.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { HeldRows } from '../../kernel/held-rows.js';
import { LastShown } from '../../kernel/last-shown.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type Slices } from '../../kernel/slices.js';
import { OwnerEdits, PreparedWords, type SchemaChecks, slicesOfShowing } from '../../graph/index.js';
import { type Access } from '../../privacy/index.js';
import { BaseConflicts } from './base-conflicts.js';
import { type Approval, type Enrichment, Proposal, type ProposalStep } from '../domain/proposal.js';
import { notAsApproved } from '../domain/apply-result.js';
import { countNamed, rightsByApproval } from '../domain/named-things.js';
import { type Prepared, withEarlier } from '../domain/prepared.js';
import { type Step } from '../domain/proposal-content.js';
import { writtenValues } from '../domain/written-values.js';
import { ProposalsRepository } from '../infrastructure/proposals.repository.js';
import { ApprovedDisclosures, type ComparedApproval } from './approved-disclosures.service.js';
import { authorityOf, newRoom, ProposalApplying } from './proposal-applying.service.js';
import { changeOfProposal } from './proposal-changes.js';
import { ProposalPreparation } from './proposal-preparation.service.js';
import { type ComparedSteps, StepComparisons } from './step-comparisons.js';
import { OutdatedProposal } from './step-runner.service.js';

/** An approval as its user asks for it. */
type AskedApproval = Omit<Approval, 'shownRevision'> & { confirm: ConfirmRights };

/** Throws PRECONDITION_FAILED when the proposal is not the one the caller has seen (If-Match). */
export type ProposalPrecondition = (proposal: Proposal) => void;

const anyVersion: ProposalPrecondition = () => undefined;

/**
 * The life of a proposal from its app to the graph. Each step is one unit of work that begins by locking the
 * proposal, so that of two concurrent steps the second sees the result of the first; and it writes one row of
 * the change log, which is the event that its app receives (rule 8.8). Lock order: proposal, tags where some are assigned,
 * nodes, relationships.
 */
@Injectable()
export class ProposalsService {
  constructor(
    private readonly proposals: ProposalsRepository,
    private readonly preparation: ProposalPreparation,
    private readonly applying: ProposalApplying,
    private readonly edits: OwnerEdits,
    private readonly units: UnitOfWork,
    private readonly changes: ChangeLog,
    private readonly clock: Clock,
    private readonly lastShown: LastShown,
    private readonly conflicts: BaseConflicts,
    private readonly comparisons: StepComparisons,
    private readonly approved: ApprovedDisclosures,
    private readonly held: HeldRows,
    private readonly words: PreparedWords,
  ) {}

  /**
   * @throws NOT_FOUND, INVALID_STATE_TRANSITION, and any error that would prevent it from ever being applied
   *   (rules 8.4, 8.5)
   */
  enrich(
    access: Access,
    located: Proposal,
    { enrichment, precondition }: { enrichment: Enrichment; precondition: ProposalPrecondition },
  ): Promise<Proposal> {
    const slices = slicesOfShowing();
    return this.untilCurrent(access, located, async (seen) => {
      precondition(seen);
      const step = seen.enrich(enrichment, this.clock.now());
      if (step === null) return seen;
      const prepared = await this.prepared(access, { seen, step, slices });
      return this.step(access, seen.id, {
        precondition,
        decide: (current) => {
          const next = current.enrich(enrichment, this.clock.now());
          refuseOutdated(seen, current);
          return next === null ? null : { ...next, proposal: next.proposal.reread(prepared, current) };
        },
      });
    });
  }

  /** @throws NOT_FOUND, INVALID_STATE_TRANSITION, REVISION_CONFLICT, VALIDATION_ERROR */
  approve(access: Access, located: Proposal, asked: AskedApproval): Promise<Proposal> {
    return this.untilCurrent(access, located, async (seen) => {
      const { decide } = await this.approval(access, seen, asked);
      return this.step(access, seen.id, { decide });
    });
  }

  /**
   * Approves and applies in one unit of work, by the rules of both: a refusal leaves the proposal as it was.
   * @throws like approve
   */
  approveAndApply(access: Access, located: Proposal, asked: AskedApproval): Promise<Proposal> {
    let earlier: ComparedSteps = new Map();
    const slices = slicesOfShowing();
    return this.untilCurrent(access, located, async (seen) => {
      const approval = await this.approval(access, seen, asked);
      const steps = approval.approved.approvedSteps;
      const proposer = await this.conflicts.proposerOf(access, seen);
      const comparing = { caller: access, proposer, isRehearsal: false, slices };
      const compared = await this.comparisons.of(comparing, approval.approved, { steps, earlier });
      earlier = compared;
      const decide = async (current: Proposal, checks: SchemaChecks): Promise<ProposalStep> => {
        const approved = await approval.decide(current);
        // The log has the approval before what it applies.
        this.record(approved);
        const { proposal } = approved;
        const { result, isFailed } = await this.applying.apply(access, proposal, { compared, checks });
        // The diff that its user has read still holds (rule 8.10d).
        if (!(await this.approved.isCurrent(approval))) throw new OutdatedProposal();
        return proposal.applied(result, { isFailed, at: this.clock.now() });
      };
      return this.withRoom(access, steps, () => this.step(access, seen.id, { decide }));
    });
  }

  /** An approval of a proposal as it was seen: judged, and the decision that repeats it on the locked proposal. */
  private async approval(access: Access, seen: Proposal, { confirm, ...approval }: AskedApproval) {
    const shown = await this.lastShown.of(access.ownerId, 'proposal', seen.id);
    const reviewed = { ...approval, shownRevision: shown === null ? null : Number(shown) };
    const { proposal: approved } = seen.approve(reviewed, this.clock.now());
    const { digest, state } = await this.approved.digest(seen.reviewed, approved);
    const decide = async (current: Proposal): Promise<ProposalStep> => {
      refuseOutdated(seen, current);
      const { proposal, event } = current.approve(reviewed, this.clock.now());
      await confirm(NO_RIGHTS, rightsByApproval(proposal.approvedSteps));
      return { proposal: proposal.withDisclosed(digest), event };
    };
    return { approved, state, decide };
  }

  /**
   * Records that the user is about to be shown these: an approval that names no revision approves the shown
   * one.
   */
  async remember(access: Access, proposals: readonly Proposal[]): Promise<void> {
    if (!access.isOwner) return;
    const states = proposals.map(({ id, record }) => ({
      entity: 'proposal' as const,
      id,
      state: String(record.revision),
    }));
    await this.lastShown.remember(access.ownerId, states);
  }

  /** @throws NOT_FOUND, INVALID_STATE_TRANSITION */
  reject(access: Access, id: string, reason: string | null): Promise<Proposal> {
    return this.step(access, id, { decide: (current) => current.reject(reason, this.clock.now()) });
  }

  /**
   * Applies everything that was approved, once and in one unit of work (rule 8.7). @throws NOT_FOUND,
   * PROPOSAL_NOT_APPROVED
   */
  async apply(access: Access, located: Proposal): Promise<Proposal> {
    const proposer = await this.conflicts.proposerOf(access, located);
    const comparing = { caller: access, proposer, isRehearsal: false, slices: slicesOfShowing() };
    let earlier: ComparedSteps = new Map();
    return this.untilCurrent(access, located, async (seen) => {
      seen.requireApproved();
      const steps = seen.approvedSteps;
      const compared = await this.comparisons.of(comparing, seen, { steps, earlier });
      earlier = compared;
      const approval = access.isOwner ? OWN_DECISION : await this.approved.ofApproval(seen);
      const decide = async (current: Proposal, checks: SchemaChecks): Promise<ProposalStep> => {
        current.requireApproved();
        refuseOutdated(seen, current);
        if (!approval.isUnchanged)
          return current.applied(notAsApproved(steps), { isFailed: true, at: this.clock.now() });
        const { result, isFailed } = await this.applying.apply(access, current, { compared, checks });
        if (!(await this.approved.isCurrent(approval))) throw new OutdatedProposal();
        return current.applied(result, { isFailed, at: this.clock.now() });
      };
      return this.withRoom(access, steps, () => this.step(access, seen.id, { decide }));
    });
  }

  private withRoom<T>(access: Access, steps: readonly Step[], unit: () => Promise<T>): Promise<T> {
    return this.words.during(access.ownerId, writtenValues(steps), () =>
      this.held.run(countNamed(steps), unit),
    );
  }

  /** @throws NOT_FOUND, INVALID_STATE_TRANSITION, PRECONDITION_FAILED */
  async withdraw(access: Access, id: string, precondition: ProposalPrecondition): Promise<void> {
    await this.units.run(async () => {
      const current = await this.locked(access, id);
      precondition(current);
      const step = current.withdraw(this.clock.now());
      await this.proposals.delete(current);
      this.record(step);
    });
  }

  /** The words of an app, read before the proposal is locked, because texts through masks are long work (rule 11.9j). */
  private async prepared(
    access: Access,
    { seen, step: { proposal, event }, slices }: { seen: Proposal; step: ProposalStep; slices: Slices },
  ): Promise<Prepared> {
    const isReady = event === 'ready';
    const words = await this.preparation.prepare(access, proposal, { isComplete: isReady, slices });
    const prepared = withEarlier(seen.record.prepared, words, proposal.unchangedSince(seen));
    if (isReady)
      await this.applying.rehearse(access, proposal.withPrepared(prepared), { slices, room: newRoom() });
    return prepared;
  }

  /**
   * Runs work on a proposal, part of it before the unit of work that locks it, and again when others have changed the
   * proposal or its nodes in between.
   * @throws SERVICE_UNAVAILABLE when they never stop
   */
  private async untilCurrent(
    access: Access,
    located: Proposal,
    work: (seen: Proposal) => Promise<Proposal>,
  ): Promise<Proposal> {
    let seen = located;
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(seen);
      } catch (error) {
        if (!(error instanceof OutdatedProposal)) throw error;
        if (attempt === ATTEMPTS) throw keepsChanging();
      }
      const current = await this.proposals.find(access.ownerId, null, seen.id);
      if (current === null) throw proposalNotFound();
      seen = current;
    }
  }

  private async step(
    access: Access,
    id: string,
    {
      decide,
      precondition = anyVersion,
    }: {
      decide: (current: Proposal, checks: SchemaChecks) => Promise<ProposalStep | null> | ProposalStep | null;
      precondition?: ProposalPrecondition;
    },
  ): Promise<Proposal> {
    return this.edits.unit(authorityOf(access), async (checks) => {
      const current = await this.locked(access, id);
      precondition(current);
      const step = await decide(current, checks);
      if (step === null) return current;
      await this.proposals.update(step.proposal);
      this.record(step);
      return step.proposal;
    });
  }

  /** The proposal, locked. @throws NOT_FOUND when it was withdrawn since it was located */
  private async locked({ ownerId }: Access, id: string): Promise<Proposal> {
    const proposal = await this.proposals.lock(ownerId, id);
    if (proposal === null) throw proposalNotFound();
    return proposal;
  }

  private record(step: ProposalStep): void {
    this.changes.append(changeOfProposal(step));
  }
}

/** The most times that work is done for one request because others changed its proposal or nodes meanwhile. */
const ATTEMPTS = 5;

/** A user who applies needs no approval. */
const OWN_DECISION: ComparedApproval = { isUnchanged: true, state: null };

function refuseOutdated(seen: Proposal, current: Proposal): void {
  if (current.record.version !== seen.record.version) throw new OutdatedProposal();
}

const keepsChanging = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'The proposal or its nodes keep changing; try again later');

export const proposalNotFound = (): DomainError => new DomainError('NOT_FOUND', 'Proposal not found');
