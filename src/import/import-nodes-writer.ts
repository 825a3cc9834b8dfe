import { type GraphImports, type MarkedNode, type Node, type SchemaChecks } from '../graph/index.js';
import { DomainError } from '../kernel/errors/domain-error.js';
import { type Access } from '../privacy/index.js';
import { type ImportReport } from './import-report.js';
import { type NodeState, rebase, sameState, stateOf } from './import-state.js';
import { type ImportTags } from './import-tags.js';
import { type NodeOutcome, type SourceNode } from './source-node.js';

interface Tools {
  access: Access;
  imports: GraphImports;
  tags: ImportTags;
  report: ImportReport;
}

/** A source node with what is needed to decide about it. */
interface Prepared {
  source: SourceNode;
  tagIds: readonly string[];
  /** What the last import wrote; null when it is not known. */
  last: NodeState | null;
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
    const outcomes = await imports.unit(access, async (checks) => [
      ...(await this.create(prepared)),
      ...(await this.update(prepared, checks)),
    ]);
    for (const outcome of outcomes) this.record(outcome);
  }

  /** Tags are made before the batch's transaction: if that one is tried again, they stand. */
  private async prepare(batch: readonly SourceNode[]): Promise<Prepared[]> {
    const { access, imports, tags } = this.tools;
    const versions = batch.flatMap(({ stored }) =>
      stored ? { id: stored.id, version: stored.written_version ?? stored.version } : [],
    );
    const states = await imports.statesAt(access, versions);
    const prepared: Prepared[] = [];
    for (const source of batch) {
      const last = (source.stored && states.get(source.stored.id)) ?? null;
      if (source.stored?.is_deleted) prepared.push({ source, tagIds: [], last });
      else prepared.push({ source, tagIds: await tags.idsOf(source.tags, last?.tag_ids ?? []), last });
    }
    return prepared;
  }

  private async create(prepared: readonly Prepared[]): Promise<Outcome[]> {
    const fresh = prepared.filter(({ source }) => source.stored === null);
    const arrivals = fresh.map(({ source: { node, mark }, tagIds }) => ({
      draft: stateOf(node, { ...mark, version: 1 }, tagIds),
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
    const moves: { node: Node; steps: NodeState[]; item: Prepared }[] = [];
    for (const item of known) {
      const node = locked.get((item.source.stored as MarkedNode).id);
      if (node === undefined || node.isDeleted) {
        outcomes.push({ prepared: item, outcome: 'left_deleted', id: null, problem: null });
        continue;
      }
      const steps = stepsTo(node, item);
      if (steps.length > 0) moves.push({ node, steps, item });
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

/**
 * The versions that an existing node goes through: none when nothing changed. Where a person has changed the node too,
 * it first becomes what the source says, which the mark names, so that the next import sees what came from where; then
 * the person's changes are put on top.
 */
function stepsTo(node: Node, { source, tagIds, last }: Prepared): NodeState[] {
  const current: NodeState = node.record;
  const asked = stateOf(source.node, { ...source.mark, version: node.version + 1 }, tagIds);
  // A node never loses its last tag by a change (decisions 4.5).
  const next = tagIds.length === 0 ? { ...asked, tag_ids: current.tag_ids } : asked;
  const target = rebase(last ?? current, current, next);
  if (sameState(target, current)) return [];
  return sameState(target, next)
    ? [target]
    : [{ ...next, metadata: { ...current.metadata, ...next.metadata } }, target];
}

function refusal(prepared: Prepared, problem: DomainError): Outcome {
  return { prepared, outcome: 'refused', id: null, problem };
}
