import { jest } from '@jest/globals';
import { AskedTogether } from './asked-together.js';

describe('questions of one turn', () => {
  it('go out together, also those that come with its promises, and each gets its own answer', async () => {
    const answer = jest.fn((questions: readonly number[]) => Promise.resolve(questions.map((n) => n * n)));
    const together = new AskedTogether(answer, 10);
    const late = Promise.resolve()
      .then(() => undefined)
      .then(() => together.ask(4));
    expect(await Promise.all([together.ask(2), together.ask(3), late, together.ask(2)])).toEqual([
      4, 9, 16, 4,
    ]);
    expect(answer.mock.calls).toEqual([[[2, 3, 2, 4]]]);
    expect(await together.ask(5)).toBe(25);
  });

  it('go out together also where nothing of theirs follows from one thing', async () => {
    const answer = jest.fn((questions: readonly number[]) => Promise.resolve(questions));
    const together = new AskedTogether(answer, 10);
    const asked = (question: number) =>
      new Promise((resolve) => setImmediate(() => resolve(together.ask(question))));
    expect(await Promise.all([asked(1), asked(2)])).toEqual([1, 2]);
    expect(answer.mock.calls).toEqual([[[1, 2]]]);
  });

  it('go out in several statements, one after the other, where they are more than one may have', async () => {
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
    const together = new AskedTogether(answer, 2);
    const all = await Promise.allSettled([1, 2, 3, 4, 5].map((question) => together.ask(question)));
    expect(parts).toEqual([[1, 2], [3, 4], [5]]);
    expect(all.map((one) => (one.status === 'fulfilled' ? one.value : null))).toEqual([1, 4, null, null, 25]);
  });

  it('fail together, and the next ones do not', async () => {
    let isBroken = true;
    const together = new AskedTogether<number, number>(
      (questions) => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve(questions)),
      10,
    );
    const both = await Promise.allSettled([together.ask(1), together.ask(2)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await together.ask(3)).toBe(3);
  });
});
