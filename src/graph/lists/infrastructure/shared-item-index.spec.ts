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

  it('things of an owner with a place without a key are read from the database; those of others are in order, each once', async () => {
    const found = ['b', 'a', 'b', 'c'].map((key, at) => ({
      ownerId: 'alice',
      id: `of alice ${key}`,
      key,
      at,
    }));
    const long = [
      { ownerId: 'bob', id: 'of bob', key: 'a' },
      { ownerId: 'bob', id: 'long of bob', key: null },
    ];
    const index = new SharedItemIndex();
    const { places, many } = await index.of(received as unknown as IncomingShares, 'nodes title', () =>
      Promise.resolve([...found, ...long]),
    );
    expect(places.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect([...many]).toEqual(['bob']);
  });

  it('places of a hundred thousand things are put in order in slices between which others are served', async () => {
    const index = new SharedItemIndex();
    let rounds = 0;
    const count = (): void => void (rounds++, (next = setImmediate(count)));
    let next = setImmediate(count);
    const found = Array.from({ length: 99_000 }, (_, at) => ({
      ownerId: `owner ${at % 100}`,
      id: `node ${at}`,
      key: `${'x'.repeat(150)}${(at * 7_919) % 99_000}`,
    }));
    const { places } = await index.of(received as unknown as IncomingShares, 'nodes title', () =>
      Promise.resolve(found),
    );
    clearImmediate(next);
    expect(places).toHaveLength(99_000);
    expect(rounds).toBeGreaterThan(10);
  });
});
