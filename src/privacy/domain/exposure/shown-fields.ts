import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import { type CompiledTransformation } from './compiled-transformation.js';

type Wire = Readonly<Record<string, unknown>>;

/** Of all exposures together; the fields asked for longest ago are forgotten. */
const MOST_BYTES = 32 * 1024 * 1024;
const BYTES_OF_AN_ENTRY = 400;
/** What is shorter is soon made anew. */
const FEWEST_CHARACTERS = 32;

/** Texts of JSON by node, field, and what was stored there. */
const kept = new LRUCache<string, string>({
  maxSize: MOST_BYTES,
  sizeCalculation: (text) => 2 * text.length + BYTES_OF_AN_ENTRY,
});

/**
 * How fields of nodes were shown to one access. Nothing is recalled for another access, another node or
 * stored value, nor where other transformations concern the node: so that the time of an answer does not tell that
 * something hidden is equal to something else.
 */
export class ShownFields {
  recall(node: Wire, field: string, working: readonly CompiledTransformation[]): unknown {
    const name = this.nameOf(node, field, working);
    const text = name === null ? undefined : kept.get(name);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  /** Whether it takes some time to make, and is not known. */
  isWorthKeeping(node: Wire, field: string, working: readonly CompiledTransformation[]): boolean {
    const name = this.nameOf(node, field, working);
    return name !== null && !kept.has(name);
  }

  keep(node: Wire, field: string, working: readonly CompiledTransformation[], value: unknown): void {
    const name = this.nameOf(node, field, working);
    if (name !== null) kept.set(name, JSON.stringify(value));
  }

  /** Null: not worth it. */
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
