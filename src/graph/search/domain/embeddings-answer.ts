import { BODY_BOUNDS, parseJsonInSlices } from '../../../kernel/json/json-text.js';
import { EMBEDDING_LIMITS, unitVector, type UnitVector } from './embedding.js';

/** The longest wait that another service can demand. */
const MAX_WAIT_MS = 60 * 60 * 1000;

/** The wait of a `Retry-After`, in seconds or as a date; null without one that can be read. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? null : Math.min(MAX_WAIT_MS, Math.max(0, ms));
}

/**
 * The vectors of an answer in the order of the texts, scaled to length one. Null for anything but one vector for each
 * text, all of one length, of finite numbers that are not all zero: nothing else may be stored.
 */
export async function vectorsIn(text: string, count: number): Promise<UnitVector[] | null> {
  const items = await itemsIn(text);
  if (items?.length !== count) return null;
  const found: (UnitVector | undefined)[] = new Array<undefined>(count).fill(undefined);
  for (const [place, item] of items.entries()) {
    const index = item?.index ?? place;
    if (typeof index !== 'number' || !(index in found) || found[index] !== undefined) return null;
    const unit = unitOf(item?.embedding);
    if (unit === null) return null;
    found[index] = unit;
  }
  const units = found as UnitVector[];
  return units.every(({ length }) => length === units[0]?.length) ? units : null;
}

interface Item {
  index?: unknown;
  embedding?: unknown;
}

async function itemsIn(text: string): Promise<(Item | null)[] | null> {
  try {
    const data = ((await parseJsonInSlices(text, BODY_BOUNDS)) as { data?: unknown } | null)?.data;
    return Array.isArray(data) ? (data as (Item | null)[]) : null;
  } catch {
    return null;
  }
}

function unitOf(numbers: unknown): UnitVector | null {
  if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > EMBEDDING_LIMITS.dimensions)
    return null;
  const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
  if (!numbers.every(isNumber) || numbers.every((number) => number === 0)) return null;
  return unitVector(numbers);
}
