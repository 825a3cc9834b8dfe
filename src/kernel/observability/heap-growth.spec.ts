import { growthPercent } from './heap-growth.js';

const MIB = 1024 * 1024;
const sizeBeforeCollection = (used: number): number => used * (1 + growthPercent(used * MIB) / 100);

describe('growthPercent', () => {
  it('the growth of the heap is the double of what a small heap has in use', () => {
    expect(growthPercent(10 * MIB)).toBe(100);
    expect(growthPercent(64 * MIB)).toBe(100);
  });

  it('the growth of the heap leads up to 128 MiB, and by 40 MiB beyond', () => {
    expect(sizeBeforeCollection(80)).toBeCloseTo(128, -1);
    for (const used of [88, 130, 160, 240]) expect(sizeBeforeCollection(used)).toBeCloseTo(used + 40, -1);
  });

  it('the growth of the heap is 15 % at least, so that a very large heap is not collected all the time', () => {
    expect(growthPercent(2_000 * MIB)).toBe(15);
  });
});
