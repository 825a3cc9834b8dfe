import { type Change } from '../../kernel/change-log/change.js';
import { writtenPaths } from './written-paths.js';

const change = (over: Partial<Change>): Change => ({
  ownerId: 'o',
  entity: 'node',
  entityId: 'n',
  action: 'updated',
  version: 2,
  snapshot: null,
  ...over,
});
const created = (snapshot: object) => writtenPaths(change({ action: 'created', snapshot }));
const metadata = (before: unknown, after: unknown) =>
  writtenPaths(change({ changedFields: { metadata: { old: before, new: after } } }));

describe('writtenPaths', () => {
  it('the written paths of a new node are the fields and leaves that have a value', () => {
    const { written, gone } = created({
      title: 'a',
      value: null,
      importance_score: 0,
      tag_ids: ['t'],
      agent_metadata: { agent_name: 'x' },
      graph_view: 'identity',
      metadata: { properties: { list: [1, { a: 2 }], empty: {}, none: null, deep: { er: false } } },
    });
    expect(written).toEqual([
      'title',
      'importance_score',
      'metadata.properties.list',
      'metadata.properties.empty',
      'metadata.properties.deep.er',
    ]);
    expect(gone).toEqual([]);
  });

  it('the written paths of an update are those whose value differs, and separately those that are gone', () => {
    expect(metadata({ a: 1, b: { c: 1 }, d: 1 }, { a: 1, b: { c: 2 }, e: 1 })).toEqual({
      written: ['metadata.b.c', 'metadata.e'],
      gone: ['metadata.d'],
    });
    expect(metadata({ a: { b: 1 } }, { a: 'flat' })).toEqual({
      written: ['metadata.a'],
      gone: ['metadata.a.b'],
    });
    expect(metadata({ a: 1 }, null)).toEqual({ written: [], gone: ['metadata.a'] });
    expect(metadata({ l: [1, 2] }, { l: [1, 2] })).toEqual({ written: [], gone: [] });
  });

  it('written paths end above a key that would make a path ambiguous', () => {
    expect(metadata(null, { a: { 'x.y': 1, z: 2 }, b: { '': 1 }, c: 3 }).written).toEqual([
      'metadata.a',
      'metadata.b',
      'metadata.c',
    ]);
  });

  it('written paths are limited in number and length', () => {
    const wide = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`k${i}`, i]));
    expect(metadata(null, { properties: wide, note: 1 }).written).toEqual([
      'metadata.properties',
      'metadata.note',
    ]);
    expect(metadata(null, wide).written).toEqual(['metadata']);
    const long = 'k'.repeat(300);
    const { written } = metadata(null, { [long]: { [long]: { a: 1 } } });
    expect(written).toEqual([`metadata.${long}`]);
  });

  it('written paths are counted no further than to their limit', () => {
    let read = 0;
    const wide = {};
    for (let index = 0; index < 5_000; index++)
      Object.defineProperty(wide, `k${index}`, { enumerable: true, get: () => (read += 1) });
    expect(metadata(null, { properties: wide, note: 1 }).written).toEqual([
      'metadata.properties',
      'metadata.note',
    ]);
    expect(read).toBe(501);
  });

  it('a step that changes no content has no written paths', () => {
    for (const action of ['deleted', 'restored'])
      expect(writtenPaths(change({ action }))).toEqual({ written: [], gone: [] });
    const tags = { tag_ids: { old: [], new: ['t'] }, graph_view: { old: 'identity', new: 'neutral' } };
    expect(writtenPaths(change({ changedFields: tags }))).toEqual({ written: [], gone: [] });
  });
});
