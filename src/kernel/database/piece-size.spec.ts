import { describe, expect, it } from '@jest/globals';
import { PieceSize } from './piece-size.js';

describe('the size of pieces', () => {
  it('grows while they are quick, fourfold at a time, up to the most', () => {
    const size = new PieceSize(8, 100);
    const sizes = [1, 2, 3].map(() => {
      size.adapt(size.keys, 1);
      return size.keys;
    });
    expect(sizes).toEqual([32, 100, 100]);
  });

  it('shrinks while they are slow, down to one key', () => {
    const size = new PieceSize(8, 100);
    const sizes = [1, 2, 3].map(() => {
      size.adapt(size.keys, 1_000);
      return size.keys;
    });
    expect(sizes).toEqual([2, 1, 1]);
  });

  it('goes by the keys that the last piece was about', () => {
    const size = new PieceSize(80, 100);
    size.adapt(3, 50);
    expect(size.keys).toBe(3);
  });
});
