import { type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { DomainError, type FieldError } from '../../errors/domain-error.js';
import { isObject } from '../../json/json-values.js';
import { fieldsOf, ignoredBy, type Nested } from '../fields/field-metadata.js';
import { QUERY_GROUP } from '../fields/field.js';
import { impossibleValues } from '../fields/impossible-values.js';
import { isFastPathOn } from '../../fast-paths.js';
import { nameIgnored } from './ignored-fields.js';
import { isValidFast } from '../fast-paths/collected-checks.js';

/**
 * A plain value as an instance of a DTO class: unknown properties are stripped (refused where the class says so),
 * defaults filled in, every field checked.
 * @throws VALIDATION_ERROR with one entry for each invalid field (rule 11.4a)
 */
export function bind<T extends object>(
  type: new () => T,
  value: unknown,
  from: 'body' | 'query' = 'body',
): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw DomainError.validation('body', 'must be a JSON object');
  }
  const fields = fieldsOf(type);
  const isItemwise = (key: string): boolean => fields.get(key)?.itemwise === true;
  const [whole, itemwise] = Object.keys(value).some(isItemwise) ? parted(value, isItemwise) : [value, []];
  const impossible = impossibleValues(whole, (key) => fields.get(key)?.ownDepth === true);
  if (impossible.length > 0) throw DomainError.validations(impossible);
  const isLenient = ignoredBy(type) === undefined;
  const isAsSent = isLenient && from === 'body' && isFastPathOn('fields-as-sent');
  const asSent = isAsSent ? unconverted(type, value as Values, fields) : null;
  if (asSent !== null && isValidFast(asSent)) return asSent;
  const instance = from === 'query' ? fromQuery(type, whole) : converted(type, whole as Values, fields);
  // The transformer fails on unchecked values, and these need no conversion.
  for (const [key, items] of itemwise) (instance as Values)[key] = items;
  for (const [key, { default: fallback }] of fields) {
    if (instance[key] === undefined && fallback !== undefined) (instance as Values)[key] = fallback;
  }
  if (isLenient && isValidFast(instance)) return strip(instance, fields);
  const unknown = unknownFields(instance, '').slice(0, MOST_UNKNOWN);
  const errors = validateSync(instance, {
    whitelist: true,
    forbidUnknownValues: false,
    stopAtFirstError: true,
  });
  const wrong = [...unknown, ...errors.flatMap((error) => flatten(error, ''))];
  if (wrong.length > 0) throw DomainError.validations(wrong);
  return instance;
}

type Values = Record<string, unknown>;

/** The most unknown fields of a body that are kept for the refusal to name. */
const MOST_UNKNOWN = 20;

const fromQuery = <T extends object>(type: new () => T, value: object): T & Values =>
  plainToInstance(type, value, { groups: [QUERY_GROUP] }) as T & Values;

/**
 * Converts the declared fields that need it, and takes the others as they were sent. The transformer sees no objects of
 * a body, whose keys it compares with each other, so that one of 100,000 keys would take seconds; no field but a nested
 * one accepts them in another form.
 */
function converted<T extends object>(
  type: new () => T,
  value: Values,
  fields: ReturnType<typeof fieldsOf>,
): T & Values {
  const toConvert: Values = {};
  const asSent: Values = {};
  const ignored = ignoredBy(type) ?? [];
  let unknown = 0;
  for (const key of Object.keys(value)) {
    const field = fields.get(key);
    if (field?.nested !== undefined) asSent[key] = nested(field.nested, value[key]);
    else if (field?.isConverted === true && typeof value[key] !== 'object') toConvert[key] = value[key];
    else if (field !== undefined || (!ignored.includes(key) && ++unknown <= MOST_UNKNOWN))
      asSent[key] = value[key];
  }
  return Object.assign<T & Values, Values>(plainToInstance(type, toConvert) as T & Values, asSent);
}

