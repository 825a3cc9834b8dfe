import { changedItems } from './changed-fields.js';

describe('changedItems', () => {
  it('the changed items of fields leave out the items that both lists have', () => {
    const ids = { old: ['a', 'b', 'c'], new: ['d', 'a', 'c'] };
    expect(changedItems({ ids })).toEqual({ ids: { old: ['b'], new: ['d'] } });
  });

  it('the changed items of fields are found in objects, without the keys whose values are the same', () => {
    const read = {
      old: { all: false, ids: ['a'], types: ['t'] },
      new: { all: false, ids: [], types: ['t'] },
    };
    expect(changedItems({ read })).toEqual({ read: { old: { ids: ['a'] }, new: { ids: [] } } });
  });

  it('the changed items of fields are whole values where one state has no list, or a list of objects', () => {
    const fields = {
      name: { old: 'x', new: 'y' },
      ids: { old: null, new: ['a'] },
      masks: { old: [{}], new: [{}, {}] },
    };
    expect(changedItems(fields)).toEqual(fields);
  });
});
