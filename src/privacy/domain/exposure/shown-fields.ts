import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { type CompiledTransformation } from './compiled-transformation.js';
import { REMOVED } from './leaves.js';

type Wire = Readonly<Record<string, unknown>>;

/** The bound for all exposures together; beyond it the least recently used fields are dropped. */
const MOST_BYTES = 32 * 1024 * 1024;
const BYTES_OF_AN_ENTRY = 400;
/** Shorter texts are quickly computed again. */
const FEWEST_CHARACTERS = 32;
/** The most parts of a value, times the transformations that apply to it, that are shown without slices. */
const MOST_PARTS_AT_ONCE = 500;

/** The shown fields as JSON, by node, field and stored value; empty where the field is removed. */
const kept = new LRUCache<string, string>({
  maxSize: MOST_BYTES,
  sizeCalculation: (text) => 2 * text.length + BYTES_OF_AN_ENTRY,
});

/**
 * A cache of the fields shown to one access. Nothing is reused for another access, node or stored value, or
 * when other transformations apply: the time of an answer must not reveal that something hidden equals
 * something else.
 */
export class ShownFields {
  recall(node: Wire, field: string, working: readonly CompiledTransformation[]): unknown {
    const name = this.nameOf(node, field, working);
    const text = name === null ? undefined : kept.get(name);
    if (text === undefined) return undefined;
    return text === '' ? REMOVED : (JSON.parse(text) as unknown);
  }

  /** True if the field takes some time to compute and is not cached. */
  isWorthKeeping(node: Wire, field: string, working: readonly CompiledTransformation[]): boolean {
    const name = this.nameOf(node, field, working);
    return name !== null && !kept.has(name);
  }

  keep(node: Wire, field: string, working: readonly CompiledTransformation[], shown: unknown): void {
    const name = this.nameOf(node, field, working);
    if (name !== null) kept.set(name, shown === REMOVED ? '' : JSON.stringify(shown));
  }

  /** Null: not worth caching. */
  private nameOf(node: Wire, field: string, working: readonly CompiledTransformation[]): string | null {
    const { id, [field]: value } = node;
    if (!working.some(({ redacts }) => redacts) && !isLong(value, working.length)) return null;
    const by = working.filter((transformation) => transformation.reaches([field]));
    if (!by.some(({ redacts }) => redacts) && !isLong(value, by.length)) return null;
    const stored = JSON.stringify(value ?? null);
    if (stored.length < FEWEST_CHARACTERS) return null;
    const hash = createHash('sha256').update(stored).digest('base64');
    return `${by.map(({ number }) => number).join('.')} ${String(id)} ${field} ${hash}`;
  }
}

/**
 * True if this number of transformations would go through more than {@link MOST_PARTS_AT_ONCE} parts. Counts no
 * further than that itself.
 */
function isLong(value: unknown, transformations: number): boolean {
  const open = [value];
  let parts = 0;
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    const below = Object.values(one);
    parts += below.length;
    if (parts * transformations > MOST_PARTS_AT_ONCE) return true;
    open.push(...below);
  }
  return false;
}
