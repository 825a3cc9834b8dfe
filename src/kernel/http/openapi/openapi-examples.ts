import { type OpenAPIObject } from '@nestjs/swagger';
import { ID, TIME } from './examples.js';

export type Json = Record<string, unknown>;

interface Writing {
  document: OpenAPIObject;
  depth: number;
  /** True if optional ids are included, too. */
  withIds: boolean;
}

/** An example with every field. */
export const wholeExample = (document: OpenAPIObject, schema: unknown): unknown =>
  exampleOf(schema, { document, depth: 0, withIds: true });

/** An example to send. Ids in it would name nothing of the reader's, so optional ones are left out. */
export const requestExample = (document: OpenAPIObject, schema: unknown): unknown =>
  exampleOf(schema, { document, depth: 0, withIds: false });

/** An example built from the examples, defaults and enums of a schema's parts. */
function exampleOf(given: unknown, { document, depth, withIds }: Writing): unknown {
  const schema = resolve(document, given);
  if (schema === undefined || depth > 8) return undefined;
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [first] = (schema.oneOf ?? schema.anyOf ?? []) as unknown[];
  const below = { document, depth: depth + 1, withIds };
  if (first !== undefined) return exampleOf(first, below);
  if (Array.isArray(schema.allOf)) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, below))) as Json;
  }
  return exampleOfType(schema, below);
}

function exampleOfType(schema: Json, below: Writing): unknown {
  const required = (schema.required ?? []) as string[];
  if (schema.type === 'object' || schema.properties) {
    const entries = Object.entries((schema.properties ?? {}) as Record<string, unknown>)
      .filter(([key]) => below.withIds || required.includes(key) || !namesThings(key))
      .map(([key, value]) => [key, exampleOf(value, below)] as const)
      .filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries);
  }
  if (schema.type === 'array') {
    const item = exampleOf(schema.items, below);
    return item === undefined ? [] : [item];
  }
  if (schema.type === 'string') return textExample(schema);
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  return undefined;
}

/**
 * The example of a text. Passwords have none: readers who send an example as it is must not set a publicly known
 * password.
 */
function textExample({ format }: Json): string | undefined {
  if (format === 'password') return undefined;
  if (format === 'uuid') return ID.example;
  if (format === 'date-time') return TIME.example;
  if (format === 'uri') return 'https://example.org';
  return 'text';
}

const namesThings = (field: string): boolean => /(^|_)ids?$/.test(field);

export function resolve(document: OpenAPIObject, schema: unknown): Json | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const $ref = refOf(schema);
  if ($ref === undefined) return schema as Json;
  return document.components?.schemas?.[$ref.split('/').pop() as string] as Json | undefined;
}

export const refOf = (schema: unknown): string | undefined => (schema as { $ref?: string } | undefined)?.$ref;
