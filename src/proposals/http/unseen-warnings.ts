import { isObject } from '../../kernel/json/json-values.js';
import { nameBelow } from '../../kernel/path-names.js';
import { unseenIn, visibly } from '../../kernel/text/unseen-characters.js';
import { type UnseenWarningDto } from './proposal-review.dto.js';

const MOST_WARNINGS = 100;

/**
 * Adds the places of invisible characters in the texts of a part of an answer, up to a hundred in all. The texts
 * themselves are unchanged.
 */
export function addWarnings(value: unknown, path: string, warnings: UnseenWarningDto[]): void {
  if (warnings.length >= MOST_WARNINGS) return;
  if (typeof value === 'string') note(value, path, warnings);
  else if (Array.isArray(value))
    value.forEach((item, index) => addWarnings(item, nameBelow(path, String(index)) ?? path, warnings));
  else if (isObject(value))
    for (const [key, part] of Object.entries(value)) {
      const below = nameBelow(path, visibly(key)) ?? path;
      note(key, below, warnings);
      addWarnings(part, below, warnings);
    }
}

function note(text: string, path: string, warnings: UnseenWarningDto[]): void {
  const characters = unseenIn(text);
  if (characters.length > 0) warnings.push({ path, characters });
}
