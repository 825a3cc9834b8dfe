import { type Json } from '../../domain/api.js';
import { fitting, fittingPage, MOST_CHARACTERS } from './fitting.js';

const item = (id: number, characters: number): Json => ({ id, text: 'x'.repeat(characters) });
const idsOf = (items: readonly Json[]) => items.map(({ id }) => id);

describe('fitting', () => {
  it('takes items in their order until there is no room', () => {
    const third = MOST_CHARACTERS / 3;
    const items = [item(1, third), item(2, third), item(3, third), item(4, 1)];
    expect(idsOf(fitting(items))).toEqual([1, 2]);
    expect(fitting(items.slice(2))).toEqual(items.slice(2));
    expect(fitting([])).toEqual([]);
  });

  it('leaves out the largest fields of an item that is too large alone, and names them', () => {
    const large = { id: 1, a: 'x'.repeat(MOST_CHARACTERS), b: 'x'.repeat(MOST_CHARACTERS / 2), c: 'x' };
    expect(fitting([large, item(2, 1)])).toEqual([{ id: 1, c: 'x', left_out: ['a', 'b'] }]);
  });
});

describe('pages', () => {
  const page = {
    nodes: [item(1, MOST_CHARACTERS / 2), item(2, MOST_CHARACTERS / 2)],
    total: 3,
    limit: 20,
    offset: 0,
  };

  it('names the number of items as limit where their size ends a page, as the API does', () => {
    const [first] = page.nodes;
    expect(fittingPage(page, 'nodes')).toEqual({ ...page, nodes: [first], limit: 1, truncated: true });
  });

  it('leaves a page unchanged that does not reach the bound', () => {
    const small = { ...page, nodes: [item(1, 1)] };
    expect(fittingPage(small, 'nodes')).toEqual(small);
  });
});
