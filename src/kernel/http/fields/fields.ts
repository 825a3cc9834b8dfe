import { type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateNested } from 'class-validator';
import * as check from './checks.js';
import { converted, field, type FieldOptions, fromText, MAX_INTEGER, toNumber } from './field.js';
import { rememberField } from './field-metadata.js';
import { parseTimestamp } from './timestamps.js';

/** A field that may be absent. */
export const optional = { optional: true } as const;
/** A field that may be absent or null; in a write null clears (rule 4.2a). */
export const nullish = { optional: true, nullable: true } as const;

/* One decorator for each kind of field; those for pages of lists are in page.ts. */

interface StringOptions extends FieldOptions {
  min?: number;
  max?: number;
  pattern?: RegExp;
  /** The accepted form in words for the message `must be …`. */
  expected?: string;
  trim?: boolean;
  /** True for a name that people choose by: invisible characters are refused. */
  isName?: boolean;
  format?: string;
}

/** Lengths are counted in characters, not in UTF-16 units. */
export function StringField(options: StringOptions = {}): PropertyDecorator {
  const { min, max, pattern, trim, format } = options;
  return field(
    options,
    { type: String, minLength: min, maxLength: max, pattern: pattern?.source, format },
    ...(trim
      ? [converted(Transform(({ value }) => (typeof value === 'string' ? value.trim() : (value as unknown))))]
      : []),
    check.isString(),
    ...(min === undefined ? [] : [check.hasAtLeast(min)]),
    ...(max === undefined ? [] : [check.hasAtMost(max)]),
    ...(options.isName ? [check.isSeenWhole()] : []),
    ...(pattern === undefined ? [] : [check.matches(pattern, options.expected ?? 'as described')]),
  );
}

export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: String, format: 'uuid' }, check.isUuid());
}

export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  const convert = fromText((text) => (text === 'true' ? true : text === 'false' ? false : text));
  return field(options, { type: Boolean }, convert, check.isBoolean());
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
    check.isInteger(),
    check.isFrom(min),
    check.isUpTo(max),
  );
}

export function NumberField(options: NumberOptions = {}): PropertyDecorator {
  const { min, max } = options;
  return field(
    options,
    { type: Number, minimum: min, maximum: max },
    toNumber,
    check.isNumber(),
    ...(min === undefined ? [] : [check.isFrom(min)]),
    ...(max === undefined ? [] : [check.isUpTo(max)]),
  );
}

export function EnumField(values: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: String, enum: [...values, ...(options.nullable ? [null] : [])] },
    check.isOneOf(values),
  );
}

export function DateField(options: FieldOptions = {}): PropertyDecorator {
  const convert = converted(
    Transform(({ value }) =>
      typeof value === 'string' ? (parseTimestamp(value) ?? value) : (value as unknown),
    ),
  );
  return field(options, { type: String, format: 'date-time' }, convert, check.isDate());
}

/** A free JSON object, passed on unchanged. */
export function ObjectField(
  options: FieldOptions & {
    /** The schema for the OpenAPI document, where the form is known. */
    schema?: object;
    /** True if too deep nesting has an error code of its own. */
    ownDepth?: boolean;
  } = {},
): PropertyDecorator {
  const asIs = Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]);
  const api = options.schema ?? { additionalProperties: true };
  return field(
    options,
    { type: 'object', ...api } as ApiPropertyOptions,
    asIs,
    rememberField({ isFree: true, ...(options.ownDepth ? { ownDepth: true } : {}) }),
    check.isJsonObject(),
  );
}

/** Marks a property as any JSON value: the generator would document an object. */
export const ANY = 'x-any';

/** Any JSON value, passed on unchanged. */
export function AnyField(options: FieldOptions = {}): PropertyDecorator {
  const asIs = Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]);
  return field({ ...options, nullable: true }, { [ANY]: true } as ApiPropertyOptions, asIs);
}

interface ArrayOptions extends FieldOptions {
  minItems?: number;
  maxItems?: number;
}

