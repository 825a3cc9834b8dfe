import { type ActionType, LIMITS } from '../domain/proposal-content.js';

/** Schemas for the OpenAPI document only: step-shapes.ts checks the forms, and names every wrong field. */
type Schema = Readonly<Record<string, unknown>>;

const ID = '3f2f6a80-2c0b-4c0e-9d11-5c1f0a9e7b21';
const OTHER = 'b8a4b7b2-6f1a-4d0c-8a52-0d3f5b9e1c77';

const id = (description: string): Schema => ({ type: 'string', format: 'uuid', description });
const names: Schema = {
  type: 'array',
  items: { type: 'string' },
  minItems: 1,
  description: 'Names of tags.',
};
const changes = (of: string): Schema => ({
  type: 'object',
  additionalProperties: true,
  description: `Fields of the ${of} with their new values; omitted fields stay unchanged.`,
});
const baseVersion: Schema = {
  type: 'integer',
  minimum: 1,
  description:
    'The version that the proposal was made from. A later change of the same fields is a CONFLICT.',
};
const node = id('The node.');
const relationship = id('The relationship.');

const relationshipProperties: Schema = {
  from_node_id: id('Where it begins; or from_ref.'),
  from_ref: { type: 'string', description: 'The ref or action id of a node that this proposal makes.' },
  to_node_id: id('The node at which it ends; or to_ref.'),
  to_ref: { type: 'string', description: 'The ref or action id of a node that this proposal makes.' },
  relationship_type: { type: 'string' },
  bidirectional: { type: 'boolean' },
};

const PAYLOADS: Readonly<Record<ActionType, { properties: Schema; required: string[]; example: Schema }>> = {
  CREATE_NODE: {
    properties: {
      ref: { type: 'string', description: 'The name by which other actions refer to it.' },
      title: { type: 'string' },
      node_type: { type: 'string' },
    },
    required: ['title', 'node_type'],
    example: { ref: 'goal', title: 'Learn to sail', node_type: 'GOAL' },
  },
  UPDATE_NODE: {
    properties: {
      node_id: node,
      changes: {
        ...changes('node'),
        description:
          'Fields of the node with their new values; omitted fields stay unchanged. Metadata is a JSON merge patch (RFC 7396).',
      },
      base_version: baseVersion,
    },
    required: ['node_id', 'changes'],
    example: { node_id: ID, changes: { title: 'Learn to sail' }, base_version: 1 },
  },
  DELETE_NODE: {
    properties: { node_id: node, base_version: baseVersion },
    required: ['node_id'],
    example: { node_id: ID },
  },
  MERGE_NODES: {
    properties: {
      target_node_id: id('The node that stays.'),
      source_node_ids: {
        type: 'array',
        items: { type: 'string', format: 'uuid' },
        minItems: 1,
        maxItems: LIMITS.sources,
        description:
          'Nodes that are merged and deleted: their relationships, tags and contributions move to the target.',
      },
      field_choices: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'The source of a field of the target: `target`, `source` (the first one) or the id.',
      },
    },
    required: ['target_node_id', 'source_node_ids'],
    example: { target_node_id: ID, source_node_ids: [OTHER], field_choices: { title: 'source' } },
  },
  CREATE_RELATIONSHIP: {
    properties: relationshipProperties,
    required: ['relationship_type'],
    example: { from_ref: 'goal', to_node_id: ID, relationship_type: 'about' },
  },
  UPDATE_RELATIONSHIP: {
    properties: { relationship_id: relationship, changes: changes('relationship') },
    required: ['relationship_id', 'changes'],
    example: { relationship_id: ID, changes: { strength: 0.8 } },
  },
  DELETE_RELATIONSHIP: {
    properties: { relationship_id: relationship },
    required: ['relationship_id'],
    example: { relationship_id: ID },
  },
  ADD_TAGS: {
    properties: { node_id: node, tags: names, base_version: baseVersion },
    required: ['node_id', 'tags'],
    example: { node_id: ID, tags: ['sea'] },
  },
  REMOVE_TAGS: {
    properties: { node_id: node, tags: names, base_version: baseVersion },
    required: ['node_id', 'tags'],
    example: { node_id: ID, tags: ['sea'] },
  },
};

/** One form for each type of action; a BATCH has any of them. */
export const ACTION_SCHEMA: Schema = {
  oneOf: Object.entries(PAYLOADS).map(([type, { properties, required, example }]) => ({
    type: 'object',
    title: type,
    required: ['type', 'payload'],
    properties: {
      id: {
        type: 'string',
        minLength: 1,
        maxLength: LIMITS.id,
        description: 'Unique in the proposal; approvals name it.',
      },
      type: { type: 'string', enum: [type] },
      payload: { type: 'object', required, properties, additionalProperties: true },
    },
    example: { id: type.toLowerCase().replace('_', '-'), type, payload: example },
  })),
};
