import { jest } from '@jest/globals';
import { nearest } from './nearest.js';
import { strideOf, VectorMemory } from './vector-memory.js';
import { VectorShelf } from './vector-shelf.js';
import { REST_MS, VectorShelves } from './vector-shelves.js';

const list = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
/** Two of them exceed the room. Room is only promised here, nothing is filled. */
const MANY = list(2_500);
const LONG = 4_096;

describe('VectorShelves', () => {
  let shelves: VectorShelves;

  beforeEach(() => {
    jest.useFakeTimers();
    shelves = new VectorShelves();
  });
  afterEach(() => {
    shelves.onApplicationShutdown();
    jest.useRealTimers();
  });

  it('vectors in memory stay within their bound: who searches now is not driven out', () => {
    const first = shelves.withRoom('a', LONG, MANY) as VectorShelf;
    expect(shelves.withRoom('b', LONG, MANY)).toBeNull();
    expect(shelves.use('a', LONG, first.name)).toBe(first);
    expect(shelves.withRoom('b', 3, list(10))).not.toBeNull();
  });

  it('vectors in memory give way when they rest', () => {
    const first = shelves.withRoom('a', LONG, MANY) as VectorShelf;
    jest.advanceTimersByTime(REST_MS);
    expect(shelves.withRoom('b', LONG, MANY)).not.toBeNull();
    expect(shelves.use('a', LONG, first.name)).toBeNull();
  });

  it('vectors in memory go when nobody asks for them', () => {
    const shelf = shelves.withRoom('a', 3, [1]) as VectorShelf;
    jest.advanceTimersByTime(5 * REST_MS);
    expect(shelves.use('a', 3, shelf.name)).toBe(shelf);
    jest.advanceTimersByTime(12 * REST_MS);
    expect(shelves.use('a', 3, shelf.name)).toBeNull();
  });

  it('vectors in memory are refused where there are too many, and read anew when a shelf is full of old ones', () => {
    expect(shelves.withRoom('a', LONG, list(5_000))).toBeNull();
    const shelf = shelves.withRoom('a', LONG, MANY) as VectorShelf;
    for (const vectorId of MANY) shelf.add({ vectorId, nodeId: 'n', unit: new Float32Array(LONG).fill(1) });
    const newer = MANY.map((id) => id + 10_000);
    expect(shelves.withRoom('a', LONG, newer)).toBeNull();
    jest.advanceTimersByTime(REST_MS);
    const anew = shelves.withRoom('a', LONG, newer);
    expect(anew?.row(1)).toBeUndefined();
    expect(anew).not.toBe(shelf);
  });
});

describe('nearest', () => {
  it('the nearest vectors are those that a sort of all of them finds, over many blocks and turns', async () => {
    const dimensions = 301;
    const shelf = new VectorShelf(dimensions, new VectorMemory());
    const count = 9_000;
    let state = 7;
    const draw = () => (state = (state * 48271) % 2147483647) / 2147483647 - 0.5;
    for (let id = 0; id < count; id++) {
      const nodeId = String(id >> 1).padStart(6, '0');
      shelf.add({ vectorId: id, nodeId, unit: Float32Array.from({ length: dimensions }, draw) });
    }
    const rows = Uint32Array.from({ length: count }, (_, row) => row);
    const query = Float32Array.from({ length: dimensions }, draw);
    shelf.compareWith(query);
    const best = new Map<string, number>();
    for (const row of rows) {
      const score = shelf.cosine(row);
      if (score > (best.get(shelf.nodeId(row)) ?? -2)) best.set(shelf.nodeId(row), score);
    }
    const expected = [...best]
      .map(([nodeId, score]) => ({ nodeId, score }))
      .filter(({ score }) => score >= 0.01)
      .sort((a, b) => b.score - a.score);
    const found = await nearest({ shelf, rows, hasSeveral: true }, query, { minScore: 0.01, limit: 50 });
    expect(found).toEqual({ hits: expected.slice(0, 50), total: expected.length });
  });

  it.each([1, 3, 8, 9, 384, 1_000, 4_096])(
    'the nearest vectors have the product that a plain loop makes, at length %i',
    (length) => {
      const memory = new VectorMemory();
      const blocks = [memory.take(), memory.take()];
      const [one, other] = [0, 1].map(() => Float32Array.from({ length }, () => Math.random() - 0.5));
      const plain = (one as Float32Array).reduce(
        (sum, number, index) => sum + number * (other as Float32Array)[index]!,
        0,
      );
      for (const block of blocks) memory.write(block as number, new Float32Array(4_096).fill(7));
      memory.compareWith(new Float32Array(4_096).fill(7));
      memory.write(blocks[1] as number, one as Float32Array);
      memory.compareWith(other as Float32Array);
      expect(memory.product(blocks[1] as number, strideOf(length))).toBeCloseTo(plain, 12);
    },
  );

  it('the nearest vectors are left out, and nothing breaks, where there is no room any more', () => {
    const memory = new VectorMemory();
    while (memory.take() !== null);
    const shelf = new VectorShelf(3, memory);
    shelf.add({ vectorId: 1, nodeId: 'node', unit: Float32Array.of(1, 0, 0) });
    expect(shelf.row(1)).toBeUndefined();
  });

  it('the nearest vectors are not made of what took the place of theirs', async () => {
    const memory = new VectorMemory();
    const shelf = new VectorShelf(4_096, memory);
    for (let id = 0; id < 1_500; id++)
      shelf.add({ vectorId: id, nodeId: String(id), unit: new Float32Array(4_096).fill(1) });
    const rows = Uint32Array.from({ length: 1_500 }, (_, row) => row);
    const searching = nearest({ shelf, rows, hasSeveral: false }, new Float32Array(4_096).fill(1), {
      minScore: 0,
      limit: 1,
    });
    shelf.remove();
    expect(await searching).toBeNull();
    const next = new VectorShelf(4_096, memory);
    for (let id = 0; id < 5_000; id++)
      next.add({ vectorId: id, nodeId: 'n', unit: new Float32Array(4_096).fill(1) });
    expect(next.row(2_999)).toBe(2_999);
    expect(next.row(4_999)).toBeUndefined();
  });
});