const sized = ({ minItems, maxItems }: ArrayOptions): PropertyDecorator[] => [
  check.isArray(),
  ...(minItems === undefined ? [] : [check.hasEntries(minItems)]),
  ...(maxItems === undefined ? [] : [check.hasUpToEntries(maxItems)]),
];

interface StringArrayOptions extends ArrayOptions {
  each?: {
    min?: number;
    max?: number;
    pattern?: RegExp;
    expected?: string;
    enum?: readonly string[];
    /** Documented values; others pass here and are refused with a code of their own. */
    told?: readonly string[];
    uuid?: boolean;
  };
}

export function StringArrayField(options: StringArrayOptions = {}): PropertyDecorator {
  const { min, max, pattern, expected, enum: values, uuid, told } = options.each ?? {};
  const items = {
    type: 'string',
    minLength: min,
    maxLength: max,
    pattern: pattern?.source,
    ...(values || told ? { enum: [...(values ?? told ?? [])] } : {}),
    ...(uuid ? { format: 'uuid' } : {}),
  };
  return field(
    options,
    { type: 'array', items, minItems: options.minItems, maxItems: options.maxItems },
    ...sized(options),
    check.isString(true),
    ...(min === undefined ? [] : [check.hasAtLeast(min, true)]),
    ...(max === undefined ? [] : [check.hasAtMost(max, true)]),
    ...(pattern === undefined ? [] : [check.matches(pattern, expected ?? 'as described', true)]),
    ...(values === undefined ? [] : [check.isOneOf(values, true)]),
    ...(uuid ? [check.isUuid(true)] : []),
  );
}

/** Checked in one pass, because there may be thousands: it can hold only finite numbers. */
export function NumberArrayField(options: ArrayOptions = {}): PropertyDecorator {
  const api = {
    type: 'array',
    items: { type: 'number' },
    minItems: options.minItems,
    maxItems: options.maxItems,
  };
  return field(
    options,
    api as ApiPropertyOptions,
    rememberField({ itemwise: true }),
    check.areNumbers(),
    ...sized(options).slice(1),
  );
}

/** An array whose items are bound one by one by the service, so that one bad item does not fail the others. */
export function AnyArrayField(
  options: ArrayOptions & {
    itemType?: () => new () => object;
    /** The schema of an item, for the OpenAPI document. */
    items?: object;
  } = {},
): PropertyDecorator {
  const asIs = Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]);
  const { itemType } = options;
  const api = itemType
    ? { type: () => itemType(), isArray: true }
    : { type: 'array', items: options.items ?? { type: 'object', additionalProperties: true } };
  return field(
    options,
    { ...api, minItems: options.minItems, maxItems: options.maxItems } as ApiPropertyOptions,
    itemType ? rememberField({ itemwise: true }) : asIs,
    ...sized(options),
  );
}

// The OpenAPI generator calls a function only if it is named `type`, as an inline one is.
export function NestedField(type: () => new () => object, options: FieldOptions = {}): PropertyDecorator {
  return field(
    options,
    { type: () => type() },
    converted(rememberField({ nested: { type, maxItems: null } })),
    check.isJsonObject(),
    ValidateNested(),
  );
}

export function NestedArrayField(
  type: () => new () => object,
  options: ArrayOptions = {},
): PropertyDecorator {
  const api = { type: () => type(), isArray: true, minItems: options.minItems, maxItems: options.maxItems };
  return field(
    options,
    api,
    converted(rememberField({ nested: { type, maxItems: options.maxItems ?? Infinity } })),
    ...sized(options),
    check.isJsonObject(true),
    ValidateNested({ each: true }),
  );
}

/** `a,b,c` in a query, as an array without empty parts. */
export function CommaListField(options: FieldOptions = {}): PropertyDecorator {
  const split = converted(
    Transform(({ value }) =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((part) => part.trim())
            .filter((part) => part !== '')
        : (value as unknown),
    ),
  );
  return field(options, { type: String }, split, check.isArray(), check.isString(true));
}
