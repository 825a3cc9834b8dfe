import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { PII_ENTITIES } from '../../../libs/pii/entities.js';
import { FIELDS_OF_TYPE } from '../../domain/exposure/node-exposure.js';
import {
  GRANULARITIES,
  MASK_STRATEGIES,
  type TransformationType,
} from '../../domain/exposure/transformation.js';
import { TAG_NAME_LENGTH } from '../../domain/tags/tag-name.js';

/** Rules whose form depends on their kind, for openapi.json; the domain's own parsers read them. */

/** A leaf of a tag expression. */
export class TagCondition {
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: TAG_NAME_LENGTH,
    description: 'Name of a tag.',
    example: 'work',
  })
  tag: string;
}

/** A boolean tree over tags: at most 10 operators deep, 200 leaves. Empty conditions: AND is true, OR is false. */
export class TagExpression {
  @ApiProperty({ type: String, enum: ['AND', 'OR'], description: 'In any letter case.', example: 'AND' })
  op: string;

  @ApiProperty({
    type: 'array',
    items: {
      oneOf: [{ $ref: getSchemaPath('TagCondition') }, { $ref: getSchemaPath('TagExpression') }],
    },
    description: 'Names of tags, or expressions again.',
    example: [{ tag: 'work' }, { op: 'OR', conditions: [{ tag: 'public' }, { tag: 'team' }] }],
  })
  conditions: unknown[];
}

export const TAG_EXPRESSION = { allOf: [{ $ref: getSchemaPath('TagExpression') }] };

const PATH = { type: 'string', example: 'metadata.properties.email' };
const list = (items: object, description: string): object => ({ type: 'array', items, description });

const APPLY_TO = {
  type: 'object',
  description: 'The scope: all given lists must match. Absent: every node and field.',
  properties: {
    tag_ids: list({ type: 'string', format: 'uuid' }, 'Nodes with one of these tags.'),
    node_types: list({ type: 'string' }, 'Nodes of one of these types.'),
    fields: list(PATH, 'Only what is at or below one of these paths.'),
  },
};

const PATHS = {
  paths: list(PATH, 'Dotted paths; what is below goes with them.'),
};
const CONFIGS: Record<TransformationType, { says: string; properties: object; required?: string[] }> = {
  pii_redaction: {
    says: 'Hides what reads as personal data inside texts.',
    properties: {
      entities: list({ type: 'string', enum: [...PII_ENTITIES] }, 'Absent: all of them.'),
      replacement: { type: 'string', maxLength: 100, description: 'Absent: `[REDACTED:<entity>]`.' },
    },
  },
  field_mask: {
    says: 'Takes fields away or makes them unreadable.',
    properties: {
      ...PATHS,
      strategy: {
        type: 'string',
        enum: [...MASK_STRATEGIES],
        default: 'remove',
        description: '`hash` a digest, `last4` the last four characters.',
      },
    },
    required: ['paths'],
  },
  truncate: {
    says: 'Cuts a text.',
    properties: {
      field: PATH,
      max: { type: 'integer', minimum: 0, maximum: 100_000, description: 'Characters that stay.' },
    },
    required: ['field', 'max'],
  },
  round_date: {
    says: 'Makes dates coarser.',
    properties: { granularity: { type: 'string', enum: [...GRANULARITIES], default: 'day' } },
  },
  pseudonymize: {
    says: 'Puts a stand-in for each value, the same one for the same app and user.',
    properties: PATHS,
    required: ['paths'],
  },
};

const typed = Object.entries(CONFIGS).map(([type, { says, properties, required }]) => ({
  title: type,
  type: 'object',
  description: `${says} Works on ${FIELDS_OF_TYPE[type as TransformationType].join(', ')}.`,
  properties: {
    type: { type: 'string', enum: [type] },
    config: { type: 'object', properties, ...(required ? { required } : {}) },
    apply_to: APPLY_TO,
  },
  required: required ? ['type', 'config'] : ['type'],
}));

/** One entry of `transformations`. */
export const TRANSFORMATION = {
  oneOf: [
    ...typed,
    {
      title: 'short',
      type: 'string',
      enum: ['pii_redaction', 'round_date'],
      description: 'Short for `{type}`.',
    },
  ],
};
