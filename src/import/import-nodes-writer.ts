import { type GraphImports, type MarkedNode, type Node, type SchemaChecks } from '../graph/index.js';
import { DomainError } from '../kernel/errors/domain-error.js';
import { type Access } from '../privacy/index.js';
import { type ImportReport } from './import-report.js';
import {
  lastStateOf,
  type LastState,
  type NodeState,
  rebase,
  sameSource,
  sameState,
  sourceStateOf,
  stateOf,
  stateWithoutTags,
} from './import-state.js';
import { type ImportTags } from './import-tags.js';
import { type ImportsQueries } from './imports.queries.js';
import { type NodeOutcome, type SourceNode } from './source-node.js';

interface Tools {
  access: Access;
  imports: GraphImports;
  states: ImportsQueries;
  tags: ImportTags;
  report: ImportReport;
  /** Runs first in each unit of work. @throws ImportUndone */
  holdOpen: () => Promise<void>;
}

/** A source node with everything that the decision about it needs. */
interface Prepared {
  source: SourceNode;
  /** Tags from the source, and tags added by the option of this run. */
  tagIds: readonly string[];
  addedIds: readonly string[];
  /** The state of the source at the last import; null when unknown. */
  last: LastState | null;
}

interface Outcome {
  prepared: Prepared;
  outcome: NodeOutcome;
  id: string | null;
  problem: DomainError | null;
}

/** Creates and updates the nodes of a source, a batch in one transaction. */
export class ImportNodesWriter {
  constructor(private readonly tools: Tools) {}

  async write(batch: readonly SourceNode[]): Promise<void> {
    const prepared = await this.prepare(batch);
    const { access, imports } = this.tools;
    const outcomes = await imports.unit(access, async (checks) => {
      await this.tools.holdOpen();
      const made = [...(await this.create(prepared)), ...(await this.update(prepared, checks))];
      await this.tools.states.keepStates(access.ownerId, made.flatMap(newState));
      return made;
    });
    for (const outcome of outcomes) this.record(outcome);
  }

  /** Tags are created before the batch's transaction, so that they remain when it is retried. */
  private async prepare(batch: readonly SourceNode[]): Promise<Prepared[]> {
    const { tags } = this.tools;
    const states = await this.lastStates(batch.flatMap(({ stored }) => (stored ? [stored] : [])));
    const prepared: Prepared[] = [];
    for (const source of batch) {
      const last = (source.stored && states.get(source.stored.id)) ?? null;
      const known = [...(last?.tag_ids ?? []), ...(last?.added_tag_ids ?? [])];
      const isLeft = source.stored?.is_deleted === true;
      const tagIds = isLeft ? [] : await tags.idsOf(source.tags, known);
      const addedIds = isLeft ? [] : await tags.idsOf(source.addedTags, known);
      prepared.push({ source, tagIds, addedIds, last });
    }
    return prepared;
  }

  /**
   * The stored states of the last import; for nodes of earlier versions of the service, states from the
   * change log.
   */
  private async lastStates(stored: readonly MarkedNode[]): Promise<Map<string, LastState>> {
    const { access, imports, states } = this.tools;
    const kept = await states.statesOf(
      access.ownerId,
      stored.map(({ id }) => id),
    );
    const last = new Map([...kept].map(([id, state]): [string, LastState] => [id, lastStateOf(state)]));
    const rest = stored.filter(({ id }) => !kept.has(id));
    const versions = rest.map(({ id, written_version: version }) => ({ id, version }));
    for (const [id, state] of await imports.statesAt(access, versions)) last.set(id, stateWithoutTags(state));
    return last;
  }

  private async create(prepared: readonly Prepared[]): Promise<Outcome[]> {
    const fresh = prepared.filter(({ source }) => source.stored === null);
    const arrivals = fresh.map(({ source: { node, mark }, tagIds, addedIds }) => ({
      draft: stateOf(node, { ...mark, version: 1 }, [...new Set([...tagIds, ...addedIds])]),
      createdAt: node.created_at ?? null,
      updatedAt: node.updated_at ?? null,
    }));
    const made = await this.tools.imports.create(this.tools.access, arrivals);
    return fresh.map((item, index) => {
      const result = made[index] as Node | DomainError;
      if (result instanceof DomainError) return refusal(item, result);
      return { prepared: item, outcome: 'created', id: result.id, problem: null };
    });
  }

  private async update(prepared: readonly Prepared[], checks: SchemaChecks): Promise<Outcome[]> {
    const { access, imports } = this.tools;
    const known = prepared.filter(({ source }) => source.stored !== null);
    const locked = await imports.lock(
      access,
      known.map(({ source }) => (source.stored as MarkedNode).id),
    );
    const outcomes: Outcome[] = [];
    const moves: { node: Node; step: NodeState; item: Prepared }[] = [];
    for (const item of known) {
      const node = locked.get((item.source.stored as MarkedNode).id);
      if (node === undefined || node.isDeleted) {
        outcomes.push({ prepared: item, outcome: 'left_deleted', id: null, problem: null });
        continue;
      }
      const step = stepOf(node, item);
      if (step !== null) moves.push({ node, step, item });
      else outcomes.push({ prepared: item, outcome: 'unchanged', id: node.id, problem: null });
    }
    const problems = await imports.update(access, moves, checks);
    return [
      ...outcomes,
      ...moves.map(({ node, item }, index): Outcome => {
        const problem = problems[index] ?? null;
        return problem
          ? refusal(item, problem)
          : { prepared: item, outcome: 'updated', id: node.id, problem };
      }),
    ];
  }

  private record({ prepared: { source }, outcome, id, problem }: Outcome): void {
    const { nodes, warnings } = this.tools.report;
    source.outcome = outcome;
    source.id = id;
    nodes[outcome] += 1;
    if (outcome === 'updated' && source.stored?.ref !== source.mark.ref) nodes.moved += 1;
    if (problem)
      warnings.push({ code: 'bad_entry', ref: source.node.ref, message: `refused: ${problem.message}` });
  }
}

/** The next state of an existing node; null when nothing changes. */
function stepOf(node: Node, { source, tagIds, addedIds, last }: Prepared): NodeState | null {
  const current: NodeState = node.record;
  const next = stateOf(source.node, { ...source.mark, version: node.version + 1 }, tagIds);
  const target = rebase(last ?? stateWithoutTags(current), current, { next, added: addedIds });
  return sameState(target, current) ? null : target;
}

/** The current state of the source, if it has not been stored yet. */
function newState({ prepared: { source, tagIds, addedIds, last }, id }: Outcome) {
  if (id === null) return [];
  const asked = stateOf(source.node, { ...source.mark, version: 1 }, tagIds);
  const state = sourceStateOf(asked, [...new Set([...addedIds, ...(last?.added_tag_ids ?? [])])]);
  return last?.knowsTags && sameSource(last, state) ? [] : [{ node_id: id, source: state }];
}

function refusal(prepared: Prepared, problem: DomainError): Outcome {
  return { prepared, outcome: 'refused', id: null, problem };
}
