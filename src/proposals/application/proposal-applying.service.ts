import { Injectable } from '@nestjs/common';
import { DomainError, isFaultOfPart } from '../../kernel/errors/domain-error.js';
import { UnitOfWork } from '../../kernel/change-log/unit-of-work.js';
import { HeldRows } from '../../kernel/held-rows.js';
import { rest, type Slices } from '../../kernel/slices.js';
import { type Actor, requestContext } from '../../kernel/request-context.js';
import { MOST_MOVED_EDGES, type Node, OwnerEdits, type Relationship } from '../../graph/index.js';
import { type Access, ownerAccess } from '../../privacy/index.js';
import {
  type ActionError,
  applyResult,
  type ApplyResult,
  type Made,
  NOT_APPLIED,
} from '../domain/apply-result.js';
import { assignedTags } from '../domain/assigned-tags.js';
import { countNamed, namedEdge, namedNodes } from '../domain/named-things.js';
import { type Proposal } from '../domain/proposal.js';
import { type Step } from '../domain/proposal-content.js';
import { errorAt } from '../domain/step-errors.js';
import { stepsTogether } from '../domain/steps-together.js';
import { StepComparisons } from './step-comparisons.js';
import { Conflict, type Run, StepRunner } from './step-runner.service.js';

/** The limits of a rehearsal; several rehearsals of one request share them. */
export interface Rehearsal {
  slices: Slices;
  room: Run['room'];
}

export const newRoom = (): Run['room'] => ({ edges: MOST_MOVED_EDGES });

interface Fault {
  step: Step;
  /** Null: another step failed with which it has to be applied together. */
  error: DomainError | Conflict | null;
}

/** Applies a proposal with its user's authority and in one unit of work, or rehearses it without one. */
@Injectable()
export class ProposalApplying {
  constructor(
    private readonly edits: OwnerEdits,
    private readonly runner: StepRunner,
    private readonly comparisons: StepComparisons,
    private readonly units: UnitOfWork,
    private readonly held: HeldRows,
  ) {}

  /**
   * Applies each step. A failed step is rolled back and reported, and undoes only those that are applied together with it
   * (rule 8.7h). Needs a unit of work.
   * @param caller the user, or the app within what it can read
   * @param compared the comparisons of its approved steps
   * @throws OutdatedProposal when a named node has changed since it was compared
   */
  async apply(
    caller: Access,
    proposal: Proposal,
    { compared, checks }: Pick<Run, 'compared' | 'checks'>,
  ): Promise<{ result: ApplyResult; isFailed: boolean }> {
    const steps = proposal.approvedSteps;
    const { made, faults } = await this.run(
      steps,
      runOf(caller, proposal, { compared, checks, isRehearsal: false }),
    );
    return { result: applyResult(made, faults.map(errorOf)), isFailed: faults.length === steps.length };
  }

  /**
   * Refuses what can never be applied, by deciding each step without writing it (rule 8.4). Conflicts are not refused:
   * they can disappear. Nothing is locked, and no connection held: others do not wait for it. Never within a unit of
   * work.
   */
  async rehearse(app: Access, proposal: Proposal, { slices, room }: Rehearsal): Promise<void> {
    const { steps } = proposal;
    const comparing = { caller: app, proposer: app, isRehearsal: true, slices };
    const compared = await this.comparisons.of(comparing, proposal, { steps, earlier: new Map() });
    const checks = this.edits.checks(authorityOf(app));
    const start = runOf(app, proposal, { compared, checks, isRehearsal: true });
    await this.held.run(countNamed(steps), () =>
      checks.together(() => this.decide(steps, { ...start, room })),
    );
  }

  private async decide(steps: readonly Step[], start: StartOfRun & Pick<Run, 'room'>): Promise<void> {
    const { owner, caller } = start;
    const edits = this.edits.trial(owner, caller);
    const before = { nodes: new Map(), edges: new Map() };
    const run: Run = {
      ...start,
      made: new Map(),
      edits,
      current: (ids) => edits.current(owner, ids),
      before,
    };
    for (const step of steps) {
      await rest();
      try {
        await this.runner.run(run, step);
      } catch (error) {
        throw errorAt(step, error);
      }
    }
  }

