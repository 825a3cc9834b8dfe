import { type OpenAPIObject } from '@nestjs/swagger';
import { type ErrorCode, ERROR_STATUS } from '../errors/catalogue.js';
import { errorContent } from './error-envelope.js';
import { ID, TIME } from './examples.js';

type Json = Record<string, unknown>;
interface Operation extends Json {
  tags?: string[];
  parameters?: Json[];
  requestBody?: { content?: Record<string, Json> };
  responses?: Record<string, { content?: Record<string, Json> }>;
}

const DESCRIPTIONS: Record<string, string> = {
  version: 'Version number, from 1.',
  schema_uri: 'URI of the schema; slashes raw or encoded.',
};

/**
 * Adds what holds for every operation and so stands in no controller: path parameters that a locator reads, the
 * headers of all requests of a kind, an example wherever a schema gives one.
 */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
      if (!['get', 'post', 'put', 'patch', 'delete'].includes(method)) continue;
      operation.parameters = parametersOf(path, method, operation);
      addBodyErrors(method, operation);
      for (const content of [
        operation.requestBody?.content,
        ...Object.values(operation.responses ?? {}).map((r) => r.content),
      ]) {
        addExamples(document, content);
      }
    }
  }
  return document;
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
  const header = (name: string, description: string) => {
    if (!has(name, 'header'))
      parameters.push({ name, in: 'header', required: false, description, schema: { type: 'string' } });
  };
  const isPublic = (operation.security as unknown[] | undefined)?.length === undefined;
  if (method === 'post' && !isPublic)
    header(
      'Idempotency-Key',
      'Any text of 1-255 characters: a repeated request with it has its effect once; its answer is kept for 24 hours.',
    );
  if (operation.responses?.['412'])
    header('If-Match', 'The ETag of the version you read: refused with 412 when it has changed since.');
  return parameters;
}

/** What any body can be refused for before its fields are looked at, and any POST with an Idempotency-Key. */
function addBodyErrors(method: string, operation: Operation): void {
  const add = (code: ErrorCode) => {
    const status = ERROR_STATUS[code];
    const content = { 'application/json': errorContent(status, [code]) } as unknown as Record<string, Json>;
    (operation.responses ??= {})[status] ??= { description: `\`${code}\``, content } as never;
  };
  if (operation.requestBody) (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const).forEach(add);
  if (method === 'post' && operation.security) add('IDEMPOTENCY_KEY_REUSED');
}

/** Swagger UI fills examples of parameters in, and so would filter by them unasked. */
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

function addExamples(document: OpenAPIObject, content: Record<string, Json> | undefined): void {
  for (const [type, media] of Object.entries(content ?? {})) {
    if (!type.includes('json') || media.example !== undefined || media.examples !== undefined) continue;
    const example = exampleOf(document, media.schema, 0);
    if (example !== undefined) media.example = example;
  }
}

/** An example put together from the examples, defaults and enums of a schema's parts. */
function exampleOf(document: OpenAPIObject, given: unknown, depth: number): unknown {
  const schema = resolve(document, given);
  if (schema === undefined || depth > 8) return undefined;
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [first] = (schema.oneOf ?? schema.anyOf ?? []) as unknown[];
  if (first !== undefined) return exampleOf(document, first, depth + 1);
  if (Array.isArray(schema.allOf)) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(document, part, depth + 1))) as Json;
  }
  return exampleOfType(document, schema, depth);
}

function exampleOfType(document: OpenAPIObject, schema: Json, depth: number): unknown {
  if (schema.type === 'object' || schema.properties) {
    const entries = Object.entries((schema.properties ?? {}) as Record<string, unknown>)
      .map(([key, value]) => [key, exampleOf(document, value, depth + 1)] as const)
      .filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries);
  }
  if (schema.type === 'array') {
    const item = exampleOf(document, schema.items, depth + 1);
    return item === undefined ? [] : [item];
  }
  if (schema.type === 'string') return textExample(schema);
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  return undefined;
}

function textExample({ format }: Json): string {
  if (format === 'uuid') return ID.example;
  if (format === 'date-time') return TIME.example;
  if (format === 'uri') return 'https://example.org';
  return 'text';
}

function resolve(document: OpenAPIObject, schema: unknown): Json | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { $ref } = schema as { $ref?: string };
  if ($ref === undefined) return schema as Json;
  return document.components?.schemas?.[$ref.split('/').pop() as string] as Json | undefined;
}
