import {
  type EdgeArrival,
  type GraphImports,
  type MarkedNode,
  type RelationshipsService,
} from '../graph/index.js';
import { DomainError } from '../kernel/errors/domain-error.js';
import { type Access } from '../privacy/index.js';
import { type EdgePlan, planEdges, type WantedEdge } from './import-edges.js';
import { type ImportReport } from './import-report.js';
import { type SourceFile } from './import-files-writer.js';
import { type SourceNode } from './source-node.js';

interface Tools {
  access: Access;
  imports: GraphImports;
  relationships: RelationshipsService;
  reason: string;
}

export type EdgeTally = ImportReport['relationships'];

/** Updates the relationships of imported nodes from their source. */
export class ImportEdgesWriter {
  private readonly idByMark = new Map<string, string>();
  private readonly living = new Set<string>();

  constructor(
    private readonly tools: Tools,
    marked: readonly MarkedNode[],
    sources: readonly SourceNode[],
    files: readonly SourceFile[] = [],
  ) {
    for (const { ref, id } of marked) this.idByMark.set(ref, id);
    for (const { mark, id } of [...sources, ...files]) {
      if (id === null) continue;
      this.idByMark.set(mark.ref, id);
      this.living.add(id);
    }
  }

  /** Needs a unit of work. */
  async write(batch: readonly SourceNode[]): Promise<EdgeTally> {
    const sources = batch.filter(({ id }) => id !== null);
    const stored = await this.tools.imports.listEdges(
      this.tools.access,
      sources.map(({ id }) => id as string),
    );
    const tally: EdgeTally = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
    const arrivals: EdgeArrival[] = [];
    for (const source of sources) {
      const plan = planEdges({
        wanted: this.wanted(source),
        stored: stored.filter((edge) => edge.from_node_id === source.id),
        reason: this.tools.reason,
        isChanged: source.outcome !== 'unchanged',
      });
      const from_node_id = source.id as string;
      for (const { toId: to_node_id, type: relationship_type, context } of plan.create) {
        arrivals.push({ from_node_id, to_node_id, relationship_type, context });
      }
      await this.carryOut(plan);
      tally.created += plan.create.length;
      tally.updated += plan.update.length;
      tally.deleted += plan.delete.length;
      tally.unchanged += plan.unchanged;
    }
    await this.tools.imports.createEdges(this.tools.access, arrivals);
    return tally;
  }

  private wanted({ id, edges }: SourceNode): WantedEdge[] {
    return edges.flatMap((edge) => {
      const toId = this.idByMark.get(edge.to);
      return toId === undefined || toId === id ? [] : [{ ...edge, toId, isToLiving: this.living.has(toId) }];
    });
  }

  private async carryOut(plan: EdgePlan): Promise<void> {
    const { access, imports, relationships } = this.tools;
    for (const { id, context } of plan.update) {
      const located = await imports.findEdge(access, id);
      if (located) await relationships.update(access, located, { body: { context } });
    }
    for (const id of plan.delete) await unlessGone(relationships.delete(access, id));
  }
}

async function unlessGone(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
  }
}
