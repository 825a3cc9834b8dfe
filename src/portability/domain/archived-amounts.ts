import { type Quota } from '../../config/quotas.js';
import { isEndOfStep, type Steps } from '../../kernel/slices.js';

/** Additions to an owner's counters, while they are summed. */
export type Sums = Partial<Record<Quota, number>>;

/** Tables whose living rows are counted, under their own names. */
const LIVING: ReadonlySet<string> = new Set<Quota>([
  'nodes',
  'relationships',
  'tags',
  'schemas',
  'exposure_profiles',
]);

/** Adds a row of an archive to the sums: living things, all tags, sizes of files; bytes of the graph are counted elsewhere. */
export function addedByRow(sums: Sums, table: string, row: Readonly<Record<string, unknown>>): void {
  if (table === 'tags') addOne(sums, 'all_tags');
  // Compared with the stored bytes before.
  if (table === 'files') sums.file_bytes = (sums.file_bytes ?? 0) + (row['size_bytes'] as number);
  if (!LIVING.has(table) || (row['deleted_at'] ?? null) !== null) return;
  addOne(sums, table as Quota);
}

const addOne = (sums: Sums, quota: Quota): void => void (sums[quota] = (sums[quota] ?? 0) + 1);

/** The least size of each container, key and value in jsonb, beside the bytes of texts. */
const ENTRY_BYTES = 4;
/**
 * A lower bound of the bytes that a value has as jsonb (`plain_bytes` in the migration `quotas`). One pass without
 * recursion, which others can interrupt.
 */
export function* leastBytes(whole: unknown): Steps<number> {
  let bytes = 0;
  let count = 0;
  const left: unknown[] = [whole];
  while (left.length > 0) {
    if (isEndOfStep(count++)) yield undefined;
    const value = left.pop();
    if (typeof value === 'string') bytes += Buffer.byteLength(value);
    if (typeof value !== 'object' || value === null) continue;
    bytes += ENTRY_BYTES;
    const keys = Array.isArray(value) ? [] : Object.keys(value);
    for (const key of keys) {
      if (isEndOfStep(count++)) yield undefined;
      bytes += ENTRY_BYTES + Buffer.byteLength(key);
    }
    for (const inner of Array.isArray(value) ? value : Object.values(value)) {
      bytes += ENTRY_BYTES;
      left.push(inner);
    }
  }
  return bytes;
}
