import { type IncomingShares } from '../../../privacy/index.js';
import { type ListPosition } from './list-positions.js';
import { SharedItemIndex } from './shared-item-index.js';

const received = { ownerIds: ['someone'], key: 'received', changes: 1, changesOf: () => 1 };

describe('SharedItemIndex', () => {
  it.each([
    ['short', 20, 1],
    ['long', 1_000, 2],
  ])('%s titles of received things are cached as far as they have room', async (_, length, reads) => {
    const index = new SharedItemIndex();
    let found = 0;
    const places = Array.from({ length: 1_999 }, (__, at): ListPosition => {
      const [ownerId, id] = [`owner ${at % 1_000}`, `node ${at}`];
      return { ownerId, id, key: 'x'.repeat(length) };
    });
    const many = Array.from({ length: 20 }, (__, at) =>
      places.map((place) => ({ ...place, id: `${at} ${place.id}` })),
    );
    const ask = () =>
      index.of(received as unknown as IncomingShares, 'nodes title', () => {
        found++;
        return Promise.resolve(many.flat());
      });
    await ask();
    await ask();
    expect(found).toBe(reads);
  });
});
