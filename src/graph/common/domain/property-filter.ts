import { DomainError, type FieldError } from '../../../kernel/errors/domain-error.js';
import { BODY_BOUNDS, parseJson, RefusedJson } from '../../../kernel/json/json-text.js';
import { FORBIDDEN_KEYS, isStorable } from '../../../kernel/storable.js';

export const PROPERTY_OPERATORS = ['eq', 'gt', 'gte', 'lt', 'lte'] as const;
export type PropertyOperator = (typeof PROPERTY_OPERATORS)[number];

/** A comparison with a number or boolean, or with a text by its code points; values of other types never match. */
export interface PropertyComparison {
  operator: PropertyOperator;
  value: string | number | boolean;
}

/** Nodes of which the value at a path of `metadata.properties` passes each comparison. */
export interface PropertyFilter {
  /** Keys of objects; positions in arrays are none. */
  path: readonly string[];
  comparisons: readonly PropertyComparison[];
}

/** The field that a filter asks for, as a dotted path. */
export const fieldOfProperty = ({ path }: PropertyFilter): string =>
  ['metadata.properties', ...path].join('.');

export const PROPERTY_LIMITS = { filters: 5, path: 200, segments: 10, text: 1000 };

/**
 * The filters in a field of a request, as `[{"path": "address.city", "eq": "Lisbon"}]`.
 * @throws VALIDATION_ERROR
 */
export function propertyFiltersOf(field: string, given: unknown): PropertyFilter[] {
  const { filters } = PROPERTY_LIMITS;
  if (!Array.isArray(given) || given.length === 0 || given.length > filters)
    throw DomainError.validation(field, `must be a list of 1 to ${filters} filters`);
  const errors = given.flatMap((one, index) => errorsOf(one, `${field}.${index}`));
  if (errors.length > 0) throw DomainError.validations(errors);
  return (given as Record<string, unknown>[]).map((one) => ({
    path: (one['path'] as string).split('.'),
    comparisons: PROPERTY_OPERATORS.flatMap((operator) => {
      const value = one[operator] as PropertyComparison['value'] | undefined;
      return value === undefined ? [] : [{ operator, value }];
    }),
  }));
}

/**
 * The same from the text of a query parameter.
 * @throws VALIDATION_ERROR
 */
export function propertyFiltersIn(field: string, text: string): PropertyFilter[] {
  let given: unknown;
  try {
    given = parseJson(text, BODY_BOUNDS);
  } catch (error) {
    if (!(error instanceof RefusedJson) && !(error instanceof SyntaxError)) throw error;
    throw DomainError.validation(field, 'must be JSON, such as [{"path": "city", "eq": "Lisbon"}]');
  }
  return propertyFiltersOf(field, given);
}

function errorsOf(given: unknown, at: string): FieldError[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return [{ field: at, message: 'must be an object with `path` and a comparison' }];
  const { path, ...comparisons } = given as Record<string, unknown>;
  const isKnown = (name: string): name is PropertyOperator =>
    (PROPERTY_OPERATORS as readonly string[]).includes(name);
  const names = Object.keys(comparisons);
  if (names.length === 0)
    return [{ field: at, message: `must have \`path\` and any of ${PROPERTY_OPERATORS.join(', ')}` }];
  const unknown = names.filter((name) => !isKnown(name)).slice(0, MOST_UNKNOWN);
  return [
    ...unknown.map((name) => ({ field: `${at}.${name.slice(0, 64)}`, message: 'is not a known field' })),
    ...(isPath(path) ? [] : [{ field: `${at}.path`, message: PATH_MESSAGE }]),
    ...names.filter(isKnown).flatMap((name) => {
      const message = valueError(name, comparisons[name]);
      return message === null ? [] : [{ field: `${at}.${name}`, message }];
    }),
  ];
}

/** The most unknown fields that a refusal names. */
const MOST_UNKNOWN = 20;
const PATH_MESSAGE = `must be keys below metadata.properties, joined by dots: at most ${PROPERTY_LIMITS.segments} of them and ${PROPERTY_LIMITS.path} characters`;

function isPath(path: unknown): boolean {
  if (typeof path !== 'string' || path.length > PROPERTY_LIMITS.path || !isStorable(path)) return false;
  const segments = path.split('.');
  return (
    segments.length <= PROPERTY_LIMITS.segments &&
    segments.every((segment) => segment !== '' && !FORBIDDEN_KEYS.has(segment))
  );
}

function valueError(operator: PropertyOperator, value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'must be a finite number';
  if (typeof value === 'boolean') return operator === 'eq' ? null : 'must be a text or a number';
  if (typeof value !== 'string') return 'must be a text, a number or a boolean';
  if (value.length > PROPERTY_LIMITS.text) return `must have at most ${PROPERTY_LIMITS.text} characters`;
  return isStorable(value) ? null : 'must not contain NUL or lone surrogates';
}
