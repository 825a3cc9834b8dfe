import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Coding, compressed } from './compression.js';

const TEXT = Buffer.from(`{"a":"${'harbour é '.repeat(40_000)}"}`);

describe('compressed', () => {
  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('bytes are restored from what is compressed as %s', async (coding, restore) => {
    const made = (await compressed(() => TEXT, coding)) as Buffer;
    expect(restore(made).equals(TEXT)).toBe(true);
    expect(made.length).toBeLessThan(TEXT.length / 50);
  });

  it('the third answer at once is left as it is, and places are free again afterwards', async () => {
    const make = (coding: Coding) => compressed(() => TEXT, coding);
    const made = await Promise.all([make('br'), make('gzip'), make('br')]);
    expect(made.map((one) => one === null)).toEqual([false, false, true]);
    expect(await make('br')).not.toBeNull();
  });
});
