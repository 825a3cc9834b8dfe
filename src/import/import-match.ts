import { type GraphImports, type MarkedNode } from '../graph/index.js';
import { type Access } from '../privacy/index.js';
import { type SourceNode } from './source-node.js';

const BATCH = 100;

/**
 * Finds for each source node the stored node of the last import. A source node without one takes the place
 * of the one stored node that is missing in the source and has the same title and text: the file was
 * renamed or moved.
 * @returns stored nodes that the source no longer has
 */
export async function matchNodes(
  { access, imports }: { access: Access; imports: GraphImports },
  sources: readonly SourceNode[],
  marked: readonly MarkedNode[],
): Promise<MarkedNode[]> {
  const byRef = new Map<string, MarkedNode>();
  for (const node of marked) {
    const known = byRef.get(node.ref);
    // The oldest living one of several nodes with one mark is the imported one.
    if (!known || (known.is_deleted && !node.is_deleted)) byRef.set(node.ref, node);
  }
  for (const source of sources) {
    source.stored = byRef.get(source.mark.ref) ?? null;
    byRef.delete(source.mark.ref);
  }
  const missing = [...byRef.values()].filter((node) => !node.is_deleted);
  const fresh = sources.filter((source) => source.stored === null);
  if (missing.length === 0 || fresh.length === 0) return missing;
  const moved = await matchMoved({ access, imports }, fresh, missing);
  return missing.filter((node) => !moved.has(node.id));
}

async function matchMoved(
  { access, imports }: { access: Access; imports: GraphImports },
  fresh: readonly SourceNode[],
  missing: readonly MarkedNode[],
): Promise<Set<string>> {
  const contents = new Map<string, MarkedNode | null>();
  for (let start = 0; start < missing.length; start += BATCH) {
    const batch = missing.slice(start, start + BATCH);
    const versions = batch.map((node) => ({ id: node.id, version: node.written_version }));
    const states = await imports.statesAt(access, versions);
    for (const node of batch) {
      const state = states.get(node.id);
      if (state) addUnique(contents, contentOf(state), node);
    }
  }
  const wanted = new Map<string, SourceNode | null>();
  for (const source of fresh) addUnique(wanted, contentOf(source.node), source);
  const moved = new Set<string>();
  for (const [content, source] of wanted) {
    const node = contents.get(content);
    if (!source || !node) continue;
    source.stored = node;
    moved.add(node.id);
  }
  return moved;
}

/** Stores null for a key with several values, because the match would be ambiguous. */
function addUnique<T>(map: Map<string, T | null>, key: string, value: T): void {
  map.set(key, map.has(key) ? null : value);
}

function contentOf({ title, value }: { title: string; value: string | null }): string {
  return JSON.stringify([title, value]);
}
