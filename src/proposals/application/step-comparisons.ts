import { Injectable } from '@nestjs/common';
import { HeldRows } from '../../kernel/held-rows.js';
import { rest, type Slices } from '../../kernel/slices.js';
import { type Node, OwnerEdits } from '../../graph/index.js';
import { type Access, sees } from '../../privacy/index.js';
import { type Delta } from '../domain/deltas.js';
import { namedNodes, stepsInParts } from '../domain/named-things.js';
import { preparedFor, type PreparedStep } from '../domain/prepared.js';
import { type Proposal } from '../domain/proposal.js';
import { type ActionType, type Step } from '../domain/proposal-content.js';
import { BaseConflicts } from './base-conflicts.js';

/** The caller who applies or rehearses a proposal, and the work that they wait for. */
export interface Comparing {
  caller: Access;
  /** The access of its app; null: the app is no longer authorized. */
  proposer: Access | null;
  /** A rehearsal ignores conflicts, because they can disappear, and compares nothing. */
  isRehearsal: boolean;
  /** The time of all comparisons of a request together. */
  slices: Slices;
}

/** The comparison of a step with the nodes that it names, as they were before the proposal. */
export interface ComparedStep {
  /** The versions of the compared nodes, by id: the comparison counts for these alone. */
  versions: ReadonlyMap<string, number>;
  /** The fields that have changed since the base of the action. */
  conflicts: readonly string[];
  /** The deltas of an update for the node. */
  deltas: readonly Delta[];
}

/** Compared steps by id. */
export type ComparedSteps = ReadonlyMap<string, ComparedStep>;

/**
 * Compares the steps of a proposal with the nodes that they name, before a unit of work locks anything: showing states
 * through masks is long work (rule 11.9j).
 */
@Injectable()
export class StepComparisons {
  constructor(
    private readonly edits: OwnerEdits,
    private readonly conflicts: BaseConflicts,
    private readonly held: HeldRows,
  ) {}

  /**
   * Steps about nodes that the caller cannot read are missing: they fail when they run.
   * @param earlier comparisons of the same proposal, which count as long as their nodes are unchanged
   * @throws SERVICE_UNAVAILABLE when the comparisons exceed their time; TOO_MUCH_UNDER_WAY
   */
  async of(
    comparing: Comparing,
    proposal: Proposal,
    { steps, earlier }: { steps: readonly Step[]; earlier: ComparedSteps },
  ): Promise<ComparedSteps> {
    const compared = new Map<string, ComparedStep>();
    const types = comparing.isRehearsal ? REHEARSED : COMPARED;
    const { prepared } = proposal.record;
    for (const part of stepsInParts(steps.filter(({ type }) => types.has(type)))) {
      const ids = part.flatMap(namedNodes);
      await this.held.run(ids.length, async () => {
        const nodes = await this.edits.look(comparing.caller, ids);
        for (const step of part) {
          await rest();
          const named = readableOf(comparing.caller, step, nodes);
          if (named === null) continue;
          const known = earlier.get(step.id);
          const words = { named, prepared: preparedFor(prepared, step.id) ?? {} };
          const isKnown = known !== undefined && isCurrent(known, named);
          compared.set(step.id, isKnown ? known : await this.compared(comparing, step, words));
        }
      });
    }
    return compared;
  }

  private async compared(
    comparing: Comparing,
    step: Step,
    { named, prepared }: { named: ReadonlyMap<string, Node>; prepared: PreparedStep },
  ): Promise<ComparedStep> {
    const { caller, proposer, isRehearsal, slices } = comparing;
    const versions = new Map(Array.from(named, ([id, { version }]) => [id, version]));
    if (step.type === 'MERGE_NODES') {
      const conflicts = await this.conflicts.ofMerge(caller, step, { nodes: named, prepared, slices });
      return { versions, conflicts: [...new Set([...conflicts.values()].flat())], deltas: [] };
    }
    const [node] = named.values();
    if (node === undefined) return { versions, conflicts: [], deltas: [] };
    const question = { node, prepared, proposer, slices };
    if (isRehearsal)
      return { versions, conflicts: [], deltas: await this.conflicts.deltasOf(caller, question) };
    const { fields, deltas } = await this.conflicts.ofNode(caller, step, question);
    return { versions, conflicts: fields, deltas };
  }
}

/** The types of steps that can conflict with changes of nodes. */
const COMPARED: ReadonlySet<ActionType> = new Set([
  'UPDATE_NODE',
  'ADD_TAGS',
  'REMOVE_TAGS',
  'DELETE_NODE',
  'MERGE_NODES',
]);

/** The types whose outcome depends on a past state, also without conflicts. */
const REHEARSED: ReadonlySet<ActionType> = new Set(['UPDATE_NODE']);

/** True if these nodes are still as they were compared. */
export const isCurrent = (
  { versions }: ComparedStep,
  nodes: ReadonlyMap<string, Pick<Node, 'version'>>,
): boolean => [...versions].every(([id, version]) => nodes.get(id)?.version === version);

/** The living nodes that the step names; null where the caller cannot read one of them. */
function readableOf(
  { nodes: { read } }: Access,
  step: Step,
  nodes: ReadonlyMap<string, Node>,
): Map<string, Node> | null {
  const named = new Map<string, Node>();
  for (const id of namedNodes(step)) {
    const node = nodes.get(id);
    if (node === undefined || node.isDeleted || !sees(read, node.facts)) return null;
    named.set(id, node);
  }
  return named;
}
