import { jest } from '@jest/globals';
import { BatchLoader } from './batch-loader.js';

describe('a batch loader', () => {
  it('loads the keys of one turn together, also those that its promises add, each with its own value', async () => {
    const answer = jest.fn((questions: readonly number[]) => Promise.resolve(questions.map((n) => n * n)));
    const together = new BatchLoader(answer, 10);
    const late = Promise.resolve()
      .then(() => undefined)
      .then(() => together.load(4));
    expect(await Promise.all([together.load(2), together.load(3), late, together.load(2)])).toEqual([
      4, 9, 16, 4,
    ]);
    expect(answer.mock.calls).toEqual([[[2, 3, 2, 4]]]);
    expect(await together.load(5)).toBe(25);
  });

  it('loads keys of independent callers of one turn together', async () => {
    const answer = jest.fn((questions: readonly number[]) => Promise.resolve(questions));
    const together = new BatchLoader(answer, 10);
    const asked = (question: number) =>
      new Promise((resolve) => setImmediate(() => resolve(together.load(question))));
    expect(await Promise.all([asked(1), asked(2)])).toEqual([1, 2]);
    expect(answer.mock.calls).toEqual([[[1, 2]]]);
  });

  it('loads more keys than a statement may have in several statements, one after the other', async () => {
    const parts: number[][] = [];
    let open = 0;
    const answer = async (questions: readonly number[]) => {
      parts.push([...questions]);
      expect(++open).toBe(1);
      await Promise.resolve();
      open--;
      if (questions.includes(3)) throw new Error('broken');
      return questions.map((n) => n * n);
    };
    const together = new BatchLoader(answer, 2);
    const all = await Promise.allSettled([1, 2, 3, 4, 5].map((question) => together.load(question)));
    expect(parts).toEqual([[1, 2], [3, 4], [5]]);
    expect(all.map((one) => (one.status === 'fulfilled' ? one.value : null))).toEqual([1, 4, null, null, 25]);
  });

  it('rejects all keys of a failed statement, and loads the next ones', async () => {
    let isBroken = true;
    const together = new BatchLoader<number, number>(
      (questions) => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(questions)),
      10,
    );
    const both = await Promise.allSettled([together.load(1), together.load(2)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await together.load(3)).toBe(3);
  });
});
