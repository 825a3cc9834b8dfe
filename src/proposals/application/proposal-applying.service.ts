import { Injectable } from '@nestjs/common';
import { DomainError, isFaultOfPart } from '../../kernel/errors/domain-error.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { type Actor, requestContext } from '../../kernel/request-context.js';
import { MOST_MOVED_EDGES, OwnerEdits, type SchemaChecks } from '../../graph/index.js';
import { type Access, ownerAccess } from '../../privacy/index.js';
import { type ActionError, applyResult, type ApplyResult, type Made } from '../domain/apply-result.js';
import { namedEdge, namedNodes } from '../domain/named-things.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { Conflict, type Run, StepRunner } from './step-runner.service.js';

interface Fault {
  step: Step;
  error: DomainError | Conflict;
}

const REHEARSED = new Error('a rehearsal is taken back');

/** Applies a proposal with its user's authority and in one unit of work, or rehearses it. */
@Injectable()
export class ProposalApplying {
  constructor(
    private readonly edits: OwnerEdits,
    private readonly runner: StepRunner,
    private readonly units: UnitOfWork,
  ) {}

  /**
   * Applies each step. A failed step is rolled back and reported, and does not undo the others. Needs a unit
   * of work.
   * @param caller the user, or the app within what it can read
   * @param proposer the access of its app; null: the app is no longer authorized
   */
  async apply(
    { caller, proposer }: Pick<Run, 'caller' | 'proposer'>,
    proposal: Proposal,
    checks: SchemaChecks,
  ): Promise<{ result: ApplyResult; isFailed: boolean }> {
    const steps = proposal.approvedSteps;
    const { made, faults } = await this.run(
      steps,
      runOf(caller, proposal, { proposer, checks, isRehearsal: false }),
    );
    return { result: applyResult(made, faults.map(errorOf)), isFailed: faults.length === steps.length };
  }

  /**
   * Refuses what can never be applied, by applying it and rolling back (rule 8.4). Conflicts are not refused:
   * they can disappear. Needs a unit of work.
   */
  async rehearse(app: Access, proposal: Proposal, checks: SchemaChecks): Promise<void> {
    const rehearsal = this.units.savepoint(async () => {
      const { faults } = await this.run(
        proposal.steps,
        runOf(app, proposal, { proposer: app, checks, isRehearsal: true }),
      );
      const [fault] = faults;
      throw fault === undefined ? REHEARSED : refusal(fault);
    });
    await rehearsal.catch((error: unknown) => {
      if (error !== REHEARSED) throw error;
    });
  }

  private async run(
    steps: readonly Step[],
    start: Omit<Run, 'before'>,
  ): Promise<{ made: Made[]; faults: Fault[] }> {
    const context = { ...requestContext.current(), actor: actorOf(start.proposal) };
    return requestContext.run(context, async () => {
      // All nodes are locked at once and first: two proposals that name the same nodes in another order must
      // not deadlock.
      const nodes = await this.edits.lock(start.owner, steps.flatMap(namedNodes));
      const named = steps.map(namedEdge).filter((id) => id !== null && id !== '') as string[];
      const edges = named.length === 0 ? new Map() : await this.edits.lockEdges(start.owner, named);
      const run: Run = { ...start, before: { nodes, edges } };
      const made: Made[] = [];
      const faults: Fault[] = [];
      for (const step of steps) {
        try {
          made.push(await this.units.savepoint(() => this.runner.run(run, step)));
        } catch (error) {
          if (!isFault(error)) throw error;
          faults.push({ step, error });
          // A rehearsal reports only the first fault.
          if (run.isRehearsal) break;
        }
      }
      return { made, faults };
    });
  }
}

const isFault = (error: unknown): error is DomainError | Conflict =>
  error instanceof Conflict || isFaultOfPart(error);

/**
 * The actor in history: the app that proposed it, its agent and the proposal, and the user whose authority
 * applies (rule 8.7).
 */
function actorOf(proposal: Proposal): Actor {
  const { owner_id: userId, app_id: appId, id: proposalId } = proposal.record;
  return { type: 'app', userId, appId, proposalId, agentId: proposal.agentId };
}

const runOf = (
  caller: Access,
  proposal: Proposal,
  how: Pick<Run, 'proposer' | 'checks' | 'isRehearsal'>,
): Omit<Run, 'before'> => ({
  ...how,
  proposal,
  caller,
  owner: authorityOf(caller),
  made: new Map(),
  room: { edges: MOST_MOVED_EDGES },
});

/** The owner's own access to the graph that the caller acts on. */
export function authorityOf(caller: Access): Access {
  if (caller.isOwner) return caller;
  const { ownerId, vocabulary, changes, policy, key } = caller;
  return ownerAccess({ ownerId, vocabulary, changes, policy, key: `owner by proposal ${key}` });
}

function errorOf({ step, error }: Fault): ActionError {
  const isConflict = error instanceof Conflict;
  return {
    action_id: step.id,
    type: step.type,
    code: isConflict ? 'CONFLICT' : error.code,
    message: error.message,
    ...(isConflict ? { fields: error.fields } : {}),
    node_ids: namedNodes(step),
  };
}

/** The error of a fault, with the field names of the proposal. */
function refusal({ step, error }: Fault): Error {
  if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') return error;
  if (!Array.isArray(error.details)) return error;
  const details = error.details as { field: string; message: string }[];
  return DomainError.validations(
    details.map(({ field, message }) => ({ field: `${step.path}.${field}`, message })),
  );
}
