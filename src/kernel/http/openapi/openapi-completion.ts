import { type OpenAPIObject } from '@nestjs/swagger';
import { type ErrorCode, ERROR_STATUS } from '../../errors/catalogue.js';
import { errorContent, oauthErrorContent } from '../answers/error-envelope.js';
import { AS_APP, AS_APP_PARAMETER, BODY_EXAMPLE, CONFIRMABLE, OAUTH, READS } from '../endpoint.js';
import { ANY } from '../fields/fields.js';
import { takesIdempotencyKey } from '../idempotent-requests.js';
import { ID } from './examples.js';
import { type Json, requestExample, resolve, wholeExample } from './openapi-examples.js';
import { addResponseHeaders } from './openapi-headers.js';
import { accepts, mayFill, type Operation } from './openapi-operations.js';

const DESCRIPTIONS: Record<string, string> = {
  version: 'Version number, from 1.',
  schema_uri: 'URI of the schema; slashes raw or encoded.',
};

/** The groups of the document, in the order in which a reader meets them; any other follows. */
const GROUPS = [
  'Operations',
  'Accounts',
  'Users',
  'Apps',
  'Authorizations',
  'Exposure profiles',
  'Graph',
  'Nodes',
  'Search',
  'Embeddings',
  'Relationships',
  'Tags',
  'Schemas',
  'Raw files',
  'History',
  'Contributions',
  'Sessions',
  'Analytics',
  'Sync',
  'Proposals',
  'Sharing',
  'Follows',
  'Groups',
  'Access log',
  'Portability',
  'Webhooks',
];
const placeOf = (group: string): number => (GROUPS.includes(group) ? GROUPS.indexOf(group) : GROUPS.length);
const byGroup = (one: string, other: string): number => placeOf(one) - placeOf(other);

/**
 * Adds the parts that all operations share, which no controller declares: path parameters that a locator reads, the
 * headers of all requests of a kind, an example wherever a schema has one.
 */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  typeValues(document);
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      if (!['get', 'post', 'put', 'patch', 'delete'].includes(method)) continue;
      operation.parameters = parametersOf(path, method, operation);
      addErrors(path, method, operation);
      addBodyExample(document, operation);
      for (const { content } of Object.values(operation.responses ?? {}))
        addExamples(content, (schema) => wholeExample(document, schema));
    }
  }
  addResponseHeaders(document);
  addTags(document);
  nameOpenOperations(document);
  return document;
}

/** Lists every tag of an operation, and the paths in the order of their tags, whatever the order of the controllers. */
function addTags(document: OpenAPIObject): void {
  const items = Object.values(document.paths) as Record<string, Operation>[];
  const names = items.flatMap((item) => Object.values(item).flatMap(({ tags }) => tags ?? []));
  document.tags = [...new Set(names)].sort(byGroup).map((name) => ({ name }));
  const groupOf = (item: object): string =>
    Object.values(item as Record<string, Operation>)[0]?.tags?.[0] ?? '';
  document.paths = Object.fromEntries(
    Object.entries(document.paths).sort(([, one], [, other]) => byGroup(groupOf(one), groupOf(other))),
  );
}

/** Marks operations without credentials explicitly as open. */
function nameOpenOperations({ paths }: OpenAPIObject): void {
  for (const item of Object.values(paths) as Record<string, Operation>[])
    for (const operation of Object.values(item)) operation.security ??= [];
}

/** A schema without a type accepts any JSON value, including null; a nullable one must have a type besides. */
function typeValues({ components }: OpenAPIObject): void {
  for (const schema of Object.values(components?.schemas ?? {})) {
    for (const property of Object.values(
      (schema as { properties?: Record<string, Json> }).properties ?? {},
    )) {
      if (property.nullable === true && property.allOf !== undefined) {
        property.type = 'object';
        if (property.example === null) delete property.example;
      }
      if (property[ANY] !== true) continue;
      delete property[ANY];
      delete property.type;
      delete property.nullable;
    }
  }
}

function addBodyExample(document: OpenAPIObject, operation: Operation): void {
  const given = operation[BODY_EXAMPLE];
  delete operation[BODY_EXAMPLE];
  addExamples(operation.requestBody?.content, (schema) => given ?? requestExample(document, schema));
  const media = operation.requestBody?.content?.['application/json'];
  if (media !== undefined && accepts(operation, 'ApiKey') && canNameApp(document, media.schema)) {
    const { example } = media as { example: Json };
    delete media.example;
    const named = { ...example, app_id: ID.example };
    media.examples = { 'With a key': { value: example }, 'With a JWT': { value: named } };
  }
}

