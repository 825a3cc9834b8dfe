import { isObject } from '../../json/json-values.js';
import { requestContext } from '../../request-context.js';
import { fieldsOf, ignoredBy } from '../fields/field-metadata.js';

/** The header that names the ignored fields of a body. */
const IGNORED_FIELDS = 'Ignored-Fields';

/** The most characters of the header, and of one step of a path in it. */
const MOST_CHARACTERS = 1_000;
const MOST_OF_A_STEP = 64;
const MORE = '...';

/**
 * Names the fields of a body that its class does not declare in a header of the answer, as dotted paths (rule 11.4c).
 * Fields that a class refuses are left to its refusal. It reads only what the caller sent, never the stored values that
 * are bound to the same classes.
 * @param at the path of the value in the body
 */
export function nameIgnored(type: object, value: unknown, at = ''): void {
  const context = requestContext.current();
  if (context.setHeader === undefined || context.ignoredFields?.endsWith(MORE)) return;
  const before = context.ignoredFields;
  for (const path of ignoredPaths(type, value, at === '' ? '' : `${at}.`)) {
    const names = context.ignoredFields === undefined ? path : `${context.ignoredFields}, ${path}`;
    const isFull = names.length > MOST_CHARACTERS;
    context.ignoredFields = isFull ? `${context.ignoredFields ?? ''}, ${MORE}` : names;
    if (isFull) break;
  }
  if (context.ignoredFields !== undefined && context.ignoredFields !== before)
    context.setHeader(IGNORED_FIELDS, context.ignoredFields);
}

function* ignoredPaths(type: object, value: unknown, before: string): Generator<string> {
  if (!isObject(value)) return;
  const fields = fieldsOf(type);
  const isStrict = ignoredBy(type) !== undefined;
  for (const key in value) {
    const field = fields.get(key);
    if (field === undefined) {
      if (!isStrict && Object.hasOwn(value, key)) yield before + safe(key);
    } else if (field.nested !== undefined) {
      const inner = value[key];
      if (!Array.isArray(inner)) yield* ignoredPaths(field.nested.type(), inner, `${before}${key}.`);
      // The binding refuses a longer array.
      else if (inner.length <= (field.nested.maxItems ?? 0))
        for (const [index, item] of inner.entries())
          yield* ignoredPaths(field.nested.type(), item, `${before}${key}.${index}.`);
    }
  }
}

/** A name of the caller's as one step of a path: percent-encoded except for letters, digits, `-` and `_`, and cut. */
function safe(key: string): string {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(key)) return key;
  const text = encodeURIComponent(key.slice(0, MOST_OF_A_STEP).toWellFormed());
  const encoded = text.replace(/[.!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return encoded.length > MOST_OF_A_STEP
    ? `${encoded.slice(0, MOST_OF_A_STEP).replace(/%.?$/, '')}~`
    : encoded;
}
