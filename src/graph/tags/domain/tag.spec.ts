import { changeTag, deletedTag, newTag } from './tag.js';

const made = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-02T00:00:00Z');
const tag = newTag({ owner_id: 'o', id: 't', at: made }, { name: 'Work', key: 'work' }, { color: '#000000' });

describe('changeTag', () => {
  it('a tag begins as version 1 without what was left out', () => {
    expect(tag).toMatchObject({
      version: 1,
      color: '#000000',
      category: null,
      parent_tag_id: null,
      deleted_at: null,
    });
  });

  it('a tag takes what is given, clears with null and keeps what is absent', () => {
    const step = changeTag(
      tag,
      { name: { name: 'Job', key: 'job' }, color: null, category: undefined },
      { at: later },
    );
    expect(step?.tag).toMatchObject({
      name: 'Job',
      name_key: 'job',
      color: null,
      version: 2,
      updated_at: later,
    });
    expect(step?.changed).toEqual({
      name: { old: 'Work', new: 'Job' },
      color: { old: '#000000', new: null },
    });
    expect(tag.name).toBe('Work');
  });

  it('a tag has no new version when nothing differs', () => {
    expect(changeTag(tag, {}, { at: later })).toBeNull();
    expect(changeTag(tag, { color: '#000000', description: null }, { at: later })).toBeNull();
  });

  it('a tag has a new version that names what was set unseen, changed or not (rule 3.16f)', () => {
    const how = { at: later, unseen: ['category', 'color'] };
    expect(changeTag(tag, { color: '#000000' }, how)).toMatchObject({
      tag: { version: 2, color: '#000000' },
      changed: { category: { old: null, new: null }, color: { old: '#000000', new: '#000000' } },
    });
  });

  it('a tag keeps its row when it is deleted', () => {
    expect(deletedTag(tag, later)).toEqual({ ...tag, version: 2, updated_at: later, deleted_at: later });
  });
});