  /** Nodes are read again only for the second step about them, because the first one may have changed them. */
  private lockedNodes(owner: Access, locked: ReadonlyMap<string, Node>): Run['current'] {
    const unchanged = new Map(locked);
    return (ids) => {
      const found = ids.flatMap((id) => unchanged.get(id) ?? []);
      for (const id of ids) unchanged.delete(id);
      const isKnown = found.length === new Set(ids).size;
      return isKnown
        ? Promise.resolve(new Map(found.map((node) => [node.id, node])))
        : this.edits.lock(owner, ids);
    };
  }

  private async run(steps: readonly Step[], start: StartOfRun): Promise<{ made: Made[]; faults: Fault[] }> {
    const context = { ...requestContext.current(), actor: actorOf(start.proposal) };
    return requestContext.run(context, async () => {
      // An undo that finds a tag unused must not delete it meanwhile.
      const tags = steps.flatMap((step) => assignedTags(start.proposal, step));
      const owner = await this.edits.lockAssigned(start.owner, tags);
      // All nodes are locked at once and first: two proposals that name the same nodes in another order must
      // not deadlock.
      const nodes = await this.edits.lock(owner, steps.flatMap(namedNodes));
      const named = steps.map(namedEdge).filter((id) => id !== null && id !== '') as string[];
      const edges = named.length === 0 ? new Map() : await this.edits.lockEdges(owner, named);
      const current = this.lockedNodes(owner, nodes);
      const run: Run = {
        ...start,
        owner,
        made: new Map(),
        room: newRoom(),
        edits: this.edits,
        current,
        before: { nodes, edges },
      };
      const made: Made[] = [];
      const faults: Fault[] = [];
      for (const part of stepsTogether(steps, (step) => endsOf(edges.get(namedEdge(step) ?? '')))) {
        const outcome = await this.together(run, part);
        made.push(...outcome.made);
        faults.push(...outcome.faults);
      }
      return { made, faults };
    });
  }

  /** Runs steps of which each fails if one does. */
  private async together(run: Run, steps: readonly Step[]): Promise<{ made: Made[]; faults: Fault[] }> {
    const { edges } = run.room;
    let running: Step | undefined;
    try {
      const made = await this.units.savepoint(async () => {
        const all: Made[] = [];
        for (running of steps) all.push(await this.runner.run(run, running));
        return all;
      });
      return { made, faults: [] };
    } catch (error) {
      if (!isFault(error)) throw error;
      run.room.edges = edges;
      return { made: [], faults: steps.map((step) => ({ step, error: step === running ? error : null })) };
    }
  }
}

const endsOf = (edge: Relationship | undefined): string[] =>
  edge === undefined ? [] : [edge.from_node_id, edge.to_node_id];

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

type StartOfRun = Pick<Run, 'compared' | 'checks' | 'isRehearsal' | 'proposal' | 'caller' | 'owner'>;

const runOf = (
  caller: Access,
  proposal: Proposal,
  how: Pick<Run, 'compared' | 'checks' | 'isRehearsal'>,
): StartOfRun => ({ ...how, proposal, caller, owner: authorityOf(caller) });

/** The owner's own access to the graph that the caller acts on. */
export function authorityOf(caller: Access): Access {
  if (caller.isOwner) return caller;
  const { ownerId, vocabulary, changes, policy, key } = caller;
  return ownerAccess({ ownerId, vocabulary, changes, policy, key: `owner by proposal ${key}` });
}

const NOT_ALONE = {
  code: NOT_APPLIED,
  message: 'Another action about the same nodes could not be applied, and these show something only together',
};

function errorOf({ step, error }: Fault): ActionError {
  const isConflict = error instanceof Conflict;
  const named = { action_id: step.id, type: step.type };
  if (error === null) return { ...named, ...NOT_ALONE, node_ids: namedNodes(step) };
  return {
    ...named,
    code: isConflict ? 'CONFLICT' : error.code,
    message: error.message,
    ...(isConflict ? { fields: error.fields } : {}),
    node_ids: namedNodes(step),
  };
}
