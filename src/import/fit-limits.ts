import { containersIn, jsonBytes } from '../kernel/json/json-size.js';
import { oneLine, shorten } from './clean-text.js';
import type { ImportedGraph, ImportedNode } from './imported-graph.js';

/**
 * The limits of rule 4.13. Characters are counted as UTF-16 units, which is never less than the service's
 * own count.
 */
export const LIMITS = {
  title: 1000,
  value: 100_000,
  tags: 50,
  context: 1000,
  metadataBytes: 256 * 1024,
  metadataContainers: 10_000,
} as const;

/**
 * The same graph with nothing over the service's limits: a long title is cut visibly, a long value
 * continues in further nodes (`parent_of`), tags above 50 and properties above the limit of metadata are
 * left out. Each such place gets a warning.
 */
export function fitLimits(graph: ImportedGraph): ImportedGraph {
  const fitted: ImportedGraph = {
    ...graph,
    nodes: [],
    relationships: [...graph.relationships],
    warnings: [...graph.warnings],
  };
  for (const node of graph.nodes) fitNode(node, fitted);
  return fitted;
}

function fitNode(node: ImportedNode, graph: ImportedGraph): void {
  const warn = (message: string): void =>
    void graph.warnings.push({ code: 'shortened', ref: node.ref, message });
  const kept = { ...node, title: oneLine(node.title) || 'Untitled' };
  if (kept.title.length > LIMITS.title) {
    warn(`title cut from ${kept.title.length} to ${LIMITS.title} characters`);
    kept.title = shorten(kept.title, LIMITS.title);
  }
  if (kept.tags.length > LIMITS.tags) {
    warn(
      `${kept.tags.length} tags, the last ${kept.tags.length - LIMITS.tags} left out: ${kept.tags.slice(LIMITS.tags).join(', ')}`,
    );
    kept.tags = kept.tags.slice(0, LIMITS.tags);
  }
  const [bytes, containers] = [jsonBytes(kept.metadata), containersIn(kept.metadata)];
  if (bytes > LIMITS.metadataBytes || containers > LIMITS.metadataContainers) {
    warn(`${bytes} bytes of metadata with ${containers} objects and arrays, properties left out`);
    kept.metadata = { properties: {}, source: kept.metadata.source };
  }
  const [first = null, ...more] = splitValue(kept.value);
  graph.nodes.push({ ...kept, value: first });
  if (more.length > 0) warn(`${kept.value?.length} characters of text, split into ${more.length + 1} nodes`);
  more.forEach((value, index) => addPart(graph, kept, { value, number: index + 2, of: more.length + 1 }));
}

function addPart(
  graph: ImportedGraph,
  node: ImportedNode,
  part: { value: string; number: number; of: number },
): void {
  const ref = `${node.ref}#part-${part.number}`;
  const suffix = ` (part ${part.number} of ${part.of})`;
  const source = { ...node.metadata.source, part: part.number, parts: part.of };
  const title = shorten(node.title, LIMITS.title - suffix.length) + suffix;
  graph.nodes.push({ ...node, ref, title, value: part.value, metadata: { properties: {}, source } });
  graph.relationships.push({
    from: node.ref,
    to: ref,
    type: 'parent_of',
    context: `part ${part.number} of ${part.of}`,
  });
}

/**
 * Parts within the limit, cut between paragraphs where possible, else between lines or words. Joined, they
 * equal the text.
 */
function splitValue(value: string | null): string[] {
  if (value === null) return [];
  const parts: string[] = [];
  let rest = value;
  while (rest.length > LIMITS.value) {
    const end = cutIn(rest);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

function cutIn(text: string): number {
  const earliest = LIMITS.value / 2;
  for (const boundary of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(boundary, LIMITS.value - boundary.length);
    if (at >= earliest) return at + boundary.length;
  }
  const last = text.charCodeAt(LIMITS.value - 1);
  // Not between the two halves of one character.
  return last >= 0xd800 && last <= 0xdbff ? LIMITS.value - 1 : LIMITS.value;
}
