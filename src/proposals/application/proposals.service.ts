import { Injectable } from '@nestjs/common';
import { type ConfirmRights, NO_RIGHTS } from '../../identity/index.js';
import { ChangeLog } from '../../kernel/change-log/change-log.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/errors/domain-error.js';
import { HeldRows, MOST_HELD_ROWS } from '../../kernel/held-rows.js';
import { newId } from '../../kernel/ids.js';
import { LastShown } from '../../kernel/last-shown.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { OwnerEdits, type SchemaChecks } from '../../graph/index.js';
import { type Access } from '../../privacy/index.js';
import { BaseConflicts } from './base-conflicts.js';
import {
  type Approval,
  type Enrichment,
  Proposal,
  type ProposalDraft,
  type ProposalStep,
  proposalLogged,
} from '../domain/proposal.js';
import { countNamed, rightsByApproval } from '../domain/named-things.js';
import { type Prepared, withEarlier } from '../domain/prepared.js';
import { ProposalsRepository } from '../infrastructure/proposals.repository.js';
import { authorityOf, ProposalApplying } from './proposal-applying.service.js';
import { ProposalPreparation } from './proposal-preparation.service.js';

/** Throws PRECONDITION_FAILED when the proposal is not the one the caller has seen (If-Match). */
export type ProposalPrecondition = (proposal: Proposal) => void;

const anyVersion: ProposalPrecondition = () => undefined;
const NOTHING = (): Promise<void> => Promise.resolve();

/**
 * The life of a proposal from its app to the graph. Each step is one unit of work that begins by locking the
 * proposal, so that of two concurrent steps the second sees the result of the first; and it writes one row of
 * the change log, which is the event that its app receives (rule 8.8). Lock order: proposal, then tags,
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
    private readonly held: HeldRows,
  ) {}

  /** @throws VALIDATION_ERROR, PERMISSION_DENIED */
  async submit(access: Access, draft: ProposalDraft): Promise<Proposal> {
    const appId = access.actor.appId;
    if (appId === null) throw new DomainError('PERMISSION_DENIED', 'Only apps can make proposals');
    const birth = { ownerId: access.ownerId, appId, id: newId(), at: this.clock.now() };
    const { proposal, event } = Proposal.submit(draft, birth);
    const prepared = proposal.withPrepared(await this.preparation.prepare(access, proposal, false));
    return this.units.run(async () => {
      await this.proposals.insert(prepared);
      this.record({ proposal: prepared, event });
      return prepared;
    });
  }

  /**
   * @throws NOT_FOUND, INVALID_STATE_TRANSITION, and any error that would prevent it from ever being applied
   *   (rules 8.4, 8.5)
   */
  enrich(
    access: Access,
    located: Proposal,
    { enrichment, precondition }: { enrichment: Enrichment; precondition: ProposalPrecondition },
  ): Promise<Proposal> {
    const enriched = (proposal: Proposal) => proposal.enrich(enrichment, this.clock.now());
    const prepared = ({ proposal, event }: ProposalStep) =>
      this.preparation.prepare(access, proposal, event === 'ready');
    let ahead: Prepared | null = null;
    return this.step(access, located.id, {
      precondition,
      rows: rowsAfter(located, enrichment, this.clock.now()),
      // Prepared before the proposal is locked: that can be long work on masked texts.
      before: async () => {
        precondition(located);
        const step = enriched(located);
        if (step !== null) ahead = await prepared(step);
      },
      decide: async (current, checks) => {
        const step = enriched(current);
        if (step === null) return null;
        const isReady = step.event === 'ready';
        const isLocated = current.record.version === located.record.version;
        const words = isLocated && ahead !== null ? ahead : await prepared(step);
        const unchanged = step.proposal.unchangedSince(current);
        const proposal = step.proposal.withPrepared(withEarlier(current.record.prepared, words, unchanged));
        if (isReady) await this.applying.rehearse(access, proposal, checks);
        return { ...step, proposal };
      },
    });
  }

  /** @throws NOT_FOUND, INVALID_STATE_TRANSITION, REVISION_CONFLICT, VALIDATION_ERROR */
  approve(
    access: Access,
    id: string,
    { confirm, ...approval }: Omit<Approval, 'shownRevision'> & { confirm: ConfirmRights },
  ): Promise<Proposal> {
    return this.step(access, id, {
      decide: async (current) => {
        const shown = await this.lastShown.of(access.ownerId, 'proposal', current.id);
        const shownRevision = shown === null ? null : Number(shown);
        const step = current.approve({ ...approval, shownRevision }, this.clock.now());
        await confirm(NO_RIGHTS, rightsByApproval(step.proposal.approvedSteps));
        return step;
      },
    });
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
    return this.step(access, located.id, {
      rows: countNamed(located.steps),
      decide: async (current, checks) => {
        current.requireApproved();
        const { result, isFailed } = await this.applying.apply({ caller: access, proposer }, current, checks);
        return current.applied(result, { isFailed, at: this.clock.now() });
      },
    });
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

  private async step(
    access: Access,
    id: string,
    {
      before = NOTHING,
      decide,
      precondition = anyVersion,
      rows = 0,
    }: {
      /** Work before the nodes are loaded and the proposal is locked. */
      before?: () => Promise<void>;
      decide: (current: Proposal, checks: SchemaChecks) => Promise<ProposalStep | null> | ProposalStep;
      precondition?: ProposalPrecondition;
      /** The number of nodes that the decision may load. */
      rows?: number;
    },
  ): Promise<Proposal> {
    const work = async (checks: SchemaChecks): Promise<Proposal> => {
      const current = await this.locked(access, id);
      precondition(current);
      const step = await decide(current, checks);
      if (step === null) return current;
      await this.proposals.update(step.proposal);
      this.record(step);
      return step.proposal;
    };
    await before();
    return this.held.run(rows, () => this.edits.unit(authorityOf(access), work));
  }

  /** The proposal, locked. @throws NOT_FOUND when it was withdrawn since it was located */
  private async locked({ ownerId }: Access, id: string): Promise<Proposal> {
    const proposal = await this.proposals.lock(ownerId, id);
    if (proposal === null) throw proposalNotFound();
    return proposal;
  }

  private record({ proposal, event }: ProposalStep): void {
    const { owner_id: ownerId, id: entityId, version } = proposal.record;
    const snapshot = proposalLogged(proposal);
    this.changes.append({ ownerId, entity: 'proposal', entityId, action: event, version, snapshot });
  }
}

/** The number of nodes that a proposal names once it is enriched; the most where that is refused now. */
function rowsAfter(located: Proposal, enrichment: Enrichment, now: Date): number {
  try {
    return countNamed((located.enrich(enrichment, now)?.proposal ?? located).steps);
  } catch {
    return MOST_HELD_ROWS;
  }
}

export const proposalNotFound = (): DomainError => new DomainError('NOT_FOUND', 'Proposal not found');
