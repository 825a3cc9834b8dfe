import { type Json } from './api.js';
import { type ObjectSchema } from './tool.js';

export const text = (description: string, maxLength: number): Json => ({
  type: 'string',
  description,
  maxLength,
});
export const id = (description: string): Json => ({ type: 'string', format: 'uuid', description });
export const flag = (description: string): Json => ({ type: 'boolean', description });
export const whole = (description: string, [minimum, maximum]: readonly [number, number]): Json => ({
  type: 'integer',
  minimum,
  maximum,
  description,
});
export const texts = (description: string): Json => ({
  type: 'array',
  items: { type: 'string', maxLength: 255 },
  maxItems: 50,
  description,
});
export const anyOf = (description: string, values: readonly string[]): Json => ({
  type: 'string',
  enum: [...values],
  description,
});

/** The input of a tool: fields that are not named are refused. */
export const input = (properties: Record<string, Json>, required: string[] = []): ObjectSchema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});

/** The output of a tool, by the types of its fields; `?` marks those that can be absent. */
export function output(fields: Record<string, string>): ObjectSchema {
  const names = Object.keys(fields);
  const plain = (name: string): string => name.replace('?', '');
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [plain(name), typeOf(fields[name] as string)])),
    required: names.filter((name) => !name.endsWith('?')),
  };
}

/** The schema of `list` (of objects), or of one or more types of JSON. */
function typeOf(types: string): Json {
  if (types === 'list') return { type: 'array', items: { type: 'object' } };
  const names = types.split(' ');
  return { type: names.length === 1 ? types : names };
}
