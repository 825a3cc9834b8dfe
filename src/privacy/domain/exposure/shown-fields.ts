import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { type CompiledTransformation } from './compiled-transformation.js';

type Wire = Readonly<Record<string, unknown>>;

/** The bound for all exposures together; beyond it the least recently used fields are dropped. */
const MOST_BYTES = 32 * 1024 * 1024;
const BYTES_OF_AN_ENTRY = 400;
/** Shorter texts are quickly computed again. */
const FEWEST_CHARACTERS = 32;

/** The shown fields as JSON, by node, field and stored value. */
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
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  /** True if the field takes some time to compute and is not cached. */
  isWorthKeeping(node: Wire, field: string, working: readonly CompiledTransformation[]): boolean {
    const name = this.nameOf(node, field, working);
    return name !== null && !kept.has(name);
  }

  keep(node: Wire, field: string, working: readonly CompiledTransformation[], value: unknown): void {
    const name = this.nameOf(node, field, working);
    if (name !== null) kept.set(name, JSON.stringify(value));
  }

  /** Null: not worth caching. */
  private nameOf(node: Wire, field: string, working: readonly CompiledTransformation[]): string | null {
    const reaching = working.filter((transformation) => transformation.reaches([field]));
    if (!reaching.some(({ redacts }) => redacts)) return null;
    const { id, [field]: value } = node;
    const stored = JSON.stringify(value ?? null);
    if (stored.length < FEWEST_CHARACTERS) return null;
    const hash = createHash('sha256').update(stored).digest('base64');
    const by = reaching.map(({ number }) => number).join('.');
    return `${by} ${String(id)} ${field} ${hash}`;
  }
}
