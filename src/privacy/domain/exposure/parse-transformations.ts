import { isObject } from '../../../kernel/json/json-values.js';
import { DomainError, type FieldError } from '../../../kernel/errors/domain-error.js';
import { parsePath } from './field-path.js';
import { FIELDS_OF_TYPE, ONLY_REMOVED_OR_NULL } from './node-exposure.js';
import { PII_ENTITIES } from '../../../libs/pii/entities.js';
import { holdsPii } from '../../../libs/pii/redact.js';
import {
  GRANULARITIES,
  MASK_STRATEGIES,
  type Transformation,
  type TransformationType,
} from './transformation.js';

/** The most transformations of a profile: each costs work for every node that is shown through it. */
const MOST_TRANSFORMATIONS = 20;
const MOST_REDACTIONS = 4;
const MOST_PATHS = 200;
const MOST_WILDCARD_PATHS = 40;
/** The most entries of one list. */
const MOST_ENTRIES = 100;
const LONGEST_REPLACEMENT = 100;
const LONGEST_TEXT = 100_000;
export const LONGEST_TYPE = 200;

/** Checks one key's value; returns the fault, or null. */
type Check = (value: unknown, type: TransformationType) => string | null;
interface Key {
  check: Check;
  required?: boolean;
}

const oneOf = (allowed: readonly string[]): Check => {
  return (value) =>
    typeof value === 'string' && allowed.includes(value) ? null : `must be one of ${allowed.join(', ')}`;
};
const listOf = (check: Check): Check => {
  return (value, type) => {
    if (!Array.isArray(value) || value.length === 0) return 'must be a list with at least one entry';
    if (value.length > MOST_ENTRIES) return `must have at most ${MOST_ENTRIES} entries`;
    return value.map((entry) => check(entry, type)).find((wrong) => wrong !== null) ?? null;
  };
};
/** An empty list restricts nothing, as in a profile's filters (rule 3.5). */
const anyNumberOf = (check: Check): Check => {
  return (value, type) => (Array.isArray(value) && value.length === 0 ? null : listOf(check)(value, type));
};
const text: Check = (value) =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST_TYPE ? null : 'must be a text';
/** A malformed id names no tag, like an unknown one: the look-up reports both (rules 11). */
const id: Check = (value) => (typeof value === 'string' ? null : 'must be the id of a tag');

/** A path on which the type has an effect: one without an effect would protect nothing. */
const path: Check = (value, type) => {
  const segments = parsePath(value);
  if (!segments) return 'must be a dotted path such as title or metadata.properties.email';
  const fields = FIELDS_OF_TYPE[type];
  return fields.includes(segments[0]!) ? null : `must begin with one of ${fields.join(', ')}`;
};
const replacement: Check = (value) => {
  if (typeof value !== 'string' || value.length > LONGEST_REPLACEMENT) {
    return `must be a text of at most ${LONGEST_REPLACEMENT} characters`;
  }
  const all = { entities: new Set(PII_ENTITIES), replacement: '' };
  return holdsPii(value, all) ? 'must not itself read as an identifier' : null;
};
const length: Check = (value) => {
  const isLength = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LONGEST_TEXT;
  return isLength ? null : `must be a whole number from 0 to ${LONGEST_TEXT}`;
};

const CONFIG: Readonly<Record<TransformationType, Readonly<Record<string, Key>>>> = {
  pii_redaction: { entities: { check: listOf(oneOf(PII_ENTITIES)) }, replacement: { check: replacement } },
  field_mask: { paths: { check: listOf(path), required: true }, strategy: { check: oneOf(MASK_STRATEGIES) } },
  truncate: { field: { check: path, required: true }, max: { check: length, required: true } },
  round_date: { granularity: { check: oneOf(GRANULARITIES) } },
  pseudonymize: { paths: { check: listOf(path), required: true } },
};
const APPLY_TO: Readonly<Record<string, Key>> = {
  tag_ids: { check: anyNumberOf(id) },
  node_types: { check: anyNumberOf(text) },
  fields: { check: anyNumberOf(path) },
};

/**
 * Reads a profile's transformations (rule 3.15): a list of `{type, config?, apply_to?}`, where a bare text is
 * short for `{type}`. Absent is an empty list. The result is the input as written, but for ids in capital letters; no defaults are filled in.
 * @throws DomainError INVALID_TRANSFORMATION with `[{field, message}]` for every wrong place, such as
 *   `transformations[1].config.max`, unknown types and keys included
 */