/** True if a body may name an app: a user must, an app acts as itself. */
function canNameApp(document: OpenAPIObject, schema: unknown): boolean {
  const { properties, required } = (resolve(document, schema) ?? {}) as {
    properties?: Json;
    required?: string[];
  };
  return properties?.app_id !== undefined && !required?.includes('app_id');
}

function addExamples(
  content: Record<string, Json> | undefined,
  exampleOf: (schema: unknown) => unknown,
): void {
  for (const [type, media] of Object.entries(content ?? {})) {
    if (
      !(type.includes('json') || type === 'multipart/form-data') ||
      media.example !== undefined ||
      media.examples !== undefined
    )
      continue;
    const example = exampleOf(media.schema);
    if (example !== undefined) media.example = example;
  }
}

function parametersOf(path: string, method: string, operation: Operation): Json[] {
  const parameters = (operation.parameters ?? []).map((parameter) => ({
    ...withoutExample(parameter),
    description: parameter.description || describe(String(parameter.name)),
  })) as Json[];
  const has = (name: string, where: string) => parameters.some((p) => p.name === name && p.in === where);
  for (const [, name] of path.matchAll(/\{([^}]+)\}/g) as Iterable<[string, string]>) {
    if (!has(name, 'path')) parameters.unshift(pathParameter(name));
  }
  if (method === 'get' && operation[AS_APP] === true) parameters.push(AS_APP_QUERY);
  delete operation[AS_APP];
  const header = (name: string, description: string) => {
    if (!has(name, 'header'))
      parameters.push({ name, in: 'header', required: false, description, schema: { type: 'string' } });
  };
  const isPublic = (operation.security as unknown[] | undefined)?.length === undefined;
  if (takesIdempotencyKey(method, path, operation[READS] === true) && !isPublic)
    header(
      'Idempotency-Key',
      'Any text of 1-255 characters: a request repeated with it takes effect once; its answer is stored for 24 hours.',
    );
  if (method !== 'get' && !isPublic)
    header(
      'X-Change-Reason',
      'The reason for the change, for the history; `change_reason` in a body takes precedence.',
    );
  if (method === 'get' && operation[CONFIRMABLE] === true)
    header(
      'If-None-Match',
      'The ETag of an answer that you hold: 304 without a body says that it still holds.',
    );
  if (operation.responses?.['412'])
    header(
      'If-Match',
      'The ETag of the version that you read; the request is refused with 412 if it has changed since.',
    );
  return parameters;
}

/**
 * Adds the refusals of any body before its fields are checked, of any POST with an Idempotency-Key, and of any write
 * that may add to a graph.
 */
function addErrors(path: string, method: string, operation: Operation): void {
  const isOAuth = operation[OAUTH] === true;
  delete operation[OAUTH];
  const add = (code: ErrorCode) => {
    const status = ERROR_STATUS[code];
    const name = isOAuth ? 'invalid_request' : code;
    const added = isOAuth ? oauthErrorContent([name]) : errorContent(status, [code]);
    const content = { 'application/json': added } as unknown as Record<string, Json>;
    const answer = ((operation.responses ??= {})[status] ??= { description: '', content });
    const examples = answer.content?.['application/json']?.examples as Json | undefined;
    if (answer.description?.includes(`\`${name}\``)) return;
    answer.description = [...(answer.description ? [answer.description] : []), `\`${name}\``].join(', ');
    Object.assign(examples ?? {}, added.examples);
  };
  if (operation.requestBody?.content?.['application/json']) add('INVALID_JSON');
  if (operation.requestBody) (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const).forEach(add);
  if (takesIdempotencyKey(method, path, operation[READS] === true) && operation.security)
    (['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED'] as const).forEach(add);
  if (method !== 'delete' && mayFill(path, method, operation)) add('QUOTA_EXCEEDED');
}

const AS_APP_QUERY: Json = {
  name: AS_APP_PARAMETER,
  in: 'query',
  required: false,
  description:
    'With a JWT, the id of an app that you have authorized: you receive what it receives with a key of yours.',
  schema: { type: 'string', format: 'uuid' },
};

/** Removes examples of parameters: Swagger UI fills them in and would filter by them unasked. */
function withoutExample(parameter: Json): Json {
  const omit = (from: Json): Json =>
    Object.fromEntries(Object.entries(from).filter(([key]) => key !== 'example'));
  return { ...omit(parameter), schema: omit((parameter.schema ?? {}) as Json) };
}

const pathParameter = (name: string): Json => ({
  name,
  in: 'path',
  required: true,
  description: describe(name),
  schema: { type: 'string', ...(name.endsWith('_id') || name === 'id' ? { format: 'uuid' } : {}) },
});

const describe = (name: string): string =>
  DESCRIPTIONS[name] ?? `The ${name.replace(/_id$/, "'s id").replaceAll('_', ' ')}.`;
