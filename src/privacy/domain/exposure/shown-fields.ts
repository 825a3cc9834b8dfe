import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { type Steps } from '../../../kernel/slices.js';
import { type CompiledTransformation } from './compiled-transformation.js';
import { REMOVED } from './leaves.js';
import { isLong } from './long-values.js';

type Wire = Readonly<Record<string, unknown>>;

/** The bound for all exposures together; beyond it the least recently used fields are dropped. */
const MOST_BYTES = 32 * 1024 * 1024;
const BYTES_OF_AN_ENTRY = 400;
/** Shorter texts are quickly computed again. */
const FEWEST_CHARACTERS = 32;

/** The shown fields as JSON, by node, field and stored value; empty where the field is removed. */
const kept = new LRUCache<string, string>({
  maxSize: MOST_BYTES,
  sizeCalculation: (text) => 2 * text.length + BYTES_OF_AN_ENTRY,
});

/**
 * The fields that were prepared for one node, under the names of {@link nameOfShown}. The presenter of the node holds them, so
 * that none drops out of the cache before it is shown.
 */
export type PreparedFields = Map<string, string>;

export interface FieldOfNode {
  node: Wire;
  field: string;
}

/**
 * The name of a shown field; null where it is not worth caching. Nothing is reused for another access, node or stored
 * value, or when other transformations apply: the time of an answer must not reveal that something hidden equals
 * something else.
 */
export function nameOfShown(
  { node, field }: FieldOfNode,
  working: readonly CompiledTransformation[],
): string | null {
  const { id, [field]: value } = node;
  if (!working.some(({ redacts }) => redacts) && !isLong(value, working)) return null;
  const by = working.filter((transformation) => transformation.reaches([field]));
  if (!by.some(({ redacts }) => redacts) && !isLong(value, by)) return null;
  const stored = JSON.stringify(value ?? null);
  if (stored.length < FEWEST_CHARACTERS) return null;
  const hash = createHash('sha256').update(stored).digest('base64');
  return `${by.map(({ number }) => number).join('.')} ${String(id)} ${field} ${hash}`;
}

/** A field by its name, as {@link textOfShown} stores it; undefined where it must be computed. */
export const recalled = (name: string, prepared: PreparedFields): string | undefined =>
  prepared.get(name) ?? kept.get(name);

/** The text of a field, computed in steps and kept when they are done. */
export function* keeping(name: string, steps: Steps<unknown>): Steps<string> {
  const text = textOfShown(yield* steps);
  kept.set(name, text);
  return text;
}

const textOfShown = (shown: unknown): string => (shown === REMOVED ? '' : JSON.stringify(shown));

export const shownFrom = (text: string): unknown => (text === '' ? REMOVED : (JSON.parse(text) as unknown));
