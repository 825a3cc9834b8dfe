/** Keys that a free object may not have, for they reach an object's prototype (decisions 4.13). */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** PostgreSQL has no text with NUL or lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The text with a replacement character for each of what cannot be stored. */
export const storable = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
