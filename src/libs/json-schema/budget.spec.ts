import { jest } from '@jest/globals';
import { platform } from 'node:os';
import { budgetOf } from './budget.mjs';

const HOUR = 3_600_000;

describe('budgetOf', () => {
  afterEach(() => jest.restoreAllMocks());

  const laterBy = (milliseconds: number): void => {
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + milliseconds);
  };

  it('the budget of a look at a schema is not spent by waiting for a processor, where the system says how long a thread has worked', () => {
    const budget = budgetOf(100, 2 * HOUR);
    laterBy(HOUR);
    expect(budget.isSpent()).toBe(platform() !== 'linux');
  });

  it('the budget of a look at a schema ends with the patience of who asks, whoever had the processor', () => {
    const budget = budgetOf(100, HOUR / 2);
    laterBy(HOUR);
    expect(budget.isSpent()).toBe(true);
  });

  it('the budget of a look at a schema is spent by work', () => {
    const budget = budgetOf(5, HOUR);
    let rounds = 0;
    while (!budget.isSpent()) rounds++;
    expect(rounds).toBeGreaterThan(0);
  });
});
