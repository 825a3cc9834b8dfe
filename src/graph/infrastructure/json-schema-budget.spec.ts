import { jest } from '@jest/globals';
import { platform } from 'node:os';
import { budgetOf } from './json-schema-budget.mjs';

const HOUR = 3_600_000;

describe('the budget of a look at a schema', () => {
  afterEach(() => jest.restoreAllMocks());

  const laterBy = (milliseconds: number): void => {
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + milliseconds);
  };

  // Elsewhere nobody says how long a thread has worked.
  const onLinux = platform() === 'linux' ? it : it.skip;

  onLinux('is not spent by waiting for a processor', () => {
    const budget = budgetOf(100, 2 * HOUR);
    laterBy(HOUR);
    expect(budget.isSpent()).toBe(false);
  });

  it('ends with the patience of who asks, whoever had the processor', () => {
    const budget = budgetOf(100, HOUR / 2);
    laterBy(HOUR);
    expect(budget.isSpent()).toBe(true);
  });

  it('is spent by work', () => {
    const budget = budgetOf(5, HOUR);
    let rounds = 0;
    while (!budget.isSpent()) rounds++;
    expect(rounds).toBeGreaterThan(0);
  });
});
