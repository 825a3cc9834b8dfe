import { type Operation } from '../support/operations.js';
import { askable } from './random-requests.js';

/** Operations that were tried, and their success: the value of a run without a finding. */
export class Coverage {
  private readonly statuses = new Map<string, Map<number, number>>();
  /** The owner's decisions on the callers' proposals. */
  private readonly reviews = new Set<string>();
  pairs = 0;

  readonly heard = (operation: string, status: number): void => {
    this.pairs++;
    const counts = this.statuses.get(operation) ?? new Map<number, number>();
    this.statuses.set(operation, counts.set(status, (counts.get(status) ?? 0) + 1));
  };

  readonly reviewed = (operation: string, status: number): void => {
    if (status < 300) this.reviews.add(operation);
  };

  /** The operations with which no caller succeeded, nor the owner with a caller's proposal. */
  unfulfilled(operations: Operation[]): string[] {
    const fulfilled = (name: string): boolean =>
      this.reviews.has(name) || [...(this.statuses.get(name)?.keys() ?? [])].some((status) => status < 300);
    return askable(operations)
      .map(({ name }) => name)
      .filter((name) => !fulfilled(name));
  }

  summary(operations: Operation[]): string {
    const names = askable(operations).map(({ name }) => name);
    const byStatus = new Map<number, number>();
    for (const counts of this.statuses.values())
      for (const [status, count] of counts) byStatus.set(status, (byStatus.get(status) ?? 0) + count);
    return [
      `${this.pairs} pairs of answers compared: ${JSON.stringify(Object.fromEntries(byStatus))}`,
      `${names.filter((name) => this.statuses.has(name)).length} of ${names.length} operations asked`,
      `never fulfilled: ${this.unfulfilled(operations).join(', ') || 'none'}`,
    ].join('\n  ');
  }
}
