import {
  compareMet,
  type DirectedList,
  type Met,
  type MeetingOrder,
  NeighborLists,
} from './neighbor-lists.js';

const met = (id: string, key: number): Met => ({ id, key, other: `to ${id}` });
const read = (list: DirectedList, ...all: Met[]) => {
  for (const one of all) list.add(one);
};
const known = (node: NeighborLists, order: MeetingOrder = 'newest first') =>
  [...node.known(order)].map(({ id }) => id);

describe('NeighborLists', () => {
  it('nothing is known before both directions were looked at', () => {
    const node = new NeighborLists('a');
    read(node.lists[0], met('3', 3));
    expect(known(node)).toEqual([]);
    node.lists[1].isRead = true;
    expect(known(node)).toEqual(['3']);
    expect(node.isDone).toBe(false);
    node.lists[0].isRead = true;
    expect(node.isDone).toBe(true);
  });

  it('a part is taken as far as no unread relationship of the other direction can be newer', () => {
    const node = new NeighborLists('a');
    const [out, into] = node.lists;
    read(out, met('9', 9), met('2', 2));
    read(into, met('7', 7), met('5', 5));
    expect(known(node)).toEqual(['9', '7', '5']);
    read(into, met('4', 4), met('1', 1));
    expect(known(node)).toEqual(['4', '2']);
    out.isRead = true;
    expect(known(node)).toEqual(['1']);
    into.isRead = true;
    expect([known(node), node.isDone]).toEqual([[], true]);
  });

  it('relationships of one time come by falling ids, and by rising ones where times are hidden', () => {
    const all = [met('b', 1), met('c', 1), met('a', 2)];
    const sorted = (order: MeetingOrder) => [...all].sort(compareMet(order)).map(({ id }) => id);
    expect(sorted('newest first')).toEqual(['a', 'c', 'b']);
    expect(sorted('by id')).toEqual(['a', 'b', 'c']);
  });
});
