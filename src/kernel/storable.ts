/** Keys that a free object may not have, because they reach an object's prototype (rule 4.13e). */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** True for a text without NUL and lone surrogates, which PostgreSQL cannot store. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The text with a replacement character in place of each character that cannot be stored. */
export const storable = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '\uFFFD');
