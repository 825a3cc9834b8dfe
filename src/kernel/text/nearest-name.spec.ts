import { nearestName } from './nearest-name.js';

const KNOWN = [
  'to',
  'include_tags',
  'limit',
  'offset',
  'sort',
  'node_type',
  'tag_ids',
  'schema_ids',
  'action',
];

describe('nearestName', () => {
  it.each([
    ['tag', 'tag_ids'],
    ['tags', 'tag_ids'],
    ['TAG_IDS', 'tag_ids'],
    ['type', 'node_type'],
    ['limits', 'limit'],
    ['ofset', 'offset'],
    ['srot', 'sort'],
    ['actoin', 'action'],
  ])('%s most likely means %s', (misspelt, meant) => {
    expect(nearestName(misspelt, KNOWN)).toBe(meant);
  });

  it('every name has a nearest one where some are known, and none where none are', () => {
    expect(KNOWN).toContain(nearestName('', KNOWN));
    expect(KNOWN).toContain(nearestName('x'.repeat(100_000), KNOWN));
    expect(nearestName('tag', [])).toBeUndefined();
  });
});
