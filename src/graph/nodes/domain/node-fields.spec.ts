import { newNodeErrors, NODE_LIMITS, nodeFieldErrors, STORED_LIMITS } from './node-fields.js';

const wrongFields = (body: unknown): string[] => nodeFieldErrors(body).map(({ field }) => field);
const nested = (levels: number): object => (levels === 1 ? {} : { x: nested(levels - 1) });

describe('newNodeErrors and nodeFieldErrors', () => {
  it('the fields of a node body may be any subset, and null clears the optional ones', () => {
    expect(nodeFieldErrors({})).toEqual([]);
    const cleared = {
      value: null,
      importance_score: null,
      metadata: null,
      agent_metadata: null,
      schema_id: null,
      tags: null,
    };
    expect(nodeFieldErrors(cleared)).toEqual([]);
  });

  it('node fields need a title and a node type in a new node', () => {
    expect(newNodeErrors({}).map(({ field }) => field)).toEqual(['title', 'node_type']);
    expect(newNodeErrors({ title: 'a', node_type: 'b' })).toEqual([]);
  });

  it.each([
    ['title', ''],
    ['title', null],
    ['title', 7],
    ['title', 'x'.repeat(1_001)],
    ['value', 'x'.repeat(100_001)],
    ['node_type', ''],
    ['meaning_level', 'context'],
    ['graph_view', 'both'],
    ['importance_score', 1.01],
    ['importance_score', Number.NaN],
    ['metadata', []],
    ['metadata', nested(33)],
    ['metadata', { x: 'x'.repeat(256 * 1024) }],
    ['metadata.properties', { properties: 'none' }],
    ['agent_metadata', 'agent'],
    ['last_modified_by_agent_id', 'me'],
    ['tags', 'work'],
    ['tags', [1]],
    ['tags', Array.from({ length: 51 }, (_, i) => `tag ${i}`)],
    ['tags.1', ['work', ' ']],
    ['tags.0', ['x'.repeat(101)]],
  ])('node fields refuse a wrong %s (%#)', (field, value) => {
    expect(wrongFields({ [field.split('.')[0] as string]: value })).toEqual([field]);
  });

  it.each([
    ['title', 'x'.repeat(1_000)],
    ['title', '😀'.repeat(1_000)],
    ['title', ' '],
    ['value', ''],
    ['importance_score', 0],
    ['importance_score', 1],
    ['metadata', nested(32)],
    ['tags', Array.from({ length: 60 }, (_, i) => (i % 2 ? 'Work' : 'work '))],
  ])('node fields take a %s at the limit (%#)', (field, value) => {
    expect(wrongFields({ [field]: value })).toEqual([]);
  });

  it.each([
    ['letters', 'x'],
    ['letters of three bytes', 'あ'],
    ['pairs', '😀'],
    ['escaped characters', '\u0001'],
    ['halves of pairs', '\ud800'],
    ['long numbers', -0.0000012345678901234567],
    ['long numbers under escaped keys', { ['\u0001'.repeat(9)]: -0.0000012345678901234567 }],
    ['short values', false],
  ])('node fields take metadata to the last byte of the limit, of %s', (_, part) => {
    const limit = 256 * 1024;
    const bytes = (value: object): number => Buffer.byteLength(JSON.stringify(value));
    const of = (count: number, more: string): object => ({
      all: typeof part === 'string' ? part.repeat(count) : Array(count).fill(part),
      more,
    });
    const each = bytes(of(2, '')) - bytes(of(1, ''));
    const count = Math.floor((limit - bytes(of(1, ''))) / each);
    const rest = limit - bytes(of(count, ''));
    expect(bytes(of(count, 'x'.repeat(rest)))).toBe(limit);
    expect(wrongFields({ metadata: of(count, 'x'.repeat(rest)) })).toEqual([]);
    expect(wrongFields({ metadata: of(count, 'x'.repeat(rest + 1)) })).toEqual(['metadata']);
  });

  it('node fields take 10,000 objects and arrays in metadata, and of what is stored twice as many', () => {
    const of = (count: number): object => ({ all: Array.from({ length: count - 2 }, () => ({})) });
    const most = NODE_LIMITS.metadataContainers;
    expect(wrongFields({ metadata: of(most), agent_metadata: of(most) })).toEqual([]);
    expect(nodeFieldErrors({ metadata: of(most + 1) })).toEqual([
      { field: 'metadata', message: 'must not have more than 10000 objects and arrays' },
    ]);
    expect(wrongFields({ agent_metadata: of(most + 1) })).toEqual(['agent_metadata']);
    expect(nodeFieldErrors({ metadata: of(2 * most) }, STORED_LIMITS)).toEqual([]);
    expect(nodeFieldErrors({ metadata: of(2 * most + 1) }, STORED_LIMITS)).toHaveLength(1);
  });

  it('node fields name every wrong one', () => {
    expect(
      wrongFields({
        title: '',
        importance_score: 2,
        agent_metadata: { agent_id: 'x', confidence_score: 'high' },
      }),
    ).toEqual(['title', 'importance_score', 'agent_metadata.agent_id', 'agent_metadata.confidence_score']);
  });

  it('node fields check what is known of agent metadata and leave the rest free', () => {
    const agent_metadata = {
      agent_id: '0197a3c2-6f0e-7c11-9d53-1a2b3c4d5e6f',
      processing_time_ms: 12,
      source_models: ['a', 'b'],
      validation_status: 'pending',
      contribution_details: { fields_extracted: ['title'], verification_passed: true, quality_score: 0.5 },
      mood: { any: 'thing' },
    };
    expect(nodeFieldErrors({ agent_metadata })).toEqual([]);
    expect(wrongFields({ agent_metadata: { contribution_details: { quality_score: 'good' } } })).toEqual([
      'agent_metadata.contribution_details.quality_score',
    ]);
  });

  it.each([null, 7, 'text', [], undefined])('the fields of a node body must be an object, not %j', (body) => {
    expect(nodeFieldErrors(body)).toHaveLength(1);
    expect(newNodeErrors(body)).toHaveLength(1);
  });
});
