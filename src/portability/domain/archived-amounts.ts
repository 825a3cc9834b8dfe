import { type Quota } from '../../config/quotas.js';

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

/** Adds a row of an archive to the sums: living things and all tags; bytes are counted elsewhere. */
export function addedByRow(sums: Sums, table: string, row: Readonly<Record<string, unknown>>): void {
  if (table === 'tags') addOne(sums, 'all_tags');
  if (!LIVING.has(table) || (row['deleted_at'] ?? null) !== null) return;
  addOne(sums, table as Quota);
}

const addOne = (sums: Sums, quota: Quota): void => void (sums[quota] = (sums[quota] ?? 0) + 1);

/** The least size of each container, key and value in jsonb, beside the bytes of texts. */
const ENTRY_BYTES = 4;
/** Values of greater depth are refused wherever they are stored. */
const MAX_DEPTH = 64;

/** A lower bound of the bytes that a value has as jsonb (`plain_bytes` in the migration `quotas`). */
export function leastBytes(value: unknown, depth = MAX_DEPTH): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null || depth === 0) return 0;
  let bytes = ENTRY_BYTES;
  // Pairs of index and value would cost ten times the count.
  if (Array.isArray(value)) {
    for (const item of value) bytes += ENTRY_BYTES + leastBytes(item, depth - 1);
    return bytes;
  }
  for (const [key, inner] of Object.entries(value))
    bytes += 2 * ENTRY_BYTES + Buffer.byteLength(key) + leastBytes(inner, depth - 1);
  return bytes;
}
