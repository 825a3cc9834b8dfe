import { type Json } from '../../domain/api.js';

/** The characters of JSON that a list may take in a model's context; the definition of one schema fits (rule 5.3). */
export const MOST_CHARACTERS = 80_000;

/**
 * The first items of a list, as many as fit, but at least one: of an item that is larger alone, the largest fields are left
 * out and named in `left_out`.
 */
export function fitting(items: readonly Json[]): Json[] {
  const fit: Json[] = [];
  let room = MOST_CHARACTERS;
  for (const item of items) {
    const size = sizeOf(item);
    if (size > room && fit.length > 0) break;
    fit.push(size > room ? shortened(item) : item);
    room -= size;
  }
  return fit;
}

/**
 * A page of the API with the items that fit. One that is cut is `truncated`, and as in the API its `limit` is then the number
 * of its items (rule 4.7b).
 */
export function fittingPage(page: Json, list: string): Json {
  const items = page[list] as Json[];
  const fit = fitting(items);
  const isCut = fit.length < items.length;
  return { ...page, [list]: fit, ...(isCut ? { limit: fit.length, truncated: true } : {}) };
}

function shortened(item: Json): Json {
  const largestFirst = Object.keys(item).sort((a, b) => sizeOf(item[b]) - sizeOf(item[a]));
  const left_out: string[] = [];
  let size = sizeOf(item);
  for (const name of largestFirst) {
    if (size <= MOST_CHARACTERS / 2) break;
    left_out.push(name);
    size -= sizeOf(item[name]);
  }
  const rest = Object.entries(item).filter(([name]) => !left_out.includes(name));
  return { ...Object.fromEntries(rest), left_out };
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
