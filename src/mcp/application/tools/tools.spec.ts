import { describe, expect, it } from '@jest/globals';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Json } from '../../domain/api.js';
import { type Verb } from '../../domain/tool.js';
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
const VERBS: readonly Verb[] = ['discover', 'read', 'propose', 'create', 'edit', 'delete'];
const all = offered(Object.fromEntries(VERBS.map((verb) => [verb, true])));
const namesOf = (tools: Json[]) => tools.map(({ name }) => name);

describe('offered', () => {
  it('lists fourteen tools in a fixed order where everything is allowed (rule 15.3)', () => {
    expect(namesOf(all)).toEqual(NAMES);
  });

  it('leaves out tools without changing the order of the others', () => {
    for (let bits = 0; bits < 2 ** VERBS.length; bits++) {
      const effective = Object.fromEntries(VERBS.map((verb, at) => [verb, (bits & (1 << at)) !== 0]));
      const names = namesOf(offered(effective));
      expect(names).toEqual(NAMES.filter((name) => names.includes(name)));
    }
  });

  it('lists no tool that changes nodes for a client that is shown none (rule 15.3)', () => {
    const blind = offered({ edit: true, delete: true, create: true });
    expect(namesOf(blind)).toEqual(['list_schemas', 'my_access', 'remember']);
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

  it('declares objects as input and output, in valid schemas', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false });
    (addFormats as unknown as (to: Ajv2020) => void)(ajv);
    for (const schema of [tool['inputSchema'], tool['outputSchema']] as Json[]) {
      expect(schema['type']).toBe('object');
      expect(() => ajv.compile(schema)).not.toThrow();
    }
  });
});
