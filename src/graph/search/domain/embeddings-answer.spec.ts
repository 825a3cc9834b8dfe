import { retryAfterMs, vectorsIn } from './embeddings-answer.js';

const answer = (...data: unknown[]) => JSON.stringify({ object: 'list', data });

describe('vectorsIn', () => {
  it('vectors are read in the order of the texts, by their index, and scaled', async () => {
    const given = answer({ index: 1, embedding: [0, 2] }, { index: 0, embedding: [3, 4] });
    expect(await vectorsIn(given, 2)).toEqual([
      [0.6, 0.8],
      [0, 1],
    ]);
  });

  it('answers without an index are read in their order', async () => {
    expect(await vectorsIn(answer({ embedding: [1] }, { embedding: [-2] }), 2)).toEqual([[1], [-1]]);
  });

  it.each([
    ['no JSON', '<html>'],
    ['null', 'null'],
    ['no list', '{"data":{}}'],
    ['an item too few', answer({ index: 0, embedding: [1] })],
    ['an index twice', answer({ index: 0, embedding: [1] }, { index: 0, embedding: [1] })],
    ['an index beyond the texts', answer({ index: 0, embedding: [1] }, { index: 2, embedding: [1] })],
    ['an index of another kind', answer({ index: 'length', embedding: [1] }, { index: 1, embedding: [1] })],
    ['different lengths', answer({ index: 0, embedding: [1] }, { index: 1, embedding: [1, 2] })],
    ['an empty vector', answer({ index: 0, embedding: [] }, { index: 1, embedding: [] })],
    ['zeros', answer({ index: 0, embedding: [0, 0] }, { index: 1, embedding: [1, 0] })],
    ['texts for numbers', answer({ index: 0, embedding: ['1'] }, { index: 1, embedding: [1] })],
    ['a null among the items', answer(null, { index: 1, embedding: [1] })],
    ['base64', answer({ index: 0, embedding: 'AACAPw==' }, { index: 1, embedding: 'AACAPw==' })],
    [
      'more than 4,096 numbers',
      answer(
        { index: 0, embedding: new Array(4097).fill(1) },
        { index: 1, embedding: new Array(4097).fill(1) },
      ),
    ],
  ])('an answer is refused as a whole for %s', async (_, text) =>
    expect(await vectorsIn(text, 2)).toBeNull(),
  );
});

describe('retryAfterMs', () => {
  const now = new Date('2026-03-01T10:00:00Z');

  it.each([
    ['7', 7_000],
    ['0', 0],
    ['99999', 3_600_000],
    ['Sun, 01 Mar 2026 10:00:30 GMT', 30_000],
    ['Sun, 01 Mar 2020 10:00:30 GMT', 0],
    ['soon', null],
    ['', null],
  ])('the wait for %j is %s milliseconds', (header, ms) => expect(retryAfterMs(header, now)).toBe(ms));

  it('no header demands no wait', () => expect(retryAfterMs(undefined, now)).toBeNull());
});
