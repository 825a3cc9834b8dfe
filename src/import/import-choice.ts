import { hash, markOf } from './import-state.js';
import type { ImportedGraph } from './imported-graph.js';
import { type ImportedText, type ImportRecord } from './imports.queries.js';

/**
 * An error for a source that may be one of several earlier imports. The message is one line for the
 * operator.
 */
export class AmbiguousSource extends Error {}

/** The overlap of a source with an earlier import. */
export interface SourceOverlap {
  record: ImportRecord;
  /** Nodes of the source that the import has: the same text, under the same name or any other. */
  same: number;
  /** Nodes of the source, and of the import. */
  sizes: readonly [source: number, stored: number];
}

export function overlapOf(
  graph: ImportedGraph,
  record: ImportRecord,
  texts: readonly ImportedText[],
): SourceOverlap {
  const byRef = new Map(texts.map((text) => [text.ref, text]));
  const contents = new Set(texts.map(({ title, value }) => `${title} ${value}`));
  const same = graph.nodes.filter(({ ref, title, value }) => {
    const content = `${hash(title)} ${hash(value)}`;
    const stored = byRef.get(markOf(record.collection, ref));
    // A node without a state is matched by its place in the source alone.
    return contents.has(content) || (stored !== undefined && stored.value === null);
  }).length;
  return { record, same, sizes: [graph.nodes.length, texts.length] };
}

/** Half of both: the same source in another place. Half of only the smaller: ambiguous. */
const isSame = ({ same, sizes }: SourceOverlap): boolean => same > 0 && same * 2 >= Math.max(...sizes);
const isDoubtful = ({ same, sizes }: SourceOverlap): boolean => same > 0 && same * 2 >= Math.min(...sizes);

/**
 * The import that a source in an unknown place continues.
 * @returns null when it is a new source
 * @throws AmbiguousSource
 */
export function continuedImport(overlaps: readonly SourceOverlap[]): ImportRecord | null {
  const possible = overlaps.filter((overlap) => isSame(overlap) || isDoubtful(overlap));
  const [first, ...others] = possible;
  if (first === undefined) return null;
  if (others.length === 0 && isSame(first)) return first.record;
  const shares = possible.map(
    ({ record, same, sizes }) => `${same} of its ${sizes[0]} notes are in "${record.name}"`,
  );
  throw new AmbiguousSource(
    `this source could be an earlier import in another place: ${shares.join(', ')}. ` +
      `--collection "${first.record.name}" continues that one; another name makes a new import`,
  );
}

/** @throws AmbiguousSource */
export function onlyOneOf(records: readonly ImportRecord[]): ImportRecord | null {
  const [first = null, ...others] = records;
  if (first === null || others.length === 0) return first;
  const names = records.map(({ name }) => `"${name}"`).join(' and ');
  throw new AmbiguousSource(`this source was imported as ${names}: say which with --collection NAME`);
}

/** A free name: `notes`, or `notes 2` when `notes` is taken. */
export function freeName(wanted: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!taken.includes(name)) return name;
  }
}
