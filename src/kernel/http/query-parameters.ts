import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { type Request } from 'express';
import { DomainError, type FieldError } from '../errors/domain-error.js';
import { nearestName } from '../text/nearest-name.js';
import { AS_APP_PARAMETER, endpointOf, servesAsApp } from './endpoint.js';
import { fieldsOf } from './fields/field-metadata.js';
import { isBelowPrefix } from './version-prefix.js';

/** The most parameters that a refusal names, and the characters that it repeats of each. */
const MOST_NAMED = 20;
const MOST_CHARACTERS = 64;
/** The metadata in which `@ApiQuery()` keeps parameters; the library does not export its name. */
const DOCUMENTED = 'swagger/apiParameters';

type Names = ReadonlySet<string>;
const NONE: Names = new Set();
const known = new WeakMap<object, Names>();

/**
 * Reads the names of the query parameters of a controller's method, from the classes that bind or document them. Must be
 * called before the routes are registered, for a method that takes another one's place, too.
 */
export function declareQueryParameters({ prototype }: { prototype: object }, name: string): void {
  const handler = (prototype as Record<string, object>)[name] as object;
  const names = [...boundNames(prototype, name), ...documentedNames(handler)];
  if (takesAsApp(handler)) names.push(AS_APP_PARAMETER);
  known.set(handler, new Set(names));
}

/** True if a person may name an app, to read as it (rule 2.11). */
export function takesAsApp(handler: object): boolean {
  const endpoint = endpointOf(handler);
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
  return method === RequestMethod.GET && endpoint !== undefined && servesAsApp(endpoint);
}

/**
 * Refuses parameters of the query that the route does not know, which would silently leave out a filter, and those that
 * are sent more than once (rule 11.4c). Pages and probes outside the version prefix ignore unknown ones: mail programs
 * and load balancers add their own.
 * @throws VALIDATION_ERROR
 */
export function refuseUnknownParameters(request: Request, handler: object): void {
  // Express parses the query again each time it is read.
  if (!request.url.includes('?')) return;
  const names = isBelowPrefix(request) ? (known.get(handler) ?? NONE) : null;
  const wrong: FieldError[] = [];
  for (const [name, value] of Object.entries(request.query)) {
    if (wrong.length === MOST_NAMED) break;
    const message =
      names !== null && !names.has(name)
        ? unknown(name, names)
        : typeof value === 'string'
          ? null
          : 'must be sent only once';
    if (message !== null) wrong.push({ field: shortened(name), message });
  }
  if (wrong.length > 0) throw DomainError.validations(wrong);
}

function unknown(name: string, names: Names): string {
  const nearest = nearestName(name, names);
  return nearest === undefined
    ? 'is not a known parameter; this operation has none'
    : `is not a known parameter; the nearest one is \`${nearest}\``;
}

const shortened = (name: string): string =>
  name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS).toWellFormed()}…` : name;

/** Fields of the classes of `@Query()` parameters. */
function boundNames(prototype: object, name: string): string[] {
  const { constructor } = prototype;
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, constructor, name) ?? {}) as Record<
    string,
    { index: number; data?: unknown }
  >;
  const types = (Reflect.getMetadata(PARAMTYPES_METADATA, prototype, name) ?? []) as object[];
  return Object.entries(parameters)
    .filter(([key]) => key.startsWith(`${RouteParamtypes.QUERY}:`))
    .flatMap(([, { index, data }]) =>
      typeof data === 'string' ? [data] : [...fieldsOf(types[index] as object).keys()],
    );
}

/** Fields of the classes of `@ApiQuery()`, by which a method documents what it binds by hand. */
function documentedNames(handler: object): string[] {
  const documented = (Reflect.getMetadata(DOCUMENTED, handler) ?? []) as {
    in: string;
    name?: string;
    type?: unknown;
  }[];
  return documented
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, type }) => [
      ...(name ? [name] : []),
      ...(type instanceof Function ? fieldsOf(type).keys() : []),
    ]);
}
