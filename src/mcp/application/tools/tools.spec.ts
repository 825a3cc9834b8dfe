import { describe, expect, it } from '@jest/globals';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Json } from '../../domain/api.js';
import { type Effective } from '../../domain/abilities.js';
import { offered } from './tools.js';

/** The most tokens that the schemas of all tools may take in a model's context. */
const BUDGET = 6000;
const NAMES = [
  'search',
  'fetch',
  'list_nodes',
  'neighborhood',
  'list_tags',
  'list_schemas',
  'node_history',
  'my_access',
  'remember',
  'propose_change',
  'list_proposals',
  'update_node',
  'delete_node',
  'link_nodes',
];
const VERBS = ['discover', 'read', 'propose', 'create', 'edit', 'delete'] as const;
type Verb = (typeof VERBS)[number];
const FILE = '00000000-0000-7000-8000-000000000001';
const ANY = { schema_ids: [], allow_all: true };
const of = (...schema_ids: string[]) => ({ schema_ids, allow_all: false });
const SCHEMAS = [ANY, of(), of('__freeform__'), of(FILE), of('another'), of('__freeform__', 'another')];
/** One schema of each kind that a node may have. */
const KINDS = ['__freeform__', FILE, 'another', 'one that no list names'];

const effective = (verbs: readonly Verb[], more: Partial<Effective> = {}): Effective => ({
  tags: Object.fromEntries(VERBS.map((verb) => [verb, verbs.includes(verb)])) as Effective['tags'],
  files: { read: verbs.includes('read') },
  schemas: { read: ANY, write: ANY },
  ...more,
});
const all = offered(effective(VERBS));
const namesOf = (tools: Json[]) => tools.map(({ name }) => name);

/** All combinations of verbs, reading files and schemas. */
const COMBINATIONS = Array.from({ length: 2 ** VERBS.length }, (_, bits) =>
  VERBS.filter((_verb, at) => (bits & (1 << at)) !== 0),
).flatMap((verbs) =>
  [verbs.includes('read'), true].flatMap((read) =>
    SCHEMAS.flatMap((reads) =>
      SCHEMAS.map((write) => effective(verbs, { files: { read }, schemas: { read: reads, write } })),
    ),
  ),
);

/** The tools of which a call can succeed, tried with one node of each kind (rules 1.14, 3.3, 3.10). */
function succeeding({ tags, files, schemas }: Effective): Set<string> {
  const reaches = (kind: 'read' | 'write', schema: string): boolean =>
    schemas[kind].allow_all || schemas[kind].schema_ids.includes(schema);
  const may = new Set(['my_access']);
  const add = (...names: string[]) => names.forEach((name) => may.add(name));
  if (tags.discover) add('list_tags');
  if (tags.propose) add('list_proposals');
  for (const kind of KINDS) {
    const reads = reaches('read', kind) && (tags.read || (files.read && kind === FILE));
    const writes = reaches('write', kind);
    if (reads) add('search', 'fetch', 'list_nodes', 'neighborhood', 'node_history', 'list_schemas');
    if (writes && tags.create) add('remember', 'list_schemas');
    if (writes && tags.propose) add('remember', 'propose_change', 'list_schemas');
    if (reads && writes && tags.edit) add('update_node', 'link_nodes');
    if (reads && writes && tags.delete) add('delete_node');
  }
  return may;
}

/** The places of a schema that take a text or a list of any length. Free objects are bounded by the API. */
function unbounded(schema: Json, place: string): string[] {
  const { type, properties = {}, items, enum: values, format, maxLength, maxItems } = schema;
  const isBounded =
    type === 'string' ? Array.isArray(values) || format === 'uuid' || typeof maxLength === 'number' : true;
  const isEnded = type !== 'array' || typeof maxItems === 'number';
  const inner = Object.entries(properties as Record<string, Json>);
  return [
    ...(isBounded && isEnded ? [] : [place]),
    ...inner.flatMap(([name, one]) => unbounded(one, `${place}.${name}`)),
    ...(items === undefined ? [] : unbounded(items as Json, `${place}[]`)),
  ];
}

describe('unbounded', () => {
  it('finds texts and lists without a bound at any depth', () => {
    const inner = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string', maxLength: 1 } },
    };
    const schema = { type: 'object', properties: { list: { type: 'array', items: inner } } };
    expect(unbounded(schema, 'x')).toEqual(['x.list', 'x.list[].a']);
  });
});

describe('offered', () => {
  it('lists fourteen tools in a fixed order where everything is allowed (rule 15.3)', () => {
    expect(namesOf(all)).toEqual(NAMES);
  });

  it('lists exactly the tools that can succeed with each combination of permissions, in that order', () => {
    expect(COMBINATIONS.length).toBeGreaterThan(4000);
    for (const permissions of COMBINATIONS) {
      const can = succeeding(permissions);
      expect([permissions, namesOf(offered(permissions))]).toEqual([
        permissions,
        NAMES.filter((name) => can.has(name)),
      ]);
    }
  });

  it('takes no more of a model’s context than the budget', () => {
    expect(countTokens(JSON.stringify(all))).toBeLessThanOrEqual(BUDGET);
  });
});

describe.each(all.map((tool) => [tool['name'] as string, tool] as const))('%s', (_, tool) => {
  it('shows clients a title, a description and hints', () => {
    expect(tool).toMatchObject({
      title: expect.stringMatching(/\S/),
      description: expect.stringMatching(/\.$/),
      annotations: {
        title: tool['title'],
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: false,
      },
    });
  });

  it('bounds every text and every list of its input', () => {
    expect(unbounded(tool['inputSchema'] as Json, 'input')).toEqual([]);
  });

  it('declares objects as input and output, in valid schemas', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    (addFormats as unknown as (to: Ajv2020) => void)(ajv);
    for (const schema of [tool['inputSchema'], tool['outputSchema']] as Json[]) {
      expect(schema['type']).toBe('object');
      expect(() => ajv.compile(schema)).not.toThrow();
    }
  });
});
