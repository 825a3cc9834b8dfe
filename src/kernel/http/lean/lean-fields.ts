import { applyDecorators } from '@nestjs/common';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { converted, field, fromText } from '../fields/field.js';
import { rememberField } from '../fields/field-metadata.js';
import { IntegerField } from '../fields/fields.js';
import { wrongName } from './selection.js';

/** The most names in one selection, and the most characters of each. */
const MOST_NAMES = 50;
const MOST_CHARACTERS = 500;
const MOST_VALUE = 1_000_000;

interface Selecting {
  /** The things in the answer whose fields are selected, as a noun in the plural. Default nodes. */
  of?: string;
  example?: string;
}

const EXAMPLE = 'title,metadata.properties';
const description = (of: string): string =>
  `Only these fields of the ${of}: names or dotted paths; \`-\` before a name leaves the field out. Fields that are required in the answer are always present.`;

/** `fields=a,b.c,-d` in a query: a selection of the fields of a class of answers (rule 11.12). */
export function FieldsField(
  type: () => new () => object,
  { of = 'nodes', example = EXAMPLE }: Selecting = {},
): PropertyDecorator {
  return field(
    { optional: true, description: `${description(of)} Separated by commas.`, example },
    { type: String },
    converted(fromText((text) => text.split(',').map((name) => name.trim()))),
    selectable(type),
  );
}

/** The same as a list in a body. */
export function FieldsListField(
  type: () => new () => object,
  { of = 'nodes' }: Selecting = {},
): PropertyDecorator {
  return field(
    { optional: true, description: description(of), example: EXAMPLE.split(',') },
    {
      type: 'array',
      items: { type: 'string', maxLength: MOST_CHARACTERS },
      minItems: 1,
      maxItems: MOST_NAMES,
    } as object,
    selectable(type),
  );
}

const selectable = (type: () => new () => object): PropertyDecorator =>
  applyDecorators(
    rememberField({ selects: type }),
    ValidateBy({
      name: 'isSelection',
      validator: {
        validate: (value) => refusal(value, type()) === null,
        defaultMessage: (args?: ValidationArguments) => refusal(args?.value, type()) ?? '',
      },
    }),
  );

function refusal(value: unknown, type: new () => object): string | null {
  if (!Array.isArray(value)) return 'must be a list of names';
  if (value.length === 0) return 'must name at least one field';
  if (value.length > MOST_NAMES) return `must have at most ${MOST_NAMES} names`;
  for (const name of value as unknown[]) {
    if (typeof name !== 'string') return 'must be a list of names';
    if (name.length > MOST_CHARACTERS) return `has a name of more than ${MOST_CHARACTERS} characters`;
    const wrong = wrongName(name, type);
    if (wrong !== null) return wrong;
  }
  return null;
}

/** The most characters of each `value` in the answer; a longer one is cut (rule 11.12). */
export function ValueLimitField({ default: fallback }: { default?: number } = {}): PropertyDecorator {
  return IntegerField({
    min: 1,
    max: MOST_VALUE,
    ...(fallback === undefined ? { optional: true } : { default: fallback }),
    description:
      'The most characters of each `value`. A longer one is cut, ends with `…`, and has `value_truncated: true` beside it.',
    example: fallback ?? 2_000,
  });
}
