import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';

/** One decorator for each kind of field: conversion, validation and OpenAPI together, so that they cannot drift apart. */
interface FieldOptions {
  /** May be absent. Default: required. */
  optional?: boolean;
  /** May be null; in a PUT null clears (decisions 4.2). */
  nullable?: boolean;
  description?: string;
  example?: unknown;
  /** Taken when the field is absent; makes it optional. */
  default?: unknown;
}

/** In this class-transformer group texts are converted: everything in a query string is a text. */
export const QUERY_GROUP = 'query';
const DEFAULTS = Symbol('field defaults');
const ITEMWISE = Symbol('fields whose items are bound one by one');
const MAX_INTEGER = 2_147_483_647;

export function itemwiseOf(type: object): ReadonlySet<string> {
  return (Reflect.getMetadata(ITEMWISE, type) as ReadonlySet<string> | undefined) ?? new Set();
}

const rememberItemwise: PropertyDecorator = (target, key) => {
  const type = target.constructor;
  Reflect.defineMetadata(ITEMWISE, new Set([...itemwiseOf(type), String(key)]), type);
};

export function defaultsOf(type: object): Record<string, unknown> {
  return (Reflect.getMetadata(DEFAULTS, type) as Record<string, unknown> | undefined) ?? {};
}

function field(
  options: FieldOptions,
  api: ApiPropertyOptions,
  ...checks: PropertyDecorator[]
): PropertyDecorator {
  const optional = options.optional === true || options.default !== undefined;
  const { description, example, nullable } = options;
  return applyDecorators(
    ApiProperty({
      ...api,
      required: !optional,
      ...(nullable ? { nullable: true } : {}),
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example }),
      ...(options.default === undefined ? {} : { default: options.default }),
    } as ApiPropertyOptions),
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable === true && value === null)),
    ...checks,
    rememberDefault(options.default),
  );
}

function rememberDefault(value: unknown): PropertyDecorator {
  return (target, key) => {
    if (value === undefined) return;
    const type = target.constructor;
    Reflect.defineMetadata(DEFAULTS, { ...defaultsOf(type), [key]: value }, type);
  };
}

/** Conversion of a query text; bodies keep their JSON types. */
const fromText = (convert: (text: string) => unknown): PropertyDecorator =>
  Transform(({ value, options }) =>
    options.groups?.includes(QUERY_GROUP) && typeof value === 'string' ? convert(value) : (value as unknown),
  );

const toNumber = fromText((text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text));
const each = (array: boolean): ValidationOptions | undefined => (array ? { each: true } : undefined);

interface StringOptions extends FieldOptions {
  min?: number;
  max?: number;
  pattern?: RegExp;
  trim?: boolean;
  format?: string;
}

/** Lengths are counted in characters, not in UTF-16 units. */
export function StringField(options: StringOptions = {}): PropertyDecorator {
  const { min, max, pattern, trim, format } = options;
  return field(
    options,
    { type: String, minLength: min, maxLength: max, pattern: pattern?.source, format },
    ...(trim
      ? [Transform(({ value }) => (typeof value === 'string' ? value.trim() : (value as unknown)))]
      : []),
    IsString(),
    ...(min === undefined ? [] : [MinLength(min)]),
    ...(max === undefined ? [] : [MaxLength(max)]),
    ...(pattern === undefined ? [] : [Matches(pattern)]),
  );
}

export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: String, format: 'uuid' }, IsUUID('all'));
}

export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  const convert = fromText((text) => (text === 'true' ? true : text === 'false' ? false : text));
  return field(options, { type: Boolean }, convert, IsBoolean());
}

interface NumberOptions extends FieldOptions {
  min?: number;
  max?: number;
}

export function IntegerField(options: NumberOptions = {}): PropertyDecorator {
  const { min = -MAX_INTEGER, max = MAX_INTEGER } = options;
  return field(
    options,
    { type: 'integer', minimum: options.min, maximum: options.max },
    toNumber,
    IsInt(),
    Min(min),
    Max(max),
  );
}

export function NumberField(options: NumberOptions = {}): PropertyDecorator {
  const { min, max } = options;
  return field(
    options,
    { type: Number, minimum: min, maximum: max },
    toNumber,
    IsNumber({ allowInfinity: false, allowNaN: false }),
    ...(min === undefined ? [] : [Min(min)]),
    ...(max === undefined ? [] : [Max(max)]),
  );
}

export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: String, enum: [...values] }, IsIn([...values]));
}

// RFC 3339 with optional time and zone; years that PostgreSQL and JavaScript write alike.
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** ISO 8601 text, as a Date; without a zone it is UTC. A space in place of '+' (an unescaped query) is read as '+'. */
export function parseTimestamp(text: string): Date | null {
  const repaired = text.replace(/ (?=\d{2}:?\d{2}$)/, '+');
  if (!DATE.test(repaired)) return null;
  const zoned =
    /T.*(Z|[+-]\d{2}:?\d{2})$/i.test(repaired) || !/T/i.test(repaired) ? repaired : `${repaired}Z`;
  const date = new Date(zoned);
  const year = date.getUTCFullYear();
  const [y, m, d] = repaired.slice(0, 10).split('-').map(Number) as [number, number, number];
  const exists = d <= new Date(Date.UTC(y, m, 0)).getUTCDate();
  return exists && year >= 1 && year <= 9999 ? date : null;
}

export function DateField(options: FieldOptions = {}): PropertyDecorator {
  const convert = Transform(({ value }) =>
    typeof value === 'string' ? (parseTimestamp(value) ?? value) : (value as unknown),
  );
  return field(
    options,
    { type: String, format: 'date-time' },
    convert,
    IsDate({ message: '$property must be an ISO 8601 timestamp' }),
  );
}

