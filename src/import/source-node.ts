import { type MarkedNode } from '../graph/index.js';
import { type ImportMark, markOf } from './import-state.js';
import type { ImportedGraph, ImportedNode } from './imported-graph.js';

export type NodeOutcome = 'created' | 'updated' | 'unchanged' | 'left_deleted' | 'refused';

/** One node on its way from the source into the graph. */
export interface SourceNode {
  readonly node: ImportedNode;
  readonly tags: readonly string[];
  /** Tags of the operator's option; they are not tags of the source. */
  readonly addedTags: readonly string[];
  readonly mark: Omit<ImportMark, 'version'>;
  readonly edges: readonly SourceEdge[];
  /** The node of the last import. */
  stored: MarkedNode | null;
  id: string | null;
  outcome: NodeOutcome | null;
}

interface SourceEdge {
  /** The mark of the other end. */
  to: string;
  type: string;
  context: string | null;
}

/** Pairs every node of a source with its relationships, under the stored marks. */
export function sourceNodes(
  graph: ImportedGraph,
  collection: string,
  extraTags: readonly string[],
): SourceNode[] {
  const edges = new Map<string, SourceEdge[]>();
  for (const { from, to, type, context } of graph.relationships) {
    const edge = { to: markOf(collection, to), type, context };
    const known = edges.get(from);
    if (known) known.push(edge);
    else edges.set(from, [edge]);
  }
  return graph.nodes.map((node) => {
    return {
      node,
      tags: node.tags,
      addedTags: extraTags,
      mark: { importer: graph.importer, ref: markOf(collection, node.ref) },
      edges: edges.get(node.ref) ?? [],
      stored: null,
      id: null,
      outcome: null,
    };
  });
}
