import { type INestApplication } from '@nestjs/common';
import { type OpenAPIObject } from '@nestjs/swagger';
import { FORM } from '../../src/kernel/http/endpoint.js';
import { wholeExample } from '../../src/kernel/http/openapi/openapi-examples.js';
import { buildOpenApi } from '../../src/kernel/http/openapi/openapi.js';
import { RouteTable } from '../../src/kernel/http/route-table.js';

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  nullable?: boolean;
  example?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema: Schema;
}

/** A field of a body: its place in the example, and its schema. */
export interface Field {
  at: (string | number)[];
  schema: Schema;
  isRequired: boolean;
}

export type Path = readonly (string | number)[];

/** A route with its documentation in openapi.json. */
export interface Operation {
  name: string;
  method: string;
  /** The path in the form of clients, with `{parameters}`. */
  path: string;
  callers: 'public' | 'user' | 'key' | 'any';
  parameters: Parameter[];
  /** The example of its JSON body; undefined without one. */
  example: Record<string, unknown> | undefined;
  fields: Field[];
}

/** Endpoints of OAuth, of MCP and pages: test/oauth, test/mcp and test/console try them with everything that may be sent. */
const ELSEWHERE = /^\/((oauth|console)\/|mcp$)/;

/** Every other route of the table, so that a new one is swept without being named anywhere. */
export const operationsOf = (nest: INestApplication): Operation[] =>
  operationsAt(nest, (path) => !ELSEWHERE.test(path));

/** The endpoints of OAuth, with the fields of their forms. */
export const oauthOperationsOf = (nest: INestApplication): Operation[] =>
  operationsAt(nest, (path) => path.startsWith('/oauth/'));

function operationsAt(nest: INestApplication, isMeant: (path: string) => boolean): Operation[] {
  const document = buildOpenApi(nest);
  const routes = nest.get(RouteTable).routes.filter(({ path }) => isMeant(path));
  return routes.map(({ method, path, endpoint }) => {
    const template = path.replace(/[:*]([A-Za-z_]+)/g, '{$1}');
    const item = document.paths[template] as Record<string, Documented> | undefined;
    const documented = item?.[method.toLowerCase()];
    if (documented === undefined) throw new Error(`${method} ${path} is not in openapi.json`);
    const content = documented.requestBody?.content ?? {};
    const media = content['application/json'] ?? content[FORM];
    // The example of the document leaves out ids that nobody has; here they are filled in.
    const example = media && (wholeExample(document, media.schema) as Record<string, unknown>);
    return {
      name: `${method} ${template}`,
      method,
      path: `/${template}`,
      callers: endpoint?.requires === 'public' ? 'public' : (endpoint?.requires.callers ?? 'any'),
      parameters: documented.parameters ?? [],
      example,
      fields: media?.schema ? fieldsOf(document, media.schema, { at: [], value: example }) : [],
    };
  });
}

interface Documented {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown }> };
}

/** All fields of the example at any depth; the keys of free objects are their own. */
function fieldsOf(
  document: OpenAPIObject,
  given: Schema,
  { at, value }: { at: Path; value: unknown },
): Field[] {
  const schema = resolve(document, given);
  if (Array.isArray(value) && schema.items && value.length > 0) {
    const first: Field = { at: [...at, 0], schema: resolve(document, schema.items), isRequired: false };
    return [first, ...fieldsOf(document, schema.items, { at: first.at, value: value[0] })];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const below = [...at, name];
    const inner = (value as Record<string, unknown>)[name];
    const isRequired = schema.required?.includes(name) ?? false;
    const field: Field = { at: below, schema: resolve(document, property), isRequired };
    return [field, ...fieldsOf(document, property, { at: below, value: inner })];
  });
}

function resolve(document: OpenAPIObject, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').pop() as string;
    return resolve(document, document.components?.schemas?.[name] as Schema);
  }
  if (schema.allOf === undefined) return schema;
  const { allOf, ...rest } = schema;
  return Object.assign({}, ...allOf.map((part) => resolve(document, part)), rest) as Schema;
}

/** A copy of the body with another value in one place; undefined removes it. */
export function withValue<T>(body: T, at: Path, value: unknown): T {
  const copy = structuredClone(body);
  const [last, ...way] = [...at].reverse() as [string | number, ...(string | number)[]];
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const target = way.reverse().reduce<any>((inner, key) => inner?.[key], copy);
  if (typeof target !== 'object' || target === null) return copy;
  if (value === undefined) delete target[last];
  // An assignment to __proto__ would set the prototype.
  else Object.defineProperty(target, last, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

export function valueAt(body: unknown, at: Path): unknown {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  return at.reduce<any>((inner, key) => (inner === null ? undefined : inner?.[key]), body);
}

/** Maps every leaf of a JSON value; key is the nearest property name above it. */
export function mapLeaves(
  value: unknown,
  change: (leaf: unknown, key: string) => unknown,
  key = '',
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, change, key));
  if (typeof value !== 'object' || value === null) return change(value, key);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapLeaves(inner, change, name)]),
  );
}