/**
 * The value of a nested field: its objects as instances of their class. An array is cut off behind the item by which it
 * is too long, since the validator would look at all of them before it refuses the array.
 */
function nested({ type, maxItems }: Nested, value: unknown): unknown {
  const one = (item: unknown): unknown => (isObject(item) ? converted(type(), item, fieldsOf(type())) : item);
  if (!Array.isArray(value)) return one(value);
  return maxItems === null ? [] : value.slice(0, maxItems + 1).map(one);
}

function parted(
  value: object,
  isItemwise: (key: string) => boolean,
): [whole: object, itemwise: [key: string, items: unknown][]] {
  const entries: [string, unknown][] = Object.entries(value);
  const itemwise = entries.filter(([key]) => isItemwise(key));
  // An assignment to __proto__ would set the prototype.
  return [Object.fromEntries(entries.filter(([key]) => !isItemwise(key))), itemwise];
}

/**
 * The declared fields as they were sent, which is already right for most bodies; null if one needs conversion. The
 * library would deep-copy each of them first.
 */
function unconverted<T extends object>(
  type: new () => T,
  value: Values,
  fields: ReturnType<typeof fieldsOf>,
): T | null {
  const instance = new type();
  for (const [key, { default: fallback, isConverted }] of fields) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined;
    if (given !== undefined && isConverted) return null;
    const held = given === undefined ? fallback : given;
    if (held !== undefined) (instance as Values)[key] = held;
  }
  return instance;
}

/** Removes properties that the class does not declare, as the validator does. */
function strip<T extends Record<string, unknown>>(instance: T, fields: ReadonlyMap<string, unknown>): T {
  for (const key of Object.keys(instance)) if (!fields.has(key)) delete instance[key];
  return instance;
}

/** Errors for unknown fields where a class refuses them. Must run before the validator strips them. */
function unknownFields(value: unknown, path: string): FieldError[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => unknownFields(item, `${path}.${index}`));
  if (!isObject(value)) return [];
  const type = (Object.getPrototypeOf(value) as object | null)?.constructor ?? Object;
  const [known, ignored] = [fieldsOf(type), ignoredBy(type)];
  return Object.entries(value).flatMap(([key, child]) => {
    const field = path === '' ? key : `${path}.${key}`;
    if (known.has(key)) return unknownFields(child, field);
    const isRefused = ignored !== undefined && !ignored.includes(key);
    return isRefused ? [{ field, message: 'is not a known field' }] : [];
  });
}

function flatten(error: ValidationError, parent: string): FieldError[] {
  const path = parent === '' ? error.property : `${parent}.${error.property}`;
  const messages = Object.values(error.constraints ?? {});
  const own = messages.map((message) => ({
    field: path,
    message: error.value === undefined ? 'is required' : error.value === null ? 'must not be null' : message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, path))];
}

/** Binds bodies and query strings to their DTO classes; locators read path parameters. */
class BindingPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || metatype === undefined || isBuiltIn(metatype)) return value;
    if (type === 'body') nameIgnored(metatype, value);
    return bind(metatype as new () => object, value === undefined ? {} : value, type);
  }
}

const isBuiltIn = (type: unknown): boolean =>
  [String, Number, Boolean, Array, Object].includes(type as never);

/** Binds every parameter of every handler, as a global pipe. */
export const binding = new BindingPipe();
const BOUND: readonly string[] = [`${RouteParamtypes.BODY}:`, `${RouteParamtypes.QUERY}:`];

/**
 * Binds the body and the query string of a controller's method. A global pipe would run for every parameter, and Nest
 * makes several promises for each.
 */
export function bindParameters(controller: object, method: string): void {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { pipes: unknown[] }
  >;
  for (const [key, { pipes }] of Object.entries(parameters))
    if (BOUND.some((kind) => key.startsWith(kind)) && !pipes.includes(binding)) pipes.push(binding);
}
