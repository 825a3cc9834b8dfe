import { FORBIDDEN_KEYS, storable } from '../kernel/storable.js';

/** Text that the service accepts: no NUL, no lone surrogate, Unix line ends. */
export function cleanText(text: string): string {
  return storable(text.replace(/\r\n?/g, '\n'));
}

/** One line, without surrounding or repeated white space. */
export function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** At most `max` UTF-16 units, never half a character, the cut marked by an ellipsis. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  return text.slice(0, max - 1).replace(/\p{Surrogate}$/u, '') + '…';
}

/**
 * A copy that is plain JSON and passes the service's checks on free objects. Values that JSON cannot
 * express (big integers, NaN, infinities) become text; `_` is appended to a forbidden key.
 */
export function cleanJson(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return cleanText(value);
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'object':
      if (value === null) return null;
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
      if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
      if (Array.isArray(value)) return value.map(cleanJson);
      return cleanObject(value);
    case 'boolean':
      return value;
    default:
      return null;
  }
}

function cleanObject(value: object): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const name = cleanText(key);
    cleaned[FORBIDDEN_KEYS.has(name) ? `${name}_` : name] = cleanJson(item);
  }
  return cleaned;
}

/** 1 for `{}`, 2 for `{a: {}}`; scalars add nothing. */
export function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