/** A free JSON object, handed on as it came. */
export function ObjectField(options: FieldOptions = {}): PropertyDecorator {
  const asIs = Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]);
  return field(options, { type: 'object', additionalProperties: true }, asIs, IsObject());
}

/** Any JSON value, handed on as it came. */
export function AnyField(options: FieldOptions = {}): PropertyDecorator {
  const asIs = Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]);
  return field({ ...options, nullable: true }, {}, asIs);
}

interface ArrayOptions extends FieldOptions {
  minItems?: number;
  maxItems?: number;
}

const sized = ({ minItems, maxItems }: ArrayOptions): PropertyDecorator[] => [
  IsArray(),
  ...(minItems === undefined ? [] : [ArrayMinSize(minItems)]),
  ...(maxItems === undefined ? [] : [ArrayMaxSize(maxItems)]),
];

interface StringArrayOptions extends ArrayOptions {
  each?: { min?: number; max?: number; pattern?: RegExp; enum?: readonly string[]; uuid?: boolean };
}

export function StringArrayField(options: StringArrayOptions = {}): PropertyDecorator {
  const { min, max, pattern, enum: values, uuid } = options.each ?? {};
  const items = {
    type: 'string',
    minLength: min,
    maxLength: max,
    pattern: pattern?.source,
    ...(values ? { enum: [...values] } : {}),
    ...(uuid ? { format: 'uuid' } : {}),
  };
  return field(
    options,
    { type: 'array', items, minItems: options.minItems, maxItems: options.maxItems },
    ...sized(options),
    IsString(each(true)),
    ...(min === undefined ? [] : [MinLength(min, each(true))]),
    ...(max === undefined ? [] : [MaxLength(max, each(true))]),
    ...(pattern === undefined ? [] : [Matches(pattern, each(true))]),
    ...(values === undefined ? [] : [IsIn([...values], each(true))]),
    ...(uuid ? [IsUUID('all', each(true))] : []),
  );
}

const isNumbers = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'number' && Number.isFinite(item));

/** Checked in one pass, for it may be thousands: nothing but finite numbers can be in it. */
export function NumberArrayField(options: ArrayOptions = {}): PropertyDecorator {
  const api = {
    type: 'array',
    items: { type: 'number' },
    minItems: options.minItems,
    maxItems: options.maxItems,
  };
  const asIs = Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]);
  const message = '$property must be an array of finite numbers';
  return field(
    options,
    api as ApiPropertyOptions,
    asIs,
    rememberItemwise,
    ValidateBy({ name: 'isNumbers', validator: { validate: isNumbers, defaultMessage: () => message } }),
    ...sized(options).slice(1),
  );
}

/** An array whose items are bound one by one by the service, so that one bad item does not fail the others. */
export function AnyArrayField(
  options: ArrayOptions & { itemType?: () => new () => object } = {},
): PropertyDecorator {
  const asIs = Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]);
  const { itemType } = options;
  const api = itemType
    ? { type: () => itemType(), isArray: true }
    : { type: 'array', items: { type: 'object', additionalProperties: true } };
  return field(
    options,
    { ...api, minItems: options.minItems, maxItems: options.maxItems } as ApiPropertyOptions,
    asIs,
    ...(itemType ? [rememberItemwise] : []),
    ...sized(options),
  );
}

// The generator of the OpenAPI document calls a function only if it is named `type`, as one written in place is.
export function NestedField(type: () => new () => object, options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: () => type() }, Type(type), IsObject(), ValidateNested());
}

export function NestedArrayField(
  type: () => new () => object,
  options: ArrayOptions = {},
): PropertyDecorator {
  const api = { type: () => type(), isArray: true, minItems: options.minItems, maxItems: options.maxItems };
  return field(
    options,
    api,
    Type(type),
    ...sized(options),
    IsObject(each(true)),
    ValidateNested({ each: true }),
  );
}

interface PageSize {
  default: number;
  max: number;
}

/** Page size: over the maximum is cut to it (decisions 4.7). */
export function LimitField({ default: size, max }: PageSize): PropertyDecorator {
  const cut = Transform(({ value }) => (typeof value === 'number' && value > max ? max : (value as unknown)));
  const description = `Page size; over ${max} is cut to ${max}.`;
  // class-transformer runs a property's transformations from the last to the first.
  return field(
    { default: size, description },
    { type: 'integer', minimum: 1, maximum: max },
    cut,
    toNumber,
    IsInt(),
    Min(1),
  );
}

export const PerPageField = LimitField;

export function OffsetField(): PropertyDecorator {
  const description = 'How many entries to pass over.';
  return field(
    { default: 0, description },
    { type: 'integer', minimum: 0 },
    toNumber,
    IsInt(),
    Min(0),
    Max(Number.MAX_SAFE_INTEGER),
  );
}

export function PageField(): PropertyDecorator {
  const description = 'Page number, from 1.';
  return field(
    { default: 1, description },
    { type: 'integer', minimum: 1 },
    toNumber,
    IsInt(),
    Min(1),
    Max(MAX_INTEGER),
  );
}

/** `a,b,c` in a query, as an array without empty parts. */
export function CommaListField(options: FieldOptions = {}): PropertyDecorator {
  const split = Transform(({ value }) =>
    typeof value === 'string'
      ? value
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : (value as unknown),
  );
  return field(options, { type: String }, split, IsArray(), IsString({ each: true }));
}