export function parseTransformations(input: unknown): Transformation[] {
  if (input === undefined) return [];
  if (!Array.isArray(input)) throw invalid([{ field: 'transformations', message: 'must be a list' }]);
  if (input.length > MOST_TRANSFORMATIONS) {
    throw invalid([
      {
        field: 'transformations',
        message: `must have at most ${MOST_TRANSFORMATIONS} entries, not ${input.length}`,
      },
    ]);
  }
  const written = input.map((one: unknown) => (typeof one === 'string' ? { type: one } : one));
  const errors = written.flatMap((one, index) => errorsOf(one, `transformations[${index}]`));
  if (errors.length > 0) throw invalid(errors);
  const read = (structuredClone(written) as Transformation[]).map(withPlainIds);
  const excess = excessOf(read);
  if (excess.length > 0) throw invalid(excess);
  return read;
}

/** Ids are compared letter by letter, here and in the database. */
function withPlainIds(one: Transformation): Transformation {
  const ids = one.apply_to?.tag_ids;
  return ids === undefined
    ? one
    : { ...one, apply_to: { ...one.apply_to, tag_ids: ids.map((id) => id.toLowerCase()) } };
}

/** The violations of a profile's bounds, each with its number. */
function excessOf(transformations: readonly Transformation[]): FieldError[] {
  const redactions = transformations.filter(({ type }) => type === 'pii_redaction').length;
  const paths = transformations.flatMap(pathsIn);
  const wildcards = paths.filter((one) => one.split('.').includes('*')).length;
  const bounds: [amount: number, most: number, of: string][] = [
    [redactions, MOST_REDACTIONS, 'of type pii_redaction'],
    [paths.length, MOST_PATHS, 'paths in all'],
    [wildcards, MOST_WILDCARD_PATHS, 'paths with * in all'],
  ];
  return bounds
    .filter(([amount, most]) => amount > most)
    .map(([amount, most, of]) => ({
      field: 'transformations',
      message: `must have at most ${most} ${of}, not ${amount}`,
    }));
}

/** All paths of a transformation, also those that limit it. */
export function pathsIn({ type, config, apply_to }: Transformation): string[] {
  const own =
    type === 'truncate'
      ? [config.field]
      : type === 'field_mask' || type === 'pseudonymize'
        ? config.paths
        : [];
  return [...own, ...(apply_to?.fields ?? [])];
}

function errorsOf(written: unknown, field: string): FieldError[] {
  if (!isObject(written)) return [{ field, message: 'must be a type or an object with a type' }];
  const types = Object.keys(CONFIG);
  const wrongType = oneOf(types)(written['type'], 'pii_redaction');
  if (wrongType !== null) return [{ field: `${field}.type`, message: wrongType }];
  const type = written['type'] as TransformationType;
  const unknown = Object.keys(written).filter((key) => !['type', 'config', 'apply_to'].includes(key));
  return [
    ...maskErrors(written['config'], `${field}.config.strategy`),
    ...unknown.map((key) => ({ field: `${field}.${key}`, message: 'is no part of a transformation' })),
    ...partErrors(written['config'], { field: `${field}.config`, type, keys: CONFIG[type] }),
    ...partErrors(written['apply_to'], { field: `${field}.apply_to`, type, keys: APPLY_TO }),
  ];
}

function maskErrors(config: unknown, field: string): FieldError[] {
  if (!isObject(config) || !Array.isArray(config['paths'])) return [];
  if (config['strategy'] !== 'hash' && config['strategy'] !== 'last4') return [];
  const numbers = config['paths'].filter((one) => ONLY_REMOVED_OR_NULL.includes(one as string));
  return numbers.map((one) => ({ field, message: `must be remove or null for ${one as string}` }));
}

interface Part {
  field: string;
  type: TransformationType;
  keys: Readonly<Record<string, Key>>;
}

/** Errors of `config` or `apply_to`. */
function partErrors(part: unknown, { field, type, keys }: Part): FieldError[] {
  if (part !== undefined && !isObject(part)) return [{ field, message: 'must be an object' }];
  const values = part ?? {};
  const errors: FieldError[] = [];
  for (const key of Object.keys(values)) {
    if (!Object.hasOwn(keys, key))
      errors.push({ field: `${field}.${key}`, message: `is unknown for ${type}` });
  }
  for (const [key, { check, required }] of Object.entries(keys)) {
    const value = Object.hasOwn(values, key) ? values[key] : undefined;
    const wrong = value === undefined ? (required ? 'is required' : null) : check(value, type);
    if (wrong !== null) errors.push({ field: `${field}.${key}`, message: wrong });
  }
  return errors;
}

function invalid(details: FieldError[]): DomainError {
  const message = details.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new DomainError('INVALID_TRANSFORMATION', message, details);
}
