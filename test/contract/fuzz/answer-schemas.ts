import { type OpenAPIObject } from '@nestjs/swagger';
import Ajv2020Module, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { type Answer } from '../../support/client.js';
import { type Operation } from '../../support/operations.js';

const Ajv2020 = Ajv2020Module as unknown as typeof Ajv2020Module.default;
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

type Json = Record<string, unknown>;
interface Documented {
  responses: Record<string, { content?: Record<string, { schema?: Json }> }>;
}

/** Checks live answers against openapi.json; an undocumented field is as wrong as a missing one. */
export class AnswerSchemas {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(private readonly document: OpenAPIObject) {
    addFormats(this.ajv);
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      this.ajv.addSchema(converted(schema as Json, true), `schema:closed/${name}`);
      this.ajv.addSchema(converted(schema as Json, false), `schema:open/${name}`);
    }
  }

  /** The fault of an answer; null without one. */
  faultOf(operation: Operation, { status, headers, body, text }: Answer): string | null {
    if (status >= 500 && status !== 503) return `${status} ${text}`;
    const documented = this.documented(operation).responses[status];
    if (documented === undefined) return `status ${status} is not documented: ${text.slice(0, 300)}`;
    if (headers['x-request-id'] === undefined) return 'no X-Request-Id';
    const types = Object.keys(documented.content ?? {});
    if (types.length === 0) return text === '' ? null : `${status} has a body: ${text.slice(0, 200)}`;
    const type = (headers['content-type'] ?? '').split(';')[0] as string;
    const media = documented.content?.[type] ?? documented.content?.['*/*'];
    // A file has a media type of its own.
    if (media === undefined)
      return types.some((one) => /octet-stream|\*/.test(one)) ? null : `${status} ${type} is not documented`;
    if (!type.includes('json')) return null;
    const validate = this.validate(`${operation.name} ${status} ${type}`, media.schema ?? {});
    if (validate(body)) return null;
    const [error] = validate.errors ?? [];
    const detail = JSON.stringify(error?.params);
    return `${status} does not fit: ${error?.instancePath} ${error?.message} ${detail} in ${text.slice(0, 400)}`;
  }

  private documented({ path, method }: Operation): Documented {
    const item = this.document.paths[path.slice(1)] as unknown as Record<string, Documented>;
    return item[method.toLowerCase()] as Documented;
  }

  private validate(key: string, schema: Json): ValidateFunction {
    const known = this.compiled.get(key) ?? this.ajv.compile(converted(schema, true));
    this.compiled.set(key, known);
    return known;
  }
}

/** OpenAPI 3.0 as JSON Schema 2020-12. A part of an `allOf` cannot know the fields of the others: it stays open. */
function converted(schema: Json, isClosed: boolean): Json {
  const { nullable, example, ...rest } = schema;
  void example;
  const made = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, convertedKey(key, value, isClosed)]),
  );
  const knowsFields = made.properties !== undefined || made.allOf !== undefined;
  if (isClosed && knowsFields && made.additionalProperties === undefined) made.unevaluatedProperties = false;
  if (nullable !== true) return made;
  return { anyOf: [{ type: 'null' }, made] };
}

function convertedKey(key: string, value: unknown, isClosed: boolean): unknown {
  const each = (schemas: unknown, closed: boolean): unknown =>
    (schemas as Json[]).map((schema) => converted(schema, closed));
  if (key === '$ref') return `schema:${isClosed ? 'closed' : 'open'}/${String(value).split('/').pop()}`;
  if (key === 'allOf') return each(value, (value as unknown[]).length === 1 && isClosed);
  if (key === 'oneOf' || key === 'anyOf') return each(value, isClosed);
  if (key === 'items') return converted(value as Json, true);
  if (key === 'additionalProperties' && typeof value === 'object') return converted(value as Json, true);
  if (key !== 'properties') return value;
  const properties = Object.entries(value as Record<string, Json>);
  return Object.fromEntries(properties.map(([name, schema]) => [name, converted(schema, true)]));
}
