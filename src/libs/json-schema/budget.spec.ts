import { jest } from '@jest/globals';
import { platform } from 'node:os';
import { budgetOf } from './budget.mjs';

const HOUR = 3_600_000;

/** Keeps the processor busy for this much of the process's own time. */
function work(milliseconds: number): void {
  const begun = process.cpuUsage();
  const used = () => process.cpuUsage(begun);
  while (used().user + used().system < milliseconds * 1000);
}

describe('budgetOf', () => {
  afterEach(() => jest.restoreAllMocks());

  const laterBy = (milliseconds: number): void => {
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + milliseconds);
  };

  it('waiting for a processor spends no budget where the system reports the work of a thread', () => {
    const budget = budgetOf(100, 2 * HOUR);
    laterBy(HOUR);
    expect(budget.isSpent()).toBe(platform() !== 'linux');
  });

  it("a schema check ends at the caller's deadline even without processor time", () => {
    const budget = budgetOf(100, HOUR / 2);
    laterBy(HOUR);
    expect(budget.isSpent()).toBe(true);
  });

  it('work of the thread beyond the budget spends it', () => {
    const budget = budgetOf(50, HOUR);
    expect(budget.isSpent()).toBe(false);
    work(150);
    expect(budget.isSpent()).toBe(true);
  });
});
