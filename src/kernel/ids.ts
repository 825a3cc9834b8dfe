import { hash, randomUUID } from 'node:crypto';

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * UUID v4 (RFC 9562, 5.4). Not v7: its first 48 bits are the millisecond of creation, which a profile may round or hide
 * (rule 3.15b); an id must not reveal a hidden part of its record.
 */
export function newId(): string {
  return randomUUID();
}

/** The UUID v8 (RFC 9562, 5.8) of a text. Equal texts have the same id; no {@link newId} is equal to one of these. */
export function derivedId(text: string): string {
  const hex = hash('sha256', text);
  const variant = ((parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** The id of nobody (RFC 9562, 5.9). */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/** True if an input can be an id; anything else reads as absent (rule 11.5). */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && shape.test(value);
}
